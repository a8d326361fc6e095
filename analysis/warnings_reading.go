package analysis

import "fmt"

// The doubts about what was read.

// RecordedDisagree: a log contradicts itself, which was found while it was read.
type RecordedDisagree struct {
	Files int
	First string // the first case, with its file
}

func (RecordedDisagree) Kind() string { return "recorded-disagree" }
func (w RecordedDisagree) Text() string {
	return fmt.Sprintf("%s: the totals that the log records and those that follow from its own lines disagree (%s); the recorded ones are compared, look at the log before you trust them.", Counted(w.Files, "file"), w.First)
}
