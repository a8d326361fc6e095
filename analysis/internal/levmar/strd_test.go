package levmar

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/dual"
)

// strd is one set of testdata/strd.txt.
type strd struct {
	name          string
	starts        [2][]float64
	certified, sd []float64
	rss           float64
	y             []float64
	x             [][]float64
}

func readStRD(t testing.TB) []strd {
	t.Helper()
	text, err := os.ReadFile("testdata/strd.txt")
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var sets []strd
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if words[0] == "set" {
			sets = append(sets, strd{name: words[1]})
			continue
		}
		s := &sets[len(sets)-1]
		switch words[0] {
		case "parameter":
			for i := range s.starts {
				s.starts[i] = append(s.starts[i], number(words[1+i]))
			}
			s.certified = append(s.certified, number(words[3]))
			s.sd = append(s.sd, number(words[4]))
		case "rss":
			s.rss = number(words[1])
		default:
			s.y = append(s.y, number(words[0]))
			var x []float64
			for _, w := range words[1:] {
				x = append(x, number(w))
			}
			s.x = append(s.x, x)
		}
	}
	return sets
}

// The models of the sets, as their files print them. Numbers are dual, which
// makes derivatives exact.
type number = dual.Number

func k(v float64) number               { return number{Real: v} }
func times(v float64, a number) number { return dual.Scale(v, a) }
func over(a, b number) number          { return dual.Mul(a, dual.Inv(b)) }
func mul(a ...number) number           { return fold(dual.Mul, a) }
func add(a ...number) number           { return fold(dual.Add, a) }
func decay(rate number, x float64) number {
	return dual.Exp(times(-x, rate))
}
func fold(f func(a, b number) number, a []number) number {
	v := a[0]
	for _, w := range a[1:] {
		v = f(v, w)
	}
	return v
}
func square(a number) number { return dual.Mul(a, a) }

// poly is c0 + c1 x + c2 x² + ...
func poly(x float64, c ...number) number {
	v := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		v = add(times(x, v), c[i])
	}
	return v
}

func growth(b []number, x []float64) number { // b1 (1 - exp(-b2 x))
	return mul(b[0], dual.Sub(k(1), decay(b[1], x[0])))
}
func chwirut(b []number, x []float64) number {
	return over(decay(b[0], x[0]), poly(x[0], b[1], b[2]))
}
func gauss(b []number, x []float64) number {
	bump := func(height, at, width number) number {
		return mul(height, dual.Exp(times(-1, square(over(dual.Sub(k(x[0]), at), width)))))
	}
	return add(mul(b[0], decay(b[1], x[0])), bump(b[2], b[3], b[4]), bump(b[5], b[6], b[7]))
}
func lanczos(b []number, x []float64) number {
	return add(mul(b[0], decay(b[1], x[0])), mul(b[2], decay(b[3], x[0])), mul(b[4], decay(b[5], x[0])))
}
func cubics(b []number, x []float64) number {
	return over(poly(x[0], b[:4]...), poly(x[0], k(1), b[4], b[5], b[6]))
}

var models = map[string]func(b []number, x []float64) number{
	"Bennett5": func(b []number, x []float64) number {
		return mul(b[0], dual.Pow(add(b[1], k(x[0])), times(-1, dual.Inv(b[2]))))
	},
	"BoxBOD": growth, "Misra1a": growth,
	"Chwirut1": chwirut, "Chwirut2": chwirut,
	"DanWood": func(b []number, x []float64) number { return mul(b[0], dual.Exp(times(math.Log(x[0]), b[1]))) },
	"ENSO": func(b []number, x []float64) number {
		wave := func(c, s, period number) number {
			a := times(2*math.Pi*x[0], dual.Inv(period))
			return add(mul(c, dual.Cos(a)), mul(s, dual.Sin(a)))
		}
		return add(b[0], wave(b[1], b[2], k(12)), wave(b[4], b[5], b[3]), wave(b[7], b[8], b[6]))
	},
	"Eckerle4": func(b []number, x []float64) number {
		return mul(over(b[0], b[1]), dual.Exp(times(-.5, square(over(dual.Sub(k(x[0]), b[2]), b[1])))))
	},
	"Gauss1": gauss, "Gauss2": gauss, "Gauss3": gauss,
	"Hahn1": cubics, "Thurber": cubics,
	"Kirby2": func(b []number, x []float64) number {
		return over(poly(x[0], b[:3]...), poly(x[0], k(1), b[3], b[4]))
	},
	"Lanczos1": lanczos, "Lanczos2": lanczos, "Lanczos3": lanczos,
	"MGH09": func(b []number, x []float64) number {
		return mul(b[0], over(poly(x[0], k(0), b[1], k(1)), poly(x[0], b[3], b[2], k(1))))
	},
	"MGH10": func(b []number, x []float64) number {
		return mul(b[0], dual.Exp(over(b[1], add(k(x[0]), b[2]))))
	},
	"MGH17": func(b []number, x []float64) number {
		return add(b[0], mul(b[1], decay(b[3], x[0])), mul(b[2], decay(b[4], x[0])))
	},
	"Misra1b": func(b []number, x []float64) number {
		return mul(b[0], dual.Sub(k(1), dual.PowReal(poly(x[0]/2, k(1), b[1]), -2)))
	},
	"Misra1c": func(b []number, x []float64) number {
		return mul(b[0], dual.Sub(k(1), dual.PowReal(poly(2*x[0], k(1), b[1]), -.5)))
	},
	"Misra1d": func(b []number, x []float64) number {
		return mul(b[0], b[1], times(x[0], dual.Inv(poly(x[0], k(1), b[1]))))
	},
	"Nelson": func(b []number, x []float64) number { // of log y
		return dual.Sub(b[0], mul(b[1], times(x[0], decay(b[2], x[1]))))
	},
	"Rat42": func(b []number, x []float64) number {
		return over(b[0], add(k(1), dual.Exp(dual.Sub(b[1], times(x[0], b[2])))))
	},
	"Rat43": func(b []number, x []float64) number {
		return over(b[0], dual.Pow(add(k(1), dual.Exp(dual.Sub(b[1], times(x[0], b[2])))), dual.Inv(b[3])))
	},
	"Roszman1": func(b []number, x []float64) number {
		angle := dual.Atan(over(b[2], dual.Sub(k(x[0]), b[3])))
		return dual.Sub(dual.Sub(b[0], times(x[0], b[1])), times(1/math.Pi, angle))
	},
}

func (s *strd) problem() Func {
	model := models[s.name]
	b := make([]number, len(s.certified))
	return func(p, r, jac []float64) bool {
		for j := range p {
			b[j] = k(p[j])
		}
		for i, x := range s.x {
			y := s.y[i]
			if s.name == "Nelson" {
				y = math.Log(y)
			}
			r[i] = model(b, x).Real - y
		}
		for j := range p {
			b[j].Emag = 1
			for i, x := range s.x {
				jac[j*len(s.y)+i] = model(b, x).Emag
			}
			b[j].Emag = 0
		}
		return true
	}
}

// digits is how many digits of got are those of want: the log relative error of
// the NIST sets, at most the 11 that are certified.
func digits(got, want float64) float64 {
	return math.Min(11, -math.Log10(math.Abs(got-want)/math.Abs(want)))
}

// All 27 sets of NIST, single start, all parameters and standard deviations to
// six digits: from start 2 in all, from start 1 in all but BoxBOD, whose start 1
// lies where the curve is flat.
func TestStRD(t *testing.T) {
	sets := readStRD(t)
	if len(sets) != 27 || len(models) != 27 {
		t.Fatalf("%d sets, %d models", len(sets), len(models))
	}
	var s Solver
	for _, set := range sets {
		for i, start := range set.starts {
			res := s.Minimise(set.problem(), len(set.y), start, Options{Steps: 10000})
			fewest, fewestSD := math.Inf(1), math.Inf(1)
			n, m := len(set.certified), len(set.y)
			r, jac := make([]float64, m), make([]float64, m*n)
			set.problem()(res.P, r, jac)
			c, ok := Inverse(jac, m, n)
			variance := res.SS / float64(m-n)
			for j := range n {
				fewest = math.Min(fewest, digits(res.P[j], set.certified[j]))
				fewestSD = math.Min(fewestSD, digits(math.Sqrt(variance*c[j*n+j]), set.sd[j]))
			}
			t.Logf("%-9s start %d: %v, %4d steps, %4d evaluations, %4.1f digits, %4.1f of SDs", set.name, i+1, res.Status, res.Steps, res.Evaluations, fewest, fewestSD)
			if set.name == "BoxBOD" && i == 0 {
				continue
			}
			if fewest < 6 || !ok || res.Status != Converged {
				t.Errorf("%s from start %d: %v with %.1f digits", set.name, i+1, res.Status, fewest)
			}
			// The residuals of Lanczos1 are the rounding of its data, 1e-13.
			if fewestSD < 6 && set.name != "Lanczos1" {
				t.Errorf("%s from start %d: standard deviations with %.1f digits", set.name, i+1, fewestSD)
			}
		}
	}
}

func ExampleSolver() {
	// y = a exp(-b x) through three exact points, a = 2, b = 0.5.
	x := []float64{0, 1, 2}
	y := []float64{2, 2 * math.Exp(-.5), 2 * math.Exp(-1)}
	f := func(p, r, jac []float64) bool {
		for i := range x {
			e := math.Exp(-p[1] * x[i])
			r[i] = p[0]*e - y[i]
			jac[i], jac[len(x)+i] = e, -p[0]*x[i]*e
		}
		return true
	}
	var s Solver
	res := s.Minimise(f, len(x), []float64{1, 1}, Options{})
	fmt.Printf("%.6f %.6f, %v\n", res.P[0], res.P[1], res.Status)
	// Output: 2.000000 0.500000, converged
}
