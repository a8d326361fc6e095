package sysbench

import (
	"bytes"
	"math"
	"path"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/secret"
)

// An echo is a command line that a harness printed. What it says holds for the
// next run that starts.
type echo struct {
	workload string
	options  map[string]datasets.Value
	more     bool // it goes on in the next line
	hidden   bool // which begins with a password
}

func (e *echo) give(r *Run) {
	r.Workload = e.workload
	for name, v := range e.options {
		r.Options[name] = v
	}
	*e = echo{}
}

// command reads a command line of sysbench.
//
//   - sysbench oltp_read_write --mysql-password=x --tables=10 --threads=8 --time=300 run
//     Executing: sysbench /opt/lua/oltp_inlist_select.lua  --mysql-host=db1 --time=120 run
//     LUA_PATH=/opt/lua/?.lua /opt/bin/sysbench --db-driver=mysql --table-size=10000000 oltp_point_select run
//     sysbench --test=oltp.lua --num-threads=8 \
//     --max-time=60 run
func (s *scan) command(b []byte) verdict {
	if s.echo.more {
		s.echo.take(shellWords(b))
		return apart
	}
	for _, said := range behind {
		if rest, ok := bytes.CutPrefix(b, said); ok {
			s.ran(shellWords(bytes.TrimRight(rest, `'":`)))
			return apart
		}
	}
	if !bytes.Contains(b, []byte("sysbench")) {
		return foreign
	}
	words := shellWords(b)
	for len(words) > 0 && path.Base(words[0]) != "sysbench" {
		words = words[1:]
	}
	if len(words) < 2 {
		return foreign
	}
	words = words[1:]
	ok := len(words) >= 2 && verb(words[1]) // sysbench cpu run
	for _, w := range words {
		ok = ok || strings.HasPrefix(w, "--")
	}
	if !ok {
		return foreign
	}
	s.echo = echo{options: map[string]datasets.Value{}}
	s.echo.take(words)
	return apart
}

// behind begin the lines in which perf stat and GNU time name the command that
// they watched, after it has ended.
//
//	Performance counter stats for './tpcc.lua --time=600 --threads=64 --tables=10 --scale=48 run':
//	Command being timed: "sysbench oltp_read_only --tables=8 run"
var behind = [][]byte{[]byte("Performance counter stats for '"), []byte(`Command being timed: "`)}

// ran takes the command of the run that has just ended, where no line before it
// said the same.
func (s *scan) ran(words []string) {
	if !s.open || !s.finished {
		return
	}
	for len(words) > 0 && path.Base(words[0]) != "sysbench" && path.Ext(words[0]) != ".lua" {
		words = words[1:]
	}
	if len(words) < 2 {
		return
	}
	if path.Base(words[0]) == "sysbench" {
		words = words[1:]
	}
	e := echo{options: map[string]datasets.Value{}}
	e.take(words)
	if s.run.Workload == "" {
		s.run.Workload = e.workload
	}
	for name, v := range e.options {
		if _, known := s.run.Options[name]; !known {
			s.run.Options[name] = v
		}
	}
}

func verb(word string) bool {
	switch word {
	case "run", "prepare", "cleanup", "prewarm", "warmup", "help":
		return true
	}
	return false
}

// shellWords splits a line at its blanks, those inside quotes apart, and takes
// the quotes away, but first the passwords.
func shellWords(b []byte) (words []string) {
	var word []byte
	quote, inside := byte(0), false
	for _, c := range []byte(secret.CleanCommand(string(b))) {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, inside = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if inside {
				words = append(words, string(word))
			}
			word, inside = word[:0], false
		default:
			word, inside = append(word, c), true
		}
	}
	if inside {
		words = append(words, string(word))
	}
	return words
}

// take reads the words after the name of the program.
func (e *echo) take(words []string) {
	if len(words) == 0 {
		e.more = false
		return
	}
	last := len(words) - 1
	more := strings.HasSuffix(words[last], `\`)
	words[last] = strings.TrimSuffix(words[last], `\`)
	if e.hidden {
		words[0] = ""
	}
	e.more, e.hidden = false, false
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case strings.HasPrefix(w, "--"):
			name, val, given := strings.Cut(w[2:], "=")
			switch {
			case secret.Name(name):
				if !given && i < last {
					i++
					val = words[i]
				}
				e.hidden = i == last && val == ""
			case name == "test":
				e.named(val)
			case given:
				e.option(name, val)
			}
		case strings.HasPrefix(w, "-"), w == "":
		case strings.ContainsAny(w, "|<>&;"): // the shell's, as all that follows
			return
		case verb(w):
			if w != "run" {
				*e = echo{} // prepare and the like are followed by no run
				return
			}
		case e.workload == "":
			e.named(w)
		}
	}
	e.more = more
}

// named takes the name of the test or of its file, unless it is a variable of a
// script.
func (e *echo) named(test string) {
	test = strings.TrimSuffix(path.Base(test), ".lua")
	if !strings.ContainsAny(test, "${}<[*`") {
		e.workload = test
	}
}

// optionNames maps options to words that say what they hold; the rest keep their
// name with _ for -.
var optionNames = map[string]string{
	"time": "time_s", "max-time": "time_s",
	"max-requests":    "max_events",
	"events":          "max_events",
	"report-interval": "report_interval_s",
	"warmup-time":     "warmup_s",
	"rand-seed":       "seed",
	"tx-rate":         "rate",
	"forced-shutdown": "forced_shutdown_s",
}

func (e *echo) option(name, val string) {
	if name == "" || strings.ContainsAny(val, "${}`") || e.options == nil {
		return // a variable of a script, not its value
	}
	switch name {
	case "threads", "num-threads": // the option block knows better
		return
	}
	if plain, ok := optionNames[name]; ok {
		name = plain
	}
	e.options[strings.ReplaceAll(name, "-", "_")] = typed([]byte(val))
}

// typed gives a value the type that its text has.
func typed(b []byte) datasets.Value {
	text := string(b)
	switch text {
	case "on", "true":
		return datasets.Bool(true)
	case "off", "false":
		return datasets.Bool(false)
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return datasets.Int(i)
	}
	if v, size, _ := number(b, 0); size == len(b) && size > 0 && !math.IsNaN(v) {
		return datasets.Float(v)
	}
	return datasets.Text(text)
}
