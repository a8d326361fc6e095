package perfdata

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/aclements/go-perf/perffile"

	"noisefloor/datasets"
	"noisefloor/ingest/perfscript"
)

// there is the machine that testdata was recorded on, as far as it is kept: one
// small program (tiny.c).
func there() *Machine { return &Machine{Root: filepath.Join("testdata", "root"), Host: "vm"} }

func data(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".data"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func scan(t testing.TB, b []byte, where *Machine) (rows []datasets.Stack, problems []string) {
	t.Helper()
	p, err := Scan(bytes.NewReader(b), int64(len(b)), where, func(q datasets.Problem) { problems = append(problems, q.Kind+": "+q.Text) })
	if err != nil {
		t.Fatal(err)
	}
	return p.Rows(), problems
}

func listed(rows []datasets.Stack, keep func(datasets.Stack) bool) string {
	var list []string
	for _, s := range rows {
		if keep(s) {
			list = append(list, fmt.Sprintf("%s|%s|%s %v %v", s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight, s.Samples))
		}
	}
	return strings.Join(list, "\n")
}

// The stacks are those of the text that perf script 6.1 printed of the same
// recording: of a file and of a pipe, compressed or not, of two events, without call
// chains, of a fixed period and several processes.
func TestAsPerfScript(t *testing.T) {
	tiny := func(s datasets.Stack) bool { return s.Comm == "tiny" }
	for _, name := range []string{"file", "zstd", "pipe", "zstd-pipe", "events", "flat", "period"} {
		text, err := os.Open(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := perfscript.Scan(text, nil)
		text.Close()
		if err != nil {
			t.Fatal(err)
		}
		rows, problems := scan(t, data(t, name), there())
		if g, w := listed(rows, tiny), listed(want.Rows(), tiny); g != w || w == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", name, g, w)
		}
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// Samples in the kernel are counted, whatever the kernel here.
func TestKernel(t *testing.T) {
	rows, _ := scan(t, data(t, "kernel"), there())
	text, err := os.ReadFile("testdata/kernel.txt")
	if err != nil {
		t.Fatal(err)
	}
	samples := 0.0
	for _, s := range rows {
		samples += s.Samples
	}
	if want := strings.Count(string(text), "cpu-clock: "); int(samples) != want {
		t.Errorf("%v samples, want %d", samples, want)
	}
}

// Without the file, or with another of that name, addresses stay.
func TestNotAtHand(t *testing.T) {
	other := t.TempDir()
	if err := os.MkdirAll(filepath.Join(other, "usr/local/bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	elf, err := os.ReadFile("testdata/root/usr/local/bin/tiny")
	if err != nil {
		t.Fatal(err)
	}
	s, id, ok := readELF("testdata/root/usr/local/bin/tiny")
	if !ok || len(s.list) < 4 || len(id) != 40 {
		t.Fatalf("%+v %q", s, id)
	}
	at := bytes.Index(elf, bytes.TrimSpace(unhex(t, id)))
	elf[at]++ // another build ID
	if err := os.WriteFile(filepath.Join(other, "usr/local/bin/tiny"), elf, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, where := range []*Machine{nil, {Root: t.TempDir()}, {Root: other}} {
		rows, _ := scan(t, data(t, "file"), where)
		if text := listed(rows, func(datasets.Stack) bool { return true }); !strings.Contains(text, ";tiny+0x10a2@"+id[:12]+";") {
			t.Errorf("no address of %s in\n%s", id[:12], text)
		}
	}
}

func unhex(t *testing.T, id string) []byte {
	t.Helper()
	var b []byte
	if _, err := fmt.Sscanf(id, "%x", &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// The addresses in the samples are those that go-perf reads.
func TestAsGoPerf(t *testing.T) {
	b := data(t, "file")
	// go-perf knows perf_event_attr up to 112 bytes; what newer ones have more is 0.
	size := int(binary.LittleEndian.Uint64(b[16:])) - 16
	attr := int(binary.LittleEndian.Uint64(b[24:]))
	ids := bytes.Clone(b[attr+size : attr+size+16])
	old := bytes.Clone(b)
	const known = 112
	binary.LittleEndian.PutUint64(old[16:], known+16)
	binary.LittleEndian.PutUint64(old[32:], known+16)
	binary.LittleEndian.PutUint32(old[attr+4:], known)
	copy(old[attr+known:], ids)
	f, err := perffile.New(bytes.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	var want [][]uint64
	for rs := f.Records(perffile.RecordsFileOrder); rs.Next(); {
		if s, ok := rs.Record.(*perffile.RecordSample); ok {
			want = append(want, slices.Clone(s.Callchain))
		}
	}
	var got [][]uint64
	r := &recording{in: bytes.NewReader(b), size: int64(len(b))}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	err = r.each(func(rec record) error {
		if rec.kind == recordSample {
			s, ok := r.sample(rec)
			if !ok {
				t.Fatal("a broken sample")
			}
			var chain []uint64
			for c := s.chain; len(c) > 0; c = c[8:] {
				chain = append(chain, r.order.Uint64(c))
			}
			got = append(got, chain)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(want) < 20 || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%d samples, go-perf has %d, or their addresses differ", len(got), len(want))
	}
}

func TestAbout(t *testing.T) {
	for _, name := range []string{"file", "zstd-pipe"} {
		b := data(t, name)
		p, err := Scan(bytes.NewReader(b), int64(len(b)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{"hostname": "vm", "perf version": "6.1.187", "arch": "x86_64"} {
			if p.Meta[key] != want {
				t.Errorf("%s: %s is %q", name, key, p.Meta[key])
			}
		}
		if !strings.Contains(p.Meta["cmdline"], "perf record") || p.First != "cpu-clock:u" {
			t.Errorf("%s: %+v %q", name, p.Meta, p.First)
		}
	}
}

func TestProblems(t *testing.T) {
	says := func(what string, b []byte, want string) {
		t.Helper()
		_, problems := scan(t, b, there())
		if !strings.Contains(strings.Join(problems, "\n"), want) {
			t.Errorf("%s: %q, want %s", what, problems, want)
		}
	}
	b := data(t, "file")
	says("dwarf", data(t, "dwarf"), "stacks-not-unwound")
	says("empty", nil, "broken-perf-data: shorter than its header")
	says("another file", []byte("hello, this is no recording of perf at all ........................................................................"), "no perf.data")
	says("a header only", b[:60], "shorter than its header")
	says("cut", b[:5000], "truncated")
	killed := bytes.Clone(b)
	binary.LittleEndian.PutUint64(killed[48:], 0) // perf writes the size of the data last
	rows, _ := scan(t, killed, there())
	if len(rows) == 0 {
		t.Error("nothing is read of a recording whose perf was killed")
	}
}

// Wherever a recording ends, what is before can be read.
func TestCutAnywhere(t *testing.T) {
	for _, name := range []string{"file", "zstd", "pipe", "zstd-pipe"} {
		b := data(t, name)
		for n := 0; n < len(b); n += 97 {
			scan(t, b[:n], there())
		}
	}
}

// No length in a recording makes the reader take much memory: at every place a
// length could be, a huge one is put.
func TestHostileLengths(t *testing.T) {
	for _, name := range []string{"file", "zstd-pipe"} {
		b := data(t, name)
		var before, after runtime.MemStats
		for at := 0; at+8 <= len(b); at += 4 {
			for _, huge := range []uint64{0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff} {
				if at > 512 && at%128 != 0 {
					continue // the middle is all samples
				}
				c := bytes.Clone(b)
				binary.LittleEndian.PutUint64(c[at:], huge)
				runtime.ReadMemStats(&before)
				scan(t, c, there())
				runtime.ReadMemStats(&after)
				if n := after.TotalAlloc - before.TotalAlloc; n > maxWindow+64<<20 {
					t.Fatalf("%s: %#x at %d takes %d MB", name, huge, at, n>>20)
				}
			}
		}
	}
}

func TestFailingReader(t *testing.T) {
	b := data(t, "file")
	for n := 0; n < len(b); n += 501 {
		if _, err := Scan(failing{b, int64(n)}, int64(len(b)), nil, nil); err != errGone {
			t.Errorf("failing at %d: %v", n, err)
		}
	}
}

var errGone = fmt.Errorf("the disk is gone")

// failing reads only up to a place.
type failing struct {
	b    []byte
	from int64
}

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.from {
		return 0, errGone
	}
	return bytes.NewReader(f.b).ReadAt(p, at)
}

func FuzzScan(f *testing.F) {
	for _, name := range []string{"file", "pipe", "zstd", "zstd-pipe", "events", "flat"} {
		f.Add(data(f, name))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Scan(bytes.NewReader(b), int64(len(b)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Folded(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}
