package compare

import (
	"math"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

func TestGates(t *testing.T) {
	quiet := truth.Nested{Days: 5, Runs: 3, Mean: 7, SDDay: .05, SDRun: .003}
	loud := quiet
	loud.SDRun = .1
	oneDay := quiet
	oneDay.Days = 1
	check := func(name string, n truth.Nested, effect float64, better int, want map[Gate]Outcome) {
		t.Helper()
		n.Effect = math.Log(effect)
		r := Judge(draw(n, 1), Options{Better: better})
		for gate, outcome := range want {
			got, why := gate.Ask(&r, .05)
			if got != outcome || (why == "") != (got == Passed) {
				t.Errorf("%s (%s): %s says %s (%s), want %s", name, r.Verdict, gate, got, why, outcome)
			}
		}
	}
	check("slower", quiet, .95, 1, map[Gate]Outcome{GateSlower: Failed, GateChanged: Failed, GateNotWorse: Failed})
	check("slower in latency", quiet, 1.05, -1, map[Gate]Outcome{GateSlower: Failed, GateChanged: Failed, GateNotWorse: Failed})
	check("faster", quiet, 1.05, 1, map[Gate]Outcome{GateSlower: Passed, GateChanged: Failed, GateNotWorse: Passed})
	check("faster in latency", quiet, .95, -1, map[Gate]Outcome{GateSlower: Passed, GateChanged: Failed, GateNotWorse: Passed})
	check("the same", quiet, 1, 1, map[Gate]Outcome{GateSlower: Passed, GateChanged: Passed, GateNotWorse: Passed})
	check("too loud to tell", loud, 1, 1, map[Gate]Outcome{GateSlower: CannotAnswer, GateChanged: CannotAnswer, GateNotWorse: CannotAnswer})
	check("one day", oneDay, .9, 1, map[Gate]Outcome{GateSlower: CannotAnswer, GateChanged: CannotAnswer, GateNotWorse: CannotAnswer})
	check("changed, no better side", quiet, 1.05, 0, map[Gate]Outcome{GateSlower: Passed, GateChanged: Failed, GateNotWorse: CannotAnswer})
}

// Both sides of --detect.
func TestDetect(t *testing.T) {
	r := Judge(session("d1 A 100", "d1 B 101", "d2 A 100", "d2 B 99", "d3 A 100", "d3 B 101"), Options{Better: 1})
	wantVerdict(t, "a percent up and down", r, analysis.Inconclusive)
	floor := r.NoiseFloor.Value
	if got, _ := GateSlower.Ask(&r, floor); got != Passed {
		t.Errorf("a floor of %v does not pass for %v", floor, floor)
	}
	if got, why := GateSlower.Ask(&r, math.Nextafter(floor, 0)); got != CannotAnswer || !strings.Contains(why, "above --detect") {
		t.Errorf("a floor just above --detect: %s (%s)", got, why)
	}
}

// not-worse is one-sided: two days 1 % apart at 5 df, by hand.
func TestNotWorseIsOneSided(t *testing.T) {
	at := func(estimate float64) bool {
		r := Result{Scale: Ratio, Better: 1, Margin: .01, Level: .05, Tests: []Test{{Estimate: estimate, SE: .01, DF: 5}}}
		return r.notWorse()
	}
	bound := tQuantile(.95, 5)*.01 - math.Log1p(.01) // the estimate whose 95 % lower bound is the margin
	if !at(bound+1e-9) || at(bound-1e-9) {
		t.Errorf("not-worse changes elsewhere than at %v", bound)
	}
}

// Errors per second have no margin; where nothing failed nothing got slower.
func TestGatesOnDifferences(t *testing.T) {
	zero := Judge(session("d1 A 0 0", "d1 B 0 0", "d2 A 0 0", "d2 B 0 0"), Options{Scale: Difference, Better: -1})
	if got, why := GateSlower.Ask(&zero, .05); got != Passed {
		t.Errorf("no error at all: %s (%s)", got, why)
	}
	if got, why := GateNotWorse.Ask(&zero, .05); got != CannotAnswer || !strings.Contains(why, "margin") {
		t.Errorf("not-worse without a margin: %s (%s)", got, why)
	}
}
