package unit

import (
	"slices"
	"strings"
)

// The base units and their better sides.
var (
	perSecond = Unit{"1/s", Higher}
	trouble   = Unit{"1/s", Lower} // errors and the like, per second
	perMinute = Unit{"1/min", Higher}
	seconds   = Unit{"s", Lower}
	bytes     = Unit{"B", Neither}
	amount    = Unit{"1", Neither}
	percent   = Unit{"%", Neither}
)

// known are the metrics that go by a name of their own.
var known = map[string]Unit{
	"tps": perSecond, "qps": perSecond, "eps": perSecond, "rps": perSecond, "ops": perSecond, "iops": perSecond,
	"throughput": perSecond,
	// What these count is for the heading or the cells to say.
	"speed": {"", Higher}, "bandwidth": {"", Higher}, "bw": {"", Higher}, "compression": {"", Higher}, "decompression": {"", Higher},
	// These two are defined per minute; per second they would be other metrics.
	"nopm": perMinute, "tpm": perMinute, "tpmc": perMinute,

	"latency": seconds, "duration": seconds, "elapsed": seconds, "time": seconds, "runtime": seconds,
	"seconds": seconds, "wall": seconds, "response": seconds,
	"latenz": seconds, "antwortzeit": seconds, "laufzeit": seconds, "dauer": seconds, "latencia": seconds, "latence": seconds, "tiempo": seconds,

	"bytes": bytes, "rss": bytes, "vsz": bytes, "memory": bytes, "mem": bytes, "size": bytes,

	"transactions": amount, "queries": amount, "reads": amount, "writes": amount, "other": amount, "events": amount,
	"total": amount, "count": amount, "samples": amount, "ipc": amount, "errors": {"1", Lower}, "reconnects": {"1", Lower},
}

// troubles are the things of which fewer per second is better.
var troubles = words("error errors err reconnect reconnects retry retries abort aborts aborted deadlock deadlocks timeout timeouts " +
	"fault faults miss misses stall stalls wait waits conflict conflicts rollback rollbacks")

// works are the things of which more per second is better.
var works = words("transaction transactions trx txn tx query queries event events read reads write writes other " +
	"request requests req operation operations ops row rows order orders transaktionen abfragen anfragen transacciones consultas")

// statistics are the words for one number of many.
var statistics = words("avg average mean median min max")

// spreads are the words for how far many numbers scatter: no good in itself.
var spreads = words("sd std stdev stddev cv var variance se stderr ci")

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// Of gives the unit of a metric by its name. "steady_tps" is as "tps";
// "a/b" is a ratio, whose better side is that of a. A metric that is not known
// has no unit and no better side.
func Of(metric string) Unit {
	metric = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(metric)), "steady_")
	if a, b, isRatio := strings.Cut(metric, "/"); isRatio {
		return Unit{over(Of(a).Name, Of(b).Name), Of(a).Better}
	}
	if u, ok := known[metric]; ok {
		return u
	}
	if what, isCost := strings.CutSuffix(metric, "_per_transaction"); isCost {
		if strings.HasSuffix(what, "_s") {
			return seconds
		}
		return Unit{"1", Lower}
	}
	all := strings.Split(metric, "_")
	first, last := all[0], all[len(all)-1]
	if spreads[last] && len(all) > 1 {
		return Unit{Of(strings.Join(all[:len(all)-1], "_")).Name, Neither}
	}
	if what, isRate := cutRate(metric); isRate {
		return rate(what)
	}
	for _, suffix := range []string{"_per_min", "_per_minute"} {
		if what, ok := strings.CutSuffix(metric, suffix); ok {
			return Unit{"1/min", rate(what).Better}
		}
	}
	if u, ok := known[last]; ok { // avg_tps, peak_rss, total_events
		return u
	}
	switch {
	case first == "fairness" && strings.Contains(metric, "time"):
		return Unit{"s", Neither} // the spread between threads: no good in itself
	case first == "fairness":
		return amount
	case len(all) == 2 && statistics[last] && known[first] != Unit{}: // tps_avg
		return known[first]
	case isPercentile(first), first == "latency", first == "lat":
		return seconds
	case last == "bytes", last == "rss":
		return bytes
	case last == "pct":
		return percent
	}
	for _, w := range all {
		switch w {
		case "latency", "duration", "elapsed", "seconds", "time":
			return seconds
		}
	}
	if last == "s" && len(all) > 1 {
		return seconds
	}
	return Unit{}
}

// cutRate takes the words for "per second" off a name.
func cutRate(metric string) (what string, ok bool) {
	for _, suffix := range []string{"_per_s", "_per_sec", "_per_second"} {
		if what, ok = strings.CutSuffix(metric, suffix); ok {
			return what, true
		}
	}
	return "", false
}

// rate gives the unit of something per second.
func rate(what string) Unit {
	all := strings.Split(what, "_")
	any := func(set map[string]bool) bool {
		return slices.ContainsFunc(all, func(w string) bool { return set[w] })
	}
	switch last := all[len(all)-1]; {
	case last == "bytes":
		return Unit{"B/s", Neither}
	case any(troubles):
		return trouble
	case any(works):
		return perSecond
	}
	return Unit{"1/s", Neither}
}

// isPercentile tells "p99" and "p99.9", alone a latency to everyone.
func isPercentile(word string) bool {
	digits, ok := strings.CutPrefix(word, "p")
	return ok && digits != "" && strings.Trim(digits, "0123456789.") == ""
}

// over divides units. What cannot be simplified is written out.
func over(a, b string) string {
	switch {
	case a == "" && b == "":
		return ""
	case a == b:
		return "1"
	case b == "" || b == "1":
		return a
	case a == "":
		a = "1"
	}
	if strings.Contains(b, "/") {
		b = "(" + b + ")"
	}
	return a + "/" + b
}
