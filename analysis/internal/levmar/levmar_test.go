package levmar

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// line is y = a + b x through (0, 1), (1, 3), (2, 5), (3, 7): a = 1, b = 2.
func line(p, r, jac []float64) bool {
	for i := range 4 {
		x := float64(i)
		r[i] = p[0] + p[1]*x - (1 + 2*x)
		jac[i], jac[4+i] = 1, x
	}
	return true
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

// By hand: with b held at 1.5, a is the mean of y - 1.5 x, 4 - 2.25; with a held
// at 1.5, b = sum x (y - 1.5) / sum x² = (1.5 + 7 + 16.5)/14.
func TestBounds(t *testing.T) {
	var s Solver
	check := func(name string, start, lo, hi []float64, a, b float64) {
		t.Helper()
		res := s.Minimise(line, 4, start, Options{Lo: lo, Hi: hi})
		near(t, name+", a", res.P[0], a, 1e-12)
		near(t, name+", b", res.P[1], b, 1e-12)
		if res.Status != Converged {
			t.Errorf("%s: %v", name, res.Status)
		}
	}
	inf := math.Inf(1)
	check("inside", []float64{0, 0}, []float64{-5, -5}, []float64{5, 5}, 1, 2)
	check("upper bound of b", []float64{0, 0}, []float64{-inf, -inf}, []float64{inf, 1.5}, 1.75, 1.5)
	check("lower bound of a", []float64{4, 4}, []float64{1.5, -inf}, []float64{inf, inf}, 1.5, 25.0/14)
	check("a start on the wrong bound", []float64{1.5, 1.5}, []float64{-inf, -inf}, []float64{1.5, 1.5}, 1.5, 1.5)
	check("a start outside", []float64{90, 90}, []float64{0, 0}, []float64{5, 5}, 1, 2)
	check("nothing may move", []float64{3, 3}, []float64{3, 3}, []float64{3, 3}, 3, 3)
}

func TestStatus(t *testing.T) {
	check := func(name string, f Func, m int, start []float64, opt Options, want Status) {
		t.Helper()
		var s Solver
		if res := s.Minimise(f, m, start, opt); res.Status != want {
			t.Errorf("%s: %v, want %v (%v)", name, res.Status, want, res.P)
		}
	}
	check("a line", line, 4, []float64{9, 9}, Options{}, Converged)
	check("no value", func(p, r, jac []float64) bool { return false }, 2, []float64{1}, Options{}, NoValue)
	check("not a number", func(p, r, jac []float64) bool {
		r[0] = math.Log(p[0])
		jac[0] = 1 / p[0]
		return true
	}, 1, []float64{-1}, Options{}, NoValue)
	// A valley with a bend: Rosenbrock's, minimum at (1, 1).
	rosenbrock := func(p, r, jac []float64) bool {
		r[0], r[1] = 10*(p[1]-p[0]*p[0]), 1-p[0]
		jac[0], jac[1], jac[2], jac[3] = -20*p[0], -1, 10, 0
		return true
	}
	check("Rosenbrock", rosenbrock, 2, []float64{-1.2, 1}, Options{}, Converged)
	check("Rosenbrock in two steps", rosenbrock, 2, []float64{-1.2, 1}, Options{Steps: 2}, StepLimit)
	// exp(-p) has no minimum: it goes on until nothing is left of it.
	check("a wall beside the start", func(p, r, jac []float64) bool {
		if p[0] > 1 {
			return false
		}
		r[0] = p[0] - 2
		jac[0] = 1
		return true
	}, 1, []float64{0}, Options{}, Stalled)
}

// Two columns that are one: the fit is as good, and Inverse says no.
func TestRankDeficient(t *testing.T) {
	var s Solver
	f := func(p, r, jac []float64) bool {
		for i := range 3 {
			r[i] = p[0] + p[1] - float64(i)
			jac[i], jac[3+i] = 1, 1
		}
		return true
	}
	res := s.Minimise(f, 3, []float64{5, 5}, Options{})
	near(t, "sum of parameters", res.P[0]+res.P[1], 1, 1e-9)
	near(t, "sum of squares", res.SS, 2, 1e-9)
	if _, ok := Inverse([]float64{1, 1, 1, 1, 1, 1}, 3, 2); ok {
		t.Error("an inverse where there is none")
	}
	// More parameters than residuals.
	wide := func(p, r, jac []float64) bool {
		r[0] = p[0] + 2*p[1] - 3
		jac[0], jac[1] = 1, 2
		return true
	}
	if res := s.Minimise(wide, 1, []float64{0, 0}, Options{}); res.SS > 1e-18 {
		t.Errorf("one residual, two parameters: %g is left", res.SS)
	}
}

// R'R = A'A, and the length of b stays: against gonum's product.
func TestTriangulate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, size := range [][2]int{{1, 1}, {3, 2}, {2, 3}, {9, 4}, {40, 7}} {
		rows, columns := size[0], size[1]
		a, b := make([]float64, rows*columns), make([]float64, rows)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		before := mat.NewDense(columns, rows, append([]float64{}, a...)) // its transpose
		length := dot(b, b)
		triangulate(a, b, rows, columns)
		r := mat.NewDense(columns, rows, nil)
		for j := range columns {
			for i := 0; i <= min(j, rows-1); i++ {
				r.Set(j, i, a[j*rows+i])
			}
		}
		var want, got mat.Dense
		want.Mul(before, before.T())
		got.Mul(r, r.T())
		if !mat.EqualApprox(&want, &got, 1e-12) {
			t.Errorf("%d x %d: R'R differs from A'A", rows, columns)
		}
		near(t, "length", dot(b, b), length, 1e-12)
	}
}

func TestNoAllocation(t *testing.T) {
	var s Solver
	start := []float64{9, 9}
	s.Minimise(line, 4, start, Options{})
	if n := testing.AllocsPerRun(100, func() { s.Minimise(line, 4, start, Options{}) }); n > 0 {
		t.Errorf("%g allocations a fit", n)
	}
}
