package noise

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// The sets of testdata and their answers are made by testdata/oracle.R with
// R 4.2.2, lme4 1.1-31, lmerTest 3.1-3, pbkrtest 0.5.2.

// readTable reads a file of testdata by column name.
func readTable(t *testing.T, name string, comma rune) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = comma
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := make(map[string]string)
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// references is what R says of one set, by quantity.
func references(t *testing.T, set string) map[string]float64 {
	t.Helper()
	out := make(map[string]float64)
	for _, row := range readTable(t, "reference.tsv", '\t') {
		if row["set"] == set {
			out[row["quantity"]] = number(t, row["value"])
		}
	}
	if len(out) == 0 {
		t.Fatalf("no reference for %s", set)
	}
	return out
}

// rowsOf reads a set as runs; a column named interval makes them intervals.
func rowsOf(t *testing.T, set string, keep func(map[string]string) bool) []Run {
	t.Helper()
	var out []Run
	for _, row := range readTable(t, set+".csv", ',') {
		if keep != nil && !keep(row) {
			continue
		}
		r := Run{Day: row["day"], Launch: row["launch"], Value: number(t, row["tps"])}
		if row["arm"] == "contender" {
			r.Arm = 1
		}
		if _, intervals := row["interval"]; intervals {
			r.Run = row["run"]
		}
		out = append(out, r)
	}
	return out
}

// modelOf is log(value) with an intercept, arm if there are two, and a random
// term for each named level.
func modelOf(runs []Run, levels ...string) Model {
	l, _ := newLayout(runs)
	m := Model{}
	for i, r := range runs {
		m.Y = append(m.Y, l.y[i])
		m.X = append(m.X, 1)
		if l.arms == 2 {
			m.X = append(m.X, float64(r.Arm))
		}
	}
	for _, name := range levels {
		m.Groups = append(m.Groups, map[string][]int{Day: l.day, DayArm: l.cell, Launch: l.launch, RunLevel: l.run}[name])
	}
	return m
}

func TestAgainstR(t *testing.T) {
	set := func(name string, levels ...string) {
		t.Helper()
		ref := references(t, name)
		runs := rowsOf(t, name, nil)
		f := fitted(t, modelOf(runs, levels...))
		near(t, name+" criterion", f.Criterion, ref["criterion"], 1e-6)
		for i, level := range append(levels, "Residual") {
			want, ok := ref["var:"+level]
			if !ok {
				t.Fatalf("%s: no variance of %s", name, level)
			}
			near(t, name+" "+level, f.Var[i], want, 1e-4*want+1e-8*ref["var:Residual"])
			if want < 1e-12 && f.Var[i] != 0 {
				t.Errorf("%s %s = %g, want 0 exactly", name, level, f.Var[i])
			}
		}
		// modelOf takes logs relative to the first value.
		near(t, name+" intercept", f.Beta[0], ref["coef:(Intercept)"]-logRatio(runs[0].Value, 1), 1e-6)
		if len(f.Beta) == 1 {
			return
		}
		near(t, name+" arm", f.Beta[1], ref["coef:armcontender"], 1e-6)
		kr, sat := Contrast(f, []float64{0, 1})
		closeTo(t, name+" KR se", kr.SE, ref["kr_se"], 1e-3)
		closeTo(t, name+" KR df", kr.DF, ref["kr_df"], 1e-3)
		closeTo(t, name+" KR p", kr.P, ref["kr_p"], 1e-3)
		closeTo(t, name+" se", sat.SE, ref["se:armcontender"], 1e-3)
		closeTo(t, name+" Satterthwaite df", sat.DF, ref["satterthwaite_df"], 1e-3)
		closeTo(t, name+" Satterthwaite p", sat.P, ref["satterthwaite_p"], 1e-3)
	}
	set("balanced", Day, DayArm)
	set("unbalanced", Day, DayArm)
	set("null", Day, DayArm) // day:arm at 0: KR keeps few df, Satterthwaite pools
	set("two_days", Day, DayArm)
	set("launches", Day, DayArm, Launch)
	set("launches_null", Day, DayArm, Launch) // day:arm at 0
	set("profile", Day, RunLevel)             // intervals in runs in days, one arm
}

func TestProfileAgainstR(t *testing.T) {
	profile := func(set string, f Fit, k int, name string) {
		t.Helper()
		ref := references(t, set)
		e, err := ProfileSD(f, k, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		// optim's Nelder-Mead in the oracle is good for about 1e-6.
		near(t, set+" "+name+" lower", e.Lo, ref["profile_lo:"+name], 2e-6)
		near(t, set+" "+name+" upper", e.Hi, ref["profile_hi:"+name], 2e-6)
	}
	f := fitted(t, modelOf(rowsOf(t, "unbalanced", nil), Day, DayArm))
	profile("unbalanced", f, 0, "day")
	profile("unbalanced", f, 1, "cell")
	profile("unbalanced", f, 2, "Residual")
	base := rowsOf(t, "unbalanced", func(row map[string]string) bool { return row["arm"] == "base" })
	f = fitted(t, modelOf(base, Day))
	profile("unbalanced_base", f, 0, "day")
	profile("unbalanced_base", f, 1, "Residual")
}
