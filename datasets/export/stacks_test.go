package export

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"noisefloor/datasets"
)

func from(stacks ...datasets.Stack) func(yield func([]datasets.Stack) error) error {
	return func(yield func([]datasets.Stack) error) error {
		for i := range stacks { // one at a time, as a reader may
			if err := yield(stacks[i : i+1]); err != nil {
				return err
			}
		}
		return nil
	}
}

func stack(event, comm, frames string, weight, samples float64) datasets.Stack {
	s := datasets.Stack{RunID: "r", Event: event, Comm: comm, Weight: weight, Samples: samples}
	if frames != "" {
		s.Frames = strings.Split(frames, " ")
	}
	return s
}

var unknown = math.NaN()

// written writes a profile and reads it back with the package of its format.
func written(t *testing.T, stacks ...datasets.Stack) *profile.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := Pprof(&b, from(stacks...), "glibc", "run 1"); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return p
}

// lines prints a profile: types, then each sample as root;leaf and its values.
func lines(p *profile.Profile) string {
	var b strings.Builder
	for _, t := range p.SampleType {
		fmt.Fprintf(&b, "%s/%s ", t.Type, t.Unit)
	}
	b.WriteString("\n")
	for _, s := range p.Sample {
		names := append([]string{}, s.Label["comm"]...)
		for i := range s.Location {
			names = append(names, s.Location[len(s.Location)-1-i].Line[0].Function.Name)
		}
		fmt.Fprintln(&b, strings.Join(names, ";"), s.Value)
	}
	return b.String()
}

func wantLines(t *testing.T, p *profile.Profile, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), lines(p)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPprofKeepsFramesWeightsAndTotals(t *testing.T) {
	p := written(t,
		stack("cycles", "mariadbd", "main do_command malloc", 1000, 2),
		stack("cycles", "mariadbd", "main do_command", 500, 1),
		stack("cycles", "mariadbd", "main do_command malloc", 300.6, 1), // another run's: added
		stack("cycles", "sysbench", "main do_command malloc", 7, 1),     // another command's: not
	)
	wantLines(t, p, `
cycles_samples/count cycles/count 
mariadbd;main;do_command;malloc [3 1301]
mariadbd;main;do_command [1 500]
sysbench;main;do_command;malloc [1 7]
`)
	if p.DefaultSampleType != "cycles" || len(p.Function) != 3 {
		t.Errorf("default %q, %d functions", p.DefaultSampleType, len(p.Function))
	}
	if diff := cmp.Diff([]string{"glibc", "run 1"}, p.Comments); diff != "" {
		t.Error(diff)
	}
}

func TestPprofNeverMixesEvents(t *testing.T) {
	wantLines(t, written(t,
		stack("cycles", "", "a b", 10, 1),
		stack("instructions", "", "a b", 25, 1),
		stack("instructions", "", "a c", 5, 2),
	), `
cycles_samples/count cycles/count instructions_samples/count instructions/count 
a;b [1 10 1 25]
a;c [0 0 2 5]
`)
}

func TestPprofOfWeightsAlone(t *testing.T) {
	wantLines(t, written(t, stack("", "", "a b", 3, unknown), stack("", "", "a", 1, unknown)), "samples/count \na;b [3]\na [1]\n")
}

func TestPprofClocksAreTimes(t *testing.T) {
	wantLines(t, written(t, stack("cpu-clock", "", "a", 2.5e8, 1)), "cpu-clock_samples/count cpu-clock/nanoseconds \na [1 250000000]\n")
	wantLines(t, written(t, stack("cpu-clock", "", "a", 4, 4)), "cpu-clock_samples/count cpu-clock/count \na [4 4]\n")
}

func TestPprofOfNothing(t *testing.T) { wantLines(t, written(t), "samples/count \n") }

// The program that the profiles are for reads them, and takes one from the
// other.
func TestPprofDiffBase(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, stacks ...datasets.Stack) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := Pprof(f, from(stacks...)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base := file("base.pb.gz", stack("cycles", "m", "main malloc", 100, 10), stack("cycles", "m", "main free", 50, 5))
	contender := file("contender.pb.gz", stack("cycles", "m", "main malloc", 160, 16), stack("cycles", "m", "main free", 40, 4))
	out, err := exec.Command("go", "tool", "pprof", "-top", "-diff_base", base, contender).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"60 40.00%", "malloc", "-10  6.67%", "free"} { // of 150 in the base
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func folded(t *testing.T, event string, stacks ...datasets.Stack) string {
	t.Helper()
	var b strings.Builder
	if err := Folded(&b, event, from(stacks...)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFolded(t *testing.T) {
	got := folded(t, "cycles",
		stack("cycles", "mariadbd", "main malloc", 2, 2),
		stack("cycles", "mariadbd", "main free", 1.5, 1),
		stack("cycles", "mariadbd", "main malloc", 40, 1), // another run's: added
		stack("instructions", "mariadbd", "main malloc", 9, 9),
		stack("cycles", "", "std::map<a,b;c>::at x", 1, 1),
		stack("cycles", "idle", "", 3e9, 1),
		stack("cycles", "", "", 1, 1), // nothing to name
	)
	if diff := cmp.Diff("idle 3000000000\nmariadbd;main;free 1.5\nmariadbd;main;malloc 42\nstd::map<a,b:c>::at;x 1\n", got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := folded(t, "none"); got != "" {
		t.Errorf("%q", got)
	}
}
