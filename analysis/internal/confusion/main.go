// Confusion writes docs/steady.md: what package steady makes of runs whose
// course is known, with a picture of each. just confusion runs it.
package main

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"noisefloor/analysis/figure"
	"noisefloor/analysis/internal/truth"
	"noisefloor/analysis/steady"
)

const (
	intervals = 300
	reps      = 1000
	sd        = 0.03 // of one interval, relative to the level
	seed      = 1
)

var phis = []float64{0, 0.3, 0.6}

var classes = []steady.Class{steady.Flat, steady.WarmUp, steady.SlowDown, steady.NoSteadyState}

type row struct {
	Name, Truth, File string
	Phi               float64
	Share             []string // per class, in percent
	Right             string
}

func main() {
	if err := os.MkdirAll(filepath.Join("docs", "steady"), 0o755); err != nil {
		log.Fatal(err)
	}
	var rows []row
	var names []row
	for _, c := range truth.Courses {
		file := strings.Trim(strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
				return r
			}
			return '-'
		}, c.Name), "-") + ".png"
		if err := draw(c, filepath.Join("docs", "steady", file)); err != nil {
			log.Fatal(err)
		}
		names = append(names, row{Name: c.Name, Truth: c.Class, File: file})
		for _, phi := range phis {
			rows = append(rows, tally(c, phi))
		}
	}
	var page bytes.Buffer
	if err := pageTemplate.Execute(&page, map[string]any{"Rows": rows, "Names": names, "Intervals": intervals, "Reps": reps, "SD": 100 * sd, "Seed": seed}); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("docs", "steady.md"), page.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

func times() []float64 {
	t := make([]float64, intervals)
	for i := range t {
		t[i] = float64(i + 1)
	}
	return t
}

func run(c truth.Course, phi float64, rng *rand.Rand) []float64 {
	y := truth.AddAR(c.Draw(intervals, rng), sd, phi, rng)
	for i := range y {
		y[i] *= 1000
	}
	return y
}

func tally(c truth.Course, phi float64) row {
	rng := rand.New(rand.NewPCG(seed, math.Float64bits(phi)))
	count := map[steady.Class]int{}
	t := times()
	for range reps {
		count[steady.Analyse(t, run(c, phi, rng), steady.Options{}).Class]++
	}
	r := row{Name: c.Name, Truth: c.Class, Phi: phi, Right: "-"}
	for _, class := range classes {
		share := fmt.Sprintf("%.0f", 100*float64(count[class])/reps)
		if string(class) == c.Class {
			r.Right = share
			share = "**" + share + "**"
		}
		r.Share = append(r.Share, share)
	}
	return r
}

// draw is one run of the kind, with what is cut off shaded.
func draw(c truth.Course, file string) error {
	t, y := times(), run(c, 0.3, rand.New(rand.NewPCG(seed, 7)))
	cut := steady.Analyse(t, y, steady.Options{}).Cut
	var png bytes.Buffer
	if err := figure.Panel(c.Name, t, y, 0, slices.Min(y), slices.Max(y), intervals, cut).PNG(&png, 2); err != nil {
		return err
	}
	return os.WriteFile(file, png.Bytes(), 0o644)
}

var pageTemplate = template.Must(template.New("page").Parse(`# Warm-up and steady state

Written by ` + "`just confusion`" + `; seed {{.Seed}}.

A run is cut where its mean or variance changes, by the exact optimum of the likelihood with a price of 8 log n for each change. From the end backwards, stretches are
joined while they are on one level (within 1 % or the noise of their means); a level that leaves for less than a tenth of the run and comes back is one level. What remains in
front is the warm-up (or slow-down). A run whose last quarter still changes, or whose last stretch still climbs, has **no steady state**, and nothing is said of its mean. Below 20 intervals
nothing is said at all.

**One cut for all.** A cut of its own for each run would depend on the outcome. The latest cut of any run of a stratum, of all arms, is the cut of all, and throughput is compared
from there on. If one of them has no steady state, whole runs are compared in that stratum, for all arms, and the row says so; where other runs warm up, the claim itself says that this is in it. Percentiles and histograms always cover the whole run.
` + "`--keep-warmup`" + ` compares whole runs; ` + "`noisefloor steady`" + ` shows it run by run.

The standard error of a mean counts the likeness of neighbouring intervals in (initial positive sequence, Geyer 1992); ess is how many independent intervals they are worth.

## What it makes of runs whose course is known

{{.Reps}} runs of {{.Intervals}} intervals of each kind, noise of {{.SD}} % of the level, neighbours correlated by phi. Percent of the runs that got each class; the right one is bold.

| course | phi | flat | warm-up | slow-down | no steady state |
|---|---|---|---|---|---|
{{range .Rows}}| {{.Name}} | {{.Phi}} |{{range .Share}} {{.}} |{{end}}
{{end}}
A run that happens to begin in a stall reads as warm-up; a gentle climb in noise with phi .6 can pass for noise; and runs that stay in either of two modes for a minute have a class
that depends on where they end, so no right one is marked.

## One of each

What is shaded is cut off; the dashed line is the mean of the rest.

{{range .Names}}- {{.Name}}{{with .Truth}}, {{.}}{{end}}<br>![{{.Name}}](steady/{{.File}})
{{end}}`))
