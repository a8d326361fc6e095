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
	v = v[:len(x)]
	for i := range x {
		x[i] -= f * v[i]
	}
}

// dot adds in four sums, which do not wait for each other.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, v := range a {
		s0 += v * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func sq(x float64) float64   { return x * x }
func cube(x float64) float64 { return x * x * x }
