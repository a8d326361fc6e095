package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// The doubts about how the rows were put together.

// PooledOverDays: a condition of the machine changes from day to day.
type PooledOverDays struct {
	Condition string
	Levels    int
}

func (PooledOverDays) Kind() string { return "pooled-over-days" }
func (w PooledOverDays) Text() string {
	return fmt.Sprintf("%s changes from day to day (%d levels): day-to-day spread includes it, and the claim is about a typical day among these; --where %s==... looks at one.", w.Condition, w.Levels, w.Condition)
}

// ProfiledAside: runs under a profiler take no part.
type ProfiledAside struct{ Runs int }

func (ProfiledAside) Kind() string { return "profiled-aside" }
func (w ProfiledAside) Text() string {
	return fmt.Sprintf("%s ran under a profiler, which slows what it watches: set aside; --where profiled==true looks at them.", Counted(w.Runs, "run"))
}

// PhaseAside: what was run before and after what was measured takes no part.
type PhaseAside struct {
	Runs   int
	Phases string // "prepare, warmup"
}

func (PhaseAside) Kind() string { return "phase-aside" }
func (w PhaseAside) Text() string {
	first, _, _ := strings.Cut(w.Phases, ",")
	verb := "are"
	if w.Runs == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s %s called %s, beside others that were measured: set aside; --where 'phase==%s' looks at them.", Counted(w.Runs, "run"), verb, w.Phases, first)
}

// TablesAside: rows of tables beside logs take no part.
type TablesAside struct {
	Rows  int
	First string // source of the first
}

func (TablesAside) Kind() string { return "tables-aside" }
func (w TablesAside) Text() string {
	return fmt.Sprintf("%s of tables set aside, as there are logs too, which they probably summarise; --where 'source==%q' looks at those of one.", Counted(w.Rows, "row"), w.First)
}

// TableRepeated: all rows of a table stand in another one too.
type TableRepeated struct {
	Rows       int
	Source, Of string
}

func (TableRepeated) Kind() string { return "table-repeated" }
func (w TableRepeated) Text() string {
	return fmt.Sprintf("all %s of %s have the numbers of rows of %s: set aside as kept twice; --where 'source==%q' looks at them.", Counted(w.Rows, "row"), w.Source, w.Of, w.Source)
}

// RowsRepeated: rows of tables that are equal in everything.
type RowsRepeated struct{ Rows, Of int }

func (RowsRepeated) Kind() string { return "rows-repeated" }
func (w RowsRepeated) Text() string {
	return fmt.Sprintf("%d of %s of tables say in every column what another row says: if they are copies, take them out, as runs look as if they repeated better than they do; a day counts once in any case.", w.Rows, Counted(w.Of, "row"))
}

// MixesDiffer: runs that are compared with each other, or pooled, sent other
// statements.
type MixesDiffer struct {
	Statement   string  // reads, writes or other
	Least, Most float64 // a transaction
	Stratum     string  // the first that it is so in, as people say it; "" = all runs
	Strata      int
}

func (MixesDiffer) Kind() string { return "mixes-differ" }
func (w MixesDiffer) Text() string {
	statement := w.Statement
	if statement == "other" {
		statement = "other statements"
	}
	where := "the runs"
	if w.Stratum != "" {
		where = "the runs at " + w.Stratum
	}
	if more := w.Strata - 1; more > 0 {
		where += fmt.Sprintf(" (and %d more strata)", more)
	}
	return fmt.Sprintf("%s did different things: from %.3g to %.3g %s a transaction. If they are two tests, say which: --set workload=..., {workload} in --layout; if an option of the test differs, so does what is compared.", where, w.Least, w.Most, statement)
}

// RateKept: the load generator sends what it was told, whatever is compared.
type RateKept struct {
	Rate    float64 // a second
	Stratum string  // the first that it is so in, as people say it; "" = all runs
	Strata  int
}

func (RateKept) Kind() string { return "rate-kept" }
func (w RateKept) Text() string {
	where := "the runs"
	if w.Stratum != "" {
		where = "the runs at " + w.Stratum
	}
	if more := w.Strata - 1; more > 0 {
		where += fmt.Sprintf(" (and %d more strata)", more)
	}
	return fmt.Sprintf("%s were sent %.4g transactions a second (--rate), and kept it: their throughput is what was asked for and tells no arms apart; compare the latency, or run without a rate.", where, w.Rate)
}

// WorkloadsAlike: tests that no log tells apart.
type WorkloadsAlike struct {
	Workload string
	Runs     int
}

func (WorkloadsAlike) Kind() string { return "workloads-alike" }
func (w WorkloadsAlike) Text() string {
	return fmt.Sprintf("%s are called %q: oltp_update_index, oltp_update_non_index and oltp_insert send one write a transaction, and neither the counts nor the rates of a log tell which it was. If there are several among them, name them: --set workload=..., {workload} in --layout, or the test in the path.", Counted(w.Runs, "run"), w.Workload)
}

// DaysClose: two declared days are closer together than days are.
type DaysClose struct {
	First, Second string
	Hours         float64
}

func (DaysClose) Kind() string { return "days-close" }
func (w DaysClose) Text() string {
	return fmt.Sprintf("days %s and %s lie %.1f hours apart: they count as days because they were declared so, but what they show is the spread within hours, not from day to day.", w.First, w.Second, max(0, w.Hours))
}

// LongSitting: runs that follow each other for longer than a day.
type LongSitting struct {
	Day   string // when it began
	Hours float64
}

func (LongSitting) Kind() string { return "long-sitting" }
func (w LongSitting) Text() string {
	return fmt.Sprintf("the runs that began on %s go on for %.0f hours without a gap of six, so they count as one day; if they are days, say which: --set day=..., {day} in --layout, or a column day in a table.", w.Day, w.Hours)
}

// NoComparison: nothing to compare was found, or too much.
type NoComparison struct{ Choices []string }

func (NoComparison) Kind() string { return "no-comparison" }
func (w NoComparison) Text() string {
	if len(w.Choices) == 0 {
		return "nothing varies that could be the change: this describes the noise."
	}
	if len(w.Choices) == 1 {
		return fmt.Sprintf("%s varies most, but has so many levels that they look unrelated and not like arms: say so with --by %s if they are.", w.Choices[0], w.Choices[0])
	}
	some := Some(w.Choices, "factors")
	if len(some) < len(w.Choices) {
		return fmt.Sprintf("%s vary and could be the change, so many that these runs are hardly of one experiment: choose one with --by, or give fewer files.", strings.Join(some, ", "))
	}
	return fmt.Sprintf("%s vary and could be the change: choose one with --by %s.", strings.Join(some, " and "), strings.Join(some, " or --by "))
}

// NoArm: runs have no value for the compared factor.
type NoArm struct {
	By   string
	Runs int
}

func (NoArm) Kind() string { return "no-arm" }
func (w NoArm) Text() string {
	return fmt.Sprintf("%s have no %s and take part in nothing.", Counted(w.Runs, "run"), w.By)
}

// NotCompared: strata that one of two arms never ran in.
type NotCompared struct {
	Base, Contender string
	Lacks           string   // which of them
	Strata          []string // as people say them
}

func (NotCompared) Kind() string { return "not-compared" }
func (w NotCompared) Text() string {
	const most = 6 // named in the sentence; the struct has them all
	strata := w.Strata
	if len(strata) > most {
		strata = append(strata[:most:most], fmt.Sprintf("and %d more", len(w.Strata)-most))
	}
	return fmt.Sprintf("%s against %s is not compared where %s has no complete run: %s.", w.Contender, w.Base, w.Lacks, strings.Join(strata, "; "))
}

// LeftOutUnplaced: incomplete runs that say too little of themselves.
type LeftOutUnplaced struct{ Runs int }

func (LeftOutUnplaced) Kind() string { return "left-out-unplaced" }
func (w LeftOutUnplaced) Text() string {
	return fmt.Sprintf("left out: %s that did not complete, in no cell that has complete runs.", Counted(w.Runs, "run"))
}

// ErrorsSeen: runs had errors, and nobody looks at them.
type ErrorsSeen struct {
	Runs, Of int
	Most     float64 // errors per second in the worst run
}

func (ErrorsSeen) Kind() string { return "errors-seen" }
func (w ErrorsSeen) Text() string {
	return fmt.Sprintf("%d of %s had errors, up to %.3g per second: a build that fails fast is fast; --metric tps,errors_per_s compares them too.", w.Runs, Counted(w.Of, "run"), w.Most)
}

// MetricMissing: some runs of a cell lack the metric.
type MetricMissing struct {
	Metric string
	Runs   int
}

func (MetricMissing) Kind() string { return "metric-missing" }
func (w MetricMissing) Text() string {
	return fmt.Sprintf("%s here have no %s and are left out.", Counted(w.Runs, "run"), w.Metric)
}

// UnequalDuration: runs of one cell differ in length.
type UnequalDuration struct{ Shortest, Longest float64 } // seconds

func (UnequalDuration) Kind() string { return "unequal-duration" }
func (w UnequalDuration) Text() string {
	return fmt.Sprintf("runs pooled here last %.0f to %.0f s: longer runs average over more and include less warm-up.", w.Shortest, w.Longest)
}

// namesShown is how many things of a kind a sentence names before it counts them.
const namesShown = 12

// Some are the names that a sentence has room for, the last of them "and 7 more
// metrics" if there are others.
func Some(names []string, plural string) []string {
	if more := len(names) - namesShown; more > 1 {
		return append(slices.Clone(names[:namesShown]), fmt.Sprintf("and %d more %s", more, plural))
	}
	return names
}

// Counted is a number of things in words: "1 run", "3 runs".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// NoiseUnknown: the spread of a metric cannot be told.
type NoiseUnknown struct{ Metric, Stratum, Reason string }

func (NoiseUnknown) Kind() string { return "noise-unknown" }
func (w NoiseUnknown) Text() string {
	return fmt.Sprintf("the spread of %s is unknown here: %s.", w.Metric, strings.TrimPrefix(w.Reason, "noise: "))
}
