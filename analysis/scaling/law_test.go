package scaling

import (
	"math"
	"math/rand/v2"
	"testing"
)

var (
	threads = axis{levels: []float64{1, 2, 4, 8, 16, 32, 64, 128}, log: true}
	schemas = axis{levels: []float64{150, 300, 450, 600, 750, 900, 1050, 1200}}
)

// shapes draws parameters that a measurement could have.
var shapes = map[string]func(rng *rand.Rand, a axis) []float64{
	"linear":    func(rng *rand.Rand, a axis) []float64 { return []float64{3 * rng.NormFloat64()} },
	"power":     func(rng *rand.Rand, a axis) []float64 { return []float64{rng.NormFloat64()} },
	"amdahl":    func(rng *rand.Rand, a axis) []float64 { return []float64{math.Pow(10, -4*rng.Float64())} },
	"gustafson": func(rng *rand.Rand, a axis) []float64 { return []float64{.95 * rng.Float64()} },
	"usl": func(rng *rand.Rand, a axis) []float64 {
		return []float64{math.Pow(10, -.3-3*rng.Float64()), math.Pow(10, -2-4*rng.Float64())}
	},
	"peak": func(rng *rand.Rand, a axis) []float64 { return []float64{.5 * rng.NormFloat64(), -1.5 * rng.Float64()} },
	"saturating": func(rng *rand.Rand, a axis) []float64 {
		return []float64{math.Log(a.at(.1 + .8*rng.Float64())), []float64{.7, 2.5}[rng.IntN(2)] * rng.Float64()}
	},
	"segmented": func(rng *rand.Rand, a axis) []float64 {
		knee := .25 + .5*rng.Float64()
		up := .5 + 2*rng.Float64()
		return []float64{knee, up, up * (.5 + rng.Float64())}
	},
}

// drawn is noise-free runs of a law on some days of unequal level.
func drawn(l law, p []float64, a axis, scale float64) []Run {
	var runs []Run
	for d, day := range []string{"d1", "d2", "d3"} {
		for _, x := range a.levels {
			runs = append(runs, Run{Day: day, X: x, Value: scale * math.Exp(l.logShape(p, x, nil)+.1*float64(d-1))})
		}
	}
	return runs
}

// checkLaw holds what every law promises.
func checkLaw(t *testing.T, fam family, a axis) {
	t.Helper()
	l := fam.bind(a)
	rng := rand.New(rand.NewPCG(1, uint64(len(fam.name))))
	terms := l.terms()
	for range 20 {
		p := shapes[fam.name](rng, a)
		if len(p) != fam.parameters-1 {
			t.Fatalf("%s: %d parameters of the shape, want %d", fam.name, len(p), fam.parameters-1)
		}
		// Slopes are the differences of the shape.
		grad := make([]float64, len(p))
		for _, x := range a.levels {
			l.logShape(p, x, grad)
			for j := range p {
				h := 1e-6 * math.Max(math.Abs(p[j]), 1e-3)
				up, down := append([]float64{}, p...), append([]float64{}, p...)
				up[j], down[j] = p[j]+h, p[j]-h
				want := (l.logShape(up, x, nil) - l.logShape(down, x, nil)) / (2 * h)
				if math.Abs(grad[j]-want) > 1e-5*math.Max(1, math.Abs(want)) {
					t.Errorf("%s at %v: slope %d at %g is %g, want %g", fam.name, p, j, x, grad[j], want)
				}
			}
		}
		// Terms follow the unit of y; their names are as many.
		one, thousand := l.values(1, p), l.values(1000, p)
		if len(one) != len(terms) {
			t.Fatalf("%s: %d terms, %d values", fam.name, len(terms), len(one))
		}
		for i, term := range terms {
			factor := 1.0
			if term.unit == OfY || term.unit == YPerX {
				factor = 1000
			}
			near(t, fam.name+" "+term.name, thousand[i], factor*one[i], 1e-12)
		}
		// It finds its own curve, on either scale of y, whatever the days' levels.
		for _, natural := range []bool{false, true} {
			s := newSample(drawn(l, p, a, 700), 0, a, natural)
			f := newFitter(natural).fit(l, s, s.logMeans(natural), nil, false)
			if f == nil {
				t.Fatalf("%s at %v: nothing found", fam.name, p)
			}
			for i := range 41 {
				x := a.at(float64(i) / 40)
				want := math.Log(700) + l.logShape(p, x, nil)
				if math.Abs(f.log(x)-want) > 1e-6 {
					t.Errorf("%s at %v, natural %v: %g at %g, want %g (%v at %v, %v)", fam.name, p, natural, math.Exp(f.log(x)), x, math.Exp(want), f.status, f.p, f.rss)
					break
				}
			}
		}
		// Where it turns, it is level: higher or lower on both sides.
		if x := l.turn(p); known(x) {
			f := &fit{law: l, s: &sample{axis: a}, p: p}
			if u := a.unit(x); slope(f, u-.01)*slope(f, u+.01) > 0 {
				t.Errorf("%s at %v does not turn at %g", fam.name, p, x)
			}
		}
	}
	for _, extended := range []bool{false, true} {
		for _, r := range l.regions(make([]float64, len(a.levels)), extended) {
			if !r.holds(r.start) {
				t.Errorf("%s: start %v outside %v to %v", fam.name, r.start, r.lo, r.hi)
			}
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) && got != want {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func TestLaws(t *testing.T) {
	for _, fam := range families {
		checkLaw(t, fam, threads)
		if !fam.clients {
			checkLaw(t, fam, schemas)
		}
	}
}

// By hand: f(1) = 10 and f(4) = 40 on the line 10 x.
func TestTermsByHand(t *testing.T) {
	a := axis{levels: []float64{1, 2, 3, 4}}
	check := func(name string, p []float64, scale float64, want ...float64) {
		t.Helper()
		for _, fam := range families {
			if fam.name != name {
				continue
			}
			l := fam.bind(a)
			for i, v := range l.values(scale, p) {
				if math.Abs(v-want[i]) > 1e-12*math.Max(1, math.Abs(want[i])) {
					t.Errorf("%s %s: %g, want %g", name, l.terms()[i].name, v, want[i])
				}
			}
		}
	}
	check("linear", []float64{math.Log(4)}, 10, 0, 10)
	check("power", []float64{1}, 10, 10, 1)
	check("saturating", []float64{math.Log(2), .5}, 10, 5, 10, 2)
	check("segmented", []float64{1. / 3, math.Log(2), math.Log(3)}, 10, 2, 20, 10, 5) // 10 at 1, 20 at 2, 30 at 4
	check("peak", []float64{0, -1}, 10, 2.5, 10, -1)
	check("usl", []float64{.1, .001}, 10, .1, .001, 10)
}
