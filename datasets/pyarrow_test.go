package datasets

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pythonEnv names a Python interpreter that has pyarrow, and polars and duckdb
// if they are to be tried as well.
const pythonEnv = "NOISEFLOOR_PYTHON"

// pythonTable is what testdata/read_with_pyarrow.py prints of a table.
type pythonTable struct {
	Rows    int64
	Columns map[string]struct {
		Type     string
		Nulls    int64
		Sum      *float64
		Bytes    *int64
		Metadata map[string]string
	}
	Polars, Duckdb *struct {
		Rows  int64
		Nulls map[string]int64
	}
}

// told is what Go says of one column.
type told struct {
	Type  string
	Nulls int64
	Sum   float64 // of numbers; bytes of texts
}

// A data set opens in other languages with its types, nulls and metadata. It
// needs a Python with pyarrow, which CI has (see the Justfile).
func TestReadWithPyarrow(t *testing.T) {
	dir := t.TempDir()
	writeForPython(t, dir)
	want := tellColumns(t, dir)
	python := os.Getenv(pythonEnv)
	if python == "" {
		t.Logf("%s is not set: CI runs this with pyarrow, here only Go has read the data set", pythonEnv)
		return
	}
	cmd := exec.Command(python, "testdata/read_with_pyarrow.py", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	noError(t, err)
	var found map[string]pythonTable
	noError(t, json.Unmarshal(out, &found))

	r := must(Open(dir))(t)
	defer r.Close()
	for table, rows := range r.Counts() {
		got := found[table]
		wantSame(t, table+": rows", got.Rows, rows)
		columns := map[string]told{}
		for name, c := range got.Columns {
			x := told{Type: c.Type, Nulls: c.Nulls}
			if c.Sum != nil {
				x.Sum = *c.Sum
			} else if c.Bytes != nil {
				x.Sum = float64(*c.Bytes)
			}
			if w, ok := want[table][name]; ok && math.Abs(x.Sum-w.Sum) <= 1e-9*math.Abs(w.Sum) {
				x.Sum = w.Sum // pyarrow sums in another order
			}
			columns[name] = x
		}
		wantSame(t, table+": columns in pyarrow", columns, want[table])
		for other, found := range map[string]*struct {
			Rows  int64
			Nulls map[string]int64
		}{"polars": got.Polars, "duckdb": got.Duckdb} {
			if found == nil {
				t.Logf("%s: %s is not installed beside pyarrow", table, other)
				continue
			}
			wantSame(t, table+": rows in "+other, found.Rows, rows)
			for name, w := range want[table] {
				wantSame(t, table+"."+name+": nulls in "+other, found.Nulls[name], w.Nulls)
			}
		}
	}
	metadata := func(table, column string, want map[string]string) {
		t.Helper()
		wantSame(t, "metadata of "+table+"."+column, found[table].Columns[column].Metadata, want)
	}
	metadata("runs", "run_id", map[string]string{"role": "key"})
	metadata("runs", "threads", map[string]string{"role": "factor"})
	metadata("runs", "duration_s", map[string]string{"role": "condition", "unit": "s"})
	metadata("runs", "version", map[string]string{"role": "factor", "guess": "path segment 1"})
	metadata("runs", "tps", map[string]string{"role": "metric", "unit": "1/s", "better": "higher"})
	metadata("runs", "latency_p95", map[string]string{"role": "metric", "unit": "s", "better": "lower"})
	metadata("intervals", "tps", map[string]string{"unit": "1/s", "better": "higher"})
	metadata("intervals", "t_s", map[string]string{"unit": "s", "better": "neither"})
}

// writeForPython writes a part of each compression with nulls, hostile text, and
// columns that only some parts have.
func writeForPython(t *testing.T, dir string) {
	t.Helper()
	for i := range 3 {
		b := testBatch(fmt.Sprintf("%d.log", i), 4)
		for k := range b.Runs {
			r := &b.Runs[k]
			r.Factors["label"] = Text(hostile[(4*i+k)%len(hostile)])
			if k == 1 {
				r.Started, r.Order, r.Day = testTime, 7, ""
				delete(r.Metrics, "tps")
				r.Duration = math.NaN()
			}
			if i == 1 {
				r.Factors["numa"] = Bool(k%2 == 0)
			}
			if k > 1 {
				r.Factors["scale"] = Float(1.5)
			}
		}
		given := b.Intervals.Columns()
		given[ColumnTPS][i], given[ColumnLatencyPct][i+2] = math.NaN(), math.NaN()
		w := must(OpenWriter(dir))(t)
		switch i { // the parts are uncompressed, zstd and lz4
		case 1:
			w.disk.small, w.disk.dictionary = 0, 0
		case 2:
			w.disk.large = 0
		}
		noError(t, w.Add(b))
		noError(t, w.Commit())
		noError(t, w.Close())
	}
}

// tellColumns describes the tables as Go reads them.
func tellColumns(t *testing.T, dir string) map[string]map[string]told {
	t.Helper()
	c := readAll(t, dir)
	tables := map[string]map[string]told{}
	number := func(table, column, kind string, v float64, isNull bool) {
		if tables[table] == nil {
			tables[table] = map[string]told{}
		}
		x := tables[table][column]
		x.Type = kind
		if isNull {
			x.Nulls++
		} else {
			x.Sum += v
		}
		tables[table][column] = x
	}
	float := func(table, column string, v float64) { number(table, column, "double", v, math.IsNaN(v)) }
	const dict = "dictionary<values=string, indices=int32, ordered=0>"
	text := func(table, column, s string) { number(table, column, dict, float64(len(s)), s == "") }
	for i := range c.Runs {
		r := &c.Runs[i]
		for k := range builtins {
			b := &builtins[k]
			kind, v := dict, b.value(r)
			n, _ := v.Number()
			switch {
			case b.text != nil:
				n = float64(len(v.text))
			case b.count != nil:
				kind = "int64"
			case b.number != nil:
				kind = "double"
			case b.time != nil:
				kind = "timestamp[us, tz=UTC]"
			}
			number("runs", b.name, kind, n, v.IsNull())
		}
		for _, col := range c.Columns {
			v := col.value(r)
			n, _ := v.Number()
			kind := map[Kind]string{IntKind: "int64", FloatKind: "double", BoolKind: "bool", TextKind: dict}[col.Kind]
			switch col.Kind {
			case TextKind:
				n = float64(len(v.text))
			case BoolKind:
				n = float64(v.whole())
			}
			number("runs", col.Name, kind, n, v.IsNull())
		}
	}
	for _, r := range c.Intervals {
		text("intervals", "run_id", r.RunID)
		for name, v := range map[string]float64{"t_s": r.T, "threads": r.Threads, "tps": r.TPS, "qps": r.QPS, "reads_per_s": r.Reads,
			"writes_per_s": r.Writes, "other_per_s": r.Other, "latency_pct": r.LatencyPct, "percentile": r.Percentile,
			"errors_per_s": r.Errors, "reconnects_per_s": r.Reconnects, "queue_length": r.QueueLength, "concurrency": r.Concurrency} {
			float("intervals", name, v)
		}
	}
	for _, r := range c.Buckets {
		text("histograms", "run_id", r.RunID)
		float("histograms", "value_s", r.Value)
		number("histograms", "count", "int64", float64(r.Count), false)
	}
	const list = "list<item: " + dict + " not null>"
	for _, r := range c.Stacks {
		text("stacks", "run_id", r.RunID)
		text("stacks", "event", r.Event)
		text("stacks", "comm", r.Comm)
		number("stacks", "stack", list, float64(len(strings.Join(r.Frames, ""))), false)
		float("stacks", "weight", r.Weight)
		float("stacks", "samples", r.Samples)
	}
	for _, r := range c.Counters {
		for name, s := range map[string]string{"run_id": r.RunID, "event": r.Event, "unit": r.Unit, "scope": r.Scope} {
			text("counters", name, s)
		}
		for name, v := range map[string]float64{"value": r.Value, "running_pct": r.RunningPct, "variance": r.Variance} {
			float("counters", name, v)
		}
	}
	for _, r := range c.Waits {
		text("waits", "run_id", r.RunID)
		text("waits", "event", r.Event)
		for name, v := range map[string]float64{"count": r.Count, "sum_s": r.Sum, "avg_sessions": r.AvgSessions} {
			float("waits", name, v)
		}
	}
	for _, r := range c.Series {
		for name, s := range map[string]string{"run_id": r.RunID, "source": r.Source, "metric": r.Metric} {
			text("series", name, s)
		}
		float("series", "t_s", r.T)
		float("series", "value", r.Value)
	}
	for _, r := range c.Settings {
		text("settings", "run_id", r.RunID)
		text("settings", "source", r.Source)
		text("settings", "name", r.Name)
		text("settings", "value", r.Value)
	}
	for _, r := range c.Problems {
		text("problems", "source", r.Source)
		number("problems", "line", "int64", float64(r.Line), false)
		text("problems", "kind", r.Kind)
		text("problems", "text", r.Text)
		number("problems", "count", "int64", float64(r.Count), false)
	}
	return tables
}
