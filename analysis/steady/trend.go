package steady

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// trendLevel is the p below which a stretch has a trend. Every steady run is
// tested, and a false alarm takes the steady state of a whole stratum away.
const trendLevel = 0.01

// line is a straight line fitted to a stretch.
type line struct {
	from, to float64 // fitted values at both ends
	p        float64 // two-sided, for no slope
	squares  float64 // of the residuals
}

// fitLine is least squares with a standard error that counts the
// autocorrelation of the residuals in: the slope's variance is longRun/Sxx for
// a regressor as smooth as time (Grenander 1954), longRun from the residuals.
// Student's t has as many degrees of freedom as there are independent values,
// less two. Mann-Kendall with a corrected variance (Hamed and Rao 1998) tests
// the same but gives no size of the change, which the margin has to be held
// against; prewhitening takes part of the trend away with the noise (Yue et al.
// 2002).
func fitLine(t, y []float64, slot []int) line {
	n := float64(len(y))
	meanY, sd := meanSD(y)
	meanT, spreadT := meanSD(t)
	if sd == 0 || spreadT == 0 || len(y) < 3 {
		return line{from: meanY, to: meanY, p: 1, squares: n * sd * sd}
	}
	// Both in standard deviations, so that the slope is the correlation.
	slope := 0.0
	for i := range y {
		slope += (t[i] - meanT) / spreadT * (y[i] - meanY) / sd / n
	}
	e := make([]float64, len(y))
	for i := range y {
		e[i] = (y[i]-meanY)/sd - slope*(t[i]-meanT)/spreadT
	}
	l := line{
		from: meanY + sd*slope*(t[0]-meanT)/spreadT,
		to:   meanY + sd*slope*(t[len(t)-1]-meanT)/spreadT,

		squares: n * sd * sd * (1 - slope*slope),
	}
	if 1-slope*slope < 1e-12 { // a straight line to the last digit
		return l
	}
	variance, longRun := longRunVariance(e, slot, 2)
	df := max(1, n*variance/longRun-2)
	l.p = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(math.Abs(slope)/math.Sqrt(longRun/n))
	return l
}

// halves is how far the means of the two halves of the line lie apart, as a
// fraction of the whole.
func (l line) halves() float64 { return math.Abs((l.to - l.from) / (l.to + l.from)) }

// drifts says whether the line is a trend that matters: more than chance, and so
// steep that its two halves are not one level within the margin.
func (l line) drifts(margin float64) bool { return l.p < trendLevel && l.halves() > margin }
