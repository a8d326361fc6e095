package scaling

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// points32 are 32 noisy points of a USL curve.
func points32() []Run {
	rng := rand.New(rand.NewPCG(1, 0))
	f := uslOf(.03, 2e-4, 900)
	var runs []Run
	for i := range 32 {
		n := math.Round(math.Pow(256, float64(i)/31) + float64(i))
		runs = append(runs, Run{X: n, Value: f(0, n) * math.Exp(.02*rng.NormFloat64())})
	}
	return runs
}

// fitUSL is what the others do: points in, three numbers out, natural scale.
func fitUSL(f *fitter, runs []Run) *fit {
	s := newSample(runs, 0, newAxis(runs, false), true)
	return f.fit(newUSL(s.axis), s, s.logMeans(true), nil, false)
}

func BenchmarkUSL32Points(b *testing.B) {
	runs := points32()
	f := newFitter(true)
	b.ReportAllocs()
	for b.Loop() {
		fitUSL(f, runs)
	}
}

// BenchmarkAnalyse is everything: 2 arms, 5 days x 2 runs x 8 levels, all laws,
// jackknife, bands.
func BenchmarkAnalyse(b *testing.B) {
	runs := sweep(uslOf(.02, 1e-4, 900), 2, 1)
	opt := clients
	opt.Arms = 2
	for b.Loop() {
		if _, err := Analyse(runs, opt); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAgainstOthers fits the same 32 points with R's nls, with the Go package
// codahale/usl and with this one, in turn, so that the ratios hold when the
// machine's speed drifts. Bars: 100 times nls, 10 times codahale/usl. NOISEFLOOR_USL
// names a checkout of the latter (just bench makes one).
func BenchmarkAgainstOthers(b *testing.B) {
	runs := points32()
	var input bytes.Buffer
	for _, r := range runs {
		fmt.Fprintf(&input, "%v %.17g\n", r.X, r.Value)
	}
	script, err := filepath.Abs("testdata/peers/usl.R")
	if err != nil {
		b.Fatal(err)
	}
	rscript, err := exec.LookPath("Rscript")
	if err != nil {
		b.Fatal("Rscript is not installed (Debian: r-base-core)")
	}
	codahale := buildPeer(b)
	f := newFitter(true)
	var nls, other, mine []float64
	b.ResetTimer()
	for range max(9, b.N) {
		const fits = 2000
		start := time.Now()
		var ours *fit
		for range fits {
			ours = fitUSL(f, runs)
		}
		took := time.Since(start).Seconds() / fits
		want := ours.values()
		rTook := peer(b, exec.Command(rscript, script), input.Bytes(), want, 1e-5)
		otherTook := peer(b, exec.Command(codahale), input.Bytes(), want, .05)
		nls, other, mine = append(nls, rTook/took), append(other, otherTook/took), append(mine, took)
	}
	b.StopTimer()
	b.ReportMetric(middle(mine)*1e6, "us/fit")
	b.ReportMetric(middle(nls), "x-nls")
	b.ReportMetric(middle(other), "x-codahale")
	if middle(nls) < 100 || middle(other) < 10 {
		b.Errorf("%.0f times nls and %.1f times codahale/usl, want 100 and 10", middle(nls), middle(other))
	}
}

// peer runs another program on the points and checks that it finds the same
// curve, as near as it looks: codahale/usl stops a percent or two before the
// minimum.
func peer(b *testing.B, c *exec.Cmd, input []byte, want []float64, tolerance float64) (seconds float64) {
	b.Helper()
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%s: %v", c.Path, err)
	}
	got := make([]float64, 3)
	if _, err := fmt.Sscan(string(out), &seconds, &got[0], &got[1], &got[2]); err != nil {
		b.Fatalf("%s: %v in %q", c.Path, err, out)
	}
	for i := range got {
		if math.Abs(got[i]/want[i]-1) > tolerance {
			b.Errorf("%s finds %v, not %v", c.Path, got, want)
			break
		}
	}
	return seconds
}

func middle(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// buildPeer builds the program around codahale/usl in a module of its own, which
// leaves this one's requirements alone.
func buildPeer(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	source, err := os.ReadFile("testdata/peers/usl.go.txt")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), source, 0o644); err != nil {
		b.Fatal(err)
	}
	checkout, err := filepath.Abs(os.Getenv("NOISEFLOOR_USL"))
	if err != nil || os.Getenv("NOISEFLOOR_USL") == "" {
		b.Fatal("git clone https://github.com/codahale/usl, and NOISEFLOOR_USL=<the clone>; just bench does so")
	}
	steps := [][]string{
		{"mod", "init", "peer"},
		{"mod", "edit", "-require", "github.com/codahale/usl@v0.1.1", "-replace", "github.com/codahale/usl=" + checkout},
	}
	steps = append(steps, []string{"build", "-mod=mod", "-o", "peer", "."})
	for _, args := range steps {
		c := exec.Command("go", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "peer")
}
