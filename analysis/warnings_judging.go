package analysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The doubts and refusals that come with what a user asked for: another method,
// borrowed noise, looks, a metric of its own kind.

// NoiseBorrowed: the design shows no noise of its own, and that of other data
// stands in.
type NoiseBorrowed struct {
	Donor string
	SD    float64 // of the estimate, on logs (or in the metric's unit on the difference scale)
	DF    float64
	Bound bool // an upper bound: the spread of one arm's days
}

func (NoiseBorrowed) Kind() string { return "noise-borrowed" }
func (w NoiseBorrowed) Text() string {
	what := "what two arms differ by from day to day"
	if w.Bound {
		what = "what one arm's days spread, for both arms, an upper bound"
	}
	return fmt.Sprintf("the noise is borrowed from %s (%s; standard error %s, %s degrees of freedom): this holds as far as this host is as noisy as that one was.",
		w.Donor, what, asPercent(w.SD), strconv.FormatFloat(w.DF, 'g', 3, 64))
}

// DonorLacks: noise was to be borrowed and the donor has none that fits.
type DonorLacks struct {
	Donor  string
	Shared bool // the arms share a day: else only the spread of one arm's days would do
}

func (DonorLacks) Kind() string { return "donor-lacks" }
func (w DonorLacks) Text() string {
	need := "two arms on at least 3 shared days, or one arm on at least 3 days"
	if !w.Shared {
		need = "one arm on at least 3 days, as these arms ran on days of their own"
	}
	return fmt.Sprintf("nothing could be borrowed from %s for this row: that takes the same metric and stratum, and %s.", w.Donor, need)
}

// MethodAsked: another method than the default rule gave the numbers.
type MethodAsked struct{ Method string }

func (MethodAsked) Kind() string { return "method-asked" }
func (w MethodAsked) Text() string {
	why, ok := methodFaults[w.Method]
	if !ok {
		why = "its false verdicts are not known"
	}
	return fmt.Sprintf("%s was asked for with --method in place of the default rule: %s.", w.Method, why)
}

// methodFaults is what is known of each (METHODS.md section 3 and
// docs/calibration.md).
var methodFaults = map[string]string{
	"kr":             "its false verdicts run from 0 to 6 % at a level of 5 %, depending on what the days do",
	"satterthwaite":  "its false verdicts run from 3 to 9 % at a level of 5 %, depending on what the days do",
	"mann-whitney":   "it does not pair the days, so it sees less where days differ, and needs at least 4 days an arm",
	"hodges-lehmann": "it needs at least 6 shared days and sees a little less than the default rule in quiet data",
	"welch":          "it does not pair the days, so it sees less where days differ",
	"permutation":    "it needs at least 6 shared days",
}

// TooFewForMethod: the method cannot reach the level with so few days.
type TooFewForMethod struct {
	Method   string
	Days     int
	Smallest float64 // p it could give at best
	Level    float64
}

func (TooFewForMethod) Kind() string { return "too-few-for-method" }
func (w TooFewForMethod) Why() string {
	return fmt.Sprintf("%s on %s cannot give a p below %.2g, whatever the values are, and a verdict needs one below %.2g", w.Method, Counted(w.Days, "day"), w.Smallest, w.Level)
}
func (w TooFewForMethod) Do() string {
	return "run more days, or leave --method to the default rule"
}
func (w TooFewForMethod) Text() string { return refusalText(w) }

// MethodFailed: the method has no answer for these data.
type MethodFailed struct{ Method, Reason string }

func (MethodFailed) Kind() string { return "method-failed" }
func (w MethodFailed) Why() string {
	return fmt.Sprintf("%s has no answer here (%s)", w.Method, strings.TrimPrefix(w.Reason, "noise: "))
}
func (MethodFailed) Do() string     { return "leave --method to the default rule" }
func (w MethodFailed) Text() string { return refusalText(w) }

// MaximumOfMany: the largest value of a run.
type MaximumOfMany struct{}

func (MaximumOfMany) Kind() string { return "maximum-of-many" }
func (MaximumOfMany) Why() string {
	return "a maximum is one event of a run, grows with its length, and repeats too badly for any verdict"
}
func (MaximumOfMany) Do() string {
	return "take a percentile: --metric latency_p99, from logs with --histogram"
}
func (w MaximumOfMany) Text() string { return refusalText(w) }

// AtCeiling: runs read the largest value there is.
type AtCeiling struct {
	Runs    int
	Ceiling float64 // seconds
}

func (AtCeiling) Kind() string { return "at-ceiling" }
func (w AtCeiling) Text() string {
	return fmt.Sprintf("%s read %g s, the largest latency that sysbench can print: the truth may be any larger one.", Counted(w.Runs, "run"), w.Ceiling)
}

// ManyLooks: more looks than the level was shared out for.
type ManyLooks struct{ Days, Most int }

func (ManyLooks) Kind() string { return "many-looks" }
func (w ManyLooks) Text() string {
	return fmt.Sprintf("%d days, each looked at: testing each look at 1 %% keeps all of them together at 5 %% up to %d, and not beyond; plan the days instead (--days-planned).", w.Days, w.Most)
}

// OneLookWouldStand: significant for one planned look, not for one of many.
type OneLookWouldStand struct{}

func (OneLookWouldStand) Kind() string { return "one-look-would-stand" }
func (OneLookWouldStand) Text() string {
	return "as the only look, at a planned number of days, it would stand; looked at daily it does not yet."
}

// OppositeStrata: the mean over strata hides that they go both ways.
type OppositeStrata struct {
	Down, Up     string  // strata of the lowest and the highest change
	Lowest, Most float64 // changes, as fractions
	Claimed      bool    // both are verdicts, not only observations
}

func (OppositeStrata) Kind() string { return "opposite-strata" }
func (w OppositeStrata) Text() string {
	verb := "was seen to go"
	if w.Claimed {
		verb = "goes"
	}
	return fmt.Sprintf("the change %s both ways, from %s at %s to %s at %s: their mean says nothing about any of them; look at the rows.",
		verb, signedPercent(w.Lowest), w.Down, signedPercent(w.Most), w.Up)
}

// Residue: runs that were pooled differ in something that nobody asked about.
type Residue struct {
	Factor string
	Levels []string
	Asked  bool // with --ignore
}

func (Residue) Kind() string { return "residue" }
func (w Residue) Text() string {
	const most = 4 // named in the sentence; the struct has them all
	levels := w.Levels
	if len(levels) > most {
		levels = append(levels[:most:most], fmt.Sprintf("and %d more", len(w.Levels)-most))
	}
	what := strings.Join(levels, ", ")
	if w.Asked {
		return fmt.Sprintf("runs of one arm and day differ in %s (%s) and are pooled, as asked with --ignore: what it does is part of the spread.", w.Factor, what)
	}
	return fmt.Sprintf("runs of one arm and day differ in %s (%s) and are pooled: what it does is part of the spread; --where %s==... looks at one.", w.Factor, what, w.Factor)
}

// signedPercent prints a fraction with its sign: "+8.0 %".
func signedPercent(x float64) string {
	sign := "+"
	if x < 0 {
		sign = "-"
	}
	return sign + asPercent(math.Abs(x))
}
