package profile

import (
	"cmp"
	"math"
	"slices"

	"noisefloor/analysis/compare"
)

// Top gives the typical share of every symbol in runs of one arm, in Base, with
// the interval of that in Lo and Hi: from day to day where there are two days
// or more, else from launch to launch, which speaks for that day alone; NaN
// where nothing was repeated.
func Top(c *Collect, opt Options) Result {
	opt = opt.withDefaults()
	runs := c.usable()
	var res Result
	if len(runs) == 0 {
		return res
	}
	on := newLogit(runs)
	places := make([]compare.Run, len(runs))
	for s, symbol := range c.Symbols {
		inSelf := func(r *Run) float64 { return at(r.Self, s) }
		inTotal := func(r *Run) float64 { return at(r.Total, s) }
		if samplesOf(runs, inTotal) < opt.MinSamples {
			res.Rare.Symbols++
			res.Rare.Share += samplesOf(runs, inSelf)
			continue
		}
		add := func(kind Kind, weight func(*Run) float64) {
			samples := samplesOf(runs, weight)
			if samples < opt.MinSamples {
				return
			}
			for i, r := range runs {
				places[i] = r.Run
				places[i].Value = on.to(r, weight(r))
			}
			row := typical(symbol, kind, Share, places, opt, on.from)
			row.Samples = samples
			res.Rows = append(res.Rows, row)
		}
		add(Self, inSelf)
		add(Total, inTotal)
	}
	res.Rare.Below = opt.MinSamples
	res.Rare.Share /= samplesOf(runs, func(r *Run) float64 { return r.Weight })
	res.one(runs)
	return res
}

// TopWaits is Top of wait events.
func TopWaits(runs []Waiting, opt Options) Result {
	var res Result
	places := make([]compare.Run, len(runs))
	all := make([]*Run, len(runs))
	for i := range runs {
		all[i] = &Run{Run: runs[i].Run}
	}
	for _, event := range events(runs) {
		known := places[:0]
		for _, r := range runs {
			if v := r.Sessions[event]; !math.IsNaN(v) {
				r.Run.Value = v
				known = append(known, r.Run)
			}
		}
		res.Rows = append(res.Rows, typical(event, Wait, Sessions, known, opt, func(v float64) float64 { return v }))
	}
	res.one(all)
	return res
}

func typical(symbol string, kind Kind, scale Scale, places []compare.Run, opt Options, from func(float64) float64) *Row {
	confidence := opt.Confidence
	if confidence == 0 {
		confidence = .95
	}
	row := blank(symbol, kind, scale)
	means := sittings(places)
	t := compare.Paired(make([]float64, len(means)), means) // against nothing: a t test of one sample
	row.Base = from(t.Estimate)
	if t.SE > 0 {
		lo, hi := t.Interval(confidence)
		row.Lo, row.Hi = from(lo), from(hi)
	}
	return row
}

// one fills in what is known of the runs of one arm, and sorts.
func (res *Result) one(runs []*Run) {
	days := map[string]bool{}
	for _, r := range runs {
		if r.Day != "" {
			days[r.Day] = true
		}
	}
	res.Runs[0], res.Days[0] = len(runs), len(days)
	slices.SortStableFunc(res.Rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.Base, a.Base), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Kind, b.Kind))
	})
}

// sittings are the means that count as replicates: of days, or on one day of
// its launches; one number where nothing was repeated.
func sittings(runs []compare.Run) []float64 {
	type launch struct{ day, launch string }
	inLaunch := map[launch][]float64{}
	var launches []launch
	for _, r := range runs {
		l := launch{r.Day, r.Launch}
		if inLaunch[l] == nil {
			launches = append(launches, l)
		}
		inLaunch[l] = append(inLaunch[l], r.Value)
	}
	inDay := map[string][]float64{}
	var days []string
	named := true
	for _, l := range launches {
		if inDay[l.day] == nil {
			days = append(days, l.day)
		}
		inDay[l.day] = append(inDay[l.day], mean(inLaunch[l]))
		named = named && l.launch != ""
	}
	if len(days) == 1 && named {
		return inDay[days[0]]
	}
	var means []float64
	for _, d := range days {
		if d != "" || len(days) == 1 { // beside known days, runs without one are left out
			means = append(means, mean(inDay[d]))
		}
	}
	return means
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	if len(x) == 0 {
		return math.NaN()
	}
	return sum / float64(len(x))
}
