package steady

import "math"

// mser5 is the first value to keep by MSER-5 (White, Cobb and Spratt 2000): of
// the means of 5 neighbouring values, leave out as many at the start as make
// the sum of squares over (number left)^2 smallest. -1 if that is in the second
// half, which the rule takes for "no steady state found".
func mser5(y []float64) int {
	const batch = 5
	m := len(y) / batch
	if m < 2 {
		return -1
	}
	// Centred, and from the end backwards: the sums of what is left.
	centre, scale := meanSD(y)
	if scale == 0 {
		return 0
	}
	best, lowest := 0, math.Inf(1)
	var sum, square float64
	// The last few batches alone look quiet by chance.
	const least = 5
	for d := m - 1; d >= 0; d-- {
		z := 0.0
		for _, v := range y[d*batch : (d+1)*batch] {
			z += (v - centre) / scale / batch
		}
		sum, square = sum+z, square+z*z
		left := float64(m - d)
		squares := square - sum*sum/left
		if squares < 1e-12*square { // what cancellation leaves of equal values
			squares = 0
		}
		if value := squares / (left * left); left >= least && value <= lowest {
			best, lowest = d, value
		}
	}
	if 2*best > m || math.IsInf(lowest, 1) {
		return -1
	}
	return best * batch
}
