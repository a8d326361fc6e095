package table

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"noisefloor/datasets/unit"
)

var nan = math.NaN()

// known tells whether a heading names a metric that noisefloor knows: its column
// name, its unit, and what a cell is multiplied with to be in the base unit.
func known(heading string) (name string, u unit.Unit, scale float64, ok bool) {
	name, stated, scale := unit.Heading(summed(heading))
	if inside := unwrapped(name); inside != name && isKnown(inside) {
		name = inside
	}
	for _, mean := range []string{"_mean", "_avg", "_average", "_median"} { // tps_mean, p95_mean
		if what, ok := strings.CutSuffix(name, mean); ok && (slices.Contains(rates, what) || percentile.MatchString(what)) {
			name = what
		}
	}
	name = canonical(name, unit.With("", stated).Name == "s")
	u = unit.With(name, stated)
	return name, u, scale, u.Name != ""
}

// isMeasure tells headings of which one side is better.
func isMeasure(heading string) bool {
	_, u, _, ok := known(heading)
	return ok && u.Better != unit.Neither
}

// wrappers are what programs keep numbers and settings in: {"result": {"tps": 1}}.
var wrappers = strings.Fields("result results metric metrics summary stats statistics data output measurement measurements perf performance config configuration params parameters options settings meta metadata args setup")

// unwrapped takes such a word off the beginning of a name.
func unwrapped(name string) string {
	if first, rest, ok := strings.Cut(name, "_"); ok && slices.Contains(wrappers, first) {
		return rest
	}
	return name
}

// ofSeveral is what says that a number was made of those of several runs.
var ofSeveral = regexp.MustCompile(`(?i)\s*[(\[](?:mean|avg|average|median)\b[^)\]]*[)\]]\s*$`)

// summed takes it off: TPS (mean ± sd, n=5).
func summed(heading string) string { return ofSeveral.ReplaceAllString(heading, "") }

func isKnown(heading string) bool {
	_, _, _, ok := known(heading)
	return ok
}

var (
	percentile = regexp.MustCompile(`^(?:p(\d+(?:_\d+)?)|(\d+(?:_\d+)?)(?:th)?_(?:pct|percentile|perc))$`)
	latencies  = strings.Fields("lat latenz latencia latence")
	rates      = []string{"tps", "qps", "eps", "rps", "nopm", "tpm"}
)

// canonical spells a metric as the columns of runs do: p99 in us is latency_p99,
// total_qps is qps.
func canonical(name string, timed bool) string {
	if short := spelledOut(name); short != "" {
		return short
	}
	words := strings.Split(name, "_")
	for i, w := range words {
		if slices.Contains(latencies, w) {
			words[i] = "latency"
		}
	}
	isLatency := slices.Contains(words, "latency")
	rest := strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "latency" }), "_")
	if m := percentile.FindStringSubmatch(rest); m != nil && (timed || isLatency) {
		return "latency_p" + m[1] + m[2]
	}
	switch rest {
	case "avg", "average", "mean":
		rest = "avg"
	case "min", "max", "sum", "median", "stddev":
	case "":
		return "latency"
	default:
		if prefix, last, ok := strings.Cut(rest, "_"); ok && !isLatency && (prefix == "total" || prefix == "avg" || prefix == "mean") && slices.Contains(rates, last) {
			return last
		}
		return strings.Join(words, "_")
	}
	if timed || isLatency {
		return "latency_" + rest
	}
	return name
}

// spelledOut is the short name of a rate in words: "Transactions per second",
// "Transactions per Second (TPS)", "Throughput (QPS)".
func spelledOut(name string) string {
	if at := strings.LastIndex(name, "_"); at > 0 && slices.Contains(rates, name[at+1:]) {
		if before := name[:at]; before == "throughput" || strings.HasSuffix(before, "_per_second") || strings.HasSuffix(before, "_per_sec") || strings.HasSuffix(before, "_per_minute") {
			return name[at+1:]
		}
	}
	switch name {
	case "transactions_per_s":
		return "tps"
	case "queries_per_s":
		return "qps"
	case "events_per_s":
		return "eps"
	}
	return ""
}
