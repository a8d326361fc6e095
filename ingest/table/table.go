package table

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

// maxColumns: a wider table is a dump of counters over time.
const maxColumns = 2000

// Schema is how a table is to be read.
type Schema struct {
	Dialect Dialect
	Columns []Column
	Rows    int      // records below the headings, broken ones among them
	ArmName string   // of a wide table: the factor whose levels are headings
	keys    []string // of objects
	paths   []string // cells of the column of paths
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
		case Metric, Arm:
			if slices.ContainsFunc(declared, func(d datasets.Column) bool { return d.Name == c.Name }) {
				continue // one of several arms
			}
			declared = append(declared, datasets.Column{Name: c.Name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: c.Unit})
		}
	}
	if s.ArmName != "" && s.ArmName != "threads" {
		declared = append(declared, datasets.Column{Name: s.ArmName, Kind: datasets.TextKind, Role: datasets.Factor, Guess: "headings of the table"})
	}
	return declared
}

// String says in words what each column was taken for.
func (s Schema) String() string {
	words := map[Use]string{Factor: "factors", Metric: "metrics", Builtin: "built-in", Secret: "left out as secret", Clock: "time inside a run", Left: "left out as asked"}
	var parts []string
	for _, use := range []Use{Metric, Factor, Builtin, Secret, Clock, Left} {
		var names []string
		for _, c := range s.Columns {
			if c.Use != use {
				continue
			}
			name := c.Name
			if use == Left {
				name = c.Heading
			} else if use != Secret && column.Name(c.Heading) != c.Name {
				name += " (" + c.Heading + ")"
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
	switch d.Form {
	case Drawn:
		return &pipeReader{reader: r}, nil
	case Aligned, Spaced:
		return &alignedReader{r, d.Form == Spaced}, nil
	}
	return r, nil
}

// open places a reader behind the headings. keys are those of a table in JSON.
func (d Dialect) open(in io.Reader, keys []string) (rows, []string, error) {
	text := in
	if d.Form != Columnar {
		text = d.decode(in)
	}
	r, err := d.rows(text, keys)
	if err != nil {
		return nil, nil, err
	}
	headings, _, err := r.next()
	if err != nil {
		return nil, nil, err
	}
	return r, slices.Clone(headings), nil
}

// ofRecord tells errors that are about one record: go on.
func ofRecord(err error) bool {
	return errors.Is(err, errQuote) || errors.Is(err, errLong) || errors.Is(err, errOther) || errors.Is(err, errJSON) || errors.Is(err, errHuge)
}

// Study reads a table once to decide what its columns are. names gives headings
// another name, "" leaves the column out; nil is none.
func Study(in io.Reader, d Dialect, names map[string]string) (Schema, error) {
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
			tallies = append(tallies, &tally{levels: map[string]bool{}, stamp: isStamp(column.Name(headings[i]))})
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
	for i, c := range s.Columns {
		if cells := slices.Sorted(maps.Keys(tallies[i].levels)); c.Use == Factor && slices.Contains(pathNames, c.Name) && s.paths == nil && !tallies[i].many && !slices.ContainsFunc(cells, func(cell string) bool { return !isPath(cell) }) {
			s.paths = cells
		}
	}
	if c, ok := r.(*columnarReader); ok && isExport(c.f.Columns) {
		declared(s.Columns, c.f.Columns)
		return s, nil
	}
	if d.Form == Delimited || d.Form == Drawn {
		carry(s.Columns, first)
	}
	s.ArmName = melt(s.Columns, tallies, names)
	return s, nil
}

// Read gives every row as a complete run: factors, metrics and built-in columns
// are set; identity and provenance are the caller's. number counts the rows from
// 1, broken ones too, so that a mended row does not move the others. problem is
// called at the end, once per kind of thing not understood (and column), with the
// first line and how often. An error from row ends the reading.
func (s Schema) Read(in io.Reader, tz *time.Location, row func(run *datasets.Run, number int) error, tell func(datasets.Problem)) error {
	return s.each(in, tz, func(run *datasets.Run, _ []string, number int) error { return row(run, number) }, tell)
}

// each is Read with the cells of the row.
func (s Schema) each(in io.Reader, tz *time.Location, row func(run *datasets.Run, cells []string, number int) error, tell func(datasets.Problem)) error {
	var problems counter
	problem := problems.add
	defer problems.each(tell)
	r, headings, err := s.Dialect.open(in, s.keys)
	if c, ok := r.(io.Closer); ok {
		defer c.Close()
	}
	switch {
	case err == io.EOF:
		return nil
	case ofRecord(err):
		problem("", datasets.Problem{Line: 1, Kind: "broken-row", Text: "the headings: " + err.Error(), Count: 1})
		return nil
	case err != nil:
		return err
	}
	var before []string
	for number := 1; ; number++ {
		cells, line, err := r.next()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errOther):
			problem("", datasets.Problem{Line: line, Kind: "another-table", Text: "a table with other columns in the same file, not read", Count: 1})
			continue
		case ofRecord(err):
			problem("", datasets.Problem{Line: line, Kind: "broken-row", Text: err.Error(), Count: 1})
			continue
		case err != nil:
			return err
		}
		cells = fitCells(cells, headings)
		if len(cells) != len(headings) || len(cells) != len(s.Columns) {
			problem("", datasets.Problem{Line: line, Kind: "ragged-row", Text: fmt.Sprintf("%d cells under %d headings", len(cells), len(headings)), Count: 1})
			continue
		}
		if slices.Equal(cells, headings) {
			problem("", datasets.Problem{Line: line, Kind: "headings-again", Text: "the headings stand here again", Count: 1})
			continue
		}
		if len(s.Columns) > 0 && s.Columns[0].Carried && strings.Join(cells, "") != "" {
			above(s.Columns, before, cells)
			before = append(before[:0], cells...)
		}
		if s.sumsUp(cells) {
			problem("", datasets.Problem{Line: line, Kind: "summary-row", Text: "a mean or total of other rows, no run", Count: 1})
			continue
		}
		run := s.run(cells, line, tz, problem)
		runs := []*datasets.Run{run}
		if arms := s.arms(); len(arms) > 0 {
			runs = runs[:0]
			for _, arm := range arms {
				runs = append(runs, s.armRun(run, arm, cells, func(c *Column, cell string) {
					problem(c.Heading, datasets.Problem{Line: line, Kind: "bad-cell", Text: fmt.Sprintf("column %s: %s: not a number", c.Heading, secret.Clean(short(cell))), Count: 1})
				}))
			}
		}
		told := false
		for k, r := range runs {
			if len(r.Metrics) == 0 {
				continue
			}
			told = true
			if err := row(r, cells, (number-1)*len(runs)+k+1); err != nil {
				return err
			}
		}
		if !told {
			problem("", datasets.Problem{Line: line, Kind: "row-without-number", Text: "no metric has a value in this row", Count: 1})
		}
	}
}

// counted are columns that number runs or say when they were: a word like avg in
// them names no run but what was made of several.
var counted = []string{"run", "rep", "repetition", "repeat", "iteration", "iter", "trial", "round", "attempt", "run_no", "day", "started_at", "order", "threads"}

var summaries = []string{"avg", "average", "mean", "median", "total", "sum", "std", "stdev", "stddev", "min", "max", "overall"}

// Under the names of queries stands what a table sums up, too.
var (
	queries = []string{"query", "queries", "statement", "sql", "test", "benchmark", "case"}
	summary = regexp.MustCompile(`(?i)^(?:grand )?(?:total|sum|overall|average|mean|geo-?mean|geometric mean)(?: (?:time|elapsed|runtime|duration|taken|of|all|queries|s|sec|seconds))*\W*$`)
)

func (s Schema) sumsUp(cells []string) bool {
	for i, c := range s.Columns {
		if c.Use == Factor && slices.Contains(queries, c.Name) && summary.MatchString(s.cell(cells[i])) {
			return true
		}
		if slices.Contains(counted, c.Name) && (c.Use == Factor || c.Use == Builtin) && slices.Contains(summaries, strings.ToLower(strings.Trim(s.cell(cells[i]), ".: "))) {
			return true
		}
	}
	return false
}

func (s Schema) run(cells []string, line int, tz *time.Location, problem func(what string, p datasets.Problem)) *datasets.Run {
	run := &datasets.Run{Status: datasets.Complete, Factors: map[string]datasets.Value{}, Metrics: map[string]float64{}}
	run.Duration = nan
	for i := range s.Columns {
		c := &s.Columns[i]
		cell := s.cell(cells[i])
		if isNull(cell) || c.Use == Secret || c.Use == Clock || c.Use == Left || c.Use == Arm {
			continue
		}
		bad := func(why string) {
			problem(c.Heading, datasets.Problem{Line: line, Kind: "bad-cell", Text: fmt.Sprintf("column %s: %s: %s", c.Heading, secret.Clean(short(cell)), why), Count: 1})
		}
		switch c.Use {
		case Metric:
			n, ok := s.Dialect.measure(cell)
			if !ok {
				bad("not a number")
				continue
			}
			run.Metrics[c.Name] = n.times(c.Scale)
		case Factor:
			v, cut := s.factor(c, cell)
			if cut {
				problem(c.Heading, datasets.Problem{Line: line, Kind: "long-text", Text: fmt.Sprintf("column %s: of texts longer than %d letters the beginning is kept, and a number that tells them apart", c.Heading, longestText), Count: 1})
			}
			run.Factors[c.Name] = v
		case Identity:
			run.ID = cell
		case Status:
			run.Status = datasets.Status(cell)
		case Builtin:
			cell = ordered(cell, c.Dates)
			v := datasets.Text(secret.Clean(cell))
			if f, ok := s.Dialect.number(cell); ok && isCount(c.Name) {
				v = datasets.Float(f)
			}
			if err := column.Fill(run, c.Name, v, tz); err != nil {
				bad(err.Error())
			} else if c.Name == "started_at" {
				run.StartedFrom = "log" // the table is the log here
			}
		}
	}
	return run
}

// longestText is how long a level may be: whole statements stand in tables, and
// nobody reads them as the name of anything.
const longestText = 100

// factor tells, too, whether the text was too long for a level.
func (s Schema) factor(c *Column, cell string) (v datasets.Value, cut bool) {
	f, isNumber := s.Dialect.number(cell)
	switch {
	case c.Kind == datasets.IntKind && isNumber:
		return datasets.Int(int64(f)), false
	case c.Kind == datasets.FloatKind && isNumber:
		return datasets.Float(f), false
	case c.Kind == datasets.BoolKind:
		return datasets.Bool(strings.EqualFold(cell, "true")), false
	}
	text := secret.Clean(cell)
	if utf8.RuneCountInString(text) <= longestText || c.Role != "" || c.role() != datasets.Factor { // our own tables come back as they were
		return datasets.Text(text), false
	}
	h := fnv.New32a()
	h.Write([]byte(text))
	begin := []rune(strings.Join(strings.Fields(text), " "))
	return datasets.Text(fmt.Sprintf("%s... %08x", string(begin[:min(len(begin), longestText/2)]), h.Sum32())), true
}

// counter keeps the first problem of each kind and counts the others.
type counter struct {
	list []datasets.Problem
	at   map[string]int
}

func (c *counter) add(what string, p datasets.Problem) {
	key := p.Kind + "/" + what
	if i, ok := c.at[key]; ok {
		c.list[i].Count++
		return
	}
	if c.at == nil {
		c.at = map[string]int{}
	}
	c.at[key] = len(c.list)
	c.list = append(c.list, p)
}

// each gives the problems in the order of their first lines.
func (c *counter) each(tell func(datasets.Problem)) {
	for _, p := range c.list {
		tell(p)
	}
}

// short keeps a problem text short.
func short(cell string) string {
	if len(cell) > 60 {
		return strings.ToValidUTF8(cell[:60], "") + "..."
	}
	return cell
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
// or align must name one that is known: there are many that measure nothing.
func (s Schema) Telling() bool {
	if s.ArmName != "" {
		return true
	}
	known := slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Use == Metric && c.Unit.Name != "" })
	if known || s.Dialect.Form != Delimited && s.Dialect.Form != JSON && s.Dialect.Form != Columnar {
		return known
	}
	return s.HasMetric() && !slices.ContainsFunc(s.Columns, func(c Column) bool { return slices.Contains(listNames, c.Name) })
}

// listNames are headings of lists of work, of processes, sockets, files, people and
// goods, not of results. A number beside them that nothing names as a measurement
// is none.
var listNames = []string{"author", "assignee", "reviewer", "reporter", "committer", "owner", "title", "synopsis", "subject", "message", "summary", "url", "link", "merged", "merged_at", "opened", "closed", "closed_at", "created_at", "updated_at",
	"milestone", "labels", "severity", "priority", "email", "phone", "first_name", "last_name", "gender", "country", "zip", "currency",
	"pid", "ppid", "uid", "gid", "tty", "inode", "permissions", "mountpoint", "mounted_on", "iface", "mac_addr", "ip_address", "gateway", "local_address", "foreign_address", "uuid"}
