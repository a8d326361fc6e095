package perfscript

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
	"noisefloor/ingest/internal/stacks"
)

// told writes everything that a scan finds, a line each.
func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	p, err := Scan(text, func(q datasets.Problem) {
		problems = append(problems, scantest.Record{Line: q.Line, Text: fmt.Sprintf("%s %d: %s", q.Kind, q.Count, q.Text)})
	})
	for _, s := range p.Rows() {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%s|%s|%s %v %v", s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight, s.Samples)})
	}
	return append(list, problems...), err
}

// finds checks what a scan of text finds: "event|command|frames weight samples",
// then "@line kind count: text".
func finds(t *testing.T, text string, want ...string) {
	t.Helper()
	scantest.Finds(t, told, text, want...)
}

const chain = "\tffffffff8225fd19 halt+0x19 ([kernel.kallsyms])\n\t          8a71f0 main (/usr/bin/x)\n"

func TestScan(t *testing.T) {
	// Equal stacks are one, whatever their addresses; weights are periods.
	finds(t, "x 1 2.5: 100 cycles: \n"+chain+"\nx 1 2.6: 50 cycles: \n"+strings.Replace(chain, "+0x19", "+0x2a", 1)+"\n",
		"cycles|x|main;halt 150 2")
	// Events and commands stay apart.
	finds(t, "x 1 2.5: 100 cycles:u: \n"+chain+"\ny z 1 2.6: 50 cycles:u: \n"+chain+"\nx 1 2.7: 3 instructions: \n"+chain+"\n",
		"cycles:u|x|main;halt 100 1", "cycles:u|y z|main;halt 50 1", "instructions|x|main;halt 3 1")
	// Without a period a sample weighs 1.
	finds(t, "x 1 2.5: cycles: \n"+chain+"\nx 1 cycles:\n"+chain, "cycles|x|main;halt 2 2")
	// No blank line between the samples, none at the end, and samples without a stack.
	finds(t, "x 1 2.5: 7 cycles: \nx 1 2.6: 8 cycles: \n"+chain+"x 1 2.6: 9 cycles: \n"+chain, "cycles|x| 7 1", "cycles|x|main;halt 17 2")
	// One line per sample, of several events, the commands set right.
	finds(t, "    python3 2 2.5: 1 page-faults:  ffffffff81775b9a elf_load+0x28a ([kernel.kallsyms])\n      my th 2 2.5: 4     cycles:  ffffffff81775b9a elf_load ([kernel.kallsyms])\n",
		"cycles|my th|elf_load 4 1", "page-faults|python3|elf_load 1 1")
	// A line of a frameless sample, then lines with a frame that begin with blanks.
	finds(t, "x 1 2.5: 7 cycles: \n    x 1 2.6: 8 cycles:  ffffffff81775b9a elf_load ([kernel.kallsyms])\n", "cycles|x| 7 1", "cycles|x|elf_load 8 1")
	// Tracepoints, and what they print.
	finds(t, "x 1 [000] 2.5: 1 sched:sched_switch: prev_comm=x ==> next_comm=y\n"+chain+"\nfio 2/3 [021] 1.79: 1 block:block_rq_issue: 259,76 R 4096 () + 8 [fio] ffffffff8beead90 start ([kernel.kallsyms])\n",
		"block:block_rq_issue|fio|start 1 1", "sched:sched_switch|x|main;halt 1 1")
	// Frames that are not indented (perf 3.2).
	finds(t, "java 1 cycles:\nffffffff8225fd19 f (x)\n81013236 La/B;::g (/tmp/perf-1.map)\n", "cycles|java|a/B:::g;f 1 1")
	// Only java has L before its classes.
	finds(t, "node 1 cycles:\n\t81013236 La/B;::g (x)\n\njava 1 cycles:\n\t81013236 La/B;::g (x)\n", "cycles|java|a/B:::g 1 1", "cycles|node|La/B:::g 1 1")
	// CR LF, a byte order mark, blank lines of blanks, comments in between.
	finds(t, "\ufeffx 1 2.5: 7 cycles: \r\n# a comment\r\n\t8a71f0 f (x)\r\n \t\r\nx 1 2.5: 7 cycles: \r\n\t8a71f0 f (x)\r\n", "cycles|x|f 14 2")
	// Source lines are no frames.
	finds(t, "x 1 2.5: 7 cycles: \n\t8a71f0 f+0x3 (x)\n  a.c:12\n\t8a71f9 main (x)\n  x[8a71f9]\n\n", "cycles|x|main;f 7 1")
	// Tasks and mappings are no samples; what was lost is said.
	finds(t, "x 1 2.4: PERF_RECORD_MMAP2 1/1: [0x7f42cb5cb000(0x26000) @ 0x1000 fe:00 325835 0]: r-xp /usr/lib/ld.so\nx 1 2.5: 7 cycles: \n"+chain+"\nx 1 2.6: PERF_RECORD_LOST lost 47\n",
		"cycles|x|main;halt 7 1", "lost-samples 1: perf lost 47 samples while recording")
	// Nothing, or only a header: perf script -F cpu on data without cpu prints it.
	finds(t, "")
	finds(t, "# ========\n# hostname : db7\n# ========\n#\n")
	// What is no perf script at all.
	finds(t, "Hello\nWorld\n\tx\n", "@1 weird-sample 2: Hello", "@3 frame-without-sample 1: x")
	// A weird frame is left out of its stack; a blank line behind the header ends the sample.
	finds(t, "x 1 2.5: 7 cycles: \n\t8a71f0 f (x)\n\tTHIS IS WEIRD\n\n", "cycles|x|f 7 1", "@3 weird-frame 1: THIS IS WEIRD")
	finds(t, "x 1 2.5: 7 cycles:\n\n\t8a71f0 f (x)\n\n", "cycles|x| 7 1", "@3 frame-without-sample 1: 8a71f0 f (x)")
	// The end cut off: the last stack has lost its root.
	finds(t, "x 1 2.5: 7 cycles: \n\t8a71f0 f (x)\n\nx 1 2.6: 7 cycles: \n\t8a71f0 f (x)\n\t8a71f9 mai", "cycles|x|f 7 1", "@6 truncated 1: 8a71f9 mai")
	finds(t, "x 1 2.5: 7 cycles: \n\t8a71f0 f (x)\n\nx 1 2.6: 7 cycles: \n\t8a71f0 f (x)\n\t  ", "cycles|x|f 7 1", "@6 truncated 1: ")
	finds(t, "x 1 2.5: 7 cycles: \n\t8a71f0 f (/x)", "cycles|x|f 7 1") // whole, only the line end is missing
	finds(t, "x 1 2.5: 7 cycles: \n\t8a71f0 f (int)", "@2 truncated 1: 8a71f0 f (int)")
	finds(t, "x 1 2.5: 7 cyc", "@1 truncated 1: x 1 2.5: 7 cyc")
	// Bytes that are no UTF-8.
	finds(t, "x\xff 1 2.5: 7 cycles: \n\t8a71f0 f\xff\xfe (x)\n", "cycles|x\ufffd|f\ufffd\ufffd 7 1")
}

func TestHeaderBlock(t *testing.T) {
	p, err := Scan(strings.NewReader("# ========\n# captured on    : Mon Nov 30 09:22:14 2026\n# hostname : db7\n# cmdline : /usr/bin/perf record -g -- x y: z\n# ========\n#\nx 1 2.5: 7 cycles: \n"+chain+"\n# hostname : other\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"captured on": "Mon Nov 30 09:22:14 2026", "hostname": "db7", "cmdline": "/usr/bin/perf record -g -- x y: z"} {
		if p.Meta[key] != want {
			t.Errorf("%s is %q, want %q", key, p.Meta[key], want)
		}
	}
	if p.First != "cycles" {
		t.Errorf("first event is %q", p.First)
	}
}

func TestFolded(t *testing.T) {
	is := func(text, want string) {
		t.Helper()
		p, err := Scan(strings.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := p.Folded(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", text, &b, want)
		}
	}
	is("", "")
	is("x 1 2.5: 7 cycles: \n\n", "")
	// The first event of the text, not of the alphabet; cycles:u and cycles:k are one.
	is("b c 1 2.5: 7 cycles:u: \n"+chain+"\na 1 2.5: 9 branches: \n"+chain+"\nb c 1 2.5: 4 cycles:k: \n"+chain+"\na 1 2.5: 1 cycles: \n"+chain,
		"a;main;halt 1\nb_c;main;halt 11\n")
}

// long makes a text of many pieces and says what its stacks are.
func long(blank string, samples int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range samples {
		fmt.Fprintf(&b, "thread %d 4711/%d [%03d] %d.%06d: %10d cycles: \n", i%3, 4711+i%7, i%2, i/1000, i, 1+rng.IntN(1e6))
		for range 1 + rng.IntN(40) {
			n := rng.IntN(500)
			fmt.Fprintf(&b, "\t%16x function_%d+0x%x (/usr/sbin/mariadbd)\n", 0x8a0000+n*16, n/4, n%4)
		}
		b.WriteString(blank)
	}
	return b.String()
}

// The stacks do not depend on how many workers read the text, nor on where it is
// cut.
func TestWorkers(t *testing.T) {
	for _, blank := range []string{"\n", "", " \r\n"} {
		text := long(blank, 3000)
		if len(text) < 2*pieceSize {
			t.Fatal("too short to be shared")
		}
		var all [2]string
		for i, n := range []int{1, 4} {
			before := runtime.GOMAXPROCS(n)
			list, err := told(strings.NewReader(text))
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = fmt.Sprint(list)
		}
		var w worker // without any cutting
		w.read(piece{text: []byte(text), line: 1, last: true})
		p := &stacks.Profile{}
		merge(p, []*worker{&w}, nil)
		var list []scantest.Record
		for _, s := range p.Rows() {
			list = append(list, scantest.Record{Text: fmt.Sprintf("%s|%s|%s %v %v", s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight, s.Samples)})
		}
		if whole := fmt.Sprint(list); all[0] != whole || all[1] != whole {
			t.Errorf("blank %q: one worker, four and no cutting differ", blank)
		}
	}
}

// A text without a line end, or without anything known, does not grow without bound.
func TestNothingToCutAt(t *testing.T) {
	s := splitter{in: io.LimitReader(strings.NewReader(strings.Repeat("x", 3*maxPiece)), 3*maxPiece), line: 1}
	for {
		p, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		if len(p.text) > maxPiece {
			t.Fatalf("a piece of %d bytes", len(p.text))
		}
		if p.last {
			break
		}
	}
}

func TestCacheForgets(t *testing.T) {
	var c cache
	for i := range 400_000 {
		line := fmt.Appendf(nil, "\t%016x function_of_a_compiler_%d (/tmp/perf-4711.map)", i, i)
		if c.find(line) != nil {
			t.Fatalf("line %d is known already", i)
		}
		c.add(line)
		if c.find(line) == nil {
			t.Fatalf("line %d is not known", i)
		}
		if len(c.text) > cacheText+100 {
			t.Fatalf("%d bytes are remembered", len(c.text))
		}
	}
}

// texts gives the texts of a folder of testdata, which were recorded or written for
// it, by name.
func texts(t testing.TB, folder string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatal("no testdata", err)
	}
	list := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = string(text)
	}
	return list
}

var update = flag.Bool("update", false, "rewrite testdata/beyond/*.folded")

// Folded output is that of inferno-collapse-perf, with which testdata/fold.sh made
// the .folded files.
func TestFoldedAsInferno(t *testing.T) { checkFolded(t, "") }

// In testdata/beyond is what inferno reads otherwise: it leaves functions of an
// anonymous namespace out, cuts a number from the end of a command, takes the lines
// of --show-task-events for samples, and passes by frames without a library.
func TestFoldedBeyondInferno(t *testing.T) { checkFolded(t, "beyond") }

func checkFolded(t *testing.T, folder string) {
	t.Helper()
	for name, text := range texts(t, folder) {
		golden := strings.TrimSuffix(name, ".txt") + ".folded"
		got := foldedText(t, []byte(text))
		if *update && folder != "" {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: %s", name, firstDifference(got, string(want)))
		}
	}
}

func TestScanner(t *testing.T) {
	var list []string
	for _, folder := range []string{"", "beyond"} {
		all := texts(t, folder)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			list = append(list, all[name])
		}
	}
	scantest.Check(t, told, list...)
}

// A stack that is cut exactly behind a frame cannot be told from a whole one: texts of
// which the last blank line was taken are as frequent. So samples alone are counted.
func TestCut(t *testing.T) {
	samples := func(facts []string) (n float64) {
		for _, fact := range facts {
			var of float64
			fmt.Sscan(fact[strings.LastIndexByte(fact, ' '):], &of)
			n += of
		}
		return n
	}
	for name, text := range texts(t, "") {
		t.Run(name, func(t *testing.T) {
			scantest.Cut(t, told, func(some, all []string) string {
				if n, of := samples(some), samples(all); n > of {
					return fmt.Sprintf("%v samples of %v", n, of)
				}
				return ""
			}, text)
		})
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range texts(f, "") {
		f.Add([]byte(text[:min(len(text), 4096)]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, err := told(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Scan(bytes.NewReader(text), nil)
		if err := p.Folded(io.Discard); err != nil {
			t.Fatal(err)
		}
		again, _ := told(bytes.NewReader(text))
		if fmt.Sprint(whole) != fmt.Sprint(again) {
			t.Fatal("a second scan finds something else")
		}
	})
}
