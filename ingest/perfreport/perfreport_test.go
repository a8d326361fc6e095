package perfreport

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	r, err := Scan(text, func(p datasets.Problem) {
		problems = append(problems, scantest.Problem(p))
	})
	for _, s := range r.Stacks {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%s|%s|%s %.6g %v", s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight, s.Samples)})
	}
	return append(list, problems...), err
}

// finds checks the stacks, "event|command|symbol weight samples", then the problems,
// "@line kind count: text".
func finds(t *testing.T, text string, want ...string) {
	t.Helper()
	scantest.Finds(t, told, text, want...)
}

func TestScan(t *testing.T) {
	finds(t, `# To display the perf.data header info, please use --header/--header-only options.
#
# Total Lost Samples: 0
#
# Samples: 2K of event 'cycles'
# Event count (approx.): 1000000
#
# Overhead  Command      Shared Object      Symbol
# ........  ...........  .................  ...........................
#
    12.35%  ib_io: rd/0  mariadbd           [.] row_search_mvcc(unsigned char*, int)
     1.67%  a:b [k] 7 8  [kernel.kallsyms]  [k] srso_alias_safe_ret
     1.00%  my thread 1  libz.so.1.2.13     [.] 0x0000000000005f77
     0.50%  java         perf-1.map         [.] Lorg/A;::run


#
# (Cannot load tips.txt file, please install perf!)
#
`, "cycles|a:b [k] 7 8|srso_alias_safe_ret 16700 NaN", "cycles|ib_io: rd/0|row_search_mvcc 123500 NaN", "cycles|java|org/A:::run 5000 NaN", "cycles|my thread 1|[libz.so.1.2.13] 10000 NaN")
	// Children, samples, trees of callers; what only calls others is left out.
	finds(t, `# Samples: 298  of event 'cpu-clock:u'
# Event count (approx.): 2000
#
# Children      Self       Samples  Command      Shared Object         Symbol                                 IPC   [IPC Coverage]
# ........  ........  ............  ...........  ....................  .....................................  ....................
#
     6.04%     6.00%            18  bash         [kernel.kallsyms]     [k] pvm_irq_enable                     -      -
            |
            |--1.68%--_dl_start_user
            |          dl_main
             --0.67%--0

     6.04%     0.00%             0  bash         [kernel.kallsyms]     [k] __raw_callee_save_pvm_irq_enable   -      -
            |
            ---__raw_callee_save_pvm_irq_enable

`, "cpu-clock:u|bash|pvm_irq_enable 120 18")
	// Several events, and what was lost.
	finds(t, `# Total Lost Samples: 7
# Samples: 3  of event 'cycles'
# Event count (approx.): 100
# Overhead  Command  Symbol
# ........  .......  ......
    50.00%  x        [.] f
# Samples: 3  of event 'branches'
# Event count (approx.): 10
# Overhead  Symbol
# ........  ......
    50.00%  [.] g
`, "branches||g 5 NaN", "cycles|x|f 50 NaN", "lost-samples 1: perf lost 7 samples while recording")
	// -t, and a locale with decimal commas.
	finds(t, `# Samples: 298  of event 'cpu-clock'
# Event count (approx.): 1000
#
# Overhead,Command    ,Shared Object       ,Symbol
 6.00%  ,my thread 1,libz.so.1.2.13      ,[.] adler32_z
 5.00%  ,ib_io: rd/0,libz.so.1.2.13      ,[.] f<a, b>
`, "cpu-clock|ib_io: rd/0|f<a, b> 50 NaN", "cpu-clock|my thread 1|adler32_z 60 NaN")
	finds(t, "# Overhead  Command   Symbol\n# ........  ........  ......\n    32,14%  mariadbd  [.] f\n", "|mariadbd|f 32.14 NaN")
	finds(t, "    32.14%  mariadbd  [.] f\n", "@1 row-without-title 1:     32.14%  mariadbd  [.] f")
	finds(t, "# Overhead  Command  Symbol\n# ........  .......  ......\nwhat is this\n", "@3 unknown-row 1: what is this")
	finds(t, "")
}

// The shares of a report add up to all of it, in every form that perf 6.1 printed
// here.
func TestRecorded(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		r, err := Scan(strings.NewReader(text), func(p datasets.Problem) { t.Errorf("%s: %v", name, p) })
		if err != nil {
			t.Fatal(err)
		}
		sums, counts := map[string]float64{}, map[string]float64{}
		for _, s := range r.Stacks {
			sums[s.Event] += s.Weight
		}
		event := ""
		for line := range strings.Lines(text) {
			if m := samplesLine.FindStringSubmatch(line); m != nil {
				event = m[1]
			}
			if m := countLine.FindStringSubmatch(line); m != nil {
				var n float64
				fmt.Sscan(m[1], &n)
				counts[event] = n
			}
		}
		for event, n := range counts {
			if n > 0 && math.Abs(sums[event]/n-1) > .02 { // each row is rounded to .01 %
				t.Errorf("%s: the rows of %s add up to %v of %v", name, event, sums[event], n)
			}
		}
	}
}

func TestScanner(t *testing.T) {
	var texts []string
	for _, text := range scantest.Recorded(t) {
		texts = append(texts, text)
	}
	scantest.Check(t, told, texts...)
}

func TestCut(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		t.Run(name, func(t *testing.T) { scantest.Cut(t, told, scantest.Partly, text) })
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range scantest.Recorded(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := Scan(bytes.NewReader(text), nil); err != nil {
			t.Fatal(err)
		}
	})
}
