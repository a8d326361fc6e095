package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/analysis/history"
	"noisefloor/analysis/internal/truth"
)

// speed times one series of a file (a number a line) and simulated long ones,
// each the fastest of several calls, as anything else that runs only adds.
func speed(file string, opt options) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var y []float64
	for _, word := range strings.Fields(string(text)) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return "", fmt.Errorf("%s: %q is no number", file, word)
		}
		y = append(y, v)
	}
	const calls = 49
	var b strings.Builder
	var at []int
	read, opts := points(y), additive(y) // Otava's time is without reading, too
	ours := fastest(calls, func() {
		at = places(read, opts)
	})
	fmt.Fprintf(&b, "%d points of the file: %v, changes at %v\n", len(y), ours, at)
	if opt.otava != "" {
		runs, err := otava(opt.otava, slices.Repeat([][]float64{y}, calls))
		if err != nil {
			return "", err
		}
		peer := slices.MinFunc(runs, func(a, b otavaRun) int { return int(a.took - b.took) })
		fmt.Fprintf(&b, "the same in Otava: %v, changes at %v; noisefloor is %.0f times as fast\n", peer.took, peer.changes, float64(peer.took)/float64(ours))
	}
	for _, every := range []int{0, 500} { // points between changes; 0 = none
		var short time.Duration
		for _, n := range []int{10_000, 1_000_000} {
			s := truth.Series{Points: n}
			steps := 0
			if every > 0 {
				steps = n/every - 1
			}
			for k := range steps {
				s.Steps = append(s.Steps, truth.Step{At: (k + 1) * n / (steps + 1), By: float64(k%2)*2 - 1})
			}
			y := make([]float64, n)
			s.Draw(y, rand.New(rand.NewPCG(opt.seed, uint64(n))))
			series := points(y)
			took := fastest(5, func() { history.Analyse(series, history.Options{Additive: true}) })
			fmt.Fprintf(&b, "%d points with %d changes: %v", n, steps, took)
			if short > 0 {
				fmt.Fprintf(&b, ", %.0f times 10 000 points", float64(took)/float64(short))
			}
			b.WriteByte('\n')
			short = took
		}
	}
	return b.String(), nil
}

func fastest(calls int, f func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range calls {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}
