package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pilotTable is a session of two versions at two thread counts; the second
// scatters more.
func pilotTable(t *testing.T) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 2))
	var b strings.Builder
	b.WriteString("version,threads,day,order,duration_s,tps\n")
	for i, threads := range []int{8, 64} {
		for day := range 4 {
			order, dayEffect := 10*i, 0.03*rng.NormFloat64()
			arm := [2]float64{0.004 * float64(1+i) * rng.NormFloat64(), 0.004 * float64(1+i) * rng.NormFloat64()}
			for range 3 {
				for a, version := range []string{"9.6.0", "9.7.0"} {
					order++
					fmt.Fprintf(&b, "%s,%d,d%d,%d,120,%.3f\n", version, threads, day, order, 1000*math.Exp(dayEffect+arm[a]+0.006*float64(1+i)*rng.NormFloat64()))
				}
			}
		}
	}
	path := filepath.Join(t.TempDir(), "pilot.csv")
	write(t, path, b.String())
	return path
}

func TestPlanFromPilot(t *testing.T) {
	pilot := pilotTable(t)
	out, errs, code := call(t, "plan", pilot, "--detect", "2%", "--quiet")
	if code != exitDone {
		t.Fatal(errs)
	}
	for _, want := range []string{"shared by 2 comparisons", "at 64 threads, which needs most of 2 strata", "80 % upper bound", "2 min a run", "Fewest runs that see 2 %"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("no word of %q in\n%s", want, out)
		}
	}
	out, _, _ = call(t, "plan", pilot, "--detect", "2%", "--quiet", "--json")
	var doc struct {
		Plan struct {
			Detect, Level float64
			Best          map[string]float64
			Rows          []map[string]float64
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	best := doc.Plan.Best
	if doc.Plan.Detect != 0.02 || math.Abs(doc.Plan.Level-0.025) > 1e-12 || len(doc.Plan.Rows) != 32 || best["power"] < 0.8 || best["mde_planned"] > 0.02 || best["days"] < 2 {
		t.Errorf("%+v", doc.Plan)
	}
	// By hand: 30 minutes a day and 2 arms of runs of 2 minutes.
	if want := best["days"] * (1800 + 2*best["runs"]*120); best["cost"] != want {
		t.Errorf("cost %g, want %g", best["cost"], want)
	}
	for _, key := range []string{"days", "runs", "mde", "power", "cost"} {
		if _, ok := doc.Plan.Rows[0][key]; !ok {
			t.Errorf("no key %q", key)
		}
	}
}

func TestPlanSchedule(t *testing.T) {
	args := []string{"plan", "--sd", "run=1%,day:arm=0.3%", "--days", "3", "--runs", "2", "--schedule", "--arms", "glibc,jemalloc,tcmalloc"}
	read := func(args ...string) [][]string {
		t.Helper()
		out, errs, code := call(t, args...)
		if code != exitDone {
			t.Fatal(errs)
		}
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := read(args...)
	if got := strings.Join(rows[0], ","); got != "day,order,arm,launch,rep,seed" || len(rows) != 1+3*2*3 {
		t.Errorf("%s, %d runs", got, len(rows)-1)
	}
	count := map[string]int{}
	for _, r := range rows[1:] {
		count[r[0]+r[2]]++
		if r[5] != "1" {
			t.Errorf("seed %s", r[5])
		}
	}
	for k, n := range count {
		if n != 2 || len(count) != 9 {
			t.Errorf("%s: %d runs of 2", k, n)
		}
	}
	if again, other := read(args...), read(append(args, "--seed", "2")...); fmt.Sprint(again) != fmt.Sprint(rows) || fmt.Sprint(other) == fmt.Sprint(rows) {
		t.Error("the seed does not settle the order")
	}
	rows = read("plan", "--sd", "run=1%,day=1%", "--separate", "--days", "2", "--runs", "3", "--schedule")
	arms := map[string]string{}
	for _, r := range rows[1:] {
		if was, ok := arms[r[0]]; ok && was != r[2] {
			t.Errorf("day %s has two arms", r[0])
		}
		arms[r[0]] = r[2]
	}
	if len(arms) != 4 || len(rows) != 1+2*2*3 {
		t.Errorf("%d days, %d runs", len(arms), len(rows)-1)
	}
	last, _ := strconv.Atoi(rows[len(rows)-1][3])
	if last != 12 {
		t.Errorf("%d launches for 12 runs", last)
	}
}

func TestPlanUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "t.csv"), "version,day,threads,tps\na1,d1,8,100\nb1,d1,8,101\na1,d1,8,102\nb1,d1,8,103\n")
	for _, c := range []struct{ args, want string }{
		{"plan", "a plan needs a pilot"},
		{"plan " + dir + " --sd run=1%", "not from both"},
		{"plan --sd run=1%", "day:arm"},
		{"plan --sd runs=1%,day:arm=1%", `did you mean "run"?`},
		{"plan --sd run=x,day:arm=1%", "want a share"},
		{"plan --sd run=1%,day:arm=1% --days 1", "from 2 on"},
		{"plan " + dir, "from one day"},
		{"plan --sd run=30%,day:arm=30% --detect 0.1% --schedule", "no design"},
	} {
		_, errs, code := call(t, strings.Fields(c.args)...)
		if code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit status %d, want %d and %q:\n%s", c.args, code, exitUsage, c.want, errs)
		}
	}
}
