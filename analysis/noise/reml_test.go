package noise

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// near checks an absolute difference, closeTo a relative one.
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func closeTo(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	near(t, what, got, want, tol*math.Abs(want))
}

// blocks numbers groups of equal size one after the other.
func blocks(rows, size int) []int {
	g := make([]int, rows)
	for i := range g {
		g[i] = i / size
	}
	return g
}

func fitted(t *testing.T, m Model) Fit {
	t.Helper()
	f, err := REML(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Status.Err(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDyestuff(t *testing.T) {
	m := Model{Y: dyestuff, Groups: [][]int{blocks(30, 5)}}
	f := fitted(t, m)
	// By hand: ANOVA mean squares 11271.5 and 2451.25; lme4 1.1-31 stops at
	// 1764.0500064 and 2451.2499986.
	closeTo(t, "batch", f.Var[0], 1764.05, 1e-9)
	closeTo(t, "residual", f.Var[1], 2451.25, 1e-9)
	// lme4 1.1-31: criterion and intercept.
	near(t, "criterion", f.Criterion, 319.654276842256, 1e-9)
	closeTo(t, "intercept", f.Beta[0], 1527.5, 1e-12)
	closeTo(t, "se", math.Sqrt(f.Cov[0]), 19.3834117, 1e-7)
	// lme4 1.1-31: lmer(devFunOnly=TRUE)(1).
	criterion := func(theta float64) float64 {
		pr, err := newProblem(m)
		if err != nil {
			t.Fatal(err)
		}
		c := newRestricted(pr)
		c.eval([]float64{theta * theta})
		return c.profiled()
	}
	near(t, "criterion at theta 1", criterion(1), 319.792389042002, 1e-9)
	near(t, "criterion at the estimate", criterion(f.Theta[0]), f.Criterion, 1e-10)
}

// The ANOVA component is negative: REML stands at the boundary and pools.
func TestDyestuff2(t *testing.T) {
	f := fitted(t, Model{Y: dyestuff2, Groups: [][]int{blocks(30, 5)}})
	if f.Var[0] != 0 || !f.AtBoundary[0] || f.Theta[0] != 0 {
		t.Errorf("batch = %g, at boundary %v", f.Var[0], f.AtBoundary[0])
	}
	// lme4 1.1-31.
	closeTo(t, "residual", f.Var[1], 13.8063096275862, 1e-10)
	near(t, "criterion", f.Criterion, 161.828277812288, 1e-9)
	closeTo(t, "se", math.Sqrt(f.Cov[0]), 0.678388031232524, 1e-9)
}

func penicillinModel() Model {
	plate, sample := make([]int, 144), make([]int, 144)
	for i := range plate {
		plate[i], sample[i] = i/6, i%6
	}
	return Model{Y: penicillin, Groups: [][]int{plate, sample}}
}

// Crossed terms take the other engine.
func TestPenicillin(t *testing.T) {
	f := fitted(t, penicillinModel())
	// By hand from the two-way mean squares, which REML equals here:
	// lme4 1.1-31 prints .71691, 3.73113 and .30241.
	closeTo(t, "plate", f.Var[0], 0.71690514, 1e-5)
	closeTo(t, "sample", f.Var[1], 3.73113184, 1e-4)
	closeTo(t, "residual", f.Var[2], 0.30241496, 1e-5)
	near(t, "criterion", f.Criterion, 330.860588999604, 1e-7)
	closeTo(t, "intercept", f.Beta[0], 22.97222222, 1e-9)
}

// Both engines are the same likelihood: criterion, slopes and curvature.
func TestEnginesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	n := 40
	m := Model{Y: make([]float64, n), X: make([]float64, 2*n), Groups: [][]int{make([]int, n), make([]int, n)}}
	for i := range n {
		m.Y[i] = rng.NormFloat64()
		m.X[2*i], m.X[2*i+1] = 1, rng.NormFloat64()
		m.Groups[0][i] = rng.IntN(12)
		m.Groups[1][i] = m.Groups[0][i] / 3 // nested, inner term first, uneven
	}
	pr, err := newProblem(m)
	if err != nil {
		t.Fatal(err)
	}
	if pr.chain == nil {
		t.Fatal("nesting not seen")
	}
	a, b := newRestricted(pr), newRestricted(pr)
	b.eng = newDense(pr)
	for _, ratio := range [][]float64{{0, 0}, {0.3, 2}, {5, 0}, {1e-6, 40}} {
		a.eval(ratio)
		b.eval(ratio)
		a.slopes()
		b.slopes()
		near(t, "criterion", b.profiled(), a.profiled(), 1e-9)
		for k := range ratio {
			near(t, "trace", b.trace[k], a.trace[k], 1e-9)
			near(t, "square", b.square[k], a.square[k], 1e-9)
		}
		// The slope is the slope: against a central difference.
		for k := range ratio {
			if h := 1e-5 * (1 + ratio[k]); ratio[k] > h {
				slope := a.trace[k] - a.df()*a.square[k]/a.rss
				up, down := append([]float64(nil), ratio...), append([]float64(nil), ratio...)
				up[k] += h
				down[k] -= h
				b.eval(up)
				hi := b.profiled()
				b.eval(down)
				near(t, "slope", slope, (hi-b.profiled())/(2*h), 1e-6)
			}
		}
	}
}

// Units and offsets change nothing but the units and the offset.
func TestScaleAndOffset(t *testing.T) {
	base := fitted(t, Model{Y: dyestuff, Groups: [][]int{blocks(30, 5)}})
	shifted := func(scale, offset, tol float64) {
		t.Helper()
		y := make([]float64, len(dyestuff))
		for i, v := range dyestuff {
			y[i] = v*scale + offset
		}
		f := fitted(t, Model{Y: y, Groups: [][]int{blocks(30, 5)}})
		for i := range f.Var {
			closeTo(t, "variance", f.Var[i]/scale/scale, base.Var[i], tol)
		}
		closeTo(t, "intercept", f.Beta[0], base.Beta[0]*scale+offset, 1e-12)
		// By hand: 29 degrees of freedom, each log scale^2.
		near(t, "criterion", f.Criterion-29*math.Log(scale*scale), base.Criterion, max(1e-8, 30*tol))
	}
	shifted(1, 0, 1e-14)
	shifted(1e-12, 0, 1e-10)
	shifted(1e9, 0, 1e-10)
	shifted(1, 1e12, 1e-12)   // exact: the yields are whole numbers
	shifted(1e-3, 1e12, 1e-3) // and here only as exact as the doubles that hold them
	shifted(-1, 0, 1e-10)
}

// One large component beside a small one: SD ratio 3e7.
func TestFarApart(t *testing.T) {
	y := make([]float64, 30)
	for i := range y {
		b := i / 5
		y[i] = dyestuff[i]*1e-6 + 1e3*float64(b*b%7)
	}
	f := fitted(t, Model{Y: y, Groups: [][]int{blocks(30, 5)}})
	table, err := ANOVA(Model{Y: y, Groups: [][]int{blocks(30, 5)}})
	if err != nil {
		t.Fatal(err)
	}
	if inner := f.Var[1]; !(f.Theta[0] > 1e7) {
		t.Errorf("theta = %g, residual %g", f.Theta[0], inner)
	}
	closeTo(t, "residual", f.Var[1], table.Lines[1].MS(), 1e-6)
}

// A balanced two-arm design with launches, against exact mean squares.
func TestBalancedAgainstMeanSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const days, launches, runs = 6, 3, 4
	m := Model{Groups: make([][]int, 3)}
	for d := range days {
		day := 3 * rng.NormFloat64()
		for a := range 2 {
			cell := 3 * rng.NormFloat64()
			for l := range launches {
				launch := rng.NormFloat64()
				for range runs {
					m.Y = append(m.Y, 50+float64(a)+day+cell+launch+rng.NormFloat64())
					m.X = append(m.X, 1, float64(a))
					m.Groups[0] = append(m.Groups[0], d)
					m.Groups[1] = append(m.Groups[1], d*2+a)
					m.Groups[2] = append(m.Groups[2], (d*2+a)*launches+l)
				}
			}
		}
	}
	table, err := ANOVA(m)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Balanced {
		t.Fatal("balanced design not seen as balanced")
	}
	for i, want := range []int{days - 1, days - 1, 2 * days * (launches - 1), 2 * days * launches * (runs - 1)} {
		if got := table.Lines[i].DF; got != want {
			t.Errorf("df of line %d = %d, want %d", i, got, want)
		}
	}
	f := fitted(t, m)
	for i := range 3 {
		want := (table.Lines[i].MS() - table.Lines[i+1].MS()) / table.Lines[i].PerGroup
		if want <= 0 {
			t.Fatal("seed gives a negative component; take another")
		}
		closeTo(t, "component", f.Var[i], want, 1e-9)
	}
	closeTo(t, "residual", f.Var[3], table.Lines[3].MS(), 1e-9)
	// In a balanced design both tests have the exact df: day:arm's mean square.
	kr, sat := Contrast(f, []float64{0, 1})
	want := math.Sqrt(2 * table.Lines[1].MS() / (days * launches * runs))
	closeTo(t, "KR se", kr.SE, want, 1e-7) // its adjustment is 0, up to the numerical second derivatives
	closeTo(t, "KR df", kr.DF, days-1, 1e-6)
	closeTo(t, "Satterthwaite se", sat.SE, want, 1e-9)
	closeTo(t, "Satterthwaite df", sat.DF, days-1, 1e-6)
}

// Terms may come in any order and groups under any numbers.
func TestAnyTermOrderAndNumbering(t *testing.T) {
	inner, outer := blocks(80, 2), blocks(80, 4)
	a := fitted(t, Model{Y: ep05a2Set2, Groups: [][]int{outer, inner}})
	odd := make([]int, 80)
	for i, g := range outer {
		odd[i] = 1000 - 7*g
	}
	b := fitted(t, Model{Y: ep05a2Set2, Groups: [][]int{inner, odd}})
	closeTo(t, "day", b.Var[1], a.Var[0], 1e-12)
	closeTo(t, "run", b.Var[0], a.Var[1], 1e-12)
}

func TestModelsThatCannotBeFitted(t *testing.T) {
	refuses := func(what string, m Model, want error) {
		t.Helper()
		_, err := REML(m)
		if err == nil || (want != nil && !errors.Is(err, want)) {
			t.Errorf("%s: error %v, want %v", what, err, want)
		}
	}
	y := []float64{1, 2, 3, 5, 4, 6}
	pairs := blocks(6, 2)
	refuses("no rows", Model{}, nil)
	refuses("one row", Model{Y: []float64{1}}, nil)
	refuses("NaN", Model{Y: []float64{1, math.NaN(), 2}}, nil)
	refuses("infinite", Model{Y: []float64{1, math.Inf(1), 2}}, nil)
	refuses("NaN in the design", Model{Y: y, X: []float64{1, 1, 1, 1, 1, math.NaN()}}, nil)
	refuses("all equal", Model{Y: []float64{7, 7, 7, 7}, Groups: [][]int{blocks(4, 2)}}, ErrNoSpread)
	refuses("all equal and large", Model{Y: []float64{.1e9, .1e9, .1e9}}, ErrNoSpread)
	refuses("explained exactly", Model{Y: []float64{.1, .1, .7, .7}, X: []float64{1, 0, 1, 0, 1, 1, 1, 1}}, ErrNoSpread)
	refuses("equal inside groups", Model{Y: []float64{1, 1, 2, 2, 5, 5}, Groups: [][]int{pairs}}, ErrNoResidual)
	refuses("one group", Model{Y: y, Groups: [][]int{make([]int, 6)}}, nil)
	refuses("a group per row", Model{Y: y, Groups: [][]int{blocks(6, 1)}}, nil)
	refuses("the same term twice", Model{Y: y, Groups: [][]int{pairs, pairs}}, nil)
	refuses("term aliased with the fixed effects", Model{Y: y, Groups: [][]int{pairs},
		X: []float64{1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1}}, nil)
	refuses("collinear", Model{Y: y, X: []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}}, nil)
	refuses("as many effects as rows", Model{Y: []float64{1, 2}, X: []float64{1, 0, 1, 1}}, nil)
}

func TestProgrammersErrorsPanic(t *testing.T) {
	panics := func(what string, f func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", what)
			}
		}()
		f()
	}
	y := []float64{1, 2, 3, 4}
	panics("X of another length", func() { REML(Model{Y: y, X: []float64{1, 1, 1}}) })
	panics("groups of another length", func() { REML(Model{Y: y, Groups: [][]int{{0, 1}}}) })
	panics("contrast of a zero Fit", func() { Contrast(Fit{}, []float64{1}) })
	panics("confidence 2", func() { Analyse([]Run{{Value: 1}}, Options{Confidence: 2}) })
}

// No random term: ordinary least squares. Equal to lm in every number.
func TestLeastSquares(t *testing.T) {
	f := fitted(t, Model{Y: []float64{1, 2, 4, 5}})
	// By hand: mean 3, sum of squares 10, 3 degrees of freedom.
	near(t, "mean", f.Beta[0], 3, 1e-15)
	near(t, "variance", f.Var[0], 10.0/3, 1e-14)
	// By hand: (n-1)(1 + log(2 pi s^2)) + log n.
	near(t, "criterion", f.Criterion, 3*(1+math.Log(2*math.Pi*10/3))+math.Log(4), 1e-12)
	kr, sat := Contrast(f, []float64{1})
	near(t, "df", kr.DF, 3, 1e-9)
	near(t, "df", sat.DF, 3, 1e-9)
	near(t, "se", kr.SE, math.Sqrt(10.0/12), 1e-12)
	// A design without the constant: y = b x.
	g := fitted(t, Model{Y: []float64{101, 201, 298}, X: []float64{1, 2, 3}})
	// By hand: (101 + 402 + 894)/14.
	closeTo(t, "slope", g.Beta[0], 1397.0/14, 1e-14)
}

func BenchmarkContrast(b *testing.B) {
	f, err := REML(tenDays())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Contrast(f, []float64{0, 1})
	}
}

// tenDays is 2 arms x 10 days x 5 runs.
func tenDays() Model {
	rng := rand.New(rand.NewPCG(1, 1))
	m := Model{Groups: make([][]int, 2)}
	for d := range 10 {
		day := 0.05 * rng.NormFloat64()
		for a := range 2 {
			cell := 0.01 * rng.NormFloat64()
			for range 5 {
				m.Y = append(m.Y, 7+0.02*float64(a)+day+cell+0.01*rng.NormFloat64())
				m.X = append(m.X, 1, float64(a))
				m.Groups[0] = append(m.Groups[0], d)
				m.Groups[1] = append(m.Groups[1], 2*d+a)
			}
		}
	}
	return m
}
