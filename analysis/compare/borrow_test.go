package compare

import (
	"math"
	"strings"
	"testing"

	"noisefloor/analysis"
)

// By hand: daily log ratios log 1.01, log 1.03, log 1.02 of the donor.
func TestBorrowedFromTwoArms(t *testing.T) {
	donor := NewDonor("nightly", session("d1 A 100", "d1 B 101", "d2 A 200", "d2 B 206", "d3 A 100", "d3 B 102"), Options{})
	a, b, c := math.Log(1.01), math.Log(1.03), math.Log(1.02)
	m := (a + b + c) / 3
	sd := math.Sqrt(((a-m)*(a-m) + (b-m)*(b-m) + (c-m)*(c-m)) / 2)
	near(t, "SD", donor.Ratio.SD, sd, 1e-12)
	if donor.Ratio.DF != 2 || donor.Ratio.Runs != 1 {
		t.Errorf("%+v, want 2 df and 1 run", donor.Ratio)
	}
	r := Judge(session("x A 100 100", "x B 120 120"), Options{Better: 1, Donor: &donor})
	wantVerdict(t, "20 % on one day, days within 1 %", r, analysis.Faster)
	near(t, "SE", r.SE, sd, 1e-12)
	near(t, "hi", math.Log(r.Hi), math.Log(1.2)+tQuantile(.975, 2)*sd, 1e-9)
	if r.Method != BorrowedNoise || r.DF != 2 {
		t.Errorf("method %s, df %v", r.Method, r.DF)
	}
	if w := warned[analysis.NoiseBorrowed](t, r); w.Donor != "nightly" || w.Bound {
		t.Errorf("%+v", w)
	}
	if s := Sentence(r, "tps", "A", "B", ""); !strings.Contains(s, "as noisy as nightly") {
		t.Errorf("%q does not name the donor", s)
	}
}

// Fewer runs than the donor's days had: their spread is added; more never takes
// anything off. By hand: 2 (.02)^2 (1/1 - 1/4).
func TestBorrowedRuns(t *testing.T) {
	donor := Donor{Name: "n", Ratio: Spread{SD: .01, DF: 5, Runs: 4, RunSD: .02}}
	few := Judge(session("x A 100", "x B 105"), Options{Donor: &donor, IgnoreOrder: true})
	near(t, "one run", few.SE, math.Sqrt(.01*.01+2*.02*.02*.75), 1e-12)
	many := Judge(session("x A 100 100 100 100 100", "x B 105 105 105 105 105"), Options{Donor: &donor})
	near(t, "five runs", many.SE, .01, 1e-12)
}

// One arm's days bound both: 2 sd^2, also for arms on days of their own.
func TestBorrowedFromOneArm(t *testing.T) {
	donor := NewDonor("one", session("d1 A 100 100", "d2 A 101 101", "d3 A 103 103", "d4 A 99 99"), Options{})
	if donor.Ratio.known() {
		t.Errorf("a ratio from one arm: %+v", donor.Ratio)
	}
	for name, lines := range map[string][]string{"one day": {"x A 100 100", "x B 130 130"}, "a day each": {"x A 100 100", "y B 130 130"}} {
		r := Judge(session(lines...), Options{Better: 1, Donor: &donor})
		near(t, name, r.SE, math.Sqrt2*donor.Day.SD, 1e-12)
		wantVerdict(t, name, r, analysis.Faster)
		if w := warned[analysis.NoiseBorrowed](t, r); !w.Bound {
			t.Errorf("%s: %+v, want a bound", name, w)
		}
	}
}

// What borrowing does not reach.
func TestNothingBorrowed(t *testing.T) {
	ratio := Donor{Name: "r", Ratio: Spread{SD: .01, DF: 4}}
	check := func(name string, donor Donor, runs []Run, kind string) {
		t.Helper()
		r := Judge(runs, Options{Better: 1, Donor: &donor})
		wantVerdict(t, name, r, analysis.Unsupported)
		if ks := kinds(r); ks[0] != kind {
			t.Errorf("%s: %v, want %s first", name, ks, kind)
		}
	}
	check("two arms' ratio for arms on days of their own", ratio, session("x A 100 101", "y B 130 131"), "separate-single-days")
	check("unknown days may be different ones", ratio, session("? A 100 101", "? B 130 131"), "day-unknown")
	check("one arm always first", ratio, inBlocks(session("x A 100 101", "x B 130 131"), 0, "x"), "same-order")
	check("a donor of two days", NewDonor("two", session("d1 A 1", "d1 B 1", "d2 A 1", "d2 B 1.1"), Options{}), session("x A 100 101", "x B 130 131"), "one-shared-day")
	r := Judge(session("x A 100 101", "y B 130 131"), Options{Donor: &ratio})
	if w := warned[analysis.DonorLacks](t, r); w.Shared || !strings.Contains(w.Text(), "days of their own") {
		t.Errorf("%+v", w)
	}
	// A design that can answer borrows nothing.
	own := Judge(session("d1 A 100", "d1 B 105", "d2 A 100", "d2 B 106"), Options{Donor: &ratio})
	if own.Method != DayDifferences {
		t.Errorf("method %s for two shared days", own.Method)
	}
}

func TestParseDonor(t *testing.T) {
	d, err := ParseDonor("sd_ratio=1.2%,df=4")
	if err != nil || d.Ratio != (Spread{SD: .012, DF: 4}) || d.Day.known() || d.Name != "sd_ratio=1.2%,df=4" {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = ParseDonor("sd_day=0.04, df=6, runs=3, sd_run=1%")
	if err != nil || d.Day != (Spread{SD: .04, DF: 6, Runs: 3, RunSD: .01}) {
		t.Errorf("%+v, %v", d, err)
	}
	for text, want := range map[string]string{
		"sd_ratio=1.2%":           "df is the number of days",
		"sd_ratio=1.2%,df=1":      "at least 2",
		"df=4":                    "want sd_ratio",
		"sd_ratio=-1%,df=4":       `"sd_ratio=-1%"`,
		"sd_ratio=x,df=4":         `"sd_ratio=x"`,
		"sd=1%,df=4":              `no number is called "sd"`,
		"sd_ratio=1%,df=4,runs=3": "go together",
		"sd_ratio=1%,sd_ratio=2%": "want",
		"":                        "want",
	} {
		if _, err := ParseDonor(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The mean over strata takes the widest of their donors, and none if one lacks it.
func TestHeadlineBorrows(t *testing.T) {
	narrow, wide := Donor{Name: "n", Ratio: Spread{SD: .01, DF: 9}}, Donor{Name: "n", Ratio: Spread{SD: .02, DF: 4}}
	runs := session("x A 100 101", "x B 130 131")
	h, _ := Headline([]Stratum{{Label: "1", Runs: runs, Donor: &narrow}, {Label: "2", Runs: runs, Donor: &wide}}, Options{Better: 1})
	wantVerdict(t, "30 % in both", h, analysis.Faster)
	if h.SE != .02 || h.DF != 4 {
		t.Errorf("SE %v, df %v; want .02, 4", h.SE, h.DF)
	}
	h, _ = Headline([]Stratum{{Label: "1", Runs: runs, Donor: &narrow}, {Label: "2", Runs: runs}}, Options{Better: 1})
	wantVerdict(t, "a stratum without a donor", h, analysis.Unsupported)
}
