package sysbench

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"noisefloor/datasets"
)

// The kinds of problem.
const (
	KindForeign    = "foreign-line"         // nothing that sysbench prints
	KindBroken     = "broken-line"          // starts like a line of sysbench, goes on otherwise
	KindTorn       = "torn-line"            // the text ends, or was cut, inside this line
	KindLong       = "long-line"            // longer than 64 KiB: the rest was read over
	KindZeros      = "nul-bytes"            // left by a crash
	KindMissing    = "intervals-missing"    // a gap between report lines
	KindRepeated   = "intervals-repeated"   // two report lines for one time
	KindBackwards  = "intervals-backwards"  // a report line for an earlier time
	KindCut        = "text-cut"             // a line like "..", with no gap that shows what is gone
	KindWrapped    = "counter-wrapped"      // below zero or beyond anything possible
	KindTotals     = "totals-disagree"      // report lines against summary
	KindRate       = "rate-disagrees"       // count and time against the printed rate
	KindAboveMax   = "percentile-above-max" // percentiles are grid values, so a little is normal
	KindCheckpoint = "checkpoint"           // the totals are not those of the whole run
	KindFatal      = "fatal"                // FATAL messages of sysbench
	KindAlert      = "alert"                // ALERT messages
	KindWarning    = "warning"              // WARNING messages
)

// maxTold is how many problems of one kind get a record of their own; more are
// counted in the last one.
const maxTold = 50

// problems collects what was not understood, one record per kind, or one per
// case for the kinds whose text is about the case.
type problems struct {
	list []datasets.Problem
	last map[string]int // index in list by kind
	told map[string]int
}

func (p *problems) add(kind string, line int, text []byte) {
	if i, ok := p.last[kind]; ok {
		p.list[i].Count++
		return
	}
	p.put(kind, line, presentable(string(text)))
}

// more counts n further cases of a kind.
func (p *problems) more(kind string, n int) {
	if i, ok := p.last[kind]; ok {
		p.list[i].Count += n
	}
}

func (p *problems) put(kind string, line int, text string) {
	if p.last == nil {
		p.last, p.told = map[string]int{}, map[string]int{}
	}
	p.last[kind] = len(p.list)
	p.list = append(p.list, datasets.Problem{Line: line, Kind: kind, Text: text, Count: 1})
}

// each gives the problems in the order of lines.
func (p *problems) each(give func(datasets.Problem)) {
	slices.SortStableFunc(p.list, func(a, b datasets.Problem) int { return cmp.Compare(a.Line, b.Line) })
	for _, problem := range p.list {
		give(problem)
	}
}

// note counts a problem of which the first example is enough.
func (s *scan) note(kind string, text []byte) { s.problems.add(kind, s.rd.number, text) }

// tell records a problem whose text is about this one case.
func (s *scan) tell(kind string, line int, text string) {
	if s.problems.told[kind] >= maxTold {
		s.problems.list[s.problems.last[kind]].Count++
		return
	}
	s.problems.put(kind, line, presentable(text))
	s.problems.told[kind]++
}

const maxText = 200 // bytes, by the definition of datasets.Problem

// presentable makes a piece of a stranger's text fit to be stored and shown:
// without passwords, valid UTF-8, on one line, not longer than maxText.
func presentable(text string) string {
	if len(text) > 10*maxText {
		text = text[:10*maxText]
		if i := strings.LastIndexByte(text, ' '); i > 0 {
			text = text[:i] // the last word may be a user:password that has lost its @host
		}
	}
	text = strings.ToValidUTF8(redact(text), "?")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if len(text) <= maxText {
		return text
	}
	end := maxText - len("...")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// secretWord is how options, variables and keys that hold secrets are called.
const secretWord = `(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|credentials?)`

// piece is a value as a shell takes it: quoted, bare or both, up to a blank.
const piece = `(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|\\.|[^\s"'\\])+`

var (
	// --mysql-password=x, MYSQL_PWD=x, "password": "x", password: x
	secretSet = regexp.MustCompile(`(?i)([\w-]*` + secretWord + `[\w-]*["']?\s*[=:]\s*)(` + piece + `)`)
	// "--mysql-password=x y"
	secretQuoted = regexp.MustCompile(`(?i)("--[\w-]*` + secretWord + `[\w-]*=)[^"]*|('--[\w-]*` + secretWord + `[\w-]*=)[^']*`)
	// --mysql-password x, IDENTIFIED BY 'x', sshpass -p x
	secretNext = regexp.MustCompile(`(?i)(--[\w-]*` + secretWord + `[\w-]*\s+|identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+|sshpass\s+-p\s*)(` + piece + `)`)
	// mysql -uroot -px
	secretShort = regexp.MustCompile(`((?:^|[\s"'(=])-p)(` + piece + `)`)
	// mysql://user:x@host, user:x@tcp(host)
	secretURL = regexp.MustCompile(`([\w.+%-]+:)([^\s@/]+)(@)`)
)

// redact replaces everything that looks like a password.
func redact(text string) string {
	text = secretQuoted.ReplaceAllString(text, "${1}${2}***")
	text = secretSet.ReplaceAllStringFunc(text, func(m string) string {
		p := secretSet.FindStringSubmatch(m)
		// "Access denied for user 'x'@'y' (using password: NO)" says no secret.
		if p[2] == "YES)" || p[2] == "NO)" {
			return m
		}
		return p[1] + "***"
	})
	text = secretNext.ReplaceAllString(text, "${1}***")
	text = secretShort.ReplaceAllString(text, "${1}***")
	return secretURL.ReplaceAllString(text, "${1}***${3}")
}

// secret tells whether an option of this name holds a secret.
func secret(name string) bool { return secretName.MatchString(name) }

var secretName = regexp.MustCompile(`(?i)` + secretWord)
