package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"noisefloor/analysis"
)

// Sentence puts a result in words, without a full stop. The stratum is said as
// after "at" ("8 threads"), or "".
//
// Only throughput is called faster or slower. Of anything else the sentence
// says which way the number went and whether that is better: "9 % faster p95
// latency" can be read either way at three in the morning, "9 % lower p95
// latency (better)" cannot.
func Sentence(r Result, metric, base, contender, stratum string) string {
	at := ""
	if stratum != "" {
		at = " at " + stratum
	}
	what := metricWords(metric)
	pair := contender + " against " + base + at
	if what != "" {
		pair += ", " + what
	}
	opposite, both := find[analysis.OppositeStrata](r.Warnings)
	switch {
	case both && opposite.Claimed:
		return pair + ": " + strings.TrimSuffix(opposite.Text(), ".")
	case r.Verdict == analysis.Unsupported:
		return pair + ": " + r.refusalWords()
	case r.Verdict == analysis.Equivalent:
		return fmt.Sprintf("%s: no difference worth naming: within %s%s", pair, percent(r.Margin), r.intervalInBrackets()) + r.bothSidesWords() + r.borrowedWords()
	case r.PAdjusted < r.Level: // faster, slower, or changed with no better side
		return r.changeWords(what, throughput[metric], base, contender, at) + r.provisoWords(base, contender)
	case len(r.Tests) == 0:
		return pair + ": " + r.zeroWords()
	}
	s := fmt.Sprintf("%s: cannot tell, this design sees no less than %s%s", pair, r.floorWords(), r.intervalInBrackets())
	for _, w := range r.Warnings {
		switch w.(type) {
		case analysis.AloneItWouldStand, analysis.OneLookWouldStand:
			s += "; " + strings.TrimSuffix(w.Text(), ".")
		}
	}
	s += r.borrowedWords()
	if r.Settle.Days > 0 {
		s += fmt.Sprintf("; %d days with %s an arm a day would show %s", r.Settle.Days, analysis.Counted(r.Settle.RunsPerDay, "run"), percent(r.Settle.Effect))
	}
	return s
}

// provisoWords stand beside the verdict and not only among the doubts: what could
// look like this change and was not excluded, and whether it matters.
func (r *Result) provisoWords(base, contender string) string {
	var s string
	if r.Scale == Ratio && r.Estimate < 1+r.Margin && r.Estimate > 1/(1+r.Margin) {
		s += fmt.Sprintf("; smaller than the %s that matters", percent(r.Margin))
	}
	s += r.borrowedWords()
	for _, w := range r.Warnings {
		switch w := w.(type) {
		case analysis.ArmsInSequence:
			first, then := base, contender
			if w.First != armName(0) {
				first, then = contender, base
			}
			s += fmt.Sprintf("; but all days of %s came before all days of %s, and a slow change of the host would look the same", first, then)
		case analysis.OrderUnknown:
			if w.Days == w.Of {
				s += "; but the order inside the days is unknown, and if one arm always ran first a drift would look the same"
			}
		}
	}
	return s
}

// throughput names the metrics of which "faster" says what it means. It is the
// one place in this package that knows a metric by name, for grammar only:
// which way is better is Options.Better.
var throughput = map[string]bool{
	"": true, "tps": true, "qps": true, "eps": true, "nopm": true, "tpm": true, "throughput": true, "steady_tps": true,
}

// metricWords reads a column name as a person would; "" for plain throughput.
func metricWords(metric string) string {
	name, percentile, _ := strings.Cut(metric, "latency_")
	switch {
	case metric == "tps":
		return ""
	case name == "" && percentile == "avg":
		return "mean latency"
	case name == "" && percentile == "max":
		return "maximum latency"
	case name == "" && percentile == "min":
		return "minimum latency"
	case name == "" && percentile != "":
		return percentile + " latency"
	case strings.HasSuffix(metric, "_per_s"):
		return strings.ReplaceAll(strings.TrimSuffix(metric, "_per_s"), "_", " ") + " per second"
	}
	return strings.ReplaceAll(metric, "_", " ")
}

// changeWords says a change that stands.
func (r *Result) changeWords(what string, isThroughput bool, base, contender, at string) string {
	if r.Scale == Difference {
		word := "more"
		if r.Estimate < 0 {
			word = "fewer"
		}
		size := digits3(math.Abs(r.Estimate))
		lo, hi := ascend(math.Abs(r.Lo), math.Abs(r.Hi))
		return fmt.Sprintf("%s has %s %s %s than %s%s%s, %s interval %s to %s",
			contender, size, word, what, base, at, r.judgement(), percent(r.Confidence), digits3(lo), digits3(hi))
	}
	size := math.Abs(r.Estimate - 1)
	lo, hi := ascend(math.Abs(r.Lo-1), math.Abs(r.Hi-1))
	n := places(hi - lo)
	span := fmt.Sprintf("%s interval %s to %s %%", percent(r.Confidence), fixed(lo, n), fixed(hi, n))
	if isThroughput && r.Better > 0 {
		word := "faster"
		if r.Verdict == analysis.Slower {
			word = "slower"
		}
		if what != "" {
			word += " in " + what
		}
		return fmt.Sprintf("%s is %s %% %s than %s%s, %s", contender, fixed(size, n), word, base, at, span)
	}
	word := "higher"
	if r.Estimate < 1 {
		word = "lower"
	}
	return fmt.Sprintf("%s has %s %% %s %s than %s%s%s, %s", contender, fixed(size, n), word, what, base, at, r.judgement(), span)
}

func (r *Result) judgement() string {
	switch r.Verdict {
	case analysis.Faster:
		return " (better)"
	case analysis.Slower:
		return " (worse)"
	}
	return " (neither better nor worse in itself)"
}

// refusalWords: why in the first clause, what was seen, what to run in the
// second. An order that only comes on top of a design that cannot answer is
// left to the warnings, as what to run says "alternating".
func (r *Result) refusalWords() string {
	var whys []string
	do := ""
	for _, w := range r.Warnings {
		refusal, ok := w.(analysis.Refusal)
		if _, order := w.(analysis.SameOrder); !ok || (order && len(whys) > 0) {
			continue
		}
		whys = append(whys, refusal.Why())
		if do == "" {
			do = refusal.Do()
		}
	}
	s := "unsupported, as " + strings.Join(whys, ", and ")
	if opposite, ok := find[analysis.OppositeStrata](r.Warnings); ok {
		s += fmt.Sprintf(" (observed: from %s at %s to %s at %s)", r.signed(1+opposite.Lowest), opposite.Down, r.signed(1+opposite.Most), opposite.Up)
	} else if !math.IsNaN(r.Estimate) {
		s += " (observed: " + r.signed(r.Estimate) + ")"
	}
	return s + "; " + do
}

func (r *Result) zeroWords() string {
	for _, w := range r.Warnings {
		if zero, ok := w.(analysis.AllZero); ok {
			return "cannot tell, " + strings.TrimSuffix(zero.Text(), ".")
		}
	}
	return "cannot tell"
}

// intervalInBrackets is the estimate and its interval: " (seen +1.2 %, 95 %
// interval -0.8 to +3.3 %)".
func (r *Result) intervalInBrackets() string {
	if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) {
		return ""
	}
	if r.Scale == Difference {
		return fmt.Sprintf(" (seen %s, %s interval %s to %s)", r.signed(r.Estimate), percent(r.Confidence), r.signed(r.Lo), r.signed(r.Hi))
	}
	n := places(r.Hi - r.Lo)
	sign := func(x float64) string {
		if x-1 > mostPercent/100 {
			return fmt.Sprintf("over +%d", mostPercent)
		}
		return withSign(x-1, fixed(math.Abs(x-1), n))
	}
	return fmt.Sprintf(" (seen %s %%, %s interval %s to %s %%)", sign(r.Estimate), percent(r.Confidence), sign(r.Lo), sign(r.Hi))
}

// bothSidesWords explain an interval that reaches beyond the margin under a verdict
// that nothing does: the verdict asks each side at its level, which is what the
// narrower interval of twice the level shows.
func (r *Result) bothSidesWords() string {
	if !(r.Lo < 1/(1+r.Margin) || r.Hi > 1+r.Margin) {
		return ""
	}
	narrow := *r
	narrow.Confidence = 1 - 2*r.Level
	lo, hi := widest(r.Tests, narrow.Confidence)
	narrow.Lo, narrow.Hi = r.fromWork(lo), r.fromWork(hi)
	_, interval, _ := strings.Cut(narrow.intervalInBrackets(), " interval ")
	return fmt.Sprintf("; each side has its %s, so the %s interval decides: %s", percent(r.Level), percent(narrow.Confidence), strings.TrimSuffix(interval, ")"))
}

// floorWords is the noise floor, or the absolute one where the base is zero.
func (r *Result) floorWords() string {
	switch floor := r.NoiseFloor.Value; {
	case math.IsNaN(floor):
		return "a difference of " + digits3(delta(r.DF, floorLevel)*r.SE)
	case floor > mostPercent/100:
		return fmt.Sprintf("a change of %d %%", mostPercent)
	default:
		return percent(floor)
	}
}

// mostPercent is the largest change that is spelled out: beyond it, digits
// suggest knowledge that an interval on one degree of freedom does not have.
const mostPercent = 1000

// signed is an estimate or bound on its own scale, "+8.0 %" or "-0.3".
func (r *Result) signed(x float64) string {
	if r.Scale == Difference {
		return withSign(x, digits3(math.Abs(x)))
	}
	return withSign(x-1, fixed(math.Abs(x-1), min(places(math.Abs(x-1)), 2))) + " %"
}

func withSign(x float64, digits string) string {
	if x < 0 && strings.Trim(digits, "0.") != "" {
		return "-" + digits
	}
	return "+" + digits
}

// places is the number of decimals, in percent, that an interval of this width
// (a fraction) deserves: 3.2 to 5.0 %, 0.32 to 0.50 %.
func places(width float64) int {
	switch {
	case !(width < 1):
		return 0
	case width >= 0.005:
		return 1
	case width >= 0.0005:
		return 2
	}
	return 3
}

// fixed prints a fraction in percent with so many decimals.
func fixed(x float64, places int) string { return strconv.FormatFloat(100*x, 'f', places, 64) }

// percent prints a fraction in percent with two significant digits, more from
// 100 % on, and no zeros behind.
func percent(x float64) string {
	p := 100 * x
	if p >= 10 {
		return strconv.FormatFloat(math.Round(p*10)/10, 'f', -1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'g', 2, 64) + " %"
}

func digits3(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

func ascend(a, b float64) (lo, hi float64) { return min(a, b), max(a, b) }

// borrowedWords stand beside any verdict that rests on noise from elsewhere.
func (r *Result) borrowedWords() string {
	if w, ok := find[analysis.NoiseBorrowed](r.Warnings); ok {
		return "; if this host is as noisy as " + w.Donor
	}
	return ""
}

// find gives the warning of type W.
func find[W analysis.Warning](ws []analysis.Warning) (found W, ok bool) {
	for _, w := range ws {
		if found, ok = w.(W); ok {
			return found, true
		}
	}
	return found, false
}
