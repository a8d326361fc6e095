package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// runsOf makes a table of three days with two runs each: of every arm at every
// load that has it ("8,64"), counterbalanced. Arms differ by up to .1 %.
func runsOf(arms []string, threads map[string]string) string {
	var b strings.Builder
	b.WriteString("version,threads,day,order,tps\n")
	for d := range 3 {
		order := 0
		for k := range 2 {
			for i := range arms {
				if (k+d)%2 == 1 {
					i = len(arms) - 1 - i
				}
				for n := range strings.SplitSeq(threads[arms[i]], ",") {
					order++
					fmt.Fprintf(&b, "%s,%s,2026-05-%02d,%d,%.2f\n", arms[i], n, d+1, order, 1000+40*float64(d)+math.Mod(float64(7*d+5*k+3*i), 11)/10)
				}
			}
		}
	}
	return b.String()
}

// What an arm was asked to do is no part of the change.
func TestLoadMovesWithTheArm(t *testing.T) {
	doc, _ := compared(t, runsOf([]string{"a1", "b1", "c1"}, map[string]string{"a1": "8", "b1": "8", "c1": "64"}))
	if len(doc.Comparisons) != 2 {
		t.Fatalf("%d rows", len(doc.Comparisons))
	}
	for _, c := range doc.Comparisons {
		if refused := slices.Contains(c.kinds(), "aliased-conditions"); refused != (c.Contender.Level == "c1") || refused != (c.Verdict == "unsupported") {
			t.Errorf("%s: %s %v", c.Contender.Level, c.Verdict, c.kinds())
		}
	}
	// A load can be what is compared, and what follows it is the change itself then.
	table := strings.ReplaceAll(runsOf([]string{"8", "64"}, map[string]string{"8": "8", "64": "64"}), "version,threads", "clients,threads")
	if doc, _ := compared(t, table, "--by", "clients"); len(doc.Comparisons) != 1 || doc.Comparisons[0].Verdict == "unsupported" {
		t.Errorf("--by clients: %+v", doc.Comparisons)
	}
	doc, _ = compared(t, runsOf([]string{"a1", "b1"}, map[string]string{"a1": "8", "b1": "64"}), "--ignore", "threads")
	if doc.Comparisons[0].Verdict == "unsupported" {
		t.Errorf("--ignore threads: %v", doc.Comparisons[0].kinds())
	}
}

// Strata without a row are named, and their arm with them.
func TestNotCompared(t *testing.T) {
	doc, _ := compared(t, runsOf([]string{"a1", "b1", "c1"}, map[string]string{"a1": "8,16,32", "b1": "16,32,64", "c1": "128"}))
	var said []string
	for _, w := range doc.Warnings {
		if w.Kind == "not-compared" {
			said = append(said, w.Text)
		}
	}
	want := []string{
		"b1 against a1 is not compared where b1 has no complete run: 8 threads.",
		"b1 against a1 is not compared where a1 has no complete run: 64 threads.",
		"c1 against a1 is not compared where c1 has no complete run: 8 threads; 16 threads; 32 threads.",
		"c1 against a1 is not compared where a1 has no complete run: 128 threads.",
	}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// Several contenders against one base: the answers are a family, as the rows are,
// and with one stratum they are the rows.
func TestAnswersAreAFamily(t *testing.T) {
	var b strings.Builder
	b.WriteString("version,day,order,tps\n")
	for d := range 5 {
		for k := range 2 {
			for i, arm := range []string{"a1", "b1", "c1", "d1", "e1", "f1"} {
				v := 1000 + 30*float64(d) + math.Mod(float64(17*d+29*k+13*i*i), 23)/3
				if arm == "f1" {
					v += 2 // alone p is .041
				}
				fmt.Fprintf(&b, "%s,2026-05-%02d,%d,%.2f\n", arm, d+1, 1+(i*(1-2*((k+d)%2))+12*(k+1)), v)
			}
		}
	}
	doc, _ := compared(t, b.String())
	if len(doc.Comparisons) != 5 || len(doc.Headlines) != 5 {
		t.Fatalf("%d rows, %d answers", len(doc.Comparisons), len(doc.Headlines))
	}
	held := false
	for i, c := range doc.Comparisons {
		h := doc.Headlines[i]
		if h.Verdict != c.Verdict || *h.PAdjusted != *c.PAdjusted || *h.P != *c.P {
			t.Errorf("%s: the answer says %s (%v of %v), its row %s (%v)", c.Contender.Level, h.Verdict, *h.PAdjusted, *h.P, c.Verdict, *c.PAdjusted)
		}
		held = held || *c.P < .05 && c.Verdict != "faster"
	}
	if !held {
		t.Error("no row that would stand alone: the test shows nothing")
	}
}

// Percentiles that a table has from sysbench move in its steps, whoever wrote the
// table: 10.65, 10.84, 11.04 are values that it prints, and 1 % between two arms
// is less than a step.
func TestPercentilesOfATable(t *testing.T) {
	percentiles := func(values [3]string) string {
		var b strings.Builder
		b.WriteString("version,day,order,latency_p95_ms\n")
		for d := range 6 {
			for i := range 4 {
				arm, v := [2]string{"a1", "b1"}[(i+d)%2], values[1]
				if (d+i)%7 == 0 {
					v = values[(d+i)/7%2*2]
				}
				fmt.Fprintf(&b, "%s,2026-05-%02d,%d,%s\n", arm, d+1, i+1, v)
			}
		}
		return b.String()
	}
	doc, _ := compared(t, percentiles([3]string{"10.65", "10.84", "11.04"}))
	if c := doc.Comparisons[0]; c.Verdict != "inconclusive" || !slices.Contains(c.kinds(), "grid-widened") {
		t.Errorf("on the grid: %s %v", c.Verdict, c.kinds())
	}
	doc, _ = compared(t, percentiles([3]string{"10.66", "10.84", "11.04"}))
	if c := doc.Comparisons[0]; c.Verdict != "equivalent" || slices.Contains(c.kinds(), "grid-widened") {
		t.Errorf("one value beside it: %s %v", c.Verdict, c.kinds())
	}
}

// Nine days in one order and one in the other are no blocks, and no interleaving.
func TestNearlyBlocks(t *testing.T) {
	var b strings.Builder
	b.WriteString("version,day,order,tps\n")
	for d := range 10 {
		for i := range 6 {
			fmt.Fprintf(&b, "%s,2026-05-%02d,%d,%.2f\n", [2]string{"a1", "b1"}[(i/3+d/9)%2], d+1, i+1, 1000+math.Mod(float64(7*d+5*i), 11))
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, b.String())
	out, _, _ := call(t, "compare", path)
	for _, want := range []string{"Order: mixed, but one arm ran first for the most part.", "the base ran first in 90 % of the pairs"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("no word of %q in\n%s", want, out)
		}
	}
}

// A table that holds its rows twice: the verdict stands, as days are what counts,
// and the spread of runs is doubted. Equal numbers alone are no copies.
func TestRowsRepeated(t *testing.T) {
	table := runsOf([]string{"a1", "b1"}, map[string]string{"a1": "8", "b1": "8"})
	head, rows, _ := strings.Cut(table, "\n")
	const kind = "rows-repeated"
	for _, c := range []struct {
		what, table string
		want        bool
	}{
		{"once", table, false},
		{"twice", head + "\n" + rows + rows, true},
		{"one row twice", table + rows[:strings.Index(rows, "\n")+1], true},
		{"equal values of runs without a number", "version,day,tps\na1,d1,100\na1,d1,100\nb1,d1,101\nb1,d1,102\na1,d2,103\na1,d2,104\nb1,d2,99\nb1,d2,98\n", false},
	} {
		doc, _ := compared(t, c.table)
		said := slices.ContainsFunc(doc.Warnings, func(w struct{ Kind, Text string }) bool { return w.Kind == kind })
		if said != c.want {
			t.Errorf("%s: said %v, want %v", c.what, said, c.want)
		}
	}
}
