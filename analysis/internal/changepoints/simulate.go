package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"noisefloor/analysis/history"
	"noisefloor/analysis/internal/truth"
)

// kind is a kind of noise.
type kind struct {
	name string
	phi  float64
	t3   bool
	most float64 // bar on the series-wise false-alarm rate
}

var kinds = []kind{
	{"normal", 0, false, .05},
	{"t3", 0, true, .05},
	{"AR(1) 0.3", .3, false, .05},
	{"AR(1) 0.6", .6, false, .10},
}

var lengths = []int{20, 50, 100, 300}

// cell is one row of a table.
type cell struct {
	kind   kind
	points int
	step   float64
	reps   int

	found    int // series with a change
	right    int // series with exactly one change, at most 3 points from the step
	covered  int // of those, whose interval holds the step
	peer     int // series in which Otava finds a change
	peerReps int
}

func (c *cell) series() truth.Series {
	s := truth.Series{Points: c.points, Phi: c.kind.phi, T3: c.kind.t3}
	if c.step != 0 {
		s.Steps = []truth.Step{{At: c.points / 2, By: c.step}}
	}
	return s
}

func (c *cell) run(seed uint64, python string) error {
	kindNumber := uint64(math.Round(c.kind.phi*10)) << 1
	if c.kind.t3 {
		kindNumber |= 1
	}
	rng := rand.New(rand.NewPCG(seed, kindNumber<<40|uint64(c.points)<<8|uint64(c.step)))
	all := make([][]float64, c.reps)
	for r := range all {
		all[r] = make([]float64, c.points)
		c.series().Draw(all[r], rng)
		result := history.Analyse(points(all[r]), history.Options{Additive: true})
		if len(result.Changes) == 0 {
			continue
		}
		c.found++
		if change := result.Changes[0]; len(result.Changes) == 1 && math.Abs(float64(change.At-c.points/2)) <= 3 {
			c.right++
			if change.Lo <= c.step && c.step <= change.Hi {
				c.covered++
			}
		}
	}
	if python == "" {
		return nil
	}
	runs, err := otava(python, all)
	c.peerReps = len(runs)
	for _, run := range runs {
		if len(run.changes) > 0 {
			c.peer++
		}
	}
	return err
}

// points makes a series of single values, each a point without a day.
func points(y []float64) []history.Point {
	ps := make([]history.Point, len(y))
	for i, v := range y {
		ps[i] = history.Point{Label: fmt.Sprint(i), Place: -1, Runs: []history.Run{{Value: v, Slot: math.NaN()}}}
	}
	return ps
}

func simulate(opt options) (string, error) {
	reps := opt.reps
	if reps == 0 {
		reps = 2000
	}
	var quiet, steps []*cell
	for _, k := range kinds {
		for _, n := range lengths {
			quiet = append(quiet, &cell{kind: k, points: n, reps: reps})
			for step := 1.; step <= 3; step++ {
				steps = append(steps, &cell{kind: k, points: n, step: step, reps: reps})
			}
		}
	}
	if err := runAll(append(append([]*cell{}, quiet...), steps...), opt); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# False alarms and power of history\n\nSimulated by `just history-tables`: %d series a cell, seed %d, commit %s. ", reps, opt.seed, opt.commit)
	b.WriteString("Percent of series; [history.md](history.md) says what is done. Otava is apache-otava at its defaults, on the same series. " +
		"The bar of 5 is widened by two standard errors of the simulation.\n\n## False alarms: series without a change in which one is found\n\n")
	b.WriteString("| noise | points | noisefloor | bar | Otava |\n|---|---:|---:|---:|---:|\n")
	broken := 0
	for _, c := range quiet {
		share := float64(c.found) / float64(c.reps)
		bar := c.kind.most
		if bar == .05 { // two Monte-Carlo standard errors
			bar += 2 * math.Sqrt(bar*(1-bar)/float64(c.reps))
		}
		mark := ""
		if share > bar {
			mark = " **above**"
			broken++
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f%s | %.1f | %s |\n", c.kind.name, c.points, 100*share, mark, 100*bar, c.peerShare())
	}
	b.WriteString("\n## Power: one step in the middle, in SDs of a point\n\n")
	b.WriteString("Right: exactly one change, at most three points from the true one. Covered: of those, how many intervals hold the true step.\n\n")
	b.WriteString("| noise | points | step | noisefloor finds any | right | covered | Otava finds any |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, c := range steps {
		covered := "-"
		if c.right >= 100 {
			covered = fmt.Sprintf("%.0f", 100*float64(c.covered)/float64(c.right))
		}
		fmt.Fprintf(&b, "| %s | %d | %g | %.0f | %.0f | %s | %s |\n", c.kind.name, c.points, c.step,
			100*float64(c.found)/float64(c.reps), 100*float64(c.right)/float64(c.reps), covered, c.peerShare())
	}
	b.WriteString("\n## Looking after every new point (`history.Live`): series without a change in which one is ever found\n\n")
	b.WriteString("| noise | looks | noisefloor |\n|---|---:|---:|\n")
	for _, k := range kinds[:1] {
		for _, n := range []int{50, 100, 200} {
			fmt.Fprintf(&b, "| %s | %d | %.1f |\n", k.name, n-19, 100*everAlarm(k, n, max(1, reps/4), opt.seed))
		}
	}
	if broken > 0 {
		return b.String(), fmt.Errorf("%d false-alarm rates above their bar", broken)
	}
	return b.String(), nil
}

func (c *cell) peerShare() string {
	if c.peerReps == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(c.peer)/float64(c.peerReps))
}

// everAlarm looks at a growing series from its 20th point on.
func everAlarm(k kind, n, reps int, seed uint64) float64 {
	rng := rand.New(rand.NewPCG(seed, uint64(n)<<50))
	alarms := 0
	y := make([]float64, n)
	for range reps {
		truth.Series{Points: n, Phi: k.phi, T3: k.t3}.Draw(y, rng)
		live := history.NewLive(history.Options{Additive: true})
		for i, p := range points(y) {
			live.Append(p)
			if i >= 19 && len(live.Changes()) > 0 {
				alarms++
				break
			}
		}
	}
	return float64(alarms) / float64(reps)
}

// runAll runs the cells, two at a time.
func runAll(cells []*cell, opt options) error {
	errs := make([]error, len(cells))
	var wait sync.WaitGroup
	slots := make(chan bool, 2)
	for i, c := range cells {
		wait.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; wait.Done() }()
			errs[i] = c.run(opt.seed, opt.otava)
			fmt.Fprintln(opt.stderr, c.kind.name, c.points, c.step, c.found, c.peer)
		}()
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
