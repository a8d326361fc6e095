package noise

import (
	"math"

	"noisefloor/analysis"
)

// Within is what the intervals of one run say, taken in time order.
type Within struct {
	Intervals int     // 0 = unknown
	SD        float64 // of one interval, relative to the run's mean
	SE        float64 // of the run's mean, relative, with neighbours' likeness counted in
	DF        float64 // independent intervals less one
}

// poolWithin gives the spread of one interval and the mean square error of a
// run's mean; Intervals is 0 unless every run has them.
func poolWithin(runs []Run) (pooled Within) {
	var squares, errors float64
	for _, r := range runs {
		w := r.Within
		if w.Intervals == 0 || !(w.DF > 0) || !(w.SE >= 0) {
			return Within{}
		}
		pooled.Intervals += w.Intervals
		pooled.DF += w.DF
		squares += w.DF * sq(w.SD)
		errors += sq(w.SE)
	}
	pooled.SD, pooled.SE = math.Sqrt(squares/pooled.DF), math.Sqrt(errors/float64(len(runs)))
	return pooled
}

// withIntervals adds the level of intervals. What run values scatter by is the
// run's own share and the error of its mean: the correlation-corrected one,
// since rows taken as independent would leave the run too large a share. The
// bounds of the run's share are those of the sum, less that error, which is far
// better known.
func (l *layout) withIntervals(components []Component, confidence float64) []Component {
	if l.within.Intervals == 0 {
		return components
	}
	run := &components[len(components)-1]
	less := func(sd float64) float64 { return math.Sqrt(max(0, sq(sd)-sq(l.within.SE))) }
	run.SDRel, run.Lo, run.Hi = less(run.SDRel), less(run.Lo), less(run.Hi)
	run.Var = sq(run.SDRel)
	v := chiSquare(sq(l.within.SD), l.within.DF, confidence)
	components = append(components, Component{Level: Interval, Var: v.Value, SDRel: l.within.SD, Lo: math.Sqrt(v.Lo), Hi: math.Sqrt(v.Hi), DF: l.within.DF, Method: MethodChiSquare})
	setShares(components)
	return components
}

// alikeLevel and alikeLeast: neighbours that are alike beyond chance (3 standard
// errors of a correlation of 0, 1 in 700) and enough to matter: .2 makes the
// error of a mean 1.2 times what it seems.
const (
	alikeLevel = 3
	alikeLeast = 0.2
)

// neighbours warns if intervals that were fitted as independent rows follow each
// other.
func (l *layout) neighbours() []analysis.Warning {
	if l.run == nil {
		return nil
	}
	sum, count := make([]float64, l.runs), make([]float64, l.runs)
	for i, r := range l.run {
		sum[r] += l.y[i]
		count[r]++
	}
	last := make([]float64, l.runs)
	for i := range last {
		last[i] = math.NaN()
	}
	var product, square, pairs float64
	for i, r := range l.run {
		e := l.y[i] - sum[r]/count[r]
		square += e * e
		if !math.IsNaN(last[r]) {
			product += last[r] * e
			pairs++
		}
		last[r] = e
	}
	if c := product / square; c > alikeLeast && c*math.Sqrt(pairs) > alikeLevel {
		return []analysis.Warning{analysis.RowsAlike{Correlation: c}}
	}
	return nil
}
