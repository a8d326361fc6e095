package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

type curvesJSON struct {
	Scaling []struct {
		Level, Law, Factor string
		Terms              []struct {
			Name, Unit    string
			Value, Lo, Hi *float64
		}
		Peak        *struct{ N, Lo, Hi, X *float64 }
		WithinRange *bool `json:"within_range"`
		Curve       []struct {
			X      float64
			BandLo *float64 `json:"band_lo"`
		}
	}
	Crossovers []struct {
		Base, Contender string
		Crossings       []struct {
			At, Lo, Hi *float64
			After      string
		}
		Ranges []struct {
			From, To float64
			Verdict  string
		}
		Warnings []struct{ Kind, Text string }
	}
}

func curvesOf(t *testing.T, args ...string) (doc curvesJSON) {
	t.Helper()
	out, stderr, code := call(t, append([]string{"scaling", "--json", "--quiet"}, args...)...)
	if code != exitDone {
		t.Fatalf("exit status %d: %s", code, stderr)
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// docs/examples/curves.csv: truth in docs/curves.md.
func TestScaling(t *testing.T) {
	doc := curvesOf(t, "../../docs/examples/curves.csv")
	if len(doc.Scaling) != 2 || len(doc.Crossovers) != 1 {
		t.Fatalf("%d curves, %d pairs", len(doc.Scaling), len(doc.Crossovers))
	}
	truths := map[string]float64{"9.6.0 sigma": .03, "9.7.0 sigma": .02, "9.6.0 kappa": 3e-4, "9.7.0 kappa": 2e-4, "9.6.0 lambda": 900, "9.7.0 lambda": 860}
	for _, s := range doc.Scaling {
		if s.Law != "usl" || s.Factor != "threads" || s.Peak == nil || s.WithinRange == nil || !*s.WithinRange {
			t.Errorf("%+v", s)
		}
		for _, term := range s.Terms {
			if truth := truths[s.Level+" "+term.Name]; !(*term.Lo <= truth && truth <= *term.Hi) {
				t.Errorf("%s %s: %g (%g to %g), truth %g", s.Level, term.Name, *term.Value, *term.Lo, *term.Hi, truth)
			}
		}
	}
	c := doc.Crossovers[0]
	if len(c.Crossings) != 1 || !(*c.Crossings[0].Lo < 5.84 && 5.84 < *c.Crossings[0].Hi) || c.Crossings[0].After != "faster" {
		t.Errorf("%+v", c.Crossings)
	}
	if len(c.Ranges) != 2 || c.Ranges[0].Verdict != "slower" || c.Ranges[1].Verdict != "faster" || c.Ranges[1].To != 128 {
		t.Errorf("%+v", c.Ranges)
	}
}

// A published table, restated: look-ups through a hosts file against dnsmasq.
func TestScalingOfATable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts.csv")
	write(t, file, "entries,system,seconds_per_100k\n2,hosts,1.516\n2,dnsmasq,4.8068\n102,hosts,2.6598\n102,dnsmasq,4.9224\n252,hosts,4.4474\n252,dnsmasq,4.9286\n1002,hosts,13.2376\n1002,dnsmasq,4.831\n")
	doc := curvesOf(t, file, "--base", "hosts")
	if len(doc.Crossovers) != 1 || len(doc.Crossovers[0].Crossings) != 1 {
		t.Fatalf("%+v", doc)
	}
	x := doc.Crossovers[0].Crossings[0]
	if math.Abs(*x.At-290) > 10 || x.Lo != nil || x.Hi != nil || x.After != "faster" {
		t.Errorf("crossing %g, %v, %v, %s", *x.At, x.Lo, x.Hi, x.After)
	}
	out, _, _ := call(t, "scaling", file, "--base", "hosts")
	text := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"Law: linear", "cross at 289 entries; there is no interval for it", "4 levels of one run each repeat nothing", "no claim"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestScalingUsage(t *testing.T) {
	const table = "../../docs/examples/curves.csv"
	check := func(want string, args ...string) {
		t.Helper()
		if _, stderr, code := call(t, append([]string{"scaling"}, args...)...); code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit status %d, %s", args, code, stderr)
		}
	}
	check(`did you mean "threads"?`, table, "--x", "thread")
	check("has no numbers", table, "--x", "version", "--by", "threads")
	check("cannot be what is compared", table, "--x", "threads", "--by", "threads")
	check(`no law called "ulc"`, table, "--law", "ulc")
	if out, _, code := call(t, "scaling", table, "--law", "segmented", "--natural", "--html", filepath.Join(t.TempDir(), "curves.html")); code != exitDone || !strings.Contains(out, "knee") {
		t.Errorf("exit status %d\n%s", code, out)
	}
}

// Logs of one thread count: no curve, and the sentence says so.
func TestScalingWithoutLevels(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		write(t, filepath.Join(dir, fmt.Sprintf("run%d.log", i+1)), blogLog(8, 295, 300, 900+float64(i)))
	}
	out, stderr, code := call(t, "scaling", dir)
	if code != exitDone || !strings.Contains(strings.Join(strings.Fields(out), " "), "no curve to draw") {
		t.Errorf("exit status %d\n%s%s", code, out, stderr)
	}
}
