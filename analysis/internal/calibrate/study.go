package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/internal/truth"
)

// study is one table of the report.
type study struct {
	title, text string
	labels      []string // column heads of what was set,
	columns     []string // and of what was found
	cells       []cell
	// promise says what is wrong with the finished cells; nil = tabulated only.
	promise func(*study) []string
}

// cell is one simulated situation, a row of the table.
type cell struct {
	labels   []string
	simulate func(reps int, rng *rand.Rand) []share
	found    []share // one per column
	promised bool    // for promises about some cells only
}

func (c *cell) name() string { return strings.Join(c.labels, ", ") }

// share is a mean of yes and no, or of probabilities.
type share struct {
	sum float64
	n   int
}

func (s *share) add(yes bool) {
	s.n++
	if yes {
		s.sum++
	}
}

func (s *share) addValue(x float64) {
	s.n++
	s.sum += x
}

func (s share) value() float64 { return s.sum / float64(s.n) }

func (s share) String() string {
	if s.n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", 100*s.value())
}

// sd is the binomial standard deviation that a share of n would have at p.
func (s share) sd(p float64) float64 { return math.Sqrt(p * (1 - p) / float64(s.n)) }

// chance is the probability of a share at least this far from p, on its side, if
// p were the truth.
func (s share) chance(p float64) float64 {
	b := distuv.Binomial{N: float64(s.n), P: p}
	if s.value() > p {
		return 1 - b.CDF(s.sum-1)
	}
	return b.CDF(s.sum)
}

// tooRare is the normal tail beyond four standard deviations: a kept promise
// looks broken in one cell of 30 000.
const tooRare = 3.2e-5

// near tells whether a share is within tolerance of p, or its repetitions are
// too few to say that it is not.
func (s share) near(p, tolerance float64) bool {
	return s.n == 0 || math.Abs(s.value()-p) <= tolerance || s.chance(p) >= tooRare
}

// atMost is near, upwards only: bound is the promise, p the nominal rate.
func (s share) atMost(bound, p float64) bool {
	return s.n == 0 || s.value() <= bound || s.chance(p) >= tooRare
}

// simulate fills all cells. Every cell has a random source of its own, made
// from the seed and its place, so that the number of workers changes nothing.
func simulate(studies []*study, reps int, seed uint64, workers int, progress func(done, of int)) {
	type job struct {
		cell *cell
		rng  *rand.Rand
	}
	var jobs []job
	for i, s := range studies {
		for j := range s.cells {
			jobs = append(jobs, job{&s.cells[j], stream(seed, i, j)})
		}
	}
	queue := make(chan job)
	var wait sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range workers {
		wait.Go(func() {
			for j := range queue {
				j.cell.found = j.cell.simulate(reps, j.rng)
				lock.Lock()
				done++
				progress(done, len(jobs))
				lock.Unlock()
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	wait.Wait()
}

// stream is the random source of a cell. ChaCha8 gives unrelated streams to
// neighbouring keys, which the mean over cells relies on; PCG does not promise
// that.
func stream(seed uint64, study, cell int) *rand.Rand {
	var key [32]byte
	for word, x := range []uint64{seed, uint64(study), uint64(cell)} {
		for i := range 8 {
			key[8*word+i] = byte(x >> (8 * i))
		}
	}
	return rand.New(rand.NewChaCha8(key))
}

func verify(studies []*study) (broken []string) {
	for _, s := range studies {
		if s.promise == nil {
			continue
		}
		for _, b := range s.promise(s) {
			broken = append(broken, s.title+": "+b)
		}
	}
	return broken
}

// lab draws and judges again and again, with two buffers for all of it.
type lab struct {
	truth truth.Nested
	opt   compare.Options
	drawn []truth.Run
	runs  []compare.Run
}

func (l *lab) judge(rng *rand.Rand) compare.Result {
	l.draw(rng)
	return compare.Judge(l.runs, l.opt)
}

func (l *lab) draw(rng *rand.Rand) {
	l.drawn = l.truth.Draw(l.drawn[:0], rng)
	l.runs = l.runs[:0]
	for _, r := range l.drawn {
		l.runs = append(l.runs, compare.Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, Slot: r.Slot, Value: r.Value})
	}
}

// changed: the verdict says that the arms differ.
func changed(r compare.Result) bool { return r.P < r.Level }

// covers: the interval holds the true ratio.
func covers(r compare.Result, effect float64) bool {
	ratio := math.Exp(effect)
	return r.Lo <= ratio && ratio <= r.Hi
}

type record struct {
	title, about, recipe string
	seed                 uint64
	reps                 int
	commit               string
}

func markdown(studies []*study, broken []string, r record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s, on simulated data whose truth is known. Written by `just %s`: "+
		"seed %d, %d repetitions a cell, commit %s. Shares are in percent.\n", r.title, r.about, r.recipe, r.seed, r.reps, r.commit)
	if len(broken) == 0 {
		b.WriteString("\nAll promises are kept.\n")
	} else {
		b.WriteString("\n**Broken promises:**\n\n")
		for _, s := range broken {
			fmt.Fprintf(&b, "- %s\n", s)
		}
	}
	for _, s := range studies {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.title, s.text)
		heads := append(append([]string{}, s.labels...), s.columns...)
		fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(heads, " | "), strings.Repeat(" ---: |", len(heads)))
		for _, c := range s.cells {
			b.WriteString("| " + strings.Join(c.labels, " | "))
			for _, f := range c.found {
				b.WriteString(" | " + f.String())
			}
			b.WriteString(" |\n")
		}
	}
	return b.String()
}
