package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// lopsided is tenDays with a fifth of its rows lost.
func lopsided() Model {
	m := tenDays()
	rng := rand.New(rand.NewPCG(1, 2))
	out := Model{Groups: make([][]int, len(m.Groups))}
	for i, y := range m.Y {
		if rng.Float64() < 0.2 {
			continue
		}
		out.Y, out.X = append(out.Y, y), append(out.X, m.X[2*i:2*i+2]...)
		for t := range m.Groups {
			out.Groups[t] = append(out.Groups[t], m.Groups[t][i])
		}
	}
	return out
}

func BenchmarkREML(b *testing.B) {
	for _, c := range []struct {
		name string
		m    Model
	}{{"balanced", tenDays()}, {"lopsided", lopsided()}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := REML(c.m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBootstrap is a parametric bootstrap of 2 arms x 10 days x 5 runs: 10 000
// times, draw responses from the fitted components and fit them again. Bar: 2 s
// on two cores.
func BenchmarkBootstrap(b *testing.B) {
	const refits = 10_000
	for _, c := range []struct {
		name string
		m    Model
	}{{"balanced", tenDays()}, {"lopsided", lopsided()}} {
		b.Run(c.name, func(b *testing.B) {
			f, err := REML(c.m)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				bootstrap(b, c.m, f, refits)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/10000-refits")
		})
	}
}

// bootstrap fits models drawn from f on all processors and gives their residual
// variances.
func bootstrap(tb testing.TB, m Model, f Fit, refits int) []float64 {
	tb.Helper()
	residual := make([]float64, refits)
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			drawn := m
			drawn.Y = make([]float64, len(m.Y))
			for i := w; i < refits; i += workers {
				f.draw(m, drawn.Y, rand.New(rand.NewPCG(uint64(i), 3)))
				refit, err := REML(drawn)
				if err != nil || !refit.Status.Converged {
					tb.Errorf("refit %d: %v, %v", i, err, refit.Status)
					return
				}
				residual[i] = refit.Var[len(refit.Var)-1]
			}
		})
	}
	wait.Wait()
	return residual
}

// draw sets y to what the fit says could have been seen.
func (f Fit) draw(m Model, y []float64, rng *rand.Rand) {
	p := len(f.Beta)
	for i := range y {
		y[i] = dot(m.X[i*p:(i+1)*p], f.Beta)
	}
	residual := len(f.Var) - 1
	for t, group := range m.Groups {
		effect := map[int]float64{}
		for i, g := range group {
			if _, ok := effect[g]; !ok {
				effect[g] = rng.NormFloat64()
			}
			y[i] += effect[g] * math.Sqrt(f.Var[t])
		}
	}
	for i := range y {
		y[i] += rng.NormFloat64() * math.Sqrt(f.Var[residual])
	}
}

// The bootstrap's residual variance is chi-square with the error's degrees of
// freedom where no component is at 0: 80 of 100 - 20 cells here.
func TestBootstrap(t *testing.T) {
	m := tenDays()
	f := fitted(t, m)
	const refits = 2000
	mean, square := 0.0, 0.0
	for _, v := range bootstrap(t, m, f, refits) {
		ratio := v / f.Var[2]
		mean += ratio / refits
		square += ratio * ratio / refits
	}
	// A component that falls to 0 pools, which makes a mean a little above 1.
	if mean < 0.98 || mean > 1.02 || square-mean*mean < 0.8*2/80 || square-mean*mean > 1.2*2/80 {
		t.Errorf("mean %g, variance %g; want 1 and %g", mean, square-mean*mean, 2./80)
	}
}

// BenchmarkAgainstLmer fits the same 2 arms x 10 days x 5 runs in lme4 and here,
// in turn, so that the ratio holds when the machine's speed drifts: processor time
// there, time on the clock here, so that a busy machine counts against us. Bar:
// 100 times as fast. It needs Rscript with lme4.
func BenchmarkAgainstLmer(b *testing.B) {
	if err := exec.Command("Rscript", "-e", "library(lme4)").Run(); err != nil {
		b.Skip("no Rscript with lme4 here (Debian: r-base-core r-cran-lme4)")
	}
	m := tenDays()
	file := filepath.Join(b.TempDir(), "runs.csv")
	var rows strings.Builder
	rows.WriteString("y,arm,day,cell\n")
	for i, y := range m.Y {
		fmt.Fprintf(&rows, "%.17g,a%g,d%d,c%d\n", y, m.X[2*i+1], m.Groups[0][i], m.Groups[1][i])
	}
	if err := os.WriteFile(file, []byte(rows.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	var ours, theirs, ratios []float64
	for range max(3, b.N) {
		lme4 := exec.Command("Rscript", filepath.Join("testdata", "lmer_time.R"), file)
		lme4.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1") // small matrices: more threads only wait for each other
		out, err := lme4.Output()
		if err != nil {
			b.Fatal(err)
		}
		fields := strings.Fields(string(out))
		lmer, _ := strconv.ParseFloat(fields[0], 64)
		criterion, _ := strconv.ParseFloat(fields[1], 64)
		const fits = 2000
		start := time.Now()
		var f Fit
		for range fits {
			if f, err = REML(m); err != nil {
				b.Fatal(err)
			}
		}
		here := time.Since(start).Seconds() / fits
		if d := f.Criterion - criterion; d > 1e-6 || d < -1e-6 {
			b.Fatalf("criterion %.9f, lmer %.9f", f.Criterion, criterion)
		}
		ours, theirs, ratios = append(ours, here), append(theirs, lmer), append(ratios, lmer/here)
	}
	mid := func(v []float64) float64 { slices.Sort(v); return v[len(v)/2] }
	b.ReportMetric(mid(ratios), "x-lmer")
	b.ReportMetric(1e6*mid(ours), "us/fit")
	b.ReportMetric(1e6*mid(theirs), "us/lmer")
}
