package frame

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/stat"
)

// Long makes a row of each cell of the columns that are no keys, row by row: the
// keys, then the column's name and its number. The columns have to be numbers.
func (f Frame) Long(keys []string, name, value string) Frame {
	key, err := f.indices(keys)
	if err != nil {
		return failed(err)
	}
	var rows, melted []int
	for c := range f.Ncol() {
		if slices.Contains(key, c) {
			continue
		}
		if t := f.Types()[c]; t != series.Float && t != series.Int {
			return failed(fmt.Errorf("long: column %q holds no numbers: name it as a key, or leave it out with Select", f.Names()[c]))
		}
		melted = append(melted, c)
	}
	for r := range f.Nrow() {
		for range melted {
			rows = append(rows, r)
		}
	}
	names, values := make([]string, 0, len(rows)), make([]float64, 0, len(rows))
	all := f.Names()
	for r := range f.Nrow() {
		for _, c := range melted {
			names, values = append(names, all[c]), append(values, f.Elem(r, c).Float())
		}
	}
	return f.with(f.Select(key).Subset(rows), series.New(texts(names), series.String, name), series.New(values, series.Float, value))
}

// Wide is the inverse of Long: a row for each setting of the keys and a column for
// each text in the column name, both in order of first appearance. What a row has
// not is null. Two values for one cell are an error.
func (f Frame) Wide(keys []string, name, value string) Frame {
	key, err := f.indices(keys)
	if err != nil {
		return failed(err)
	}
	at, err := f.indices([]string{name, value})
	if err != nil {
		return failed(err)
	}
	groups := f.group(key)
	columns := f.group(at[:1])
	cells := make([][]float64, len(columns.first))
	for k := range cells {
		cells[k] = make([]float64, len(groups.first))
		for g := range cells[k] {
			cells[k][g] = math.NaN()
		}
	}
	taken := map[[2]int]bool{}
	for r := range f.Nrow() {
		place := [2]int{columns.of[r], groups.of[r]}
		if taken[place] {
			return failed(fmt.Errorf("wide: rows %d and an earlier one have the same keys and the same %s %q: one more key is needed, or Summarise first", r+1, name, f.Elem(r, at[0])))
		}
		taken[place] = true
		cells[place[0]][place[1]] = f.Elem(r, at[1]).Float()
	}
	var added []series.Series
	for k, first := range columns.first {
		added = append(added, series.New(cells[k], series.Float, f.Elem(first, at[0]).String()))
	}
	g := f.with(f.Select(key).Subset(groups.first), added...)
	for _, s := range added { // all of them hold values
		if field, known := f.fields[value]; known && g.Err == nil && seriesType(field.Type) == series.Float {
			field.Name = s.Name
			if _, known := g.fields[s.Name]; !known {
				g.fields[s.Name] = field
			}
		}
	}
	return g
}

// Summary is a number made of the numbers that a column has in a group of rows;
// nulls are left out before.
type Summary struct {
	Name string // of the new column; "tps_mean" has the unit of tps
	Of   string // the column
	Do   func(values []float64) float64
}

// Summarise makes one row of each group of rows with the same levels of the
// factors in by, null being a level. Groups are in order of first appearance.
func (f Frame) Summarise(by []string, summaries ...Summary) Frame {
	key, err := f.indices(by)
	if err != nil {
		return failed(err)
	}
	groups := f.group(key)
	var added []series.Series
	for _, s := range summaries {
		c, err := f.indices([]string{s.Of})
		if err != nil {
			return failed(err)
		}
		values := make([][]float64, len(groups.first))
		for r := range f.Nrow() {
			if v := f.Elem(r, c[0]).Float(); !math.IsNaN(v) {
				values[groups.of[r]] = append(values[groups.of[r]], v)
			}
		}
		results := make([]float64, len(values))
		for g := range values {
			results[g] = s.Do(values[g])
		}
		added = append(added, series.New(results, series.Float, s.Name))
	}
	return f.with(f.Select(key).Subset(groups.first), added...)
}

// failed is a frame with nothing but its error, as gota has them.
func failed(err error) Frame { return Frame{DataFrame: dataframe.DataFrame{Err: err}} }

// with adds columns to what gota made of the frame.
func (f Frame) with(df dataframe.DataFrame, added ...series.Series) Frame {
	for _, s := range added {
		if indexOf(df, s.Name) >= 0 {
			return failed(fmt.Errorf("there would be two columns %q", s.Name))
		}
		df = df.CBind(dataframe.New(s))
	}
	g := f.Of(df)
	for _, s := range added {
		if field, known := f.fields[s.Name]; !known || seriesType(field.Type) != series.Float {
			delete(g.fields, s.Name)
		}
	}
	return g
}

func (f Frame) indices(columns []string) ([]int, error) {
	if f.Err != nil {
		return nil, f.Err
	}
	var at []int
	for _, name := range columns {
		i := indexOf(f.DataFrame, name)
		if i < 0 {
			return nil, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(f.Names(), ", "))
		}
		at = append(at, i)
	}
	return at, nil
}

// groups tells which rows belong together.
type groups struct {
	of    []int // group of each row
	first []int // first row of each group
}

func (f Frame) group(columns []int) groups {
	g := groups{of: make([]int, f.Nrow())}
	known := map[string]int{}
	types := f.Types()
	var key []byte
	for r := range f.Nrow() {
		key = key[:0]
		for _, c := range columns {
			switch e := f.Elem(r, c); {
			case e.IsNA():
				key = append(key, 0)
			case types[c] == series.Float: // gota writes six decimals
				key = binary.LittleEndian.AppendUint64(append(key, 1), math.Float64bits(e.Float()+0)) // -0 is 0
			default:
				text := e.String()
				key = append(binary.AppendUvarint(append(key, 1), uint64(len(text))), text...)
			}
		}
		n, ok := known[string(key)]
		if !ok {
			n = len(g.first)
			known[string(key)] = n
			g.first = append(g.first, r)
		}
		g.of[r] = n
	}
	return g
}

// text is the element that a text is handed to gota in, which takes the string
// "NaN" for null.
type text struct {
	series.Element
	is string
}

func (t *text) String() string { return t.is }

func texts(values []string) []series.Element {
	elements := make([]series.Element, len(values))
	for i, s := range values {
		elements[i] = &text{is: s}
	}
	return elements
}

// aggregated is the column that gota's GroupBy made a column of: "tps_MEAN".
func aggregated(column string) string {
	for _, suffix := range []string{"_MEAN", "_MEDIAN", "_MIN", "_MAX", "_STD"} {
		if name, ok := strings.CutSuffix(column, suffix); ok {
			return name
		}
	}
	return column
}

// As is short for a Summary: As("tps_mean", "tps", Mean).
func As(name, of string, do func(values []float64) float64) Summary {
	return Summary{Name: name, Of: of, Do: do}
}

// Mean is the mean; NaN of nothing.
func Mean(values []float64) float64 { return stat.Mean(values, nil) }

// Median is the middle value, or the mean of the two middle ones; NaN of nothing.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// CV is the coefficient of variation in percent; NaN of fewer than two values.
func CV(values []float64) float64 {
	mean, sd := stat.MeanStdDev(values, nil)
	return 100 * sd / mean
}
