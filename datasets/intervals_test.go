package datasets

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/pierrec/lz4/v4"
	"pgregory.net/rapid"
)

// Columns that are level, and kept as one number, are read as those that are written.
func TestLevelColumns(t *testing.T) {
	numbers := []float64{0, 1, 2, math.NaN(), math.Copysign(0, -1)}
	rapid.Check(t, func(t *rapid.T) {
		row := func() (iv Interval) {
			var v [intervalNumbers]float64
			for k := range v {
				v[k] = numbers[0]
				if rapid.IntRange(0, 9).Draw(t, "varies") == 0 {
					v[k] = rapid.SampledFrom(numbers).Draw(t, "number")
				}
			}
			fields := make([][]float64, intervalNumbers)
			for k := range fields {
				fields[k] = v[k : k+1]
			}
			fillInterval(&iv, fields, 0)
			return iv
		}
		var table Intervals
		var want []Interval
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"add", "add", "fill", "set", "run", "cut", "clone"}).Draw(t, "step") {
			case "add":
				iv := row()
				table.Add(iv)
				want = append(want, iv)
			case "fill":
				iv, n := row(), rapid.IntRange(0, 40).Draw(t, "rows")
				table.Room(n)
				for k, v := range iv.Numbers() {
					if rapid.Bool().Draw(t, "level") {
						table.Level(k, n, v)
					} else {
						fill(table.Free(k)[:n], v)
					}
				}
				table.Filled(n)
				for range n {
					want = append(want, iv)
				}
			case "set":
				if n := len(want); n > 0 {
					i, iv := rapid.IntRange(0, n-1).Draw(t, "row"), row()
					table.Set(i, &iv)
					want[i] = iv
				}
			case "run":
				from := rapid.IntRange(0, len(want)).Draw(t, "from")
				to := rapid.IntRange(from, len(want)).Draw(t, "to")
				others := table.Clone()
				table.AddRun("", &others, from, to)
				want = append(want, want[from:to]...)
			case "cut":
				n := rapid.SampledFrom([]int{0, len(want) / 2}).Draw(t, "to")
				table.Cut(n)
				want = want[:n]
			case "clone":
				table = table.Clone()
			}
		}
		var copied Intervals
		copied.AddRun("", &table, 0, table.Len())
		for name, got := range map[string]*Intervals{"table": &table, "copy": &copied} {
			if rows := got.Rows(); fmt.Sprint(rows) != fmt.Sprint(want) {
				t.Fatalf("%s is\n%v, want\n%v", name, rows, want)
			}
		}
	})
}

// Numbers that rise by the same step come back from any LZ4 reader.
func TestRamps(t *testing.T) {
	for _, c := range []struct{ first, step float64 }{{1, 1}, {8000, 1}, {0.5, 0.25}, {10, 10}, {-3, 1}, {-4096, 512}, {1 << 50, 1 << 40}, {0, 3}, {1e300, 1e299}} {
		for _, n := range []int{8, 9, 1000, blockRows} {
			v := make([]float64, n)
			for i := range v {
				v[i] = c.first + c.step*float64(i)
			}
			frame, nulls := new(wordPacker).appendFloats(bytes.Clone(lz4Begin), v)
			got, err := io.ReadAll(lz4.NewReader(bytes.NewReader(append(frame, lz4End...))))
			if err != nil || nulls != 0 || !bytes.Equal(got, arrow.Float64Traits.CastToBytes(v)) {
				t.Errorf("%v, %d rows, ramp %v: %v", c, n, isRamp(v), err)
			}
		}
	}
}
