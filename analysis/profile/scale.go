package profile

import (
	"math"

	"noisefloor/analysis"
)

// working is the scale on which differences are taken, and the way back.
type working interface {
	to(r *Run, weight float64) float64
	from(v float64) float64
	// variance is what sampling alone does to a run's value, for a symbol that
	// has this share of all samples.
	variance(r *Run, share float64) float64
}

// scale is a working scale with its name.
type scale struct {
	name Scale
	working
}

// logit is the scale of shares: log((x + h)/(1 - x + h)), where h is half a
// sample. Half a sample of each run would be Anscombe's empirical logit
// (Anscombe 1956, Biometrika 43, 461-464), but then a symbol that no run
// has ever seen would differ between runs of different length, and an arm with
// more samples would seem to have less of it. So h is half a sample of the
// typical run, for all.
type logit struct{ half float64 }

func newLogit(runs []*Run) logit {
	var n []float64
	for _, r := range runs {
		n = append(n, r.Samples)
	}
	return logit{.5 / analysis.Median(n)}
}

func (l logit) to(r *Run, weight float64) float64 {
	x := min(weight/r.Weight, 1) // sums of floats may end above their whole
	return math.Log((x + l.half) / (1 - x + l.half))
}

func (l logit) from(v float64) float64 {
	e := math.Exp(-math.Abs(v))
	x := (1 + l.half - l.half*e) / (1 + e) // for v >= 0; the other side mirrors it
	if v < 0 {
		x = 1 - x
	}
	if x < l.half*rounding {
		return 0
	}
	return min(x, 1)
}

// rounding is far above what the way to a logarithm and back loses, and far
// below a sample.
const rounding = 1e-9

func (l logit) variance(r *Run, share float64) float64 {
	return 1/(r.Samples*share+.5) + 1/(r.Samples*(1-share)+.5)
}

// rate is the scale of weights for each transaction: log(x + h), where h is the
// weight of half a sample of the typical run over its transactions.
type rate struct{ half float64 }

func newRate(runs []*Run) rate {
	var weight, transactions []float64
	for _, r := range runs {
		weight = append(weight, r.Weight/r.Samples)
		transactions = append(transactions, r.Transactions)
	}
	return rate{.5 * analysis.Median(weight) / analysis.Median(transactions)}
}

func (l rate) to(r *Run, weight float64) float64 { return math.Log(weight/r.Transactions + l.half) }

func (l rate) from(v float64) float64 {
	x := math.Exp(v) - l.half
	if x < l.half*rounding { // nothing, but for what rounding leaves of it
		return 0
	}
	return x
}

func (l rate) variance(r *Run, share float64) float64 {
	return 1 / (r.Samples*share + .5)
}
