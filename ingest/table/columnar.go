package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// Tables in Arrow and Parquet files. What a column is, an export of ours says
// itself; in other files it is guessed as in text.

// maxColumnar bounds a file, which is held in memory.
const maxColumnar = 256 << 20

// ErrPart is a file of an export that holds no runs but what belongs to them.
var ErrPart = errors.New("belongs to the runs of an export; give the folder of the export")

func readColumnar(in io.Reader) (*datasets.Foreign, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxColumnar+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxColumnar {
		return nil, fmt.Errorf("more than %d MB in one file", maxColumnar>>20)
	}
	f, err := datasets.OpenForeign(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	// Only the runs of an export have roles, and a status if another program that
	// knows no roles wrote them again; what belongs to them has their names.
	has := func(name string) bool {
		return slices.ContainsFunc(f.Columns, func(c datasets.ForeignColumn) bool { return c.Name == name })
	}
	if !isExport(f.Columns) && has("run_id") && !has("status") {
		return nil, errors.Join(ErrPart, f.Close())
	}
	return f, nil
}

// columnarReader gives the headings, then the rows.
type columnarReader struct {
	f    *datasets.Foreign
	sent bool
	row  int
	pull func() ([]string, error, bool)
	stop func()
}

func newColumnarReader(f *datasets.Foreign) *columnarReader {
	r := &columnarReader{f: f}
	r.pull, r.stop = iter.Pull2(func(yield func([]string, error) bool) {
		err := f.Each(func(row []datasets.Value) error {
			cells := make([]string, len(row))
			for i, v := range row {
				cells[i] = v.String()
			}
			if !yield(cells, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	})
	return r
}

var errEnough = errors.New("enough")

func (r *columnarReader) next() ([]string, int, error) {
	if !r.sent {
		r.sent = true
		headings := make([]string, len(r.f.Columns))
		for i, c := range r.f.Columns {
			headings[i] = c.Name
		}
		return headings, 0, nil
	}
	r.row++
	cells, err, ok := r.pull()
	if !ok {
		return nil, r.row, io.EOF
	}
	return cells, r.row, err
}

func (r *columnarReader) Close() error {
	r.stop()
	return r.f.Close()
}

// isExport tells whether a file says itself what its columns are.
func isExport(told []datasets.ForeignColumn) bool {
	return slices.ContainsFunc(told, func(c datasets.ForeignColumn) bool { return c.Metadata["role"] != "" })
}

// declared puts what an export says about its columns in the place of guesses.
func declared(columns []Column, told []datasets.ForeignColumn) {
	for i, d := range told {
		c := &columns[i]
		role := datasets.Role(d.Metadata["role"])
		builtin, isBuiltin := column.Builtin(d.Name)
		switch {
		case d.Metadata["role"] == "":
			continue
		case d.Name == "run_id":
			*c = Column{Heading: d.Name, Name: d.Name, Use: Identity, Why: "export"}
		case d.Name == "status":
			*c = Column{Heading: d.Name, Name: d.Name, Use: Status, Why: "export"}
		case isBuiltin:
			*c = Column{Heading: d.Name, Name: builtin, Use: Builtin, Kind: d.Kind, Why: "export"}
		case role == datasets.Key:
			*c = Column{Heading: d.Name, Name: d.Name, Use: Left, Why: "where the export had it from"}
		case role == datasets.Metric:
			*c = Column{Heading: d.Name, Name: d.Name, Use: Metric, Kind: datasets.FloatKind, Unit: unit.Unit{Name: d.Metadata["unit"], Better: betterOf(d.Metadata["better"])}, Scale: 1, Why: "export"}
		default:
			*c = Column{Heading: d.Name, Name: d.Name, Use: Factor, Kind: d.Kind, Role: role, Why: "export"}
		}
	}
}

func betterOf(word string) unit.Better {
	for _, b := range []unit.Better{unit.Higher, unit.Lower} {
		if b.String() == word {
			return b
		}
	}
	return unit.Neither
}
