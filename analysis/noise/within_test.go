package noise_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/steady"
)

// intervalRuns draws days x runs x intervals with AR(1) noise of the given
// coefficient inside runs. Spreads are SDs of logs.
func intervalRuns(rng *rand.Rand, days, runs, intervals int, sdDay, sdRun, sdInterval, phi float64) (rows, whole []noise.Run) {
	at := make([]float64, intervals)
	y := make([]float64, intervals)
	for d := range days {
		day := sdDay * rng.NormFloat64()
		for r := range runs {
			run := day + sdRun*rng.NormFloat64()
			e := rng.NormFloat64()
			for i := range y {
				at[i], y[i] = float64(i+1), 1000*math.Exp(run+sdInterval*e)
				e = phi*e + math.Sqrt(1-phi*phi)*rng.NormFloat64()
				rows = append(rows, noise.Run{Day: fmt.Sprint(d), Run: fmt.Sprint(r), Value: y[i]})
			}
			mean, se, ess := steady.Mean(at, y, 0)
			whole = append(whole, noise.Run{Day: fmt.Sprint(d), Value: mean, Within: noise.Within{Intervals: intervals, SD: se / mean * math.Sqrt(ess), SE: se / mean, DF: ess - 1}})
		}
	}
	return rows, whole
}

func component(t *testing.T, runs []noise.Run, level string) noise.Component {
	t.Helper()
	r, err := noise.Analyse(runs, noise.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Components, func(c noise.Component) bool { return c.Level == level })
	if i < 0 {
		t.Fatalf("no level %s in %+v", level, r.Components)
	}
	return r.Components[i]
}

// With independent intervals, rows fitted by REML and run means less the error of
// a mean find the same; with intervals that follow each other, only the second
// finds the truth, and the first says that its rows are alike.
func TestRunComponent(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	const sdRun, sdInterval = 0.004, 0.03
	mean := func(phi float64) (byRows, byMeans, interval float64, alike bool) {
		const reps = 6
		for range reps {
			rows, whole := intervalRuns(rng, 10, 5, 300, 0.01, sdRun, sdInterval, phi)
			byRows += component(t, rows, noise.RunLevel).Var / reps
			byMeans += component(t, whole, noise.RunLevel).Var / reps
			interval += component(t, whole, noise.Interval).SDRel / reps
			r, err := noise.Analyse(rows, noise.Options{})
			alike = err == nil && slices.ContainsFunc(r.Warnings, func(w analysis.Warning) bool { return w.Kind() == analysis.RowsAlike{}.Kind() })
		}
		return byRows, byMeans, interval, alike
	}
	near := func(name string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got/want-1) > tolerance {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	byRows, byMeans, interval, alike := mean(0)
	t.Logf("independent: run variance %.3g by rows, %.3g by means, truth %.3g", byRows, byMeans, sdRun*sdRun)
	near("rows, independent", byRows, sdRun*sdRun, 0.3)
	near("means, independent", byMeans, sdRun*sdRun, 0.3)
	near("interval", interval, sdInterval, 0.05)
	if alike {
		t.Error("independent rows are called alike")
	}
	byRows, byMeans, interval, alike = mean(0.8)
	t.Logf("phi .8: run variance %.3g by rows, %.3g by means, truth %.3g", byRows, byMeans, sdRun*sdRun)
	near("means, phi .8", byMeans, sdRun*sdRun, 0.6)
	near("interval, phi .8", interval, sdInterval, 0.1)
	if byRows < 2*sdRun*sdRun || !alike {
		t.Errorf("rows that follow each other: run variance %g, said %v", byRows, alike)
	}
}

// Shares add up to 1, repeatability stays that of whole runs, and one run
// without its intervals leaves the level out.
func TestWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	_, whole := intervalRuns(rng, 5, 4, 60, 0.01, 0.01, 0.03, 0.3)
	with, err := noise.Analyse(whole, noise.Options{})
	if err != nil {
		t.Fatal(err)
	}
	share := 0.0
	for _, c := range with.Components {
		share += c.Share
		if !(c.Lo <= c.SDRel && c.SDRel <= c.Hi) {
			t.Errorf("%+v", c)
		}
	}
	if math.Abs(share-1) > 1e-12 || with.Intervals != 5*4*60 {
		t.Errorf("shares add up to %g, %d intervals", share, with.Intervals)
	}
	whole[3].Within = noise.Within{}
	without, err := noise.Analyse(whole, noise.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if with.Repeatability != without.Repeatability || without.Intervals != 0 || len(without.Components) != len(with.Components)-1 {
		t.Errorf("%+v, %+v", with.Repeatability, without)
	}
	if run, split := without.Components[len(without.Components)-1], with.Components[len(with.Components)-2]; !(split.Var < run.Var && split.Hi <= run.Hi) {
		t.Errorf("the run's own share %+v is not below the spread of runs %+v", split, run)
	}
}
