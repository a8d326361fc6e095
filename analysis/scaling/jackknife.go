package scaling

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
)

// replicates is a law fitted to an arm, and fitted again without each of its
// days: the spread of these fits is what the days say about the curve (delete-one
// jackknife, Quenouille 1956, Tukey 1958). The day is the unit that is left out
// because runs of a day share its luck.
type replicates struct {
	full    *fit
	without []*fit // one for each day; nil with fewer than two

	// A parameter on its bound says nothing about how far beyond it the data
	// would go, so where any fit ends on a bound, intervals come from fits without
	// bounds, cut at the bound afterwards. Otherwise these are the fits above.
	wide        *fit
	wideWithout []*fit
}

// replicate fits the law to all days and without each of them.
func (f *fitter) replicate(l law, s *sample) *replicates {
	y := s.logMeans(f.natural)
	r := &replicates{full: f.fit(l, s, y, nil, false)}
	if !r.full.ok() {
		return r
	}
	days := s.days
	if len(days) < 2 {
		days = nil
	}
	all := func(warm *fit, extended bool) (fits []*fit, bound bool) {
		for _, out := range days {
			one := f.fit(l, s.only(func(day string) bool { return day != out }), y, warm.p, extended)
			if !one.ok() {
				return nil, bound
			}
			one.s = &sample{axis: s.axis} // as many samples as days are more than memory should hold
			bound = bound || one.bound
			fits = append(fits, one)
		}
		return fits, bound
	}
	var bound bool
	r.without, bound = all(r.full, false)
	r.wide, r.wideWithout = r.full, r.without
	if bound || r.full.bound {
		if wide := f.fit(l, s, y, r.full.p, true); wide.ok() {
			if without, _ := all(wide, true); len(without) == len(days) {
				r.wide, r.wideWithout = wide, without
			}
		}
	}
	return r
}

// days is how many days the intervals rest on.
func (r *replicates) days() int { return len(r.without) }

// spread is the jackknife's standard error of a number from each fit.
func spread(without []float64) float64 {
	d := float64(len(without))
	if d < 2 {
		return math.NaN()
	}
	m := mean(without)
	var ss float64
	for _, v := range without {
		ss += sq(v - m)
	}
	return math.Sqrt(ss * (d - 1) / d)
}

// of takes a number out of each fit.
func of(fits []*fit, g func(*fit) float64) []float64 {
	v := make([]float64, len(fits))
	for i, f := range fits {
		v[i] = g(f)
	}
	return v
}

// quantile is that of Student's t on both sides, with a degree of freedom for each
// day but one.
func quantile(days int, confidence float64) float64 {
	if days < 2 {
		return math.NaN()
	}
	return student(days).Quantile(.5 + confidence/2)
}

func student(days int) distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(days - 1)}
}

// estimate is value +- t standard errors.
func estimate(value float64, without []float64, confidence float64) analysis.Estimate {
	half := quantile(len(without), confidence) * spread(without)
	return analysis.Estimate{Value: value, Lo: value - half, Hi: value + half, Confidence: confidence}
}

// onLogs is estimate for what is above 0, made on logs; where a fit left it at or
// below 0, made on the values.
func onLogs(value float64, without []float64, confidence float64) analysis.Estimate {
	logs := make([]float64, len(without))
	for i, v := range without {
		logs[i] = math.Log(v)
	}
	e := estimate(math.Log(value), logs, confidence)
	if !known(e.Value) || len(without) > 1 && !known(e.Lo) {
		return estimate(value, without, confidence)
	}
	return analysis.Estimate{Value: value, Lo: math.Exp(e.Lo), Hi: math.Exp(e.Hi), Confidence: confidence}
}

// term is the estimate of the i-th term. Its interval is made without bounds and
// then cut at them, which leaves it one-sided.
func (r *replicates) term(i int, t termName, confidence float64) analysis.Estimate {
	take := func(f *fit) float64 { return f.values()[i] }
	value, without := take(r.wide), of(r.wideWithout, take)
	var e analysis.Estimate
	if t.positive {
		e = onLogs(value, without, confidence)
	} else {
		e = estimate(value, without, confidence)
	}
	e.Value = take(r.full)
	e.Lo, e.Hi = math.Max(math.Min(e.Lo, e.Value), t.lo), math.Min(math.Max(e.Hi, e.Value), t.hi)
	return finiteBounds(e)
}

// finiteBounds makes a bound that is not known NaN.
func finiteBounds(e analysis.Estimate) analysis.Estimate {
	if !known(e.Lo) {
		e.Lo = math.NaN()
	}
	if !known(e.Hi) {
		e.Hi = math.NaN()
	}
	return e
}

func known(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
