package perfdata

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// burnEnv makes the test binary burn time, to be recorded.
const burnEnv = "NOISEFLOOR_BURN"

func TestBurn(t *testing.T) {
	if os.Getenv(burnEnv) == "" {
		return // only for BenchmarkAgainst
	}
	end := time.Now().Add(20 * time.Second)
	var wait sync.WaitGroup
	for i := range 2 * runtime.NumCPU() {
		wait.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				burn(n%40, n)
			}
		})
	}
	wait.Wait()
}

var sunk [64]int

//go:noinline
func burn(depth, n int) int {
	if depth == 0 {
		for i := range 2000 {
			sunk[i%64] += i * n
		}
		return sunk[n%64]
	}
	if depth%3 == 0 {
		return other(depth-1, n) + 1
	}
	return burn(depth-1, n) + 1
}

//go:noinline
func other(depth, n int) int { return burn(max(depth-1, 0), n) + 2 }

// BenchmarkAgainst folds one recording of this binary, of 20 s at 9999 samples a
// second of each CPU, with this package and with perf script | inferno-collapse-perf,
// and says how many times as long the pipe takes.
func BenchmarkAgainst(b *testing.B) {
	inferno := os.Getenv("NOISEFLOOR_INFERNO")
	if inferno == "" {
		b.Skip("NOISEFLOOR_INFERNO is not set: just bench-profiles sets it")
	}
	name := filepath.Join(b.TempDir(), "perf.data")
	record := exec.Command("perf", "record", "-q", "-e", "cpu-clock", "-F", "9999", "-g", "-o", name, os.Args[0], "-test.run", "^TestBurn$")
	record.Env = append(os.Environ(), burnEnv+"=1")
	if out, err := record.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs time.Duration
	samples := 0.0
	const rounds = 3
	for range rounds {
		began := time.Now()
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		p, err := Scan(f, info.Size(), Here(), nil)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Folded(io.Discard); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
		samples = 0
		for _, s := range p.Rows() {
			samples += s.Samples
		}
		began = time.Now()
		pipe := exec.Command("sh", "-c", `perf script -i "$0" 2>/dev/null | "$1" >/dev/null 2>&1`, name, inferno)
		if err := pipe.Run(); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(began)
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MB")
	b.ReportMetric(samples, "samples")
	b.ReportMetric(ours.Seconds()/rounds, "s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-perf-script-inferno")
}
