package table

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
)

// maxColumns: a wider table is a dump of counters over time.
const maxColumns = 2000

// Schema is how a table is to be read.
type Schema struct {
	Dialect   Dialect
	Columns   []Column
	Rows      int      // records below the headings, broken ones among them
	metrics   []Column // of a table with a row for each
	keys      []string // of objects
	paths     []string // cells of the column of paths
	rowsNamed bool     // rows have names of their own, and nothing says that these are runs
}

// pathNames are headings of the files that rows were made from.
var pathNames = []string{"path", "file", "filename", "file_name", "log", "logfile", "log_file", "source", "run_file", "result_file", "output"}

// Paths gives the column whose cells are paths of logs, and these.
func (s Schema) Paths() (column string, cells []string) {
	for _, c := range s.Columns {
		if c.Use == Factor && slices.Contains(pathNames, c.Name) && len(s.paths) > 0 {
			return c.Name, s.paths
		}
	}
	return "", nil
}

// hasPaths tells whether all cells of a column are paths of logs.
func (c *Column) hasPaths(t *tally) bool {
	if c.Use != Factor || !slices.Contains(pathNames, c.Name) || t.many {
		return false
	}
	for cell := range t.levels {
		if !isPath(cell) {
			return false
		}
	}
	return len(t.levels) > 0
}

// isPath: runs/a1.log, a1.txt.
func isPath(cell string) bool {
	return strings.ContainsAny(cell, "./") && !strings.ContainsAny(cell, "\n\x00") && !strings.Contains(cell, "://") && strings.ContainsFunc(cell, unicode.IsLetter)
}

// Intervals tells a table of measurements inside runs from a table of runs: it
// names the column that holds the time.
func (s Schema) Intervals() (heading string, ok bool) {
	i := slices.IndexFunc(s.Columns, func(c Column) bool { return c.Use == Clock })
	if i < 0 {
		return "", false
	}
	return s.Columns[i].Heading, true
}

// HasMetric tells whether anything was measured.
func (s Schema) HasMetric() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Use == Metric })
}

// Headings lists them as they are written.
func (s Schema) Headings() string {
	var list []string
	for _, c := range s.Columns {
		list = append(list, c.Heading)
	}
	return strings.Join(list, ", ")
}

// Declared gives the factor and metric columns as the data set declares them.
func (s Schema) Declared() []datasets.Column {
	var declared []datasets.Column
	for _, c := range s.Columns {
		switch c.Use {
		case Factor:
			declared = append(declared, datasets.Column{Name: c.Name, Kind: c.Kind, Role: c.role(), Guess: "table column " + c.Heading + ": " + c.Why})
		case Turn:
			declared = append(declared, datasets.Column{Name: c.Name, Kind: c.Kind, Role: datasets.Factor, Guess: "table column " + c.Heading + ": " + c.Why})
			if c.Warm {
				declared = append(declared, datasets.Column{Name: "phase", Kind: datasets.TextKind, Role: datasets.Factor, Guess: "table column " + c.Heading + ": " + c.Why})
			}
		case Metric, Arm:
			if s.metrics != nil && c.Use == Arm || slices.ContainsFunc(declared, func(d datasets.Column) bool { return d.Name == c.Name }) {
				continue // one of several arms
			}
			declared = append(declared, datasets.Column{Name: c.Name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: c.Unit})
		}
	}
	for _, f := range s.levelFactors() {
		if _, isBuiltin := column.Builtin(f.Name); !isBuiltin {
			declared = append(declared, f)
		}
	}
	for _, c := range s.metrics {
		if !slices.ContainsFunc(declared, func(d datasets.Column) bool { return d.Name == c.Name }) {
			declared = append(declared, datasets.Column{Name: c.Name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: c.Unit})
		}
	}
	return declared
}

// String says in words what each column was taken for.
func (s Schema) String() string {
	words := map[Use]string{Factor: "factors", Metric: "metrics", Builtin: "built-in", Secret: "left out as secret", Clock: "time inside a run", Left: "left out as asked",
		Beside: "left out as one number for several runs", Several: "left out as several numbers in a cell", Units: "units", Named: "names of metrics", Turn: "one run after another by"}
	var parts []string
	for _, use := range []Use{Metric, Factor, Turn, Builtin, Named, Secret, Clock, Units, Beside, Several, Left} {
		var names []string
		for _, c := range s.Columns {
			if c.Use != use {
				continue
			}
			name := c.Name
			if use == Left || use == Beside || use == Several {
				name = c.Heading
			} else if use != Secret && column.Name(c.Heading) != c.Name {
				name += " (" + c.Heading + ")"
			}
			if c.Warm {
				name += ", warm-ups apart as phase"
			}
			if c.Carried {
				name += " (an empty cell is the one above, a guess)"
			}
			if c.Guess != "" {
				name += " read " + c.Dates.String() + ", a guess (" + c.Guess + ")"
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			parts = append(parts, words[use]+" "+strings.Join(names, ", "))
		}
	}
	return s.Dialect.String() + ": " + strings.Join(parts, "; ") + s.sayArms()
}

// rows cuts a decoded text into records.
func (d Dialect) rows(text io.Reader, keys []string) (rows, error) {
	switch d.Form {
	case Columnar:
		f, err := readColumnar(text)
		if err != nil {
			return nil, err
		}
		return newColumnarReader(f), nil
	case JSON:
		r := newJSONReader(text)
		r.pairs = d.Markup == pairLines
		for _, key := range keys {
			r.head(key)
		}
		return r, nil
	}
	r := newReader(text, d.Separator)
	for range d.Skip {
		if _, err := r.readLine(); err != nil {
			return nil, err
		}
	}
	return d.cut(r), nil
}

// cut reads records of a text from here on.
func (d Dialect) cut(r *reader) rows {
	switch d.Form {
	case Drawn:
		return &pipeReader{reader: r}
	case Aligned, Spaced:
		return &alignedReader{r, d.Form == Spaced}
	}
	return r
}

// open places a reader behind the headings. keys are those of a table in JSON.
func (d Dialect) open(in io.Reader, keys []string) (rows, []string, error) {
	text := in
	if d.Form != Columnar {
		text = d.decode(in)
	}
	if len(d.blocks) > 0 {
		return d.openBlocks(text)
	}
	r, err := d.rows(text, keys)
	if err != nil {
		return nil, nil, err
	}
	headings, err := d.Heads.headings(r)
	if err != nil {
		return nil, nil, err
	}
	return r, headings, nil
}

// ofRecord tells errors that are about one record: go on.
func ofRecord(err error) bool {
	return errors.Is(err, errQuote) || errors.Is(err, errCut) || errors.Is(err, errLong) || errors.Is(err, errOther) || errors.Is(err, errJSON) || errors.Is(err, errOpen) || errors.Is(err, errHuge)
}

// study reads a table once to decide what its columns are.
func study(in io.Reader, d Dialect, names map[string]string) (Schema, error) {
	r, headings, err := d.open(in, nil)
	if err != nil {
		return Schema{}, err
	}
	if c, ok := r.(io.Closer); ok {
		defer c.Close()
	}
	objects, _ := r.(*jsonReader)
	if objects != nil {
		objects.learns = true
	}
	var tallies []*tally
	// tallied makes room for the headings that have been met.
	tallied := func() error {
		if len(headings) > maxColumns {
			return fmt.Errorf("%d columns; a table of runs has at most %d", len(headings), maxColumns)
		}
		for i := len(tallies); i < len(headings); i++ {
			tallies = append(tallies, &tally{levels: map[string]*cellNumber{}, stamp: isStamp(column.Name(headings[i]))})
		}
		return nil
	}
	if err := tallied(); err != nil {
		return Schema{}, err
	}
	rows := 0
	var first [][]string
	for {
		cells, _, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil && !ofRecord(err) {
			return Schema{}, err
		}
		rows++
		if objects != nil {
			headings = objects.headings
			if err := tallied(); err != nil {
				return Schema{}, err
			}
		}
		if cells = fitCells(cells, headings); err != nil || len(cells) != len(headings) || slices.Equal(cells, headings) {
			continue
		}
		for i, c := range cells {
			tallies[i].add(d, strings.TrimSpace(c))
		}
		if len(first) < carryRows && len(cells) <= carryColumns && strings.Join(cells, "") != "" {
			row := slices.Clone(cells)
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			first = append(first, row)
		}
	}
	s := Schema{Dialect: d, Columns: decide(headings, tallies, rows, names), Rows: rows}
	if objects != nil {
		s.keys = headings
	}
	turns(s.Columns, tallies, s)
	s.rowsNamed = namesRows(s.Columns, tallies)
	for i, c := range s.Columns {
		if s.paths == nil && c.hasPaths(tallies[i]) {
			s.paths = slices.Sorted(maps.Keys(tallies[i].levels))
		}
	}
	if c, ok := r.(*columnarReader); ok && isExport(c.f.Columns) {
		declared(s.Columns, c.f.Columns)
		return s, nil
	}
	if d.Form == Delimited || d.Form == Drawn {
		carry(s.Columns, first)
	}
	melt(s.Columns, tallies, names)
	s.metrics = pivot(s.Columns, tallies, first)
	unitColumns(s.Columns, tallies)
	return s, nil
}

// namesRows tells customers, or the hours of a recording, from what runs are set to,
// which comes back, and from what people call their runs.
func namesRows(columns []Column, tallies []*tally) bool {
	named := false
	for i, c := range columns {
		switch {
		case c.Use == Builtin || c.Use == Turn:
			return false
		case c.Use == Factor && tallies[i].cells > 0 && !tallies[i].few():
			if factorNames[c.Name] || slices.Contains(made, c.Name) {
				return false
			}
			named = true
		}
	}
	return named
}

// role tells factors from conditions.
func (c Column) role() datasets.Role {
	if c.Role != "" {
		return c.Role
	}
	return column.Role(c.Name)
}

// cell gives the text of a cell without what only marks it up.
func (s Schema) cell(text string) string {
	if text = strings.TrimSpace(text); s.Dialect.Form == Drawn {
		text = strings.Trim(text, "*`~ ")
	}
	return text
}

// Telling tells whether the table holds measurements. A table that programs draw
// or align must name one that is known: there are many that measure nothing. So must a
// long one whose rows have names of their own: that is the data of a database.
func (s Schema) Telling() bool {
	if s.of(Arm) >= 0 {
		return true
	}
	known := slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Use == Metric && c.Unit.Name != "" })
	if known || s.Dialect.Form != Delimited && s.Dialect.Form != JSON && s.Dialect.Form != Columnar {
		return known
	}
	if s.Rows >= manyRows && s.rowsNamed {
		return false
	}
	return s.HasMetric() && !slices.ContainsFunc(s.Columns, func(c Column) bool { return slices.Contains(listNames, c.Name) })
}

// listNames are headings of lists of work, of processes, sockets, files, people and
// goods, not of results. A number beside them that nothing names as a measurement
// is none.
var listNames = []string{"author", "assignee", "reviewer", "reporter", "committer", "owner", "title", "synopsis", "subject", "message", "summary", "url", "link", "merged", "merged_at", "opened", "closed", "closed_at", "created_at", "updated_at",
	"milestone", "labels", "severity", "priority", "email", "phone", "first_name", "last_name", "gender", "country", "zip", "currency",
	"pid", "ppid", "uid", "gid", "tty", "inode", "permissions", "mountpoint", "mounted_on", "iface", "mac_addr", "ip_address", "gateway", "local_address", "foreign_address", "uuid", "pod_name", "pod_ip", "node_name", "restarts"}
