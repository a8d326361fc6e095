// Package frame opens the tables of a data set as gota data frames and gives
// them back to Arrow, nothing lost on the way: types, nulls, units, roles and the
// order of rows.
//
// gota knows texts, whole numbers, numbers and yes/no, and calls null NaN. What
// it has no room for, such as the unit of a column or that a text is a point in
// time or a list of frames, stands beside the frame in its Fields; Of puts it beside whatever gota
// makes of the frame. Long, Wide and Summarise are what a notebook needs and gota
// has not, or not for columns with nulls.
//
// A frame is for looking around in: every cell of it takes 16 bytes or more.
package frame

import (
	"errors"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Frame is a table as a gota data frame.
type Frame struct {
	dataframe.DataFrame
	fields map[string]arrow.Field // by column
	meta   arrow.Metadata         // of the table
}

// Read opens a table of a data set: "runs", "intervals", "histograms", ...
func Read(r *datasets.Reader, table string) (Frame, error) {
	schema, err := r.Schema(table)
	if err != nil {
		return Frame{}, err
	}
	return FromRecords(schema, int(r.Counts()[table]), func(yield func(arrow.Record) error) error { return r.Records(table, yield) })
}

// Of is the data frame with what this frame knows of the columns that have the
// same names and types as here.
func (f Frame) Of(df dataframe.DataFrame) Frame {
	g := Frame{DataFrame: df, fields: map[string]arrow.Field{}, meta: f.meta}
	for _, name := range df.Names() {
		if field, known := f.fields[name]; known && seriesType(field.Type) == df.Types()[indexOf(df, name)] {
			g.fields[name] = field
		}
	}
	return g
}

// Unit gives the unit of a column and which way is better: what the data set
// says, else what the name means everywhere in noisefloor ("tps_MEAN" is as tps).
func (f Frame) Unit(column string) unit.Unit {
	field, known := f.fields[column]
	if name, ok := field.Metadata.GetValue("unit"); ok && known {
		better, _ := field.Metadata.GetValue("better")
		for _, b := range []unit.Better{unit.Higher, unit.Lower} {
			if b.String() == better {
				return unit.Unit{Name: name, Better: b}
			}
		}
		return unit.Unit{Name: name}
	}
	if known { // a factor has none
		return unit.Unit{}
	}
	return unit.Of(aggregated(column))
}

// errRagged: gota would panic later.
var errRagged = errors.New("frame: a record has not the columns of the schema")

func indexOf(df dataframe.DataFrame, column string) int {
	for i, name := range df.Names() {
		if name == column {
			return i
		}
	}
	return -1
}

// seriesType is what gota keeps a column of an Arrow type as.
func seriesType(t arrow.DataType) series.Type {
	switch t.ID() {
	case arrow.BOOL:
		return series.Bool
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32:
		return series.Int
	case arrow.FLOAT32, arrow.FLOAT64:
		return series.Float
	case arrow.STRING, arrow.LARGE_STRING, arrow.TIMESTAMP:
		return series.String
	case arrow.LIST: // a text, folded
		if seriesType(t.(*arrow.ListType).Elem()) == series.String {
			return series.String
		}
	case arrow.DICTIONARY:
		return seriesType(t.(*arrow.DictionaryType).ValueType)
	}
	return ""
}
