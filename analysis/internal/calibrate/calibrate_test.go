package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis/internal/truth"
)

// The acceptance test of the default rule, smaller: every cell within four
// binomial standard deviations of 5 %, and their mean between 4.6 and 5.4 %.
// The full one is just calibrate.
func TestDefaultRuleHoldsItsLevel(t *testing.T) {
	const reps = 300 // a cell; the mean of the grid then has a standard error of .11 %
	grid := gridStudy()
	simulate([]*study{grid}, reps, 1, 2, func(int, int) {})
	for _, broken := range gridPromise(grid) {
		t.Error(broken)
	}
	var sum float64
	n := 0
	for _, c := range grid.cells {
		f := c.found[falseRate]
		if f.n == 0 {
			continue
		}
		if !f.near(.05, 0) {
			t.Errorf("%s: %v %% false verdicts in %d", c.name(), f, f.n)
		}
		sum += f.value()
		n++
	}
	if mean := sum / float64(n); mean < .046 || mean > .054 {
		t.Errorf("%.2f %% false verdicts on average over %d cells", 100*mean, n)
	}
}

// The other studies keep their promises with few repetitions, too.
func TestOtherPromises(t *testing.T) {
	others := slices.DeleteFunc(studies()[1:], func(s *study) bool { return s.promise == nil })
	simulate(others, 100, 1, 2, func(int, int) {})
	for _, broken := range verify(others) {
		t.Error(broken)
	}
}

// The curves' acceptance test, smaller: 30 repetitions show an interval that
// holds its truth in three of four cases. The full one is just calibrate-curves.
func TestCurvesHoldTheirPromises(t *testing.T) {
	all := scalingStudies()
	for _, s := range all {
		if slices.ContainsFunc(s.cells, func(c cell) bool { return c.promised }) {
			s.cells = slices.DeleteFunc(s.cells, func(c cell) bool { return !c.promised })
		}
	}
	simulate(all, 30, 1, 2, func(int, int) {})
	for _, broken := range verify(all) {
		t.Error(broken)
	}
}

// A cell's numbers depend on the seed and its place, not on who computes it.
func TestWorkersChangeNothing(t *testing.T) {
	render := func(workers int, seed uint64) string {
		s := []*study{conditionalStudy()}
		simulate(s, 5, seed, workers, func(int, int) {})
		return markdown(s, nil, record{})
	}
	if render(1, 1) != render(7, 1) {
		t.Error("seven workers find something else than one")
	}
	if render(1, 1) == render(1, 2) {
		t.Error("the seed plays no role")
	}
}

// The bars can fail: a rule that is false in 9 % of cases does not pass.
func TestPromisesCanBreak(t *testing.T) {
	nine := share{sum: 90, n: 1000}
	if nine.near(.05, .007) || nine.atMost(.06, .05) {
		t.Error("9 % of 1000 pass for 5 %")
	}
	if five := (share{sum: 50, n: 1000}); !five.near(.05, .007) || !five.atMost(.06, .05) {
		t.Error("5 % of 1000 do not pass for 5 %")
	}
	if none := (share{}); !none.near(.05, .007) || none.String() != "-" {
		t.Error("no repetition at all is no broken promise")
	}
	s := &study{title: "T", columns: []string{"false"}, cells: []cell{{labels: []string{"c"}, found: []share{nine}}}, promise: promiseAtMost(0, .06, .05)}
	if broken := verify([]*study{s}); len(broken) != 1 || broken[0] != "T: c: 9.00 % false" {
		t.Errorf("%q", broken)
	}
}

// The true standard error by hand: day 1 has 2 and 1 runs, day 2 one arm only,
// day 3 one run each: variances 1.5 and 2 over 2 days.
func TestRealisedSE(t *testing.T) {
	n := truth.Nested{Days: 3, Runs: 2, SDRun: 1, Keep: func(arm, day, run int) bool {
		return run < [3][2]int{{2, 1}, {2, 0}, {1, 1}}[day][arm]
	}}
	runs := n.Draw(nil, rand.New(rand.NewPCG(1, 1)))
	if got, want := realisedSE(n, runs), 0.9354143466934853; got < want-1e-12 || got > want+1e-12 { // sqrt(3.5)/2
		t.Errorf("%v, want %v", got, want)
	}
}

func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "calibration.md")
	var stdout, stderr bytes.Buffer
	// One repetition a cell: shares of 0 and 100 %, which no promise forbids.
	if err := run([]string{"-reps", "1", "-seed", "7", "-commit", "abc", "-out", out}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != stdout.String() {
		t.Error("the file is not what was printed")
	}
	for _, want := range []string{"seed 7, 1 repetitions a cell, commit abc", "## The default rule", "| 10 | 5 | 4 | 0.5 | 20 % |"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if err := run([]string{"-reps", "0"}, &stdout, &stderr); err == nil {
		t.Error("no repetitions are taken")
	}
	if err := run([]string{"-reps", "1", "-out", filepath.Join(out, "no", "folder")}, &stdout, &stderr); err == nil || !strings.Contains(err.Error(), "standard output") {
		t.Errorf("a file that cannot be written: %v", err)
	}
}
