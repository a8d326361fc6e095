package ingest

import (
	"regexp"
	"slices"
	"strings"

	"noisefloor/ingest/internal/naming"
)

// core is what the name of a file says apart from what kind of file it is.
func (f *file) core() []string {
	if f.coreWords == nil {
		f.surroundings().coreWords = core(f.name())
	}
	return f.coreWords
}

func core(name string) []string {
	return slices.DeleteFunc(naming.Words(strings.ToLower(name)), func(w string) bool { return naming.IsSideWord[w] })
}

// neighbours are the logs and tables of one folder.
type neighbours struct {
	logs   []*file
	byCore map[string][]*file // nil until something lies beside them
}

func (n *neighbours) add(f *file) {
	n.logs = append(n.logs, f)
	if n.byCore != nil {
		n.book(f)
	}
}

func (n *neighbours) book(f *file) {
	key := strings.Join(f.core(), "/")
	n.byCore[key] = append(n.byCore[key], f)
}

// named gives the logs whose names say just that.
func (n *neighbours) named(core []string) []*file {
	if n.byCore == nil {
		n.byCore = map[string][]*file{}
		for _, f := range n.logs {
			n.book(f)
		}
	}
	return n.byCore[strings.Join(core, "/")]
}

// manyPairs bounds the search for names that are part of others: in a folder of
// tens of thousands of files only equal names are joined.
const manyPairs = 2000

// partners finds the logs in the same folder whose names say the same as the side
// file's, or if there is none, those whose names say that and more.
func (n *neighbours) partners(f *file) (found []*file, exact bool) {
	mine := f.core()
	if n == nil || len(mine) == 0 {
		return nil, false
	}
	if found := n.named(mine); found != nil {
		return found, true
	}
	if len(n.logs) > manyPairs {
		return nil, false
	}
	for _, l := range n.logs {
		if isStem(mine, l.core()) {
			found = append(found, l)
		}
	}
	return found, false
}

// isPart tells whether all words of part come in whole, in this order.
func isPart(part, whole []string) bool {
	for _, w := range whole {
		if len(part) > 0 && part[0] == w {
			part = part[1:]
		}
	}
	return len(part) == 0
}

var numbers = regexp.MustCompile(`[0-9]+`)

// nameless tells a folder whose logs have names that say nothing: the folder is the
// run, result.txt and summary.txt are its logs.
func (n *neighbours) nameless() bool {
	return n != nil && len(n.logs) > 1 && !slices.ContainsFunc(n.logs, func(l *file) bool { return len(l.core()) > 0 })
}

func onlyWords(all, of []string) bool {
	return !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(of, w) })
}

// isStem tells whether whole begins with part, or has it inside in one piece that
// says enough: a number, or several words.
func isStem(part, whole []string) bool {
	tells := len(part) > 1 || strings.ContainsAny(part[0], "0123456789")
	for i := range len(whole) - len(part) + 1 {
		if (i == 0 || tells) && slices.Equal(whole[i:i+len(part)], part) {
			return true
		}
	}
	return false
}
