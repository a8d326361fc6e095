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
	name, stated, scale := unit.Heading(heading)
	name = canonical(name, unit.With("", stated).Name == "s")
	u = unit.With(name, stated)
	return name, u, scale, u.Name != ""
}

var (
	percentile = regexp.MustCompile(`^(?:p(\d+(?:_\d+)?)|(\d+(?:_\d+)?)(?:th)?_(?:pct|percentile|perc))$`)
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
		if w == "lat" {
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
