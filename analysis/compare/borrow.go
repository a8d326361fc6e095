package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"noisefloor/analysis"
)

// Donor is noise borrowed from other data, for a design with too few days to
// show its own: what daily differences of two arms, or days of one arm, spread
// there.
type Donor struct {
	Name  string // "data set nightly/", or the numbers as given
	Ratio Spread // of daily differences of two arms
	Day   Spread // of the day means of one arm
}

// Spread is a standard deviation on the working scale with its degrees of
// freedom; the zero value is none.
type Spread struct {
	SD, DF float64
	// Runs of an arm a day are behind each of the days, with RunSD between them;
	// 0 = unknown, and then days of as few runs as the borrower's are assumed.
	Runs  int
	RunSD float64
}

func (s Spread) known() bool { return s.SD > 0 && s.DF > 0 }

// donorDays is the fewest days that noise is borrowed from.
const donorDays = 3

// NewDonor measures the noise of other runs: of a base (0) and a contender (1),
// or of one arm alone. Whether the arms differ there plays no role.
func NewDonor(name string, runs []Run, opt Options) Donor {
	opt = opt.withDefaults()
	t := tabulate(runs, opt)
	donor := Donor{Name: name}
	if t.notPositive > 0 {
		return donor
	}
	spread := func(x []float64, cells ...*cell) Spread {
		if len(x) < donorDays {
			return Spread{}
		}
		_, ss := meanAndSquares(x)
		s := Spread{SD: math.Sqrt(ss / float64(len(x)-1)), DF: float64(len(x) - 1), RunSD: t.withinSD()}
		for _, c := range cells {
			s.Runs = max(s.Runs, c.size()) // the most, so that too few of the borrower's are noticed
		}
		return s
	}
	days := onDays(NoMethod, t.sharedDays()...)
	base, contender := means(days.cells[0]), means(days.cells[1])
	d := make([]float64, len(base))
	for i := range d {
		d[i] = contender[i] - base[i]
	}
	donor.Ratio = spread(d, append(days.cells[0], days.cells[1]...)...)
	for arm := range 2 { // the noisier arm
		own := t.cells(arm, true)
		if s := spread(means(own), own...); s.SD > donor.Day.SD {
			donor.Day = s
		}
	}
	return donor
}

// ParseDonor reads noise given in numbers: "sd_ratio=1.2%,df=4" is the SD of
// daily log ratios of two arms, "sd_day=4%,df=6" that of one arm's day means;
// runs=3,sd_run=0.8% say how many runs an arm a day were behind it.
func ParseDonor(text string) (Donor, error) {
	const want = "want sd_ratio=1.2%,df=4 (SD of daily ratios of two arms) or sd_day=4%,df=6 (SD of one arm's days); runs=3,sd_run=0.8% may follow"
	d := Donor{Name: text}
	given := map[string]float64{}
	for pair := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		number, isPercent := strings.CutSuffix(strings.TrimSpace(value), "%")
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if isPercent {
			x /= 100
		}
		if _, twice := given[key]; !ok || twice || err != nil || !(x > 0) || math.IsInf(x, 0) {
			return d, fmt.Errorf("%q: %s", pair, want)
		}
		given[key] = x
	}
	s := Spread{DF: given["df"], Runs: int(given["runs"]), RunSD: given["sd_run"]}
	if s.DF < donorDays-1 {
		return d, fmt.Errorf("%q: df is the number of days behind it less one, and at least %d: %s", text, donorDays-1, want)
	}
	if (s.Runs > 0) != (s.RunSD > 0) {
		return d, fmt.Errorf("%q: runs and sd_run go together: %s", text, want)
	}
	for key, x := range given {
		switch key {
		case "sd_ratio":
			d.Ratio = s
			d.Ratio.SD = x
		case "sd_day":
			d.Day = s
			d.Day.SD = x
		case "df", "runs", "sd_run":
		default:
			return d, fmt.Errorf("%q: no number is called %q: %s", text, key, want)
		}
	}
	if !d.Ratio.known() && !d.Day.known() {
		return d, fmt.Errorf("%q: %s", text, want)
	}
	return d, nil
}

// widestDonor serves the mean over strata: the SD of a mean is at most the
// largest of theirs, whatever they have in common. nil if a stratum has none.
func widestDonor(cs []*candidate) *Donor {
	var widest Donor
	for i, c := range cs {
		d := c.donor
		if d == nil {
			return nil
		}
		if i == 0 {
			widest = *d
			continue
		}
		widest.Ratio, widest.Day = wider(widest.Ratio, d.Ratio), wider(widest.Day, d.Day)
	}
	return &widest
}

func wider(a, b Spread) Spread {
	if !a.known() || !b.known() {
		return Spread{}
	}
	return Spread{SD: max(a.SD, b.SD), DF: min(a.DF, b.DF), Runs: max(a.Runs, b.Runs), RunSD: max(a.RunSD, b.RunSD)}
}

// borrow finds a rule for a design that has none of its own: arms that share
// one day, or on separate single days. A variance is only ever added, never a
// component taken off: that would be false in up to 22 % (METHODS.md section 3).
func (t *table) borrow(refused rule, donor *Donor) (rule, analysis.Warning) {
	if donor == nil || t.unknownDay() != nil {
		return refused, nil
	}
	own := [2][]*cell{t.cells(0, true), t.cells(1, true)}
	r := rule{method: BorrowedNoise}
	var s Spread
	bound := true // an SD of days, of which two arms on one day share some or all
	switch shared := t.sharedDays(); {
	case len(shared) == 1 && donor.Ratio.known():
		r, s, bound = onDays(BorrowedNoise, shared...), donor.Ratio, false
	case len(shared) == 1:
		r, s = onDays(BorrowedNoise, shared...), donor.Day
	case len(shared) == 0 && len(own[0]) == 1 && len(own[1]) == 1:
		r.cells, s = own, donor.Day
		r.notes = append(r.notes, t.checkSequence())
	default:
		return refused, nil
	}
	if !s.known() {
		return refused, analysis.DonorLacks{Donor: donor.Name, Shared: len(r.days) > 0}
	}
	variance := s.SD * s.SD
	if bound {
		variance *= 2
	}
	if s.Runs > 0 && s.RunSD > 0 {
		fewest := math.MaxInt
		for _, c := range []*cell{r.cells[0][0], r.cells[1][0]} {
			for _, n := range c.runs {
				fewest = min(fewest, n)
			}
		}
		variance += max(0, 2*s.RunSD*s.RunSD*(1/float64(fewest)-1/float64(s.Runs)))
	}
	r.borrowed = Test{SE: math.Sqrt(variance), DF: s.DF}
	r.notes = append(r.notes, analysis.NoiseBorrowed{Donor: donor.Name, SD: math.Sqrt(variance), DF: s.DF, Bound: bound})
	return r, nil
}
