package export

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"noisefloor/datasets"
)

// pythonEnv names a Python that has pyarrow, pandas, polars and duckdb.
const pythonEnv = "NOISEFLOOR_PYTHON"

// seen is what testdata/read_exports.py tells of a table in one reader.
type seen struct {
	Rows    int64
	Columns map[string]struct {
		Type  string
		Nulls int64
		Sum   float64
	}
}

// told is what Go says of a column.
type told struct {
	kind  string
	nulls int64
	sum   float64 // of numbers; bytes of texts; seconds of times
}

// types are how each reader calls a kind of column in each format. A text that is a
// dictionary is one in Arrow, in pandas' categories and R's factors.
var types = map[string]map[string]map[string][]string{
	"parquet": typesWith("string", "object", "String", "character"),
	"arrow":   typesWith("dictionary<values=string, indices=int32, ordered=0>", "category", "Categorical", "factor"),
}

// typesWith are the types of a format by how pyarrow, pandas, polars and R call its
// texts.
func typesWith(arrowText, pandasText, polarsText, rText string) map[string]map[string][]string {
	lists := []string{"list<element: " + arrowText + " not null>", "list<item: " + arrowText + ">", "list<item: " + arrowText + " not null>"}
	return map[string]map[string][]string{
		"text":   {"pyarrow": {arrowText}, "pandas": {pandasText}, "polars": {polarsText}, "duckdb": {"VARCHAR", "ENUM"}, "R": {rText}},
		"number": {"pyarrow": {"double"}, "pandas": {"float64"}, "polars": {"Float64"}, "duckdb": {"DOUBLE"}, "R": {"numeric"}},
		"whole":  {"pyarrow": {"int64"}, "pandas": {"int64", "float64"}, "polars": {"Int64"}, "duckdb": {"BIGINT"}, "R": {"integer", "integer64"}}, // pandas has no null in int64
		"yes":    {"pyarrow": {"bool"}, "pandas": {"bool", "object"}, "polars": {"Boolean"}, "duckdb": {"BOOLEAN"}, "R": {"logical"}},
		"time":   {"pyarrow": {"timestamp[us, tz=UTC]"}, "pandas": {"datetime64[us, UTC]"}, "polars": {"Datetime(time_unit='us', time_zone='UTC')"}, "duckdb": {"TIMESTAMP WITH TIME ZONE"}, "R": {"POSIXct"}},
		"list":   {"pyarrow": lists, "pandas": {"object"}, "polars": {"List(" + polarsText + ")"}, "duckdb": {"VARCHAR[]", "ENUM[]"}, "R": {"arrow_list"}},
	}
}

// The exports open in the readers of other people with their rows, types, nulls,
// sums and metadata.
func TestOtherReaders(t *testing.T) {
	python := os.Getenv(pythonEnv)
	if python == "" {
		t.Logf("%s is not set: CI opens the exports in pyarrow, pandas, polars and DuckDB, here only Go has read them", pythonEnv)
		return
	}
	checkAll(t, []string{python, "testdata/read_exports.py"}, "pyarrow", "pandas", "polars", "duckdb")
}

// R is asked where it has its packages arrow and jsonlite, which CI has not: Debian has
// no arrow.
func TestR(t *testing.T) {
	if out, err := exec.Command("Rscript", "-e", "library(arrow); library(jsonlite)").CombinedOutput(); err != nil {
		t.Logf("no R with arrow (%v): here R has not read the exports\n%.200s", err, out)
		return
	}
	checkAll(t, []string{"Rscript", "testdata/read_exports.R"}, "R")
}

func checkAll(t *testing.T, script []string, readers ...string) {
	t.Helper()
	r := sample(t)
	for _, name := range tableFormats() {
		check(t, script, readers, r, name, nil)
	}
	check(t, script, readers, r, "parquet", []string{"workload", "pool"})
}

func check(t *testing.T, script, readers []string, r *datasets.Reader, format string, by []string) {
	t.Helper()
	dir := exported(t, r, Options{Format: format, PartitionBy: by})
	c := exec.Command(script[0], append(script[1:], dir)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	noError(t, err)
	var found map[string]map[string]json.RawMessage
	noError(t, json.Unmarshal(out, &found))
	for _, table := range r.Tables() {
		want, rows := tell(t, r, table)
		for _, reader := range readers {
			what := fmt.Sprintf("%s (by %v), %s in %s", format, by, table, reader)
			var got seen
			noError(t, json.Unmarshal(found[table][reader], &got))
			if got.Rows != rows {
				t.Errorf("%s: %d rows, want %d", what, got.Rows, rows)
			}
			for column, w := range want {
				g, ok := got.Columns[column]
				if !ok {
					t.Errorf("%s: there is no column %q", what, column)
					continue
				}
				if slices.Contains(by, column) { // a level of a folder: its type is the reader's guess
					continue
				}
				if format == "csv" && w.kind != "number" && w.kind != "whole" || format == "jsonl" && (w.kind == "time" || column == "day") {
					continue // a text format has no such type, and each reader guesses its own
				}
				if g.Nulls != w.nulls {
					t.Errorf("%s.%s: %d nulls, want %d", what, column, g.Nulls, w.nulls)
				}
				if math.Abs(g.Sum-w.sum) > 1e-9*math.Abs(w.sum) {
					t.Errorf("%s.%s: the sum is %v, want %v", what, column, g.Sum, w.sum)
				}
				if named := types[format]; named != nil && !slices.Contains(named[w.kind][reader], g.Type) {
					t.Errorf("%s.%s: the type is %s, want one of %q", what, column, g.Type, named[w.kind][reader])
				}
			}
		}
		if format != "parquet" && format != "arrow" {
			continue
		}
		var metadata map[string]map[string]string
		noError(t, json.Unmarshal(found[table]["metadata"], &metadata))
		for _, f := range must(r.Schema(table))(t).Fields() {
			for k, key := range f.Metadata.Keys() {
				if got := metadata[f.Name][key]; !slices.Contains(by, f.Name) && got != f.Metadata.Values()[k] {
					t.Errorf("%s, %s.%s: the metadata %s is %q, want %q", format, table, f.Name, key, got, f.Metadata.Values()[k])
				}
			}
		}
	}
	if format == "parquet" && slices.Contains(readers, "pyarrow") {
		var groups [][][2]any
		noError(t, json.Unmarshal(found["intervals"]["groups"], &groups))
		for _, file := range groups {
			for _, g := range file {
				if g[1] != true {
					t.Errorf("a row group has no statistics: %v", groups)
				}
			}
		}
	}
}

var kinds = map[arrow.Type]string{arrow.FLOAT64: "number", arrow.INT64: "whole", arrow.BOOL: "yes", arrow.TIMESTAMP: "time", arrow.DICTIONARY: "text", arrow.LIST: "list"}

// tell describes a table as Go reads it.
func tell(t *testing.T, r *datasets.Reader, table string) (map[string]told, int64) {
	t.Helper()
	all := map[string]told{}
	rows := int64(0)
	noError(t, r.Records(table, func(rec arrow.Record) error {
		rows += rec.NumRows()
		for c, arr := range rec.Columns() {
			x := all[rec.ColumnName(c)]
			x.nulls += int64(arr.NullN())
			x.kind = kinds[arr.DataType().ID()]
			for i := range arr.Len() {
				if arr.IsNull(i) {
					continue
				}
				switch a := arr.(type) {
				case *array.Float64:
					x.sum += a.Value(i)
				case *array.Int64:
					x.sum += float64(a.Value(i))
				case *array.Boolean:
					if a.Value(i) {
						x.sum++
					}
				case *array.Timestamp:
					x.sum += float64(a.Value(i)) / 1e6
				case *array.Dictionary:
					x.sum += float64(len(a.Dictionary().(*array.String).Value(a.GetValueIndex(i))))
				case *array.List:
					from, to := a.ValueOffsets(i)
					items := a.ListValues().(*array.Dictionary)
					for k := from; k < to; k++ {
						x.sum += float64(len(items.Dictionary().(*array.String).Value(items.GetValueIndex(int(k)))))
					}
				}
			}
			all[rec.ColumnName(c)] = x
		}
		return nil
	}))
	return all, rows
}
