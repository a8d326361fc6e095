package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// session builds runs from lines such as "d1 A 100 101 102": a day (? =
// unknown), an arm with its launch behind a slash if any, and values. The arms
// take turns inside a day, and who begins changes from day to day.
func session(lines ...string) []Run {
	var runs []Run
	days := map[string]int{}
	made := map[string]int{} // by day and arm
	for _, line := range lines {
		f := strings.Fields(line)
		if _, ok := days[f[0]]; !ok {
			days[f[0]] = len(days)
		}
		d := days[f[0]]
		arm, launch, _ := strings.Cut(f[1], "/")
		a := map[string]int{"A": 0, "B": 1}[arm]
		name := f[0]
		if name == "?" {
			name = ""
		}
		for _, v := range f[2:] {
			value, err := strconv.ParseFloat(v, 64)
			if err != nil {
				panic(err)
			}
			k := made[f[0]+arm]
			made[f[0]+arm]++
			runs = append(runs, Run{Arm: a, Day: name, Launch: launch, Slot: float64(1000*d + 2*k + (a+d)%2), Value: value})
		}
	}
	return runs
}

// unplaced takes the knowledge away of when the runs of the days were made.
func unplaced(runs []Run, days ...string) []Run {
	for i := range runs {
		for _, d := range days {
			if runs[i].Day == d {
				runs[i].Slot = math.NaN()
			}
		}
	}
	return runs
}

// inBlocks makes the given arm run first on the given days.
func inBlocks(runs []Run, first int, days ...string) []Run {
	for i := range runs {
		for _, d := range days {
			if runs[i].Day == d && runs[i].Arm != first {
				runs[i].Slot += 500
			}
		}
	}
	return runs
}

func draw(n truth.Nested, seed uint64) []Run {
	var runs []Run
	for _, r := range n.Draw(nil, rand.New(rand.NewPCG(seed, 0))) {
		runs = append(runs, Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, Slot: r.Slot, Value: r.Value})
	}
	return runs
}

func swapped(runs []Run) []Run {
	out := make([]Run, len(runs))
	for i, r := range runs {
		r.Arm = 1 - r.Arm
		out[i] = r
	}
	return out
}

func kinds(r Result) []string {
	var ks []string
	for _, w := range r.Warnings {
		ks = append(ks, w.Kind())
	}
	return ks
}

// warned finds the warning of type W.
func warned[W analysis.Warning](t *testing.T, r Result) W {
	t.Helper()
	for _, w := range r.Warnings {
		if found, ok := w.(W); ok {
			return found
		}
	}
	var none W
	t.Errorf("no warning %s, only %v", none.Kind(), kinds(r))
	return none
}

func silent[W analysis.Warning](t *testing.T, r Result) {
	t.Helper()
	for _, w := range r.Warnings {
		if _, ok := w.(W); ok {
			t.Errorf("unwanted warning %s: %s", w.Kind(), w.Text())
		}
	}
}

func near(t *testing.T, name string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s: %.10g, want %.10g", name, got, want)
	}
}

func wantVerdict(t *testing.T, name string, r Result, want analysis.Verdict) {
	t.Helper()
	if r.Verdict != want {
		t.Errorf("%s: %s, want %s (p %v, warnings %v)", name, r.Verdict, want, r.PAdjusted, kinds(r))
	}
}

// show prints a result without the addresses of its parts.
func show(r Result) string {
	conditional := ""
	if r.Conditional != nil {
		conditional = fmt.Sprintf("%+v", *r.Conditional)
	}
	r.Conditional = nil
	return fmt.Sprintf("%+v %s", r, conditional)
}
