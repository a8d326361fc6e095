package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// covered counts how often an interval holds the truth and asks for 95 %
// within three standard errors of the count.
func covered(t *testing.T, what string, repetitions int, holds func(rng *rand.Rand) bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2026))
	hits := 0
	for range repetitions {
		if holds(rng) {
			hits++
		}
	}
	n := float64(repetitions)
	near(t, what, float64(hits)/n, 0.95, 3*math.Sqrt(0.95*0.05/n))
}

// oneArm simulates rows of days with an SD ratio day : run of theta : 1.
func oneArm(rng *rand.Rand, theta float64, runs []int) Model {
	m := Model{Groups: make([][]int, 1)}
	for d, r := range runs {
		day := theta * rng.NormFloat64()
		for range r {
			m.Y = append(m.Y, day+rng.NormFloat64())
			m.Groups[0] = append(m.Groups[0], d)
		}
	}
	return m
}

// METHODS.md section 2: MLS 94.5-95.5 % measured.
func TestMLSCoverage(t *testing.T) {
	cover := func(theta float64, days, runs int) {
		t.Helper()
		design := make([]int, days)
		for i := range design {
			design[i] = runs
		}
		covered(t, "MLS of the day component", 2000, func(rng *rand.Rand) bool {
			table, err := ANOVA(oneArm(rng, theta, design))
			if err != nil {
				t.Fatal(err)
			}
			e := MLS(table.Lines[0], table.Lines[1], 0.95)
			return e.Lo <= theta*theta && theta*theta <= e.Hi
		})
	}
	cover(1, 5, 3)
	cover(4, 5, 3)
	cover(0.5, 2, 3)
}

// METHODS.md section 2: the REML profile 94-99 % measured.
func TestProfileCoverage(t *testing.T) {
	const theta = 1.5
	covered(t, "REML profile of the day component", 400, func(rng *rand.Rand) bool {
		f, err := REML(oneArm(rng, theta, []int{5, 2, 4, 3, 1, 5, 2, 3}))
		if err != nil {
			t.Fatal(err)
		}
		e, err := ProfileSD(f, 0, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		return e.Lo <= theta && theta <= e.Hi
	})
}

// REML is unbiased in a balanced design away from the boundary. Truth: theta = 3.
func TestRecovery(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const repetitions = 4000
	var day, residual float64
	for range repetitions {
		f, err := REML(oneArm(rng, 3, []int{4, 4, 4, 4, 4, 4}))
		if err != nil {
			t.Fatal(err)
		}
		day += f.Var[0] / repetitions
		residual += f.Var[1] / repetitions
	}
	// By hand: Var(MS) = 2 MS^2/df, 5 and 18 degrees of freedom.
	near(t, "day", day, 9, 3*9.25*math.Sqrt(2.0/5/repetitions))
	near(t, "residual", residual, 1, 3*math.Sqrt(2.0/18/repetitions))
}
