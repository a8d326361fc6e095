package frame

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"pgregory.net/rapid"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// types are all that a frame keeps.
var types = []arrow.DataType{
	arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
	arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString,
	&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String},
	&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
	&arrow.TimestampType{Unit: arrow.Second}, &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"},
	&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "Asia/Tokyo"},
}

// words are texts that gota, or whoever prints them, may take for something else.
var words = []string{"", "NaN", "nan", "NA", "null", "0", "1.5", "true", "日本語", "a\x00b", "\u202e", "=1+1", " x "}

// draw appends a value to a column.
func draw(t *rapid.T, b array.Builder) {
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(rapid.Bool().Draw(t, "yes"))
	case *array.Int8Builder:
		b.Append(rapid.Int8().Draw(t, "whole"))
	case *array.Int16Builder:
		b.Append(rapid.Int16().Draw(t, "whole"))
	case *array.Int32Builder:
		b.Append(rapid.Int32().Draw(t, "whole"))
	case *array.Int64Builder:
		b.Append(rapid.Int64().Draw(t, "whole"))
	case *array.Uint8Builder:
		b.Append(rapid.Uint8().Draw(t, "whole"))
	case *array.Uint16Builder:
		b.Append(rapid.Uint16().Draw(t, "whole"))
	case *array.Uint32Builder:
		b.Append(rapid.Uint32().Draw(t, "whole"))
	case *array.Float32Builder:
		b.Append(rapid.Float32().Draw(t, "number")) // may be infinite
	case *array.Float64Builder:
		b.Append(rapid.Float64().Draw(t, "number"))
	case *array.StringBuilder:
		b.Append(rapid.OneOf(rapid.SampledFrom(words), rapid.String()).Draw(t, "text"))
	case *array.LargeStringBuilder:
		b.Append(rapid.OneOf(rapid.SampledFrom(words), rapid.String()).Draw(t, "text"))
	case *array.BinaryDictionaryBuilder:
		if err := b.AppendString(rapid.SampledFrom(words).Draw(t, "text")); err != nil {
			t.Fatal(err)
		}
	case *array.TimestampBuilder:
		unit := b.Type().(*arrow.TimestampType).Unit
		seconds := rapid.Int64Range(-1e9, 4e9).Draw(t, "seconds")
		perSecond := int64(time.Second / unit.Multiplier())
		b.Append(arrow.Timestamp(seconds*perSecond + rapid.Int64Range(0, perSecond-1).Draw(t, "fraction")))
	default:
		t.Fatalf("no value for a %T", b)
	}
}

// Whatever goes in comes out: types, nulls, metadata, order, over any number of
// record batches with dictionaries of their own.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fields []arrow.Field
		for i := range rapid.IntRange(1, 5).Draw(t, "columns") {
			f := arrow.Field{Name: fmt.Sprintf("c%d %s", i, rapid.SampledFrom(words).Draw(t, "name")), Type: rapid.SampledFrom(types).Draw(t, "type"), Nullable: true}
			if rapid.Bool().Draw(t, "described") {
				f.Metadata = arrow.NewMetadata([]string{"unit", "better", "role"}, []string{"1/s", "higher", "metric"})
			}
			fields = append(fields, f)
		}
		meta := arrow.NewMetadata([]string{"noisefloor.table"}, []string{"runs"})
		schema := arrow.NewSchema(fields, &meta)
		var batches []arrow.Record
		rows := 0
		for range rapid.IntRange(0, 3).Draw(t, "batches") {
			n := rapid.IntRange(0, 8).Draw(t, "rows")
			var columns []arrow.Array
			for _, f := range fields {
				b := array.NewBuilder(memory.DefaultAllocator, f.Type)
				for range n {
					if rapid.IntRange(0, 3).Draw(t, "null") == 0 {
						b.AppendNull()
					} else {
						draw(t, b)
					}
				}
				columns = append(columns, b.NewArray())
			}
			batches = append(batches, array.NewRecord(schema, columns, int64(n)))
			rows += n
		}
		f, err := FromRecords(schema, rows, func(yield func(arrow.Record) error) error {
			for _, b := range batches {
				if err := yield(b); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		back, err := f.Record()
		if err != nil {
			t.Fatal(err)
		}
		if !back.Schema().Equal(schema) || !back.Schema().Metadata().Equal(meta) {
			t.Fatalf("%v became %v", schema, back.Schema())
		}
		at := 0
		for _, b := range batches {
			for i := range int(b.NumRows()) {
				for c := range fields {
					if was, is := show(b.Column(c), i), show(back.Column(c), at); was != is {
						t.Fatalf("column %d, row %d: %s became %s", c, at, was, is)
					}
				}
				at++
			}
		}
		if int(back.NumRows()) != at {
			t.Fatalf("%d rows became %d", at, back.NumRows())
		}
	})
}

// TestGota: columns and frames made here are what gota would have made.
func TestGota(t *testing.T) {
	floats, floatCells := newColumn[float64]("a", series.Float, 2)
	ints, intCells := newColumn[int]("b", series.Int, 2)
	bools, boolCells := newColumn[bool]("c", series.Bool, 2)
	texts, textCells := newColumn[string]("d", series.String, 2)
	floatCells[0].value, intCells[0].value, boolCells[0].value, textCells[0].value = 1.5, 7, true, "x"
	floatCells[1].null, intCells[1].null, boolCells[1].null, textCells[1].null = true, true, true, true
	ours := newFrame([]series.Series{floats, ints, bools, texts}, 2)
	theirs := dataframe.New(series.New([]any{1.5, nil}, series.Float, "a"), series.New([]any{7, nil}, series.Int, "b"),
		series.New([]any{true, nil}, series.Bool, "c"), series.New([]any{"x", nil}, series.String, "d"))
	if !reflect.DeepEqual(ours, theirs) {
		t.Errorf("%v\nis not gota's\n%v", ours, theirs)
	}
}

// show writes a cell so that equal texts are equal cells; NaN is null.
func show(arr arrow.Array, i int) string {
	if arr.IsNull(i) {
		return "null"
	}
	switch a := arr.(type) {
	case *array.Dictionary:
		return show(a.Dictionary(), a.GetValueIndex(i))
	case *array.Float64:
		if math.IsNaN(a.Value(i)) {
			return "null"
		}
		return fmt.Sprintf("%x", math.Float64bits(a.Value(i)))
	case *array.Float32:
		if math.IsNaN(float64(a.Value(i))) {
			return "null"
		}
		return fmt.Sprintf("%x", math.Float32bits(a.Value(i)))
	case *array.Timestamp:
		return fmt.Sprint(int64(a.Value(i)))
	}
	return fmt.Sprintf("%q", arr.ValueStr(i))
}

// sample is six runs of two arms, one without tps.
func sample(t *testing.T) *datasets.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := datasets.OpenWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := &datasets.Batch{Columns: []datasets.Column{{Name: "tps", Role: datasets.Metric, Unit: unit.Of("tps")}, {Name: "version", Kind: datasets.TextKind, Role: datasets.Factor}}}
	for i, tps := range []float64{100, 110, 120, 200, math.NaN(), 240} {
		r := datasets.Run{ID: fmt.Sprintf("%016x", i+1), Source: fmt.Sprintf("%d.log", i), Part: 1, Status: datasets.Complete, Threads: []int{1, 1, 8}[i%3], Duration: math.NaN(),
			Started: time.Date(2026, 1, 31, 12, i, 0, 0, time.UTC), Factors: map[string]datasets.Value{"version": datasets.Text([]string{"8.0", "9.7"}[i/3])}, Metrics: map[string]float64{"latency_p95": 0.001 * float64(i+1)}}
		if !math.IsNaN(tps) {
			r.Metrics["tps"] = tps
		}
		b.Runs = append(b.Runs, r)
	}
	if err := w.Add(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func runs(t *testing.T) Frame {
	t.Helper()
	f, err := Read(sample(t), "runs")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// records compares a frame with its cells, the names first.
func records(t *testing.T, f Frame, want ...string) {
	t.Helper()
	if f.Err != nil {
		t.Fatal(f.Err)
	}
	var got []string
	for _, row := range f.Records() {
		got = append(got, strings.Join(row, " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func fails(t *testing.T, f Frame, want string) {
	t.Helper()
	if f.Err == nil || !strings.Contains(f.Err.Error(), want) {
		t.Errorf("want an error with %q, not %v", want, f.Err)
	}
}

func TestRead(t *testing.T) {
	f := runs(t)
	records(t, f.Of(f.Select([]string{"version", "threads", "tps", "started_at"})),
		"version threads tps started_at",
		"8.0 1 100.000000 2026-01-31T12:00:00.000000Z", "8.0 1 110.000000 2026-01-31T12:01:00.000000Z", "8.0 8 120.000000 2026-01-31T12:02:00.000000Z",
		"9.7 1 200.000000 2026-01-31T12:03:00.000000Z", "9.7 1 NaN 2026-01-31T12:04:00.000000Z", "9.7 8 240.000000 2026-01-31T12:05:00.000000Z")
	if !f.Col("duration_s").Elem(0).IsNA() || !f.Col("host").Elem(0).IsNA() || !f.Col("tps").Elem(4).IsNA() {
		t.Error("what is unknown is not null")
	}
	if _, err := Read(sample(t), "intervals"); err == nil || !strings.Contains(err.Error(), `no table "intervals"`) {
		t.Errorf("%v", err)
	}
}

func TestUnit(t *testing.T) {
	f := runs(t)
	is := func(g Frame, column string, want unit.Unit) {
		t.Helper()
		if got := g.Unit(column); got != want {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
	is(f, "tps", unit.Unit{Name: "1/s", Better: unit.Higher})
	is(f, "latency_p95", unit.Unit{Name: "s", Better: unit.Lower})
	is(f, "duration_s", unit.Unit{Name: "s"})
	is(f, "threads", unit.Unit{})
	// What gota makes keeps the units.
	slow := f.Of(f.Filter(dataframe.F{Colname: "threads", Comparator: series.Eq, Comparando: 8}))
	is(slow, "tps", unit.Unit{Name: "1/s", Better: unit.Higher})
	means := f.Of(f.Select([]string{"version", "latency_p95"}).GroupBy("version").Aggregation([]dataframe.AggregationType{dataframe.Aggregation_MEAN}, []string{"latency_p95"}))
	is(means, "latency_p95_MEAN", unit.Unit{Name: "s", Better: unit.Lower})
	// A column that has become something else does not.
	changed := f.Of(f.Mutate(series.New(make([]string, 6), series.String, "tps")))
	if _, kept := changed.fields["tps"]; kept {
		t.Error("a text keeps the description of a number")
	}
}

func TestLongAndWide(t *testing.T) {
	f := runs(t)
	two := f.Of(f.Select([]string{"run_id", "tps", "latency_p95"}))
	long := two.Long([]string{"run_id"}, "metric", "value")
	records(t, long.Of(long.Subset([]int{0, 1, 8})), "run_id metric value", "0000000000000001 tps 100.000000", "0000000000000001 latency_p95 0.001000", "0000000000000005 tps NaN")
	wide := long.Wide([]string{"run_id"}, "metric", "value")
	var want []string
	for _, row := range two.Records() {
		want = append(want, strings.Join(row, " "))
	}
	records(t, wide, want...)
	if wide.Unit("tps") != two.Unit("tps") {
		t.Error("the unit is lost")
	}
	byVersion := f.Summarise([]string{"threads", "version"}, As("latency_p95", "latency_p95", Mean)).Wide([]string{"threads"}, "version", "latency_p95")
	if byVersion.Unit("9.7").Name != "s" {
		t.Error("the columns have not the unit of their values")
	}
	fails(t, f.Long(nil, "metric", "value"), "holds no numbers")
	fails(t, f.Long([]string{"tsp"}, "metric", "value"), `no column "tsp"; there are run_id`)
	fails(t, two.Long([]string{"run_id"}, "run_id", "value"), `two columns "run_id"`)
	fails(t, f.Wide([]string{"version"}, "threads", "tps"), "have the same keys")
}

// Wide undoes Long for any frame of numbers.
func TestWideUndoesLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 6).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "columns")
		ids := make([]int, n)
		for i := range ids {
			ids[i] = i
		}
		columns := []series.Series{series.New(ids, series.Int, "id")}
		for c := range m {
			values := make([]float64, n)
			for i := range values {
				if values[i] = rapid.Float64().Draw(t, "value"); rapid.Bool().Draw(t, "null") {
					values[i] = math.NaN()
				}
			}
			columns = append(columns, series.New(values, series.Float, fmt.Sprintf("m%d", c)))
		}
		f := Frame{DataFrame: dataframe.New(columns...)}
		back := f.Long([]string{"id"}, "name", "value").Wide([]string{"id"}, "name", "value")
		if back.Err != nil || !slices.Equal(back.Names(), f.Names()) {
			t.Fatal(back.Err, back.Names())
		}
		for c := range f.Ncol() {
			for r := range f.Nrow() {
				if a, b := f.Elem(r, c), back.Elem(r, c); a.IsNA() != b.IsNA() || !a.IsNA() && a.Float() != b.Float() {
					t.Fatalf("%v became %v", a, b)
				}
			}
		}
	})
}

func TestSummarise(t *testing.T) {
	f := runs(t)
	count := As("runs", "tps", func(v []float64) float64 { return float64(len(v)) })
	mean := As("tps_mean", "tps", Mean)
	// By hand; the null is left out.
	g := f.Summarise([]string{"version", "threads"}, count, mean)
	records(t, g, "version threads runs tps_mean", "8.0 1 2.000000 105.000000", "8.0 8 1.000000 120.000000", "9.7 1 1.000000 200.000000", "9.7 8 1.000000 240.000000")
	if g.Unit("tps_mean").Name != "1/s" {
		t.Error("a mean of rates has no unit")
	}
	// Null is a level, as is each number however close to the next.
	records(t, f.Summarise([]string{"host"}, count), "host runs", "NaN 5.000000")
	near := Frame{DataFrame: dataframe.New(series.New([]float64{1e-9, 2e-9, 1e-9, 0, math.Copysign(0, -1)}, series.Float, "x"), series.New([]float64{1, 2, 3, 4, 5}, series.Float, "tps"))}
	if g := near.Summarise([]string{"x"}, count); g.Nrow() != 3 {
		t.Errorf("%d groups of 1e-9, 2e-9 and 0", g.Nrow())
	}
	fails(t, f.Summarise([]string{"version"}, As("x", "y", Mean)), `no column "y"`)
	fails(t, Frame{DataFrame: f.Select("nothing")}.Summarise([]string{"version"}, count), "can't select columns")
}

// What gota keeps may not fit any more, or may have no type of ours.
func TestRecordOfChanges(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "small", Type: arrow.PrimitiveTypes.Int8}}, nil)
	b := array.NewInt8Builder(memory.DefaultAllocator)
	b.Append(1)
	small := array.NewRecord(schema, []arrow.Array{b.NewArray()}, 1)
	once := func(yield func(arrow.Record) error) error { return yield(small) }
	f, err := FromRecords(schema, 1, once)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Of(f.Mutate(series.New([]int{300}, series.Int, "small"))).Record(); err == nil || !strings.Contains(err.Error(), "300 does not fit into int8") {
		t.Errorf("%v", err)
	}
	rec, err := f.Of(f.Mutate(series.New([]float64{0.5}, series.Float, "new"))).Record()
	if err != nil || rec.Schema().Field(1).Type != arrow.PrimitiveTypes.Float64 {
		t.Errorf("%v %v", err, rec)
	}
	if _, err := FromRecords(arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.BinaryTypes.Binary}}, nil), 0, nil); err == nil || !strings.Contains(err.Error(), "binary") {
		t.Errorf("%v", err)
	}
	if _, err := FromRecords(arrow.NewSchema([]arrow.Field{schema.Field(0), schema.Field(0)}, nil), 0, nil); err == nil || !strings.Contains(err.Error(), "a name of its own") {
		t.Errorf("%v", err)
	}
	if _, err := FromRecords(arrow.NewSchema([]arrow.Field{{Name: "small", Type: arrow.BinaryTypes.String}}, nil), 1, once); err == nil || !strings.Contains(err.Error(), "int8") {
		t.Errorf("a record of another type: %v", err)
	}
	if _, err := FromRecords(schema, 2, func(yield func(arrow.Record) error) error { return nil }); err == nil {
		t.Error("missing rows are not seen")
	}
}

// By hand.
func TestSummaries(t *testing.T) {
	is := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	is("mean", Mean([]float64{1, 2, 6}), 3)
	is("mean of nothing", Mean(nil), math.NaN())
	is("median, odd", Median([]float64{6, 1, 2}), 2)
	is("median, even", Median([]float64{6, 1, 2, 4}), 3)
	is("median of nothing", Median(nil), math.NaN())
	is("cv", CV([]float64{90, 110}), 100*math.Sqrt(200)/100)
	is("cv of one", CV([]float64{90}), math.NaN())
}
