package export

import "regexp"

// percentile is the name of a latency below which so many percent of the events stay.
var percentile = regexp.MustCompile(`^latency_p([0-9]+(?:\.[0-9]+)?)$`)

// describe says what a column is; "" of one that only the data know.
func describe(table, column string) string {
	if m := percentile.FindStringSubmatch(column); m != nil && table == runsTable {
		return "latency that " + m[1] + " % of the events do not exceed"
	}
	return descriptions[table+"."+column]
}

// descriptions say what the columns are whose names are always the same.
var descriptions = map[string]string{
	"runs.run_id":       "identity of the run: 16 hex digits of the SHA-256 over its own bytes",
	"runs.source":       "file it was read from, archive members after \"!\"",
	"runs.part":         "n-th run in that file, from 1",
	"runs.sha256":       "of that file, decompressed",
	"runs.tool":         "load generator",
	"runs.tool_version": "its version",
	"runs.workload":     "what it did: oltp_read_write, ...",
	"runs.status":       "how the run ended; only complete runs feed verdicts",
	"runs.threads":      "threads of the load generator",
	"runs.clients":      "connections, where they are not the threads",
	"runs.duration_s":   "length of the measurement",
	"runs.host":         "machine under test",
	"runs.session":      "declared stretch of measurements",
	"runs.day":          "declared day",
	"runs.launch":       "start of the server",
	"runs.order":        "place in the running order of the session, from 1",
	"runs.started_at":   "when the run began",
	"runs.started_from": "how that is known: log, name, sidecar, side-file, mtime",

	"runs.settings_from":       "file that the server's variables or options of the run were read from: source in settings",
	"runs.report_interval_s":   "seconds between report lines",
	"runs.tps":                 "transactions per second of the whole run",
	"runs.eps":                 "events per second of the whole run",
	"runs.qps":                 "queries per second of the whole run",
	"runs.steady_from_s":       "report lines up to here are left out; none where no cut fits all runs of the stratum",
	"runs.steady_tps":          "transactions per second after that",
	"runs.transactions":        "transactions in all",
	"runs.events":              "events in all: transactions, of SQL tests",
	"runs.queries":             "queries in all",
	"runs.reads":               "reading queries in all",
	"runs.writes":              "writing queries in all",
	"runs.other":               "other queries in all: BEGIN, COMMIT",
	"runs.reads_per_s":         "reading queries per second",
	"runs.writes_per_s":        "writing queries per second",
	"runs.other_per_s":         "other queries per second",
	"runs.errors":              "ignored errors in all",
	"runs.errors_per_s":        "ignored errors per second",
	"runs.reconnects":          "reconnects in all",
	"runs.reconnects_per_s":    "reconnects per second",
	"runs.latency_min":         "latency of the fastest event",
	"runs.latency_avg":         "mean latency of the events",
	"runs.latency_max":         "latency of the slowest event",
	"runs.latency_sum":         "latency of all events added up",
	"runs.fairness_events_avg": "events of a thread: mean over the threads",
	"runs.fairness_events_sd":  "events of a thread: standard deviation over the threads",
	"runs.fairness_time_avg":   "time that a thread was busy: mean over the threads",
	"runs.fairness_time_sd":    "time that a thread was busy: standard deviation over the threads",

	"intervals.run_id":           "the run",
	"intervals.t_s":              "time since the start of the run, at the end of the report line",
	"intervals.threads":          "threads that were running",
	"intervals.tps":              "transactions per second of this line",
	"intervals.qps":              "queries per second",
	"intervals.reads_per_s":      "reading queries per second",
	"intervals.writes_per_s":     "writing queries per second",
	"intervals.other_per_s":      "other queries per second",
	"intervals.latency_pct":      "latency at the percentile of this line",
	"intervals.percentile":       "that percentile: 95 for p95",
	"intervals.errors_per_s":     "ignored errors per second",
	"intervals.reconnects_per_s": "reconnects per second",
	"intervals.queue_length":     "events that wait, in rate mode",
	"intervals.concurrency":      "events under way, in rate mode",

	"histograms.run_id":  "the run",
	"histograms.value_s": "latency: the centre, in log, of the bucket",
	"histograms.count":   "events in the bucket",

	"stacks.run_id":  "the run",
	"stacks.event":   "what was sampled: cycles, cpu-clock, ...",
	"stacks.comm":    "name of the thread or process",
	"stacks.stack":   "frames, root first",
	"stacks.weight":  "in the unit of the event",
	"stacks.samples": "how many samples had this stack",

	"counters.run_id":      "the run",
	"counters.event":       "what was counted",
	"counters.value":       "how much of it",
	"counters.unit":        "of the value; none for a plain count",
	"counters.running_pct": "share of the time it was counted; below 100 the value is scaled up",
	"counters.scope":       "what it was counted on: a CPU, a process; none for all",
	"counters.variance":    "relative standard error of the mean over repeats",

	"waits.run_id":       "the run",
	"waits.event":        "what was waited for",
	"waits.count":        "how often",
	"waits.sum_s":        "how long, all sessions together",
	"waits.avg_sessions": "how many sessions waited on average",

	"series.run_id": "the run",
	"series.t_s":    "time since the start of the run, or of the series if that is unknown",
	"series.source": "tool that printed it",
	"series.metric": "what was measured",
	"series.value":  "the value",

	"settings.run_id": "the run; none for a setting of several",
	"settings.source": "file it was read from",
	"settings.name":   "variable or option",
	"settings.value":  "as it was printed",

	"problems.source": "file",
	"problems.line":   "first line; 0 is the file as a whole",
	"problems.kind":   "kind of thing that was not understood",
	"problems.text":   "what was found",
	"problems.count":  "how often",
}
