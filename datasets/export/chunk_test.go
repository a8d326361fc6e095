package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"noisefloor/datasets"
)

// shapes are columns that take every way through the encoder: constant, few and many
// different values, more than a dictionary holds, nulls everywhere, here and there,
// in runs, and texts that fill pages.
func shapes(rng *rand.Rand) ([]arrow.Field, []func(b array.Builder, row int)) {
	text := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	number := func(value func(row int) float64) func(array.Builder, int) {
		return func(b array.Builder, row int) { b.(*array.Float64Builder).Append(value(row)) }
	}
	word := func(value func(row int) string) func(array.Builder, int) {
		return func(b array.Builder, row int) {
			if err := b.(*array.BinaryDictionaryBuilder).AppendString(value(row)); err != nil {
				panic(err)
			}
		}
	}
	nullIf := func(null func(row int) bool, put func(array.Builder, int)) func(array.Builder, int) {
		return func(b array.Builder, row int) {
			if null(row) {
				b.AppendNull()
			} else {
				put(b, row)
			}
		}
	}
	sometimes := func(int) bool { return rng.IntN(3) == 0 }
	long := strings.Repeat("x", 300)
	var fields []arrow.Field
	var puts []func(array.Builder, int)
	add := func(name string, t arrow.DataType, nullable bool, put func(array.Builder, int)) {
		fields, puts = append(fields, arrow.Field{Name: name, Type: t, Nullable: nullable}), append(puts, put)
	}
	float, whole := arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64
	add("constant", float, true, number(func(int) float64 { return 95 }))
	add("few", float, true, number(func(int) float64 { return float64(rng.IntN(5)) }))
	add("zeros", float, true, number(func(int) float64 { return math.Copysign(0, float64(rng.IntN(2))-0.5) }))
	add("seconds", float, true, number(func(row int) float64 { return float64(row % 1000) }))
	add("cents", float, true, number(func(int) float64 { return math.Round(1e4+1e3*rng.NormFloat64()) / 100 }))
	add("many", float, true, number(func(row int) float64 { return float64(rng.IntN(min(row+1, 80_000))) }))
	add("noise", float, true, number(func(int) float64 { return rng.NormFloat64() }))
	add("late", float, true, number(func(row int) float64 { return float64(row / 250_000) }))
	add("required", float, false, number(func(int) float64 { return rng.NormFloat64() }))
	add("null", float, true, nullIf(func(int) bool { return true }, nil))
	add("sometimes", float, true, nullIf(sometimes, number(func(int) float64 { return rng.NormFloat64() })))
	add("nullRuns", float, true, nullIf(func(row int) bool { return row/5000%2 == 0 }, number(func(row int) float64 { return float64(row / 7) })))
	add("whole", whole, true, nullIf(sometimes, func(b array.Builder, row int) { b.(*array.Int64Builder).Append(rng.Int64() - rng.Int64()) }))
	add("count", whole, false, func(b array.Builder, row int) { b.(*array.Int64Builder).Append(int64(row)) })
	add("time", &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, true, nullIf(sometimes, func(b array.Builder, row int) { b.(*array.TimestampBuilder).Append(arrow.Timestamp(row / 10)) }))
	add("yes", arrow.FixedWidthTypes.Boolean, true, nullIf(sometimes, func(b array.Builder, row int) { b.(*array.BooleanBuilder).Append(rng.IntN(2) == 0) }))
	add("run", text, true, word(func(row int) string { return fmt.Sprintf("%016x", row/600) }))
	add("unique", text, true, word(func(row int) string { return fmt.Sprint("run ", row) }))
	add("long", text, true, nullIf(func(row int) bool { return row%50 == 0 }, word(func(row int) string { return fmt.Sprint(row, long[:rng.IntN(len(long))]) })))
	add("words", text, true, nullIf(sometimes, word(func(int) string { return []string{"", "日本語", "a\x00b", long + long}[rng.IntN(4)] })))
	add("list", arrow.ListOfField(arrow.Field{Name: "item", Type: text}), false, func(b array.Builder, row int) {
		list := b.(*array.ListBuilder)
		list.Append(true)
		for range rng.IntN(4) {
			word(func(int) string { return fmt.Sprint("frame", rng.IntN(100)) })(list.ValueBuilder(), row)
		}
	})
	return fields, puts
}

// shapedRecords are so many rows in records of many sizes with dictionaries of their
// own, cut out of larger ones as partitions are.
func shapedRecords(rows int) (*arrow.Schema, []arrow.Record) {
	rng := rand.New(rand.NewPCG(1, 1))
	fields, puts := shapes(rng)
	schema := arrow.NewSchema(fields, nil)
	var records []arrow.Record
	for row := 0; row < rows; {
		n := min(1+rng.IntN(60_000), rows-row)
		const before, behind = 3, 9
		columns := make([]arrow.Array, len(fields))
		for c, put := range puts {
			b := array.NewBuilder(memory.DefaultAllocator, fields[c].Type)
			for i := range before + n + behind {
				put(b, max(0, row+i-before))
			}
			columns[c] = b.NewArray()
		}
		records = append(records, array.NewRecord(schema, columns, int64(before+n+behind)).NewSlice(before, int64(before+n)))
		row += n
	}
	return schema, records
}

// writtenParquet writes records as a Parquet file, a row group at a time.
func writtenParquet(t testing.TB, dir string, schema *arrow.Schema, records []arrow.Record) string {
	t.Helper()
	out := must((&folder{temp: dir}).create("x.parquet"))(t)
	w := must(newParquet(out, schema, nil))(t)
	for len(records) > 0 {
		n, rows := 0, int64(0)
		for ; n < len(records) && rows+records[n].NumRows() <= rowsAtOnce; n++ {
			rows += records[n].NumRows()
		}
		noError(t, w.write(records[:n]))
		records = records[n:]
	}
	noError(t, w.close())
	noError(t, out.close())
	return filepath.Join(dir, "x.parquet")
}

// Whatever is written comes back, in Arrow's reader for Go and in those of pyarrow,
// polars and DuckDB, and the statistics are true.
func TestParquetOfManyShapes(t *testing.T) {
	schema, records := shapedRecords(rowsAtOnce + 10_000)
	dir := t.TempDir()
	path := writtenParquet(t, dir, schema, records)
	f := must(os.Open(path))(t)
	defer f.Close()
	table := must(datasets.OpenForeign(f))(t)
	defer table.Close()
	var got []arrow.Record
	noError(t, table.Records(func(rec arrow.Record) error {
		rec.Retain()
		got = append(got, rec)
		return nil
	}))
	for c, field := range schema.Fields() {
		want, have := cellsOf(records, c), cellsOf(got, c)
		for i := range max(len(want), len(have)) {
			if len(want) != len(have) || want[i] != have[i] {
				t.Errorf("%s: %d of %d rows; row %d is %q, want %q", field.Name, len(have), len(want), i, have[i], want[i])
				break
			}
		}
	}
	python := os.Getenv(pythonEnv)
	if python == "" {
		t.Logf("%s is not set: CI compares with pyarrow, polars and DuckDB", pythonEnv)
		return
	}
	stream := must(os.Create(filepath.Join(dir, "x.arrows")))(t)
	w := ipc.NewWriter(stream, ipc.WithSchema(schema))
	for _, rec := range records {
		noError(t, w.Write(rec))
	}
	noError(t, w.Close())
	noError(t, stream.Close())
	if out, err := exec.Command(python, "testdata/same_table.py", stream.Name(), path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func cellsOf(records []arrow.Record, c int) (cells []string) {
	for _, rec := range records {
		for i := range int(rec.NumRows()) {
			cells = append(cells, cellOf(rec.Column(c), i))
		}
	}
	return cells
}

// cellOf writes a cell so that equal texts are equal cells.
func cellOf(arr arrow.Array, i int) string {
	switch a := arr.(type) {
	case *array.Float64:
		if a.IsValid(i) {
			return fmt.Sprintf("%x", math.Float64bits(a.Value(i)))
		}
	case *array.Dictionary:
		if a.IsValid(i) {
			return a.Dictionary().ValueStr(a.GetValueIndex(i))
		}
	case *array.List:
		from, to := a.ValueOffsets(i)
		items := []string{}
		for k := from; k < to; k++ {
			items = append(items, cellOf(a.ListValues(), int(k)))
		}
		return fmt.Sprintf("%q", items)
	}
	return arr.ValueStr(i)
}

// Codes in any pattern come back as the format says: runs, and eights of packed bits.
func TestCodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 17).Draw(t, "width")
		var codes []int32
		for range rapid.IntRange(0, 20).Draw(t, "runs") {
			code := rapid.Int32Range(0, 1<<width-1).Draw(t, "code")
			codes = append(codes, slices.Repeat([]int32{code}, rapid.IntRange(1, 40).Draw(t, "length"))...)
		}
		raw := appendCodes(nil, codes, width)
		var got []int32
		for len(got) < len(codes) {
			head, n := binary.Uvarint(raw)
			raw = raw[n:]
			if head&1 == 0 {
				var word [4]byte
				n := copy(word[:], raw[:(width+7)/8])
				raw = raw[n:]
				got = append(got, slices.Repeat([]int32{int32(binary.LittleEndian.Uint32(word[:]))}, int(head>>1))...)
				continue
			}
			bytes := int(head>>1) * width
			for bit := 0; bit < 8*bytes; bit += width {
				code := int32(0)
				for k := range width {
					code |= int32(raw[(bit+k)/8]>>((bit+k)%8)&1) << k
				}
				got = append(got, code)
			}
			raw = raw[bytes:]
		}
		if len(raw) > 0 || len(got) > len(codes)+7 || !slices.Equal(got[:len(codes)], codes) {
			t.Fatalf("%v\nbecame\n%v\nand %d bytes are left", codes, got, len(raw))
		}
	})
}
