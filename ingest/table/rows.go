package table

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

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
	if s.of(Named) < 0 {
		return s.scan(in, tz, row, tell)
	}
	var g gatherer
	if err := s.scan(in, tz, g.add, tell); err != nil {
		return err
	}
	for _, found := range g.list {
		if err := row(found.run, found.cells, found.number); err != nil {
			return err
		}
	}
	return nil
}

// scan gives the rows one by one.
func (s Schema) scan(in io.Reader, tz *time.Location, row func(run *datasets.Run, cells []string, number int) error, tell func(datasets.Problem)) error {
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
	known := make([]map[string]setting, len(s.Columns))
	summing := s.summing()
	sets := s.sets()
	measures := slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Use == Metric || c.Use == Arm })
	var last lastCells
	captions := 0
	if s.Dialect.captioned {
		captions = 1
	}
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
			problem("", datasets.Problem{Line: line, Kind: "ragged-row", Text: fmt.Sprintf("%d cells under %d headings", len(cells)-captions, len(headings)-captions), Count: 1})
			continue
		}
		if slices.Equal(cells, headings) {
			problem("", datasets.Problem{Line: line, Kind: "headings-again", Text: "the headings stand here again", Count: 1})
			continue
		}
		if n := len(cells) - 1 - captions; n >= 0 {
			if u, ok := r.(interface{ unended() bool }); ok && u.unended() {
				p, lost := last.judge(cells[n], line)
				if p.Kind != "" {
					problem("", p)
				}
				if lost {
					cells[n] = ""
				}
			}
			last.add(cells[n])
		}
		if len(s.Columns) > 0 && s.Columns[0].Carried && strings.Join(cells, "") != "" {
			above(s.Columns, before, cells)
			before = append(before[:0], cells...)
		}
		if s.sumsUp(summing, cells) {
			problem("", datasets.Problem{Line: line, Kind: "summary-row", Text: "a mean or total of other rows, no run", Count: 1})
			continue
		}
		run := s.run(cells, line, tz, known, problem)
		runs := []*datasets.Run{run}
		if len(sets) > 0 {
			runs = runs[:0]
			for _, levels := range sets {
				runs = append(runs, s.at(run, levels, cells, func(c *Column, cell string) {
					problem(c.Heading, datasets.Problem{Line: line, Kind: "bad-cell", Text: fmt.Sprintf("column %s: %s: not a number", c.Heading, short(cell)), Count: 1})
				}))
			}
		}
		told := false
		for k, r := range runs {
			if len(r.Metrics) == 0 && measures {
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

// summing lists the columns in which a word may say that a row sums up others.
func (s Schema) summing() (at []int) {
	for i, c := range s.Columns {
		if c.Use == Factor && slices.Contains(queries, c.Name) || slices.Contains(counted, c.Name) && (c.Use == Factor || c.Use == Builtin || c.Use == Turn) {
			at = append(at, i)
		}
	}
	return at
}

func (s Schema) sumsUp(summing []int, cells []string) bool {
	for _, i := range summing {
		cell, name := s.cell(cells[i]), s.Columns[i].Name
		switch {
		case cell == "" || cell[0]-'0' <= 9:
		case s.Columns[i].Use == Factor && slices.Contains(queries, name) && summary.MatchString(cell),
			slices.Contains(counted, name) && slices.Contains(summaries, strings.ToLower(strings.Trim(cell, ".: "))):
			return true
		}
	}
	return false
}

// A setting is what a cell of a factor or a built-in column was read as.
type setting struct {
	v   datasets.Value
	cut bool // the text was too long for a level
}

// setting reads such a cell, or knows it: what runs were set to comes back.
func (s Schema) setting(c *Column, cell string, known *map[string]setting) setting {
	if found, ok := (*known)[cell]; ok {
		return found
	}
	cell = strings.Clone(cell) // and not the line that it is cut from
	var read setting
	if c.Use == Factor {
		read.v, read.cut = s.factor(c, cell)
	} else {
		inOrder := ordered(cell, c.Dates)
		read.v = datasets.Text(secret.Clean(inOrder))
		if f, ok := s.Dialect.number(inOrder); ok && isCount(c.Name) {
			read.v = datasets.Float(f)
		}
	}
	if *known == nil {
		*known = map[string]setting{}
	}
	if len(*known) < maxLevels {
		(*known)[cell] = read
	}
	return read
}

// run reads a row. known is what was read of each column before.
func (s Schema) run(cells []string, line int, tz *time.Location, known []map[string]setting, problem func(what string, p datasets.Problem)) *datasets.Run {
	run := &datasets.Run{Status: datasets.Complete, Factors: map[string]datasets.Value{}, Metrics: map[string]float64{}}
	run.Duration = nan
	for i := range s.Columns {
		c := &s.Columns[i]
		cell := s.cell(cells[i])
		if isNull(cell) && !(isNone(cell) && c.Use == Factor && c.isWords()) {
			continue
		}
		bad := func(why string) {
			problem(c.Heading, datasets.Problem{Line: line, Kind: "bad-cell", Text: fmt.Sprintf("column %s: %s: %s", c.Heading, short(cell), why), Count: 1})
		}
		switch c.Use {
		case Metric:
			n, ok := s.Dialect.measure(cell)
			if !ok {
				bad("not a number")
				continue
			}
			run.Metrics[c.Name] = n.in(s.inUnit(c, cells))
		case Factor:
			of := s.setting(c, cell, &known[i])
			if of.cut {
				problem(c.Heading, datasets.Problem{Line: line, Kind: "long-text", Text: fmt.Sprintf("column %s: of texts longer than %d letters the beginning is kept, and a number that tells them apart", c.Heading, longestText), Count: 1})
			}
			run.Factors[c.Name] = of.v
		case Turn:
			if !c.turn(run, cell) {
				bad("no number of a run")
			}
		case Identity:
			run.ID = cell
		case Status:
			if run.Status = ended(cell); run.Status == "" {
				run.Status = datasets.Status(cell) // of an export
			}
		case Builtin:
			if err := column.Fill(run, c.Name, s.setting(c, cell, &known[i]).v, tz); err != nil {
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

func (c *Column) isWords() bool {
	return c.Kind != datasets.IntKind && c.Kind != datasets.FloatKind && c.Kind != datasets.BoolKind
}

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
	cell = secret.Clean(cell) // a login that has lost its @host could not be told
	if len(cell) > 60 {
		return strings.ToValidUTF8(cell[:60], "") + "..."
	}
	return cell
}
