package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis/internal/truth"
)

// By hand, from the definitions of van den Burg & Williams (2020), section 4.2.
func TestScore(t *testing.T) {
	check := func(what string, marks map[string][]int, changes []int, points int, f1, cover float64) {
		t.Helper()
		if s := newScore(marks, changes, points); math.Abs(s.f1-f1) > 1e-12 || math.Abs(s.cover-cover) > 1e-12 {
			t.Errorf("%s: F1 %.4f, cover %.4f; want %.4f, %.4f", what, s.f1, s.cover, f1, cover)
		}
	}
	check("all right", map[string][]int{"1": {20}}, []int{20}, 40, 1, 1)
	check("nothing there, nothing found", map[string][]int{"1": {}}, nil, 40, 1, 1)
	// Precision 1 (index 0 alone), recall 1/2; both halves are half of the whole.
	check("missed", map[string][]int{"1": {20}}, nil, 40, 2./3, .5)
	// Precision 1/2, recall 1.
	check("false", map[string][]int{"1": {}}, []int{20}, 40, 2./3, .5)
	check("within the margin", map[string][]int{"1": {20}}, []int{25}, 40, 1, (20*20./25+20*15./20)/40)
	check("beyond the margin", map[string][]int{"1": {20}}, []int{26}, 40, .5, (20*20./26+20*14./20)/40)
	// Each change counts for one mark only, index 0 for the mark at 0.
	check("two marks, one change", map[string][]int{"1": {20, 23}}, []int{21}, 40, 2*1*(2./3)/(1+2./3), (20*20./21+3*2./20+17*17./19)/40)
	check("two annotators", map[string][]int{"1": {20}, "2": {}}, []int{20}, 40, 1, .75)
}

// PELT is the best partition too: pruning by bounds and functional pruning
// agree, which analysis/history tests against trying everything.
func TestPELTFindsTheSteps(t *testing.T) {
	y := make([]float64, 90)
	truth.Series{Points: 90, Steps: []truth.Step{{At: 30, By: 6}, {At: 60, By: -9}}}.Draw(y, rand.New(rand.NewPCG(1, 1)))
	y[10] = math.NaN()
	if got := pelt(y); !slices.Equal(got, []int{30, 60}) {
		t.Errorf("changes %v", got)
	}
}

// The command takes any folder in the data set's form.
func TestTCPDCommand(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var raw []string
	for i := range 60 {
		raw = append(raw, fmt.Sprintf("%.3f", 100+math.Sin(float64(i*i))-10*float64(i/30)))
	}
	raw[7] = "null"
	write("step.json", `{"name":"step","n_obs":60,"series":[{"raw":[`+strings.Join(raw, ",")+`]}]}`)
	write("unmarked.json", `{"name":"unmarked","n_obs":1,"series":[{"raw":[1]}]}`)
	write("annotations.json", `{"step":{"6":[30],"7":[31]}}`)
	var out, errs bytes.Buffer
	if err := run([]string{"tcpd", dir}, &out, &errs); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "| step | 60 | 2 | 1.000 |") || !strings.Contains(out.String(), "mean of 1") {
		t.Errorf("%s", out.String())
	}
	if err := run([]string{"tcpd", t.TempDir()}, &out, &errs); err == nil {
		t.Error("an empty folder has no annotations")
	}
}

// One cell of each table, short.
func TestSimulateCommand(t *testing.T) {
	var out, errs bytes.Buffer
	if err := run([]string{"simulate", "-reps", "3"}, &out, &errs); err != nil && !strings.Contains(err.Error(), "above their bar") {
		t.Fatal(err)
	}
	for _, want := range []string{"False alarms", "| AR(1) 0.6 | 300 |", "Power", "Looking after"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
