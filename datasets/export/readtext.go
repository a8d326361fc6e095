package export

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"noisefloor/datasets"
)

// fieldTypes are the Arrow types of the types of Table Schema.
var fieldTypes = map[string]arrow.DataType{
	"string": arrow.BinaryTypes.String, "integer": arrow.PrimitiveTypes.Int64, "number": arrow.PrimitiveTypes.Float64, "boolean": arrow.FixedWidthTypes.Boolean,
	"datetime": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, "array": arrow.ListOf(arrow.BinaryTypes.String),
}

// textCell is a cell of a line; a list comes as items.
type textCell struct {
	text   string
	items  []string
	isNull bool
}

// textRows gives the next line's cells, io.EOF after the last.
type textRows func() ([]textCell, error)

// readText makes records of lines.
func readText(fields []packedField, next textRows, yield func(arrow.Record) error) error {
	arrowFields := make([]arrow.Field, len(fields))
	builders := make([]array.Builder, len(fields))
	for i, f := range fields {
		t, ok := fieldTypes[f.Type]
		if !ok {
			return fmt.Errorf("column %q has the unknown type %q", f.Name, f.Type)
		}
		arrowFields[i] = arrow.Field{Name: f.Name, Type: t, Nullable: true}
		builders[i] = array.NewBuilder(memory.DefaultAllocator, t)
	}
	schema := arrow.NewSchema(arrowFields, nil)
	rows := 0
	flush := func() error {
		columns := make([]arrow.Array, len(builders))
		for i, b := range builders {
			columns[i] = b.NewArray()
		}
		n := rows
		rows = 0
		return yield(array.NewRecord(schema, columns, int64(n)))
	}
	for line := 1; ; line++ {
		cells, err := next()
		if err == io.EOF {
			return flush()
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", line, err)
		}
		if len(cells) != len(fields) {
			return fmt.Errorf("row %d has %d cells, not %d", line, len(cells), len(fields))
		}
		for i, c := range cells {
			if err := appendCell(builders[i], c); err != nil {
				return fmt.Errorf("row %d, column %q: %w", line, fields[i].Name, err)
			}
		}
		if rows++; rows == 1<<13 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

func appendCell(b array.Builder, c textCell) error {
	list, isList := b.(*array.ListBuilder)
	switch {
	case isList:
		list.Append(true)
		for _, item := range c.items {
			list.ValueBuilder().(*array.StringBuilder).Append(item)
		}
		return nil
	case c.isNull:
		b.AppendNull()
		return nil
	}
	return appendText(b, c.text)
}

// appendText appends what a text says to a column of its type.
func appendText(b array.Builder, s string) error {
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(s)
	case *array.Int64Builder:
		v, err := strconv.ParseInt(s, 10, 64)
		b.Append(v)
		return err
	case *array.Float64Builder:
		v, err := strconv.ParseFloat(s, 64)
		b.Append(v)
		return err
	case *array.BooleanBuilder:
		v, err := strconv.ParseBool(s)
		b.Append(v)
		return err
	case *array.TimestampBuilder:
		t, err := time.Parse(time.RFC3339Nano, s)
		b.Append(arrow.Timestamp(t.UnixMicro()))
		return err
	default:
		return fmt.Errorf("a column of type %s is not read from text", b.Type())
	}
	return nil
}

// csvRows reads what newCSV writes. It is not encoding/csv, which does not tell ""
// from an empty cell.
func csvRows(in *bufio.Reader) textRows {
	head := true
	return func() ([]textCell, error) {
		if head {
			head = false
			if _, err := csvLine(in); err != nil {
				return nil, err
			}
		}
		return csvLine(in)
	}
}

func csvLine(in *bufio.Reader) ([]textCell, error) {
	var cells []textCell
	var b strings.Builder
	quoted, inQuotes, any := false, false, false
	end := func() {
		s := b.String()
		c := textCell{text: unformula(s), isNull: s == "" && !quoted}
		c.items = datasets.Unfold(c.text)
		cells = append(cells, c)
		b.Reset()
		quoted = false
	}
	for {
		c, err := in.ReadByte()
		if err == io.EOF {
			if inQuotes {
				return nil, errors.New("a quote is not closed")
			}
			if !any {
				return nil, io.EOF
			}
			end()
			return cells, nil
		}
		if err != nil {
			return nil, err
		}
		any = true
		switch {
		case inQuotes && c == '"':
			if next, err := in.Peek(1); err == nil && next[0] == '"' {
				in.Discard(1)
				b.WriteByte('"')
			} else {
				inQuotes = false
			}
		case inQuotes:
			b.WriteByte(c)
		case c == '"':
			quoted, inQuotes = true, true
		case c == ',':
			end()
		case c == '\r':
		case c == '\n':
			end()
			return cells, nil
		default:
			b.WriteByte(c)
		}
	}
}

// jsonRows reads one object a line.
func jsonRows(in *bufio.Reader, fields []packedField) textRows {
	d := json.NewDecoder(in)
	d.UseNumber()
	return func() ([]textCell, error) {
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			return nil, err
		}
		cells := make([]textCell, len(fields))
		for i, f := range fields {
			switch v := row[f.Name].(type) {
			case nil:
				cells[i].isNull = true
			case []any:
				for _, item := range v {
					cells[i].items = append(cells[i].items, fmt.Sprint(item))
				}
			default:
				cells[i].text = fmt.Sprint(v)
			}
		}
		return cells, nil
	}
}
