// Package timecmd reads what shells and GNU time print about a command: how long
// it took and what it used. Each report is a run, with elapsed, user_time and
// system_time.
package timecmd

import (
	"bytes"
	"cmp"
	"io"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
	"noisefloor/ingest/internal/secret"
)

// Tool is time for the registry of ingest.
var Tool = load.Tool{Name: "time", Sniff: Sniff, Scan: Scan, Beside: true}

var telling = pattern.MustCompile(`(?m)^\s*real\s+(?:\d+m)?[\d.,]+s?\s*$|\d(?:\.\d+)?user \d+(?:\.\d+)?system \d+:[\d:.]+elapsed|^\s*Elapsed \(wall clock\) time|\buser [\d.]+s system \d+% cpu [\d:.]+ total\s*$` +
	`|^Executed in\s+[\d.]+ `)

// tellingTCSH has no word by which most texts could be passed by.
var tellingTCSH = regexp.MustCompile(`^(?:.* )?\d+\.\d+u \d+\.\d+s [\d:.]+ \d+\.\d+%`)

// Sniff tells whether a file is of these reports: its beginning has nothing else
// in it but a few words.
func Sniff(head []byte) bool {
	head = head[:min(len(head), 8<<10)]
	if telling.Match(head) {
		return true
	}
	for line := range bytes.Lines(head) {
		if bytes.Contains(line, []byte("u ")) && tellingTCSH.Match(line) {
			return true
		}
	}
	return false
}

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The reports, as they stand in real files:
//
//	real    1m2.345s
//	user    0m0.400s
//	sys     0m0.100s
//
//	real 62.34                                                               time -p
//
//	152.00user 479.93system 10:35.09elapsed 99%CPU (0avgtext+0avgdata 21424maxresident)k
//	0inputs+328outputs (0major+4832minor)pagefaults 0swaps
//
//		Command being timed: "./lookup 102"                                  time -v
//		User time (seconds): 0.40
//		Elapsed (wall clock) time (h:mm:ss or m:ss): 1:02.34
//		Maximum resident set size (kbytes): 21424
//		Exit status: 0
//
//	./lookup 102  0.40s user 0.10s system 98% cpu 0.512 total                zsh
//
//	0.400u 0.100s 1:02.34 99.1%	0+0k 0+328io 0pf+0w                          tcsh
//
//	Executed in   62.34 secs      fish           external                    fish
//	   usr time  400.00 millis  123.00 micros  399.88 millis
//	   sys time  100.00 millis   45.00 micros   99.95 millis
//
// In notes the command may stand above, as it was typed: what is below another one
// repeats nothing.
//
//	$ time ./lookup 102
//
// So may a title, one line for all reports below it; of several lines nobody knows
// which it is.
//
//	baseline
//
//	real    1m2.345s
var (
	shell   = regexp.MustCompile(`^(real|user|sys)\s+(?:(\d+)m)?(\d+[.,]\d+|\d+)(s?)$`)
	gnu     = regexp.MustCompile(`^()(\d+(?:\.\d+)?)user (\d+(?:\.\d+)?)system ((?:\d+:)+\d+(?:\.\d+)?)elapsed (?:\d+|\?)%CPU(?: \(\d+avgtext\+\d+avgdata (\d+)maxresident\)k)?$`)
	faults  = regexp.MustCompile(`^\d+inputs\+\d+outputs \((\d+)major\+(\d+)minor\)pagefaults \d+swaps$`)
	verbose = regexp.MustCompile(`^([A-Z][^:]*(?: \(h:mm:ss or m:ss\))?): (.*)$`)
	typed   = regexp.MustCompile(`^(?:.*[$#>%] +|\++ +)time +(?:-[a-z]\S* +)*(\S.*)$|^time +([./~]\S.*)$`)
	zsh     = regexp.MustCompile(`^(?:(.*\S) +)?(\d+(?:\.\d+)?)s user (\d+(?:\.\d+)?)s system \d+% cpu ((?:\d+:)*\d+(?:\.\d+)?) total$`)
	tcsh    = regexp.MustCompile(`^(?:(.*\S) +)?(\d+\.\d+)u (\d+\.\d+)s ((?:\d+:)*\d+(?:\.\d+)?) \d+\.\d+%(?:\s+\d+\+\d+k \d+\+\d+io \d+pf\+\d+w)?$`)
	fish    = regexp.MustCompile(`^(Executed in|usr time|sys time)\s+(\d+(?:\.\d+)?) (micros|millis|secs|mins|hours)(?:\s.*)?$`)
)

// units of fish.
var units = map[string]float64{"micros": 1e-6, "millis": 1e-3, "secs": 1, "mins": 60, "hours": 3600}

type parser struct {
	verbose bool
	failed  bool
	coming  bool   // the command of the next report failed
	command string // of the next report
	title   string // of all that come
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(shell); m != nil {
		name := map[string]string{"real": "elapsed", "user": "user_time", "sys": "system_time"}[m[1]]
		if _, again := b.Run.Metrics[name]; !b.Open() || p.verbose || again || name == "elapsed" && len(b.Run.Metrics) > 0 {
			p.begin(b, "")
		}
		b.Run.Metrics[name] = 60*number(m[2]) + number(m[3])
		return load.Mine
	}
	if m := at(fish); m != nil {
		name := map[string]string{"Executed in": "elapsed", "usr time": "user_time", "sys time": "system_time"}[m[1]]
		if name == "elapsed" {
			p.begin(b, "")
		}
		if !b.Open() {
			return load.Foreign
		}
		b.Run.Metrics[name] = number(m[2]) * units[m[3]]
		return load.Mine
	}
	for _, form := range []*regexp.Regexp{gnu, zsh, tcsh} {
		if m := at(form); m != nil {
			p.begin(b, m[1])
			r := b.Run.Metrics
			r["user_time"], r["system_time"], r["elapsed"] = number(m[2]), number(m[3]), clock(m[4])
			if len(m) > 5 && m[5] != "" {
				r["max_rss_bytes"] = 1024 * number(m[5])
			}
			return load.Mine
		}
	}
	if m := at(faults); m != nil && b.Open() {
		b.Run.Metrics["major_faults"], b.Run.Metrics["minor_faults"] = number(m[1]), number(m[2])
		return load.Mine
	}
	if m := at(verbose); m != nil {
		if v := p.verboseLine(b, m[1], m[2]); v != load.Foreign {
			return v
		}
	}
	if strings.HasPrefix(text, "Command exited with non-zero status") || strings.HasPrefix(text, "Command terminated by signal") {
		p.coming = true
		b.Note("fatal", line)
		return load.Apart
	}
	if m := at(typed); m != nil {
		p.command = m[1] + m[2]
		return load.Apart
	}
	return load.Foreign
}

// verboseLine reads a line of time -v, in whose block the command comes first.
func (p *parser) verboseLine(b *load.Book, key, value string) load.Verdict {
	if key == "Command being timed" {
		p.begin(b, strings.Trim(value, `"`))
		p.verbose = true
		return load.Mine
	}
	if !b.Open() || !p.verbose {
		return load.Foreign
	}
	m := b.Run.Metrics
	switch key {
	case "User time (seconds)":
		m["user_time"] = number(value)
	case "System time (seconds)":
		m["system_time"] = number(value)
	case "Elapsed (wall clock) time (h:mm:ss or m:ss)":
		m["elapsed"] = clock(value)
	case "Maximum resident set size (kbytes)":
		m["max_rss_bytes"] = 1024 * number(value)
	case "Major (requiring I/O) page faults":
		m["major_faults"] = number(value)
	case "Minor (reclaiming a frame) page faults":
		m["minor_faults"] = number(value)
	case "Voluntary context switches":
		m["voluntary_switches"] = number(value)
	case "Involuntary context switches":
		m["involuntary_switches"] = number(value)
	case "Exit status":
		p.failed = p.failed || value != "0"
	}
	return load.Mine
}

func (p *parser) begin(b *load.Book, command string) {
	b.Begin()
	if above, n := b.Above(); n == 1 && p.command == "" {
		p.title = above
	} else if n > 0 || p.command != "" {
		p.title = ""
	}
	command = cmp.Or(command, p.command, p.title)
	*p = parser{failed: p.coming, title: p.title} // "Command exited with ..." stands before the numbers
	if command = string(lines.Undress([]byte(secret.CleanCommand(strings.TrimSpace(command))))); command != "" {
		b.Run.Options["timed"] = load.Typed("timed", command)
	}
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	_, elapsed := r.Metrics["elapsed"]
	_, user := r.Metrics["user_time"]
	_, system := r.Metrics["system_time"]
	switch {
	case !elapsed || !user || !system:
		r.Status = datasets.Truncated
	case p.failed:
		r.Status = datasets.FatalWithSummary
	default:
		r.Status = datasets.Complete
	}
	return len(r.Metrics) > 0
}

func number(text string) float64 {
	if text == "" {
		return 0
	}
	return load.Number(strings.Replace(text, ",", ".", 1))
}

// clock reads 1:02:03.4 and 10:35.09.
func clock(text string) float64 {
	v := 0.0
	for _, part := range strings.Split(text, ":") {
		v = 60*v + number(part)
	}
	return v
}
