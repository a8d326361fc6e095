package compare

import (
	"math"

	"noisefloor/analysis"
)

// Gate is a question with a yes or no, for a pipeline.
type Gate string

const (
	GateSlower   Gate = "slower"    // fails if anything is slower
	GateChanged  Gate = "changed"   // fails if anything is slower or faster, or changed without a better side
	GateNotWorse Gate = "not-worse" // passes only if worse than the margin is excluded
)

// Gates are those that can be asked.
var Gates = []Gate{GateSlower, GateChanged, GateNotWorse}

// Outcome of a gate.
type Outcome int

const (
	Passed Outcome = iota
	CannotAnswer
	Failed
)

// Ask puts the gate's question to one result, after Adjust. An inconclusive
// result passes slower and changed only if its noise floor is at most detect:
// silence from a design that could not have seen a change of that size is no
// answer. The reason is a clause, "" for a pass.
func (g Gate) Ask(r *Result, detect float64) (Outcome, string) {
	blind := false // the design could have missed a change of detect
	if r.Verdict == analysis.Inconclusive && len(r.Tests) > 0 {
		blind = !(r.NoiseFloor.Value <= detect) && !(r.PAdjusted < r.Level)
	}
	changed := r.Verdict == analysis.Faster || r.Verdict == analysis.Slower ||
		r.Verdict == analysis.Inconclusive && r.PAdjusted < r.Level
	switch {
	case r.Verdict == analysis.Unsupported:
		return CannotAnswer, "unsupported"
	case g == GateSlower && r.Verdict == analysis.Slower:
		return Failed, "slower"
	case g == GateChanged && changed && r.Better == 0:
		return Failed, "changed"
	case g == GateChanged && changed:
		return Failed, string(r.Verdict)
	case g == GateNotWorse && r.Verdict == analysis.Slower && r.ExceedsMargin:
		return Failed, "slower by more than the margin"
	case g == GateNotWorse:
		switch {
		case r.notWorse():
			return Passed, ""
		case r.Scale != Ratio:
			return CannotAnswer, "a difference has no margin; --gate slower asks about it"
		case r.Better == 0:
			return CannotAnswer, "neither direction of it is worse"
		case blind:
			return CannotAnswer, "noise floor " + r.floorWords() + ", above --detect"
		}
		return Failed, "worse than the margin is not excluded"
	case blind:
		return CannotAnswer, "inconclusive with a noise floor of " + r.floorWords() + ", above --detect"
	}
	return Passed, ""
}

// notWorse: the one-sided bound lies above -margin, at the level of the verdict
// (95 % for 5 %). All rows of a gate have to pass, so no family is adjusted for.
func (r *Result) notWorse() bool {
	if r.Scale != Ratio || r.Better == 0 || len(r.Tests) == 0 {
		return false
	}
	margin := math.Log1p(r.Margin)
	for _, t := range r.Tests {
		p := t.pAbove(-margin)
		if r.Better < 0 {
			p = t.pBelow(margin)
		}
		if !(p < r.Level) {
			return false
		}
	}
	return true
}

// String is the outcome as the JSON document spells it.
func (o Outcome) String() string { return [...]string{"passed", "cannot-answer", "failed"}[o] }
