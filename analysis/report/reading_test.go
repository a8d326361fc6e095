package report

import (
	"testing"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

func TestReadingDoubts(t *testing.T) {
	got := readingDoubts([]datasets.Problem{
		{Source: "a.log", Line: 1, Kind: "foreign-line", Text: "x", Count: 3}, {Source: "a.log", Line: 1, Kind: "rate-disagrees", Text: "y", Count: 2},
		{Source: "a.log", Line: 9, Kind: "totals-disagree", Text: "z", Count: 1}, {Source: "b.log", Line: 2, Kind: "totals-disagree", Text: "z", Count: 1},
	})
	if len(got) != 1 || got[0] != (analysis.RecordedDisagree{Files: 2, First: "a.log:1: rate-disagrees: y (2 times)"}) {
		t.Errorf("%v", got)
	}
	if got := readingDoubts(nil); got != nil {
		t.Errorf("%v", got)
	}
}
