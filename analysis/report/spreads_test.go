package report

import (
	"fmt"
	"strings"
	"testing"

	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// A sweep of one run each with two repeated levels: the two are shown, the rest is
// counted; of few the names are said.
func TestUnrepeatedStrata(t *testing.T) {
	unrepeated := oneRun().Variance[0]
	at := func(v Variance, threads int) Variance {
		v.Stratum = []group.Field{{Name: "threads", Value: datasets.Int(int64(threads))}}
		return v
	}
	for _, n := range []int{0, 2, 40} {
		r := oneRun()
		r.Variance = []Variance{at(spreadOf("tps", tps, nil, 1, .01), 900)}
		for i := range n {
			r.Variance = append(r.Variance, at(unrepeated, i+1))
		}
		var b strings.Builder
		if err := Text(&b, r, table.Screen{Width: 100}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		want := map[int]string{
			2:  "In 2 of 3 strata (1 thread; 2 threads) no run is repeated, so nothing is known of the spread there.",
			40: "In 40 of 41 strata no run is repeated, so nothing is known of the spread there.",
		}[n]
		if !strings.Contains(text, want) || n == 0 && strings.Contains(text, "no run is repeated") {
			t.Errorf("%d: %q is missing in\n%s", n, want, b.String())
		}
		if !strings.Contains(text, "900 ") || strings.Contains(text, "unknown (no repeated run)") {
			t.Errorf("%d: rows of the wrong strata:\n%s", n, b.String())
		}
		if len(r.Variance) != n+1 {
			t.Error("the report itself has lost rows: " + fmt.Sprint(len(r.Variance)))
		}
	}
}

// Arms that nothing can be compared of: what keeps them apart is named.
func TestNothingComparedSays(t *testing.T) {
	r := &Report{Inputs: Inputs{Runs: 2}, Design: group.Design{By: "version", Splits: []string{"path5", "product"}}}
	want := "No verdict: no two arms of version have runs that can be compared, as no two of them share a level of path5 or product; --ignore path5,product compares them all the same."
	if got := nothingCompared(r); got != want {
		t.Errorf("%s", got)
	}
	r.Design.Splits = nil
	if got := nothingCompared(r); got != "No verdict: no two arms of version have runs that can be compared." {
		t.Errorf("%s", got)
	}
}
