package levmar

import "math"

// triangulate turns a matrix of so many rows and columns, stored column by
// column, into R of its QR decomposition by Householder reflections (Golub & Van
// Loan, Matrix Computations, algorithm 5.2.1), and applies them to b. What stood
// below the diagonal is lost.
func triangulate(a, b []float64, rows, columns int) {
	for k := range min(rows, columns) {
		v := a[k*rows+k : (k+1)*rows]
		norm := math.Sqrt(dot(v, v))
		if norm == 0 {
			continue
		}
		if v[0] > 0 { // away from v, so that nothing cancels
			norm = -norm
		}
		diagonal := v[0]
		v[0] -= norm
		// |v|² / 2, since norm² = diagonal² + the rest.
		half := norm * (norm - diagonal)
		for l := k + 1; l < columns; l++ {
			reflect(a[l*rows+k:(l+1)*rows], v, half)
		}
		reflect(b[k:rows], v, half)
		v[0] = norm
	}
}

func reflect(x, v []float64, half float64) {
	f := dot(x, v) / half
	for i := range x {
		x[i] -= f * v[i]
	}
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func sq(x float64) float64   { return x * x }
func cube(x float64) float64 { return x * x * x }
