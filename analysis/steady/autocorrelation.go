package steady

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// mean is the mean, its standard error and the effective number of values.
func (s series) mean() (mean, se, ess float64) {
	n := float64(s.len())
	if n == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	mean, sd := meanSD(s.y)
	switch {
	case n == 1:
		return mean, math.NaN(), 1
	case sd == 0:
		return mean, 0, n
	}
	e := make([]float64, s.len())
	for i, y := range s.y {
		e[i] = (y - mean) / sd
	}
	variance, longRun := longRunVariance(e, s.slot, 1)
	return mean, sd * math.Sqrt(longRun/n), n * variance / longRun
}

// longRunVariance returns the variance of the values behind the residuals e and
// the sum of their autocovariances over all lags: n values have a mean with
// variance longRun/n. slot places the residuals in time; fitted is the number
// of parameters that were taken out of them.
//
// The sum ends by the initial positive sequence (Geyer 1992, section 3.3): pairs
// of neighbouring lags as long as the pair is above 0. What is below that is
// noise.
//
// Residuals have lost the slow part of the noise to the fit, so that their
// autocovariances are too small by about fitted times longRun/n at every lag
// (Priestley 1981, section 5.3, for the mean). That is put back, in rounds,
// because longRun is what is sought. Measured at phi 0.6: the 95 % interval of 60
// values covers 93 % instead of 91 %, and a line through 20 values is called a
// trend at 1 % in 4 % instead of 9 %.
func longRunVariance(e []float64, slot []int, fitted int) (variance, longRun float64) {
	n := float64(len(e))
	lost := 0.0
	var found []autocovariance
	at := func(lag int) float64 {
		for len(found) <= lag {
			found = append(found, autocovarianceAt(e, slot, len(found)))
		}
		return found[lag].sum/n + lost*found[lag].pairs/n
	}
	// Beyond a quarter of the series too few pairs are left (Box and Jenkins 1976,
	// chapter 2).
	last := max(1, len(e)/4)
	for range correctionRounds {
		longRun = -at(0)
		for lag := 0; lag+1 <= last; lag += 2 {
			pair := at(lag) + at(lag+1)
			if pair <= 0 {
				break
			}
			longRun += 2 * pair
		}
		variance = at(0)
		// Neither more information than values, nor less than one value.
		longRun = min(max(longRun, variance), n*variance)
		lost = float64(fitted) * longRun / n
	}
	return variance, longRun
}

// correctionRounds: the first estimate and two corrections. A third correction
// changes none of the figures above.
const correctionRounds = 3

// autocovariance is the sum of products of all pairs that lie so many slots
// apart, and how many there are. Holes simply have no pairs: over n values,
// their sum is then what the variance of the mean of those values needs.
type autocovariance struct{ sum, pairs float64 }

func autocovarianceAt(e []float64, slot []int, lag int) (a autocovariance) {
	n := len(e)
	if lag >= n {
		return a
	}
	if slot[n-1]-slot[0] == n-1 { // no holes
		return autocovariance{sum: floats.Dot(e[:n-lag], e[lag:]), pairs: float64(n - lag)}
	}
	j := 0
	for i := range e {
		for j < n && slot[j]-slot[i] < lag {
			j++
		}
		if j == n {
			break
		}
		if slot[j]-slot[i] == lag {
			a.sum += e[i] * e[j]
			a.pairs++
		}
	}
	return a
}
