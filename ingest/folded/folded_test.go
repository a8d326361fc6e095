package folded

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	rows, err := Scan(text, func(p datasets.Problem) {
		problems = append(problems, scantest.Problem(p))
	})
	for _, s := range rows {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%s|%s|%s %v %v", s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight, s.Samples)})
	}
	return append(list, problems...), err
}

// finds checks the stacks, "event|command|frames weight samples", and then the
// problems, "@line kind count: text".
func finds(t *testing.T, text string, want ...string) {
	t.Helper()
	scantest.Finds(t, told, text, want...)
}

func TestScan(t *testing.T) {
	finds(t, "x;main;f 3\nx;main 2\nx 1\n", "|x| 1 NaN", "|x|main 2 NaN", "|x|main;f 3 NaN")
	finds(t, "x;main;f 3\nx;main;f 4\n", "|x|main;f 7 NaN")                                                                                       // of several files, one behind the other
	finds(t, "x;main 31.25\r\nx;f 6.1", "|x|main 31.25 NaN", "@2 cut-line 1: x;f 6.1")                                                            // fractions, no line end
	finds(t, "my thread 1;<impl A for [T; _]>::f;g h 3\nmy thread 1 2\n", "|my thread 1| 2 NaN", "|my thread 1|<impl A for [T; _]>::f;g h 3 NaN") // blanks and numbers in names
	finds(t, "# austin: 3.3.0\n\nP1;T0x7f:1;f (x.py:12);;g 100\n", "|P1|T0x7f:1;f (x.py:12);;g 100 NaN")
	finds(t, "x;read_[k] 3\nTHIS IS A BAD LINE\nx;f\nx;g nan\n;;\n 4\n", "|x|read_[k] 3 NaN", "@2 bad-line 5: THIS IS A BAD LINE")
	// A difference.
	finds(t, "x;main 31 56\nx;f 6 0\nx;g 0 2.5\n", "after|x|g 2.5 NaN", "after|x|main 56 NaN", "before|x|f 6 NaN", "before|x|main 31 NaN")
	finds(t, "x;main 31 56\nx;f 6\n", "|x|f 6 NaN", "|x|main 31 56 NaN") // one line has one: the number is part of a name
	finds(t, "")
	finds(t, "x;\xff 3\n", "|x|\ufffd 3 NaN")
	// Beyond the lines that decide.
	finds(t, strings.Repeat("x;f 1\n", sampled)+"x;f 2\nbad\n", "|x|f 102 NaN", "@102 bad-line 1: bad")
	finds(t, strings.Repeat("x;f 1 3\n", sampled)+"x;f 2 1\nx;f 2\n", "after|x|f 301 NaN", "before|x|f 102 NaN", "@102 bad-line 1: x;f 2")
}

var texts = []string{
	"x;main;f 3\nx;main 2\nx 1\n\n# comment\nbad\nx;f 1.5",
	"x;main 31 56\nx;f 6 0\n",
	"my thread 1;<impl A for [T; _]>::f;g h 3\r\nmy thread 1 2\r\n",
	strings.Repeat("x;f 1 3\n", sampled) + "x;f 2\n",
}

func TestScanner(t *testing.T) { scantest.Check(t, told, texts...) }

func TestCut(t *testing.T) { scantest.Cut(t, told, scantest.AtMost, texts...) }

func FuzzScan(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, err := Scan(bytes.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if !(r.Weight >= 0) {
				t.Fatalf("weight %v", r.Weight)
			}
		}
	})
}
