package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
)

// answered is the part of the JSON document that these tests look at.
type answered struct {
	Comparisons []comparedRow `json:"comparisons"`
	Headlines   []comparedRow `json:"headlines"`
	Gate        *struct {
		Gate, Outcome string
		Reasons       []string
	} `json:"gate"`
	Warnings []struct{ Kind, Text string } `json:"warnings"`
}

type comparedRow struct {
	Metric, Method, Verdict, Aggregate, Scale, Looks string
	Ratio, Difference, Lo, Hi, P                     *float64
	PAdjusted                                        *float64 `json:"p_adjusted"`
	DaysPlanned                                      *int     `json:"days_planned"`
	Contender                                        struct{ Level string }
	Conditional                                      *struct{ Launches int }
	CrossCheck                                       *struct{ Method string } `json:"cross_check"`
	Strata                                           int
	Warnings                                         []struct{ Kind, Text string }
}

func (r *comparedRow) kinds() []string {
	var ks []string
	for _, w := range r.Warnings {
		ks = append(ks, w.Kind)
	}
	return ks
}

// compared runs noisefloor compare --json on a table.
func compared(t *testing.T, table string, args ...string) (answered, int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, table)
	out, errs, code := call(t, append([]string{"compare", path, "--json"}, args...)...)
	var doc answered
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v: %s\n%s", err, errs, out)
	}
	return doc, code
}

// days makes a table of runs that alternate: for each day the values of base (a)
// and contender (b), "100 101|110 111".
func days(lines ...string) string {
	var b strings.Builder
	b.WriteString("version,day,order,tps\n")
	for d, line := range lines {
		day := fmt.Sprintf("2026-05-%02d", d+1)
		base, contender, _ := strings.Cut(line, "|")
		arms := [2][]string{strings.Fields(base), strings.Fields(contender)}
		order := 0
		for k := range max(len(arms[0]), len(arms[1])) {
			for turn := range 2 {
				arm := (turn + d) % 2
				if k < len(arms[arm]) {
					order++
					fmt.Fprintf(&b, "%s,%s,%d,%s\n", [2]string{"a1", "b1"}[arm], day, order, arms[arm][k])
				}
			}
		}
	}
	return b.String()
}

// Every verdict from the command line, on data where it is true.
func TestEveryVerdict(t *testing.T) {
	for _, c := range []struct {
		want  analysis.Verdict
		table string
	}{
		{analysis.Faster, days("100 101|110 111", "90 91|99 100", "105 104|116 115")},
		{analysis.Slower, days("110 111|100 101", "99 100|90 91", "116 115|105 104")},
		{analysis.Equivalent, days("1000 1001|1000 1001", "901 900|900 901", "1050 1051|1051 1051")},
		{analysis.Inconclusive, days("100 101|104 90", "90 91|99 88", "105 104|96 112")},
		{analysis.Unsupported, days("100 101|110 111")},
	} {
		doc, code := compared(t, c.table)
		if code != exitDone || len(doc.Comparisons) != 1 || doc.Comparisons[0].Verdict != string(c.want) {
			t.Errorf("want %s, have %+v (exit status %d)", c.want, doc.Comparisons, code)
		}
		if len(doc.Headlines) != 1 || doc.Headlines[0].Verdict != string(c.want) || doc.Headlines[0].Strata != 1 {
			t.Errorf("headline: want %s, have %+v", c.want, doc.Headlines)
		}
	}
}

// Every refusal from the command line, on data where it is true.
func TestEveryRefusal(t *testing.T) {
	two := days("100 101|110 111", "90 91|99 100")
	for _, c := range []struct {
		kind, table string
		args        []string
	}{
		{"one-shared-day", days("100 101|110 111"), nil},
		{"one-run-an-arm", days("100|110"), nil},
		{"day-unknown", "version,tps\na1,100\na1,101\nb1,110\nb1,111\n", nil},
		{"separate-single-days", days("100 101|", "|110 111"), nil},
		{"too-few-days", days("100 101|", "|110 111", "|110 112", "|111 109"), nil},
		{"uneven-days", days("100|", "101 102|", "|110", "|111"), nil},
		{"same-order", "version,day,order,tps\na1,d1,1,100\na1,d1,2,101\nb1,d1,3,110\nb1,d1,4,111\na1,d2,1,90\nb1,d2,2,99\n", nil},
		{"aliased-conditions", "version,day,order,host,tps\na1,d1,1,h1,100\nb1,d1,2,h2,110\nb1,d2,1,h2,99\na1,d2,2,h1,90\n", nil},
		{"no-spread", days("100 100|110 110", "90 90|99 99"), nil},
		{"not-positive", days("100 0|110 111", "90 91|99 100"), nil},
		{"too-large", days("1e308 1.1e308|-1e308 -1.2e308", "1e308 1e308|-1.1e308 -1.3e308"), []string{"--metric", "errors_per_s"}},
		{"maximum-of-many", strings.ReplaceAll(two, "tps\n", "latency_max\n"), nil},
		{"too-few-for-method", two, []string{"--method", "permutation"}},
		{"method-failed", days("100|110", "90|99"), []string{"--method", "kr"}},
	} {
		table := c.table
		switch c.kind {
		case "too-large":
			table = strings.ReplaceAll(table, "tps\n", "errors_per_s\n")
		}
		doc, code := compared(t, table, c.args...)
		if code != exitDone || len(doc.Comparisons) != 1 {
			t.Errorf("%s: exit status %d, rows %+v, warnings %v", c.kind, code, doc.Comparisons, doc.Warnings)
			continue
		}
		r := doc.Comparisons[0]
		if r.Verdict != string(analysis.Unsupported) || !slices.Contains(r.kinds(), c.kind) || r.Lo != nil || r.P != nil {
			t.Errorf("%s: %s, %v, lo %v, p %v", c.kind, r.Verdict, r.kinds(), r.Lo, r.P)
		}
	}
	// Of all strata together: each is complete, on a day of its own.
	table := "version,day,order,threads,tps\n"
	for n, d := range []int{1, 1, 2, 3, 4} {
		table += fmt.Sprintf("a1,d%d,%d,%d,100\nb1,d%d,%d,%d,101\n", d, 2*n, n+1, d, 2*n+1, n+1)
	}
	doc, _ := compared(t, table)
	if len(doc.Headlines) != 1 || !slices.Contains(doc.Headlines[0].kinds(), "no-shared-stratum") {
		t.Errorf("no-shared-stratum: %+v", doc.Headlines)
	}
}

// Gates: 1 beats 4, and 4 is for what cannot answer.
func TestGateStatus(t *testing.T) {
	slower, faster := days("110 111|100 101", "99 100|90 91", "116 115|105 104"), days("100 101|110 111", "90 91|99 100", "105 104|116 115")
	loud, oneDay := days("100 101|140 120", "90 91|60 70", "105 104|150 160"), days("100 101|110 111")
	same := days("1000 1001|1000 1001", "901 900|900 901", "1050 1051|1051 1051")
	both := "version,threads,day,order,tps\n"
	for i, line := range strings.Split(strings.TrimSpace(slower), "\n")[1:] {
		f := strings.Split(line, ",")
		both += fmt.Sprintf("%s,8,%s,%s,%s\n", f[0], f[1], f[2], f[3])
		if i < 4 {
			both += fmt.Sprintf("%s,64,2026-05-01,%d,%d\n", f[0], i, 100+i)
		}
	}
	for _, c := range []struct {
		name, table, gate string
		want              int
	}{
		{"slower", slower, "slower", exitFailed},
		{"slower", slower, "changed", exitFailed},
		{"slower", slower, "not-worse", exitFailed},
		{"faster", faster, "slower", exitDone},
		{"faster", faster, "changed", exitFailed},
		{"faster", faster, "not-worse", exitDone},
		{"the same", same, "slower", exitDone},
		{"the same", same, "changed", exitDone},
		{"the same", same, "not-worse", exitDone},
		{"too loud", loud, "slower", exitCannotAnswer},
		{"too loud", loud, "not-worse", exitCannotAnswer},
		{"one day", oneDay, "slower", exitCannotAnswer},
		{"slower in a stratum, no answer in another", both, "slower", exitFailed},
	} {
		doc, code := compared(t, c.table, "--gate", c.gate)
		if code != c.want || doc.Gate == nil || (c.want == exitDone) != (len(doc.Gate.Reasons) == 0) {
			t.Errorf("%s, --gate %s: exit status %d, want %d; %+v", c.name, c.gate, code, c.want, doc.Gate)
		}
	}
	if _, code := compared(t, loud, "--gate", "slower", "--detect", "99%"); code != exitCannotAnswer && code != exitDone {
		t.Errorf("exit status %d", code)
	}
	// Text says it too, and stderr why.
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, slower)
	out, errs, code := call(t, "report", path, "--gate", "slower", "--quiet")
	if code != exitFailed || !strings.Contains(errs, "gate slower: failed: tps of b1: slower") || !strings.Contains(out, "Gate slower: failed") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
}

// logs writes a folder of sysbench logs of two versions, three days x two runs; the
// named ones lack their summary. The contender is faster.
func logs(t *testing.T, threads []int, truncated func(version string, threads, day, run int) bool) string {
	t.Helper()
	dir := t.TempDir()
	for d := 1; d <= 3; d++ {
		for r := 1; r <= 2; r++ {
			for arm, version := range []string{"9.6.0", "9.7.0"} {
				for _, n := range threads {
					log := blogLog(n, 298, 300, float64(100+7*d+r+10*arm))
					if truncated(version, n, d, r) {
						log, _, _ = strings.Cut(log, "SQL statistics")
					}
					write(t, filepath.Join(dir, version, fmt.Sprintf("2026-05-%02d_run%d_%dth.log", d, r, n)), log)
				}
			}
		}
	}
	return dir
}

// An arm that loses runs cannot pass a gate: what is left is no fair sample.
func TestGateAndLosses(t *testing.T) {
	ask := func(dir string) (answered, int) {
		t.Helper()
		out, errs, code := call(t, "compare", dir, "--json", "--metric", "tps", "--gate", "slower")
		var doc answered
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatalf("%v\n%s", err, errs)
		}
		return doc, code
	}
	if doc, code := ask(logs(t, []int{8}, func(string, int, int, int) bool { return false })); code != exitDone || doc.Comparisons[0].Verdict != string(analysis.Faster) {
		t.Errorf("nothing lost: exit status %d, %+v", code, doc)
	}
	doc, code := ask(logs(t, []int{8}, func(version string, _, d, r int) bool { return version == "9.7.0" && d == 2 && r == 1 }))
	if code != exitCannotAnswer || !strings.Contains(strings.Join(doc.Gate.Reasons, " "), "lost different numbers of runs") {
		t.Errorf("one lost: exit status %d, %+v", code, doc.Gate)
	}
	if !slices.Contains(doc.Comparisons[0].kinds(), "losses-differ") {
		t.Errorf("the row does not say it: %v", doc.Comparisons[0].kinds())
	}
	// A stratum that the contender never finished is a row of its own, and no pass.
	doc, code = ask(logs(t, []int{8, 512}, func(version string, n, _, _ int) bool { return version == "9.7.0" && n == 512 }))
	if code != exitCannotAnswer || !strings.Contains(strings.Join(doc.Gate.Reasons, " "), "9.7.0 has no complete run there (6 runs left out)") {
		t.Errorf("a stratum lost: exit status %d, %+v", code, doc.Gate)
	}
	if len(doc.Comparisons) != 2 || !slices.Contains(doc.Comparisons[1].kinds(), "missing-arm") {
		t.Errorf("%+v", doc.Comparisons)
	}
}

// Borrowed noise: numbers, a data set, and a donor that does not fit.
func TestBorrowedNoiseFromTheCommandLine(t *testing.T) {
	oneDay := days("100 101|110 111")
	doc, _ := compared(t, oneDay, "--noise", "sd_ratio=1.2%,df=4")
	r := doc.Comparisons[0]
	if r.Verdict != string(analysis.Faster) || r.Method != "borrowed-noise" || !strings.Contains(r.Warnings[0].Text, "sd_ratio=1.2%,df=4") {
		t.Errorf("%+v", r)
	}
	donor := filepath.Join(t.TempDir(), "nightly.csv")
	write(t, donor, strings.ReplaceAll(days("100 101|100 101", "90 91|91 90", "105 104|104 104", "101 100|101 102"), "b1", "a1-again"))
	doc, _ = compared(t, oneDay, "--noise", donor)
	if r = doc.Comparisons[0]; r.Verdict != string(analysis.Faster) || r.Method != "borrowed-noise" {
		t.Errorf("%+v", r)
	}
	// Nights of one arm, each with the commit that was built: of another commit each.
	nights := "commit,day,tps\n"
	for d, tps := range []float64{100, 101, 99.5, 100.5, 100, 99} {
		nights += fmt.Sprintf("c0ffee%d,2026-04-%02d,%g\nc0ffee%[1]d,2026-04-%02[2]d,%g\n", d, d+1, tps, tps+.3)
	}
	write(t, donor, nights)
	doc, _ = compared(t, oneDay, "--noise", donor)
	if r = doc.Comparisons[0]; r.Verdict != string(analysis.Faster) || r.Method != "borrowed-noise" {
		t.Errorf("nights of a commit each: %+v", r)
	}
	doc, _ = compared(t, days("100 101|", "|110 111"), "--noise", "sd_day=1%,df=6")
	if r = doc.Comparisons[0]; r.Verdict != string(analysis.Faster) {
		t.Errorf("arms on days of their own: %+v", r)
	}
	doc, _ = compared(t, days("100 101|", "|110 111"), "--noise", "sd_ratio=1%,df=6")
	if r = doc.Comparisons[0]; r.Verdict != string(analysis.Unsupported) || !slices.Contains(r.kinds(), "donor-lacks") {
		t.Errorf("two arms' ratio for arms on days of their own: %+v", r)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, oneDay)
	for noise, want := range map[string]string{"sd_ratio=1.2%": "df", "sd_ratio=1.2%,df=4,sd=3": "no number is called", "nowhere": "nowhere"} {
		if _, errs, code := call(t, "compare", path, "--noise", noise); code == exitDone || !strings.Contains(errs, want) {
			t.Errorf("--noise %s: %d, %s", noise, code, errs)
		}
	}
}

// Days now and planned stand on the row, and looks lower the level.
func TestPlannedDaysAndLooks(t *testing.T) {
	table := days("100|104", "100|105", "100|107", "100|111")
	doc, _ := compared(t, table)
	if r := doc.Comparisons[0]; r.Verdict != string(analysis.Faster) || r.DaysPlanned != nil || r.Looks != "once" {
		t.Errorf("%+v", r)
	}
	doc, _ = compared(t, table, "--looks", "daily", "--days-planned", "10")
	r := doc.Comparisons[0]
	if r.Verdict != string(analysis.Inconclusive) || *r.DaysPlanned != 10 || r.Looks != "daily" || !slices.Contains(r.kinds(), "one-look-would-stand") || slices.Contains(r.kinds(), "planned-days") {
		t.Errorf("%+v", r)
	}
	doc, _ = compared(t, table, "--days-planned", "10")
	if r := doc.Comparisons[0]; !slices.Contains(r.kinds(), "planned-days") {
		t.Errorf("%+v", r)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, table)
	for args, want := range map[string]string{"": "4, not planned", "--days-planned 4": "4 of 4 planned", "--looks daily": "4, looked at after each"} {
		if out, _, _ := call(t, append([]string{"compare", path}, strings.Fields(args)...)...); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", args, want, out)
		}
	}
}

// Methods by name give their numbers, with the default rule as cross-check.
func TestMethodByName(t *testing.T) {
	table := days("100 101|110 111", "90 91|99 100", "105 104|116 115", "100 101|109 111", "90 92|99 100", "105 103|116 114")
	for _, method := range []string{"kr", "satterthwaite", "mann-whitney", "hodges-lehmann", "welch", "permutation"} {
		doc, _ := compared(t, table, "--method", method)
		r := doc.Comparisons[0]
		if r.Method != method || r.P == nil || r.Lo == nil || !slices.Contains(r.kinds(), "method-asked") || r.CrossCheck == nil || r.CrossCheck.Method != "day-differences" {
			t.Errorf("%s: %+v", method, r)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, table)
	if _, errs, code := call(t, "compare", path, "--method", "mann-whiteny"); code != exitUsage || !strings.Contains(errs, `did you mean "mann-whitney"?`) {
		t.Errorf("%d, %s", code, errs)
	}
}

// A wild run moves the mean, not the median.
func TestWithinMedian(t *testing.T) {
	table := days("100 101 99|110 111 109", "90 91 89|99 100 50", "105 104 106|116 115 117")
	doc, _ := compared(t, table)
	if r := doc.Comparisons[0]; r.Verdict != string(analysis.Inconclusive) || !slices.Contains(r.kinds(), "wild-runs") {
		t.Errorf("mean: %+v", r)
	}
	doc, _ = compared(t, table, "--within", "median")
	if r := doc.Comparisons[0]; r.Verdict != string(analysis.Faster) || r.Aggregate != "median-of-runs" || !slices.Contains(r.kinds(), "wild-runs") {
		t.Errorf("median: %+v", r)
	}
}

// Errors per second are differences; zero on both sides bounds them.
func TestErrorRates(t *testing.T) {
	rates := func(lines ...string) string { return strings.Replace(days(lines...), "tps", "errors_per_s", 1) }
	doc, _ := compared(t, rates("0 0.1|1 1.2", "0 0|1.1 1.2", "0 0|1.3 1.2"), "--metric", "errors_per_s")
	r := doc.Comparisons[0]
	if r.Scale != "difference" || r.Ratio != nil || r.Difference == nil || r.Verdict != string(analysis.Slower) || *r.Difference < 1 || *r.Difference > 1.3 {
		t.Errorf("%+v", r)
	}
	zero := strings.ReplaceAll(rates("0 0|0 0", "0 0|0 0"), "errors_per_s\n", "errors_per_s,duration_s\n")
	rows := strings.Split(strings.TrimSpace(zero), "\n")
	zero = strings.Join(rows, ",300\n") + ",300\n"
	zero = strings.Replace(zero, "duration_s,300", "duration_s", 1)
	doc, _ = compared(t, zero, "--metric", "errors_per_s")
	if r = doc.Comparisons[0]; r.Verdict != string(analysis.Inconclusive) || !slices.Contains(r.kinds(), "all-zero") || !strings.Contains(r.Warnings[len(r.Warnings)-1].Text, "0.0025") {
		t.Errorf("3/1200 s: %+v", r)
	}
}

// a/b is formed per run before anything else, and a division by zero leaves the
// run out.
func TestRatioMetric(t *testing.T) {
	table := "version,day,order,rows_read,transactions\n" +
		"a1,d1,1,1000,10\nb1,d1,2,900,10\nb1,d2,1,1800,20\na1,d2,2,2000,20\na1,d3,1,505,5\nb1,d3,2,450,5\na1,d3,3,100,0\n"
	doc, _ := compared(t, table, "--metric", "rows_read/transactions", "--by", "version")
	r := doc.Comparisons[0]
	if r.Ratio == nil || *r.Ratio < .895 || *r.Ratio > .9 {
		t.Errorf("%+v", r)
	}
	if !slices.Contains(r.kinds(), "metric-missing") {
		t.Errorf("the division by zero is not said: %v", r.kinds())
	}
}

// Strata that go both ways have no mean worth telling.
func TestOppositeStrata(t *testing.T) {
	table := "threads,version,day,order,tps\n"
	for d := 1; d <= 4; d++ {
		for i, row := range []string{"8,a1,%d00.1", "8,b1,%d20", "64,a1,%d00.3", "64,b1,%d80.5"} {
			v := 1
			if i == 3 {
				v = 0
			}
			f := strings.Split(fmt.Sprintf(row, v), ",")
			table += fmt.Sprintf("%s,%s,d%d,%d,%s%d\n", f[0], f[1], d, i/2*2+1+(i+d)%2, f[2], d)
		}
	}
	doc, _ := compared(t, table)
	if h := doc.Headlines[0]; !slices.Contains(h.kinds(), "opposite-strata") {
		t.Errorf("%+v", h)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, table)
	out, _, _ := call(t, "compare", path)
	if first, _, _ := strings.Cut(out, "\n\n"); !strings.Contains(first, "both ways") {
		t.Errorf("the answer does not say it:\n%s", out)
	}
	// The same without days: an observation each way, and no mean.
	table = "entries,system,seconds\n2,slowpath,1.5\n2,cache,4.8\n1000,slowpath,13.2\n1000,cache,4.9\n"
	write(t, path, table)
	if out, _, _ = call(t, "compare", path); !strings.Contains(out, "from ") || !strings.Contains(out, " to ") || !strings.Contains(out, "unsupported") {
		t.Errorf("%s", out)
	}
}

// A filter that leaves nothing is about the data, not the call.
func TestWhereWithoutMatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, days("100 101|110 111"))
	for _, verb := range []string{"compare", "report", "info"} {
		if _, errs, code := call(t, verb, path, "--where", "version==c1"); code != exitNothing || !strings.Contains(errs, "none of the 4 runs matches") {
			t.Errorf("%s: %d, %s", verb, code, errs)
		}
	}
}

// What runs of one arm and day differ in is said on the row.
func TestResidue(t *testing.T) {
	table := "version,day,order,host,tps\na1,d1,1,h1,100\na1,d1,3,h2,101\nb1,d1,2,h1,110\nb1,d1,4,h2,111\nb1,d2,1,h1,99\na1,d2,2,h1,90\na1,d2,4,h2,91\nb1,d2,3,h2,98\n"
	doc, _ := compared(t, table, "--ignore", "host")
	if r := doc.Comparisons[0]; !slices.Contains(r.kinds(), "residue") {
		t.Errorf("%+v", r)
	}
}

// A first ingest that finds nothing leaves nothing.
func TestFailedIngestLeavesNoFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in", "notes.txt"), "nothing to see here\n")
	out := filepath.Join(dir, "ds")
	if _, errs, code := call(t, "ingest", filepath.Join(dir, "in"), "--out", out); code != exitNothing {
		t.Fatalf("%d, %s", code, errs)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", out, err)
	}
	if err := os.Mkdir(out, 0o755); err != nil { // a folder of the user's own stays
		t.Fatal(err)
	}
	call(t, "ingest", filepath.Join(dir, "in"), "--out", out)
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}

// Days that were declared so and lie hours apart carry a claim of hours.
func TestClaimWithinHours(t *testing.T) {
	table := "version,day,started_at,tps\n"
	for i, row := range []string{"a1,morning", "b1,morning", "b1,noon", "a1,noon", "a1,evening", "b1,evening"} {
		v := 100 + i/2
		if strings.HasPrefix(row, "b1") {
			v += 10
		}
		table += fmt.Sprintf("%s,2026-05-01T%02d:%02d:00Z,%d\n", row, 8+4*(i/2), i, v)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, table)
	out, _, _ := call(t, "compare", path)
	if first, _, _ := strings.Cut(out, "\n\n"); !strings.Contains(strings.Join(strings.Fields(first), " "), "holds within 4 hours") {
		t.Errorf("%s", out)
	}
}

// --md is an answer of its own, and one is printed.
func TestMarkdownAnswer(t *testing.T) {
	table := "../../docs/examples/faster.csv"
	if out, _, code := call(t, "report", table, "--md"); code != exitDone || !strings.HasPrefix(out, "- **faster**: ") {
		t.Errorf("exit status %d, and the verdict does not come first:\n%s", code, out)
	}
	if _, _, code := call(t, "report", table, "--md", "--json"); code != exitUsage {
		t.Errorf("exit status %d", code)
	}
}
