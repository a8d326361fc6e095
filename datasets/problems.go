package datasets

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// kindCopy: the same run stands in another file, too.
const kindCopy = "copy"

// Problem is one kind of thing in one file that was not understood.
type Problem struct {
	Source string
	Line   int // first line, from 1; 0 = the file as a whole
	Kind   string
	Text   string // at most 200 bytes
	Count  int
}

// String writes a problem as compilers do: source:line: kind: text (n times).
func (p Problem) String() string {
	s := p.Source
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
	}
	s += ": " + p.Kind
	if p.Text != "" {
		s += ": " + p.Text
	}
	if p.Count > 1 {
		s += fmt.Sprintf(" (%d times)", p.Count)
	}
	return s
}

// Gathered is what many files have in common: 201 images, 40 logs in which the
// server was gone. The Problem is that of the first.
type Gathered struct {
	Problem
	Files int
}

// String is the first problem and the number of the others.
func (g Gathered) String() string {
	s := g.Problem.String()
	switch {
	case g.Files == 2:
		s += ", and alike in 1 more file"
	case g.Files > 2:
		s += fmt.Sprintf(", and alike in %d more files", g.Files-1)
	}
	return s
}

// Gather joins the problems of different files that say the same but for numbers,
// in the order of the first of each.
func Gather(problems []Problem) []Gathered {
	var list []Gathered
	at := map[string]int{}
	for _, p := range problems {
		key := p.alike()
		i, ok := at[key]
		if !ok {
			i, at[key] = len(list), len(list)
			list = append(list, Gathered{Problem: p})
		}
		list[i].Files++
	}
	return list
}

var numbers = regexp.MustCompile(`\d+`)

// alike is what such problems have in common: the kind, and the text but for its
// numbers and for what it quotes from the file.
func (p Problem) alike() string {
	switch p.Kind {
	case kindCopy, "foreign-line", "torn-line": // nothing but what stands in the file
		return p.Kind
	}
	text, _, _ := strings.Cut(p.Text, "; it begins: ")
	return p.Kind + ":" + numbers.ReplaceAllString(text, "0")
}
