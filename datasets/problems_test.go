package datasets

import (
	"slices"
	"testing"
)

// What many files say alike is one line, and what is said of one stays apart.
func TestGather(t *testing.T) {
	var got []string
	for _, p := range Gather([]Problem{
		{Source: "a.png", Kind: "not-read", Text: "an image", Count: 1},
		{Source: "1.csv", Kind: "not-read", Text: "no format that is known; it begins: 1,2", Count: 1},
		{Source: "b.png", Kind: "not-read", Text: "an image", Count: 1},
		{Source: "a.log", Line: 7, Kind: "intervals-missing", Text: "intervals 317..318 missing", Count: 54},
		{Source: "b.log", Line: 9, Kind: "intervals-missing", Text: "interval 5 missing", Count: 1},
		{Source: "c.log", Line: 9, Kind: "intervals-missing", Text: "intervals 9..12 missing", Count: 3},
		{Source: "x/run.uuid", Kind: "not-read", Text: "no format that is known; it begins: 96571910", Count: 1},
		{Source: "c.png", Kind: "not-read", Text: "an image", Count: 1},
		{Source: "b.gz", Kind: "copy", Text: "holds the same run as b.log", Count: 1},
		{Source: "c.gz", Kind: "copy", Text: "holds the same run as c.log", Count: 1},
		{Source: "a.log", Line: 2, Kind: "foreign-line", Text: "Instance: c5", Count: 2},
		{Source: "b.log", Line: 2, Kind: "foreign-line", Text: "Instance: c6", Count: 2},
		{Source: "a.log", Kind: "fatal", Text: "FATAL: error 1213 (Deadlock found)", Count: 1},
		{Source: "b.log", Kind: "fatal", Text: "FATAL: error 2013 (Lost connection)", Count: 1},
	}) {
		got = append(got, p.String())
	}
	want := []string{
		"a.png: not-read: an image, and alike in 2 more files",
		"1.csv: not-read: no format that is known; it begins: 1,2, and alike in 1 more file",
		"a.log:7: intervals-missing: intervals 317..318 missing (54 times), and alike in 1 more file",
		"b.log:9: intervals-missing: interval 5 missing",
		"b.gz: copy: holds the same run as b.log, and alike in 1 more file",
		"a.log:2: foreign-line: Instance: c5 (2 times), and alike in 1 more file",
		"a.log: fatal: FATAL: error 1213 (Deadlock found)",
		"b.log: fatal: FATAL: error 2013 (Lost connection)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
