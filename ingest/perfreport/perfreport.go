// Package perfreport reads what perf report --stdio prints: the share of every
// command, library and symbol.
//
//	# Samples: 2K of event 'cycles'
//	# Event count (approx.): 15476112978
//	#
//	# Overhead  Command      Shared Object      Symbol
//	# ........  ...........  .................  ...........................
//	#
//	     3.75%  ib_io: rd/0  mariadbd           [.] row_search_mvcc
//	     1.67%  connection   [kernel.kallsyms]  [k] srso_alias_safe_ret
//
//	# Children      Self       Samples  Command      Shared Object  Symbol
//	# ........  ........  ............  ...........  .............  .............
//	     6.04%     6.04%            18  bash         [kernel.kallsyms]     [k] pvm_irq_enable
//	            |
//	            |--1.68%--_dl_start_user
//
//	# Overhead,Command    ,Shared Object       ,Symbol                 -t ,
//	 6.04%  ,my thread 1,libz.so.1.2.13      ,[.] 0x0000000000005f77
//	 32,14%  mariadbd                                                  a locale with decimal commas
//
// Commands and symbols hold blanks, so the columns are where the ruler of dots says
// they are. A row becomes a stack of one frame with the samples that were in the
// symbol itself: a report is rounded to a hundredth of a percent, and the trees of
// callers below the rows say only part of the stacks, so they are passed by.
package perfreport

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/stacks"
)

// longest line that is looked at: C++ symbols have some thousand bytes.
const longest = 64 << 10

// A Report is what a text holds.
type Report struct {
	Stacks []datasets.Stack // without RunID, ordered by event, command and symbol
	Lost   float64          // samples
}

var (
	samplesLine = regexp.MustCompile(`^# Samples: *\S+ +of events? '(.*)'`)
	countLine   = regexp.MustCompile(`^# Event count \(approx\.\): (\d+)`)
	lostLine    = regexp.MustCompile(`^# Total Lost Samples: (\d+)`)
	titleLine   = regexp.MustCompile(`^# *(Overhead|Children)\b *(.?)`)
	rulerLine   = regexp.MustCompile(`^# *\.{3,}[. ]*$`)
	percent     = regexp.MustCompile(`^ *(\d+)[.,](\d+)%$`)
)

// Scan reads a text to its end. The error is that of the reader.
func Scan(text io.Reader, problem func(datasets.Problem)) (Report, error) {
	s := scanner{count: math.NaN()}
	err := lines.Each(text, longest, s.line)
	if s.lost > 0 {
		s.problems.Add("lost-samples", 0, []byte("perf lost "+strconv.FormatFloat(s.lost, 'f', -1, 64)+" samples while recording"))
	}
	if problem != nil {
		s.problems.Each(problem)
	}
	return Report{Stacks: s.set.Rows(), Lost: s.lost}, err
}

type scanner struct {
	set      stacks.Set
	problems lines.Problems
	lost     float64

	// Of the event being read.
	event     string
	count     float64 // of the event, NaN if it is not printed
	title     string
	separator string // of -t; "" where the columns have fixed widths
	columns   []column
}

type column struct {
	name     string
	from, to int // in the line; the last column goes on to the end
}

func (s *scanner) line(number int, line []byte, whole bool) {
	switch {
	case len(bytes.TrimSpace(line)) == 0:
	case !whole: // a symbol may have lost its end
		s.problems.Add("cut-line", number, line)
	case line[0] == '#':
		s.comment(string(line))
	case len(s.columns) == 0:
		s.problems.Add("row-without-title", number, line)
	default:
		s.row(number, line)
	}
}

func (s *scanner) comment(line string) {
	if m := samplesLine.FindStringSubmatch(line); m != nil {
		s.event, s.count, s.columns, s.title = m[1], math.NaN(), nil, ""
		return
	}
	if m := countLine.FindStringSubmatch(line); m != nil {
		s.count, _ = strconv.ParseFloat(m[1], 64)
		return
	}
	if m := lostLine.FindStringSubmatch(line); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		s.lost += n
		return
	}
	if m := titleLine.FindStringSubmatch(line); m != nil {
		s.title, s.separator, s.columns = line, "", nil
		if m[2] != "" && !isLetter(m[2][0]) {
			s.separator = m[2]
			for _, name := range strings.Split(strings.TrimPrefix(line, "#"), s.separator) {
				s.columns = append(s.columns, column{name: strings.TrimSpace(name)})
			}
		}
		return
	}
	if s.title != "" && s.separator == "" && rulerLine.MatchString(line) {
		s.ruler(line)
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// ruler finds the columns. The sign of the comment hides the first two places.
func (s *scanner) ruler(line string) {
	for at := 1; at < len(line); {
		from := at + strings.IndexByte(line[at:], '.')
		if from < at {
			break
		}
		to := from
		for to < len(line) && line[to] == '.' {
			to++
		}
		name := ""
		if from < len(s.title) {
			name = strings.TrimSpace(s.title[from:min(to, len(s.title))])
		}
		if len(s.columns) == 0 {
			from = 0
		}
		s.columns = append(s.columns, column{name, from, to})
		at = to
	}
	if n := len(s.columns); n > 0 {
		s.columns[n-1].to = math.MaxInt
	}
}

// cells cuts a row into its columns.
func (s *scanner) cells(line []byte) map[string]string {
	cells := make(map[string]string, len(s.columns))
	if s.separator != "" {
		parts := strings.SplitN(string(line), s.separator, len(s.columns))
		for i, part := range parts {
			cells[s.columns[i].name] = strings.TrimSpace(part)
		}
		return cells
	}
	text := []rune(string(line)) // perf pads by characters
	for _, c := range s.columns {
		if c.from < len(text) {
			cells[c.name] = strings.TrimSpace(string(text[c.from:min(c.to, len(text))]))
		}
	}
	return cells
}

func (s *scanner) row(number int, line []byte) {
	cells := s.cells(line)
	first := cells[s.columns[0].name]
	if !percent.MatchString(first) {
		if s.separator != "" || !isTree(line) {
			s.problems.Add("unknown-row", number, line)
		}
		return
	}
	self, ok := cells["Self"]
	if !ok {
		self = cells["Overhead"]
	}
	share, ok := share(self)
	if !ok {
		s.problems.Add("unknown-row", number, line)
		return
	}
	weight, samples := share*s.count, math.NaN()
	if n, err := strconv.ParseFloat(cells["Samples"], 64); err == nil {
		samples = n
	}
	if n, err := strconv.ParseFloat(cells["Period"], 64); err == nil {
		weight = n
	}
	if math.IsNaN(weight) {
		weight = 100 * share
	}
	if weight == 0 {
		return // it only calls others
	}
	comm := cells["Command"]
	var frames []stacks.Name
	for _, name := range functions(cells["Symbol"], cells["Shared Object"], comm) {
		frames = append(frames, s.set.Name(name))
	}
	s.set.Add(s.set.NameOf(s.event), s.set.NameOf(comm), frames, weight, samples)
}

// isTree tells the lines of callers below a row, which begin with blanks and bars.
func isTree(line []byte) bool {
	text := bytes.TrimLeft(line, " |-")
	return len(line)-len(text) >= 8
}

func share(text string) (float64, bool) {
	m := percent.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1]+"."+m[2], 64)
	return v / 100, err == nil
}

var (
	symbolMark = regexp.MustCompile(`^\[[.kguHh]\] *`)
	address    = regexp.MustCompile(`^0x[0-9a-f]+$`)
)

// functions names the symbol as other scanners do: without its arguments, and after
// its library where only an address is known.
func functions(symbol, library, comm string) [][]byte {
	symbol = strings.ToValidUTF8(symbolMark.ReplaceAllString(symbol, ""), "\ufffd")
	if symbol == "" || address.MatchString(symbol) {
		symbol = stacks.Unknown
	}
	if library == "" {
		library = stacks.Unknown
	}
	return stacks.Functions([]byte(symbol), []byte(strings.ToValidUTF8(library, "\ufffd")), strings.HasPrefix(comm, "java"))
}
