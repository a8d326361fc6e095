package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// hostile are texts that have broken parsers, databases and file formats.
var hostile = []string{
	"plain", `quo"ted 'both'`, "emoji 😀👩‍🔬", "nul\x00byte", "new\nline\r\ttab", "日本語", "comma, semicolon; pipe|",
	"<script>alert(1)</script>", `back\slash`, " blanks ", "NaN", "null", "-0", "true", strings.Repeat("long ", 2000),
}

func genText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(hostile), rapid.String(), rapid.Just(""))
}

func genFloat() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), 0, 95, math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64}))
}

// genMix makes the values of one factor: of one kind, or of kinds that widen to
// the same whichever way they are committed. (A large whole number that was a
// number in between is another text than one that was not.)
func genMix() *rapid.Generator[*rapid.Generator[Value]] {
	texts := rapid.Map(genText(), Text)
	ints := rapid.Map(rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, math.MinInt64, math.MaxInt64})), Int)
	floats := rapid.Map(genFloat(), Float)
	bools := rapid.Map(rapid.Bool(), Bool)
	null := rapid.Just(Value{})
	return rapid.SampledFrom([]*rapid.Generator[Value]{
		texts, rapid.OneOf(ints, null), rapid.OneOf(floats, null), rapid.OneOf(bools, null), null,
		rapid.OneOf(ints, floats, null), rapid.OneOf(texts, ints, bools, null), rapid.OneOf(texts, floats, bools, null),
	})
}

func genTime() *rapid.Generator[time.Time] {
	return rapid.OneOf(rapid.Just(time.Time{}), rapid.Just(testTime),
		rapid.Map(rapid.Int64Range(-6e16, 6e16), func(us int64) time.Time { return time.UnixMicro(us).UTC() }))
}

// genBatches makes batches whose runs and sources are all different. Factors
// have any kind in any run, so columns widen.
func genBatches(t *rapid.T) []*Batch {
	text, float := genText(), genFloat()
	count := rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 1<<40))
	factors := rapid.SliceOfNDistinct(rapid.OneOf(rapid.SampledFrom(hostile), rapid.String()), 0, 5, rapid.ID).Draw(t, "factors")
	factors = slices.DeleteFunc(factors, isBuiltin)
	mixes := make([]*rapid.Generator[Value], len(factors))
	for i := range mixes {
		mixes[i] = genMix().Draw(t, "kinds")
	}
	var batches []*Batch
	runs := 0
	for n := range rapid.IntRange(1, 4).Draw(t, "batches") {
		b := &Batch{}
		source := fmt.Sprintf("%s-%d", text.Draw(t, "source"), n)
		for range rapid.IntRange(0, 4).Draw(t, "runs") {
			runs++
			r := Run{
				ID: fmt.Sprintf("%s-%d", text.Draw(t, "id"), runs), Source: source, Part: runs, SHA256: text.Draw(t, "sha"),
				Tool: text.Draw(t, "tool"), ToolVersion: text.Draw(t, "version"), Workload: text.Draw(t, "workload"),
				Status:  rapid.SampledFrom([]Status{Complete, Truncated, Empty, ""}).Draw(t, "status"),
				Threads: count.Draw(t, "threads"), Clients: count.Draw(t, "clients"), Duration: float.Draw(t, "duration"),
				Host: text.Draw(t, "host"), Session: text.Draw(t, "session"), Day: text.Draw(t, "day"), Launch: text.Draw(t, "launch"),
				Order: count.Draw(t, "order"), Started: genTime().Draw(t, "started"), StartedFrom: text.Draw(t, "from"),
				Factors: map[string]Value{}, Metrics: map[string]float64{},
			}
			for i, name := range factors {
				r.Factors[name] = mixes[i].Draw(t, "factor")
			}
			for _, name := range []string{"tps", "latency_p95", "metric \x00"} {
				r.Metrics[name] = float.Draw(t, "metric")
			}
			b.Runs = append(b.Runs, r)
			for range rapid.IntRange(0, 6).Draw(t, "intervals") {
				iv := Interval{RunID: r.ID}
				for _, f := range []*float64{&iv.T, &iv.Threads, &iv.TPS, &iv.QPS, &iv.Reads, &iv.Writes, &iv.Other, &iv.LatencyPct,
					&iv.Percentile, &iv.Errors, &iv.Reconnects, &iv.QueueLength, &iv.Concurrency} {
					*f = float.Draw(t, "interval")
				}
				b.Intervals.Add(iv)
			}
			for range rapid.IntRange(0, 3).Draw(t, "buckets") {
				b.Buckets = append(b.Buckets, Bucket{r.ID, float.Draw(t, "value"), rapid.Int64().Draw(t, "count")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "stacks") {
				b.Stacks = append(b.Stacks, Stack{r.ID, text.Draw(t, "event"), text.Draw(t, "comm"), rapid.SliceOfN(text, 0, 9).Draw(t, "frames"), float.Draw(t, "weight"), float.Draw(t, "samples")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "counters") {
				b.Counters = append(b.Counters, Counter{r.ID, text.Draw(t, "event"), float.Draw(t, "value"), text.Draw(t, "unit"), float.Draw(t, "running"), text.Draw(t, "scope"), float.Draw(t, "variance")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "waits") {
				b.Waits = append(b.Waits, Wait{r.ID, text.Draw(t, "event"), float.Draw(t, "count"), float.Draw(t, "sum"), float.Draw(t, "sessions")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "series") {
				b.Series.Add(Sample{r.ID, float.Draw(t, "t"), text.Draw(t, "tool"), text.Draw(t, "metric"), float.Draw(t, "value")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "settings") {
				b.Settings = append(b.Settings, Setting{r.ID, source, text.Draw(t, "name"), text.Draw(t, "value")})
			}
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "problems") {
			b.Problems = append(b.Problems, Problem{Source: source, Line: i, Kind: text.Draw(t, "kind"),
				Text: cut(text.Draw(t, "text"), maxProblemText), Count: rapid.IntRange(0, 1e6).Draw(t, "count")})
		}
		b.Sources = []Source{{Path: source, SHA256: source, Size: rapid.Int64Min(0).Draw(t, "size"), Kind: text.Draw(t, "kind"), Runs: len(b.Runs)}}
		b.Settings = append(b.Settings, Setting{"", source, text.Draw(t, "name"), text.Draw(t, "value")})
		batches = append(batches, b)
	}
	return batches
}

// together moves the series of one source of a run to where its first row is.
func together(rows []Sample) []Sample {
	at := map[owner]int{}
	for _, r := range rows {
		if o := (owner{r.RunID, r.Source}); at[o] == 0 {
			at[o] = len(at) + 1
		}
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Sample) int { return at[owner{a.RunID, a.Source}] - at[owner{b.RunID, b.Source}] })
	return rows
}

// expected is what has to come back: nulls are absent, kinds widened.
func expected(batches []*Batch) content {
	var c content
	kinds := map[string]Kind{}
	for _, b := range batches {
		for _, r := range b.Runs {
			for name, v := range r.Factors {
				kinds[name] = widen(kinds[name], v.Kind())
			}
		}
	}
	for _, b := range batches {
		for _, r := range b.Runs {
			given := r
			r.Factors, r.Metrics = map[string]Value{}, map[string]float64{}
			for name, v := range given.Factors {
				if !v.IsNull() {
					r.Factors[name] = v.as(kinds[name])
				}
			}
			for name, m := range given.Metrics {
				if !math.IsNaN(m) {
					r.Metrics[name] = m
				}
			}
			c.Runs = append(c.Runs, r)
		}
		c.Intervals = append(c.Intervals, b.Intervals.Rows()...)
		c.Buckets = append(c.Buckets, b.Buckets...)
		c.Stacks = append(c.Stacks, b.Stacks...)
		c.Counters = append(c.Counters, b.Counters...)
		c.Waits = append(c.Waits, b.Waits...)
		c.Series = append(c.Series, together(b.Series.Rows())...)
		c.Settings = append(c.Settings, b.Settings...)
		c.Problems = append(c.Problems, b.Problems...)
		c.Sources = append(c.Sources, b.Sources...)
	}
	slices.SortStableFunc(c.Problems, func(a, b Problem) int { return strings.Compare(a.Source, b.Source) })
	slices.SortFunc(c.Sources, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	return c
}

// Any rows come back as they went in, whether they were committed in one part
// or in several, by one writer or by several, and adding them again changes
// nothing.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, remove := fastDir(t)
		defer remove()
		batches := genBatches(t)
		small := rapid.SampledFrom([]int64{0, smallPart}).Draw(t, "small") // compressed or not
		large := rapid.SampledFrom([]int64{0, largePart}).Draw(t, "large") // lz4 or zstd
		open := func() *Writer {
			w := must(OpenWriter(dir))(t)
			w.disk.small, w.disk.large, w.disk.dictionary = small, large, 0
			return w
		}
		w := open()
		for _, b := range batches {
			noError(t, w.Add(b))
			switch rapid.SampledFrom([]string{"go on", "commit", "reopen"}).Draw(t, "then") {
			case "commit":
				noError(t, w.Commit())
			case "reopen":
				noError(t, w.Commit())
				noError(t, w.Close())
				w = open()
			}
		}
		noError(t, w.Commit())
		noError(t, w.Close())

		got := readAll(t, dir)
		got.Columns = nil
		wantSame(t, "rows", got, expected(batches))

		before := manifestBytes(t, dir)
		w = open()
		for _, b := range batches {
			noError(t, w.Add(b))
		}
		noError(t, w.Commit())
		noError(t, w.Close())
		wantSame(t, manifestFile, manifestBytes(t, dir), before)
	})
}
