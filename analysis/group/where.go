package group

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// Where keeps the runs that match all of the expressions:
//
//	threads>=8 && workload=="oltp_read_write"
//	version in [9.6.0, 9.7.0] || !(host =~ "^db")
//
// Operators are == (also =) != < <= > >= =~ in && || ! and brackets; words need
// no quotes. Numbers compare as numbers, versions as versions. Where a run has
// no value nothing matches, not even !=. The error points at the column.
func Where(runs []datasets.Run, columns []datasets.Column, expressions []string) ([]datasets.Run, error) {
	conditions, err := parseAll(columns, expressions)
	if err != nil {
		return nil, err
	}
	var kept []datasets.Run
	for i := range runs {
		if !slices.ContainsFunc(conditions, func(n *node) bool { return n.eval(&runs[i]) != yes }) {
			kept = append(kept, runs[i])
		}
	}
	return kept, nil
}

func parseAll(columns []datasets.Column, expressions []string) (conditions []*node, err error) {
	known := slices.Clone(builtins)
	known = append(known, "status", "source", "part", "duration_s", "run_id")
	metrics := map[string]bool{}
	for _, c := range columns {
		if c.Role == datasets.Metric {
			metrics[c.Name] = true
		} else {
			known = append(known, c.Name)
		}
	}
	for _, text := range expressions {
		p := &parser{text: text, known: known, metrics: metrics}
		n, err := p.parse()
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, n)
	}
	return conditions, nil
}

// neverSeen names the first level that an expression asks for and no run has,
// with those that there are; "" if all are there.
func neverSeen(runs []datasets.Run, columns []datasets.Column, expressions []string) string {
	conditions, err := parseAll(columns, expressions)
	if err != nil {
		return ""
	}
	for len(conditions) > 0 {
		n := conditions[0]
		conditions = conditions[1:]
		switch n.op {
		case "&&", "||":
			conditions = append([]*node{n.left, n.right}, conditions...)
		case "!":
			conditions = append([]*node{n.left}, conditions...)
		case "==", "in":
			var levels []datasets.Value
			for i := range runs {
				if v := runs[i].Value(n.name); !v.IsNull() && !slices.Contains(levels, v) {
					levels = append(levels, v)
				}
			}
			for _, w := range n.values {
				if slices.ContainsFunc(levels, func(v datasets.Value) bool { return w.compare(v) == 0 }) {
					continue
				}
				if len(levels) == 0 {
					return "no run has a " + n.name
				}
				slices.SortFunc(levels, CompareValues)
				var names []string
				for _, v := range levels[:min(mostArms, len(levels))] {
					names = append(names, v.String())
				}
				if more := len(levels) - len(names); more > 0 {
					names = append(names, fmt.Sprintf("and %d more", more))
				}
				return Unknown{"level of " + n.name, w.word, names}.Error()
			}
		}
	}
	return ""
}

// truth is three-valued, as in SQL: a comparison with null is unknown, and so
// is its negation.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

// node is one operator of a parsed expression.
type node struct {
	op          string // "&&", "||", "!", or a comparison
	left, right *node
	name        string
	values      []literal      // more than one only for "in"
	pattern     *regexp.Regexp // for "=~"
}

func (n *node) eval(r *datasets.Run) truth {
	switch n.op {
	case "&&":
		return min(n.left.eval(r), n.right.eval(r))
	case "||":
		return max(n.left.eval(r), n.right.eval(r))
	case "!":
		return yes - n.left.eval(r)
	}
	v := r.Value(n.name)
	if v.IsNull() {
		return unknown
	}
	if n.op == "=~" {
		return known(n.pattern.MatchString(v.String()))
	}
	if n.op == "in" {
		return known(slices.ContainsFunc(n.values, func(w literal) bool { return w.compare(v) == 0 }))
	}
	w := n.values[0]
	if n.op == "==" || n.op == "!=" {
		return known((w.compare(v) == 0) == (n.op == "=="))
	}
	c := w.compare(v)
	switch n.op {
	case "<":
		return known(c < 0)
	case "<=":
		return known(c <= 0)
	case ">":
		return known(c > 0)
	}
	return known(c >= 0)
}

func known(b bool) truth {
	if b {
		return yes
	}
	return no
}

// literal is a value as written: a number only where the stored value is one, so
// that 9.10 and 2026-05-03 mean what they look like beside versions and dates.
type literal struct {
	word   string
	number float64 // NaN if the word is none, or quoted
}

func newLiteral(word string, quoted bool) literal {
	f, err := strconv.ParseFloat(word, 64)
	if err != nil || quoted {
		f = math.NaN()
	}
	return literal{word, f}
}

// compare sorts a stored value before (-1) or after (1) the literal.
func (l literal) compare(stored datasets.Value) int {
	if x, ok := stored.Number(); ok && !math.IsNaN(l.number) {
		return cmp.Compare(x, l.number)
	}
	return analysis.Natural(stored.String(), l.word)
}

// parser is a recursive descent over: or = and {"||" and}; and = unary {"&&"
// unary}; unary = "!" unary | "(" or ")" | name op value.
type parser struct {
	text    string
	at      int
	depth   int
	known   []string
	metrics map[string]bool
}

// deepest bounds recursion for hostile input.
const deepest = 200

func (p *parser) parse() (*node, error) {
	n, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.skip(); p.at < len(p.text) {
		return nil, p.errorf(p.at, "want && or || or the end")
	}
	return n, nil
}

func (p *parser) or() (*node, error)  { return p.chain("||", p.and) }
func (p *parser) and() (*node, error) { return p.chain("&&", p.unary) }

func (p *parser) chain(op string, operand func() (*node, error)) (*node, error) {
	left, err := operand()
	for err == nil && p.take(op) {
		var right *node
		if right, err = operand(); err == nil {
			left = &node{op: op, left: left, right: right}
		}
	}
	return left, err
}

func (p *parser) unary() (*node, error) {
	if p.depth++; p.depth > deepest {
		return nil, p.errorf(p.at, "too many brackets")
	}
	defer func() { p.depth-- }()
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], "!=") && p.take("!") {
		n, err := p.unary()
		return &node{op: "!", left: n}, err
	}
	if p.take("(") {
		n, err := p.or()
		if err == nil && !p.take(")") {
			err = p.errorf(p.at, "want )")
		}
		return n, err
	}
	return p.comparison()
}

// operators, the longer ones first.
var operators = []string{"==", "!=", "<=", ">=", "=~", "<", ">", "="}

func (p *parser) comparison() (*node, error) {
	start := p.skip()
	name, quoted := p.word()
	if name == "" && !quoted {
		return nil, p.errorf(start, "want the name of a factor")
	}
	if p.metrics[name] {
		return nil, p.errorf(start, "%s is a result: choosing runs by it would choose the verdict", name)
	}
	if !slices.Contains(p.known, name) {
		u := Unknown{"factor", name, p.known}
		return nil, p.errorf(start, "%s", u.Error())
	}
	n := &node{name: name}
	at := p.skip()
	for _, op := range operators {
		if p.take(op) {
			n.op = op
			break
		}
	}
	if n.op == "=" {
		n.op = "=="
	}
	if n.op == "" {
		if word, _ := p.word(); word != "in" {
			return nil, p.errorf(at, "want one of == != < <= > >= =~ in")
		}
		n.op = "in"
		return n, p.list(n)
	}
	at = p.skip()
	value, quoted := p.word()
	if value == "" && !quoted {
		return nil, p.noValue(at)
	}
	n.values = []literal{newLiteral(value, quoted)}
	if n.op == "=~" {
		var err error
		if n.pattern, err = regexp.Compile(value); err != nil {
			return nil, p.errorf(at, "%v", err)
		}
	}
	return n, nil
}

func (p *parser) list(n *node) error {
	if !p.take("[") {
		return p.errorf(p.at, "want [")
	}
	for {
		at := p.skip()
		value, quoted := p.word()
		if value == "" && !quoted {
			return p.noValue(at)
		}
		n.values = append(n.values, newLiteral(value, quoted))
		if p.take("]") {
			return nil
		}
		if !p.take(",") {
			return p.errorf(p.at, "want , or ]")
		}
	}
}

func (p *parser) noValue(at int) error {
	if at < len(p.text) && (p.text[at] == '"' || p.text[at] == '\'') {
		return p.errorf(at, "this quote is never closed")
	}
	return p.errorf(at, "want a value")
}

// word takes a quoted text, or everything up to a blank or an operator.
func (p *parser) word() (word string, quoted bool) {
	p.skip()
	rest := p.text[p.at:]
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
			p.at += end + 2
			return rest[1 : 1+end], true
		}
		return "", false // stays at the quote, which is no value
	}
	end := strings.IndexAny(rest, " \t\n=!<>&|()[],\"'~")
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end], false
}

func (p *parser) take(op string) bool {
	p.skip()
	if strings.HasPrefix(p.text[p.at:], op) {
		p.at += len(op)
		return true
	}
	return false
}

func (p *parser) skip() int {
	for p.at < len(p.text) && strings.IndexByte(" \t\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.at
}

// errorf points at the column with a second line.
func (p *parser) errorf(at int, format string, args ...any) error {
	before := utf8.RuneCountInString(p.text[:at])
	return fmt.Errorf("--where, column %d: %s\n  %s\n  %s^", before+1, fmt.Sprintf(format, args...), p.text, strings.Repeat(" ", before))
}
