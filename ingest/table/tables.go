package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
)

// Tables are those of a file.
type Tables []Schema

// Study reads a file once to decide what the columns of its tables are. names
// gives headings another name, "" leaves the column out; nil is none.
func Study(in io.Reader, d Dialect, names map[string]string) (Tables, error) {
	parts := []Dialect{d}
	if d.Form == Drawn || d.Form == Delimited {
		head, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
		if err != nil {
			return nil, err
		}
		if len(head) <= maxDocument {
			text, err := io.ReadAll(d.decode(bytes.NewReader(head)))
			if err != nil {
				return nil, err
			}
			parts = d.parts(text)
		}
		if len(parts) > 1 {
			return studyAll(head, parts, names)
		}
		d, in = parts[0], io.MultiReader(bytes.NewReader(head), in)
	}
	s, err := study(in, d, names)
	if err != nil {
		return nil, err
	}
	return Tables{s}, nil
}

// studyAll leaves out what turns out to be no table, if another is one.
func studyAll(text []byte, parts []Dialect, names map[string]string) (all Tables, err error) {
	for _, d := range parts {
		s, broken := study(bytes.NewReader(text), d, names)
		if broken != nil {
			err = errors.Join(err, broken)
			continue
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, err
	}
	return all, nil
}

// Usable parts the tables that hold runs from the others.
func (ts Tables) Usable() (usable, others Tables) {
	for _, s := range ts {
		if _, inside := s.Intervals(); s.Telling() && (!inside || s.OfIntervals()) && !s.Samples() {
			usable = append(usable, s)
		} else {
			others = append(others, s)
		}
	}
	return usable, others
}

// manyRows is more than anybody repeats a run without writing down which is which.
const manyRows = 100

// Samples tells a table of moments from one of runs, where it says neither: many rows,
// and no column but of measurements.
func (s Schema) Samples() bool {
	return s.Rows >= manyRows && !slices.ContainsFunc(s.Columns, func(c Column) bool {
		return c.Use != Metric && c.Use != Arm && c.Use != Secret && c.Use != Left
	})
}

// IsPage tells tables of a page in HTML, as reports are.
func (ts Tables) IsPage() bool { return len(ts) > 0 && ts[0].Dialect.Markup == "HTML" }

// Line is where the headings stand.
func (s Schema) Line() int { return s.Dialect.Skip + 1 }

// Columns lists those of all tables.
func (ts Tables) Columns() (all []Column) {
	for _, s := range ts {
		all = append(all, s.Columns...)
	}
	return all
}

// Declared gives the columns as the data set declares them.
func (ts Tables) Declared() (all []datasets.Column) {
	for _, s := range ts {
		for _, c := range s.Declared() {
			if !slices.ContainsFunc(all, func(d datasets.Column) bool { return d.Name == c.Name && d.Role == c.Role && d.Kind == c.Kind }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// Paths gives the column whose cells are paths of logs, and these.
func (ts Tables) Paths() (column string, cells []string) {
	for _, s := range ts {
		if column, cells := s.Paths(); len(cells) > 0 {
			return column, cells
		}
	}
	return "", nil
}

// String says what the columns were taken for.
func (ts Tables) String() string {
	var all []string
	for _, s := range ts {
		text := s.String()
		if len(ts) > 1 {
			text = fmt.Sprintf("line %d: %s", s.Line(), text)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// Read gives the runs of all tables with the intervals of those that have some.
// number tells them apart. The rest is as in Schema.Read.
func (ts Tables) Read(in io.Reader, tz *time.Location, each func(run *datasets.Run, number int, rows *Inside) error, tell func(datasets.Problem)) error {
	if len(ts) == 1 {
		return ts[0].runs(in, tz, each, tell)
	}
	text, err := io.ReadAll(io.LimitReader(in, maxDocument))
	if err != nil {
		return err
	}
	var problems []datasets.Problem
	before := 0
	for _, s := range ts {
		err := s.runs(bytes.NewReader(text), tz, func(run *datasets.Run, number int, rows *Inside) error { return each(run, before+number, rows) },
			func(p datasets.Problem) { problems = append(problems, p) })
		if err != nil {
			return err
		}
		before += s.Rows * s.perRow()
	}
	slices.SortStableFunc(problems, func(a, b datasets.Problem) int { return a.Line - b.Line })
	for _, p := range problems {
		tell(p)
	}
	return nil
}

func (s Schema) runs(in io.Reader, tz *time.Location, each func(run *datasets.Run, number int, rows *Inside) error, tell func(datasets.Problem)) error {
	if s.OfIntervals() {
		return s.ReadIntervals(in, tz, each, tell)
	}
	return s.Read(in, tz, func(r *datasets.Run, number int) error { return each(r, number, nil) }, tell)
}
