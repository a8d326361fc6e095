package report

import (
	"math"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/scaling"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// curveReport is written by hand, as the other samples: two strata of two arms,
// the second of one day.
func curveReport() *Report {
	r := &Report{Version: "0.1.0", Seed: 1, Parts: []Part{PartScaling}, Design: group.Design{
		By: "version", ByWhy: "as asked with --by", Base: "9.6.0", BaseWhy: "the lowest", Arms: []string{"9.6.0", evil}, Days: []string{"2026-11-28", "2026-11-29", "2026-11-30"}, Interleaved: 1,
	}}
	estimate := func(v, lo, hi float64) analysis.Estimate {
		return analysis.Estimate{Value: v, Lo: v * lo, Hi: v * hi, Confidence: .95}
	}
	curve := func(arm int, sigma float64, days int) scaling.Curve {
		lo, hi := .9, 1.1
		if days == 1 {
			lo, hi = nan, nan
		}
		at := func(n float64) float64 { return 900 * n / (1 + sigma*(n-1) + 1e-4*n*(n-1)) }
		c := scaling.Curve{Arm: arm, Law: "usl", AICc: -210.5, LackOfFitP: .31, Misfit: .013, MisfitAt: 64, Days: days, Runs: 16 * days}
		c.Terms = []scaling.Term{
			{Name: "sigma", Unit: scaling.Number, Estimate: estimate(sigma, lo, hi)},
			{Name: "kappa", Unit: scaling.Number, Estimate: estimate(1e-4, lo, hi)},
			{Name: "lambda", Unit: scaling.YPerX, Estimate: estimate(900, lo, hi)},
		}
		c.Peak = &scaling.Peak{X: estimate(97.5, lo, hi), Y: estimate(at(97.5), lo, hi), Within: true}
		for i := range 8 {
			n := math.Pow(2, float64(i))
			c.Observed = append(c.Observed, scaling.Observed{X: n, Mean: at(n) * 1.01, Low: at(n) * .98, High: at(n) * 1.03, Runs: 2 * days})
			c.Points = append(c.Points, scaling.Point{X: n, Estimate: estimate(at(n), lo, hi), BandLo: at(n) * lo * lo, BandHi: at(n) * hi * hi})
		}
		return c
	}
	for i, workload := range []string{"oltp_read_only", "oltp_read_write"} {
		days := 3 - 2*i
		c := Curves{Metric: "tps", Unit: tps, X: "threads", Arms: r.Design.Arms, Stratum: []group.Field{{Name: "workload", Value: datasets.Text(workload)}}, Result: scaling.Result{
			Law: "usl", Closest: "usl", LogX: true, Levels: []float64{1, 2, 4, 8, 16, 32, 64, 128},
			Choices: []scaling.Choice{
				{Law: "usl", Parameters: 3, AICc: -420.1, Weight: .91, LackOfFitP: .42, Misfit: .013, MisfitAt: 64, Have: 8, Need: 4, Converged: true},
				{Law: "amdahl", Parameters: 2, AICc: -300, Weight: .09, LackOfFitP: .0004, Misfit: .13, MisfitAt: 128, Have: 8, Need: 3, Converged: true},
			},
			Curves: []scaling.Curve{curve(0, .03, days), curve(1, .02, days)},
		}}
		p := scaling.Pair{Arm: 1, Days: days}
		for j, pt := range c.Curves[0].Points {
			ratio := c.Curves[1].Points[j].Value / pt.Value * .96
			p.Ratio = append(p.Ratio, scaling.Point{X: pt.X, Estimate: estimate(ratio, .98, 1.02), BandLo: ratio * .97, BandHi: ratio * 1.03})
		}
		p.Differences = []scaling.Difference{
			{Name: "peak_value", Ratio: true, Unit: scaling.OfY, Estimate: analysis.Estimate{Value: 1.21, Lo: 1.1, Hi: 1.33, Confidence: .95}},
			{Name: "sigma", Unit: scaling.Number, Estimate: analysis.Estimate{Value: -.01, Lo: -.012, Hi: -.008, Confidence: .95}},
		}
		crossing := scaling.Crossing{Above: true, Estimate: analysis.Estimate{Value: 5.4, Lo: 4.1, Hi: 7.2, Confidence: .95}}
		if days == 1 {
			crossing.Lo, crossing.Hi = nan, nan
			p.Warnings = []analysis.Warning{analysis.CurveClaimRefused{Because: "one-shared-day", Why: "the arms share one day only (2026-11-28)", Do: "run both arms on at least 3 days"}}
			c.Warnings = []analysis.Warning{analysis.OneDayCurve{Days: 1, Levels: 8, Runs: 16}}
			c.Law = ""
			for j := range c.Curves {
				c.Curves[j].Peak = nil
			}
			p.Differences = nil
		} else {
			c.Curves[1].Peak.Within = false
			c.Curves[1].Warnings = []analysis.Warning{analysis.PeakOutside{At: 700, Lowest: 1, Highest: 128}}
			p.Ranges = []scaling.Range{{From: 1, To: 3.4}, {From: 8.1, To: 128, Above: true}}
		}
		p.Crossings = []scaling.Crossing{crossing}
		c.Pairs = []scaling.Pair{p}
		r.Curves = append(r.Curves, c)
	}
	r.Inputs = Inputs{Folder: "results", Runs: 64, Complete: 64}
	return r
}

func TestCurvesAreSaidInWords(t *testing.T) {
	out := printed(t, curveReport(), table.Screen{Width: 400})
	for _, want := range []string{
		"Law: usl, the Universal Scalability Law: contention sigma, coherency kappa; weight 0.91 of 2 laws tried; lack of fit p = 0.420; farthest from a level's mean: 1.3 % at 64.",
		"Best of 9.6.0: ", "slower from 1 to 3.4 threads, faster from 8.1 to 128 threads (95 % band of the whole curve)",
		"cross at 5.4 threads (4.1 to 7.2): above it ", "Law: none of those tried describes the data; usl is drawn as the closest, which is 1.3 % off at 64 threads.", "Best level measured of 9.6.0: ",
		"the curves cross at 5.4 threads; there is no interval for it.", "outside the levels measured", "no stretch of levels is called faster or slower: the arms share one day only",
		"[curves of tps, oltp_read_write for ", "+21.0 % (+10.0 to +33.0)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	page := rendered(t, curveReport())
	for _, want := range []string{`<section id="curves">`, "Curves: tps (1/s, higher is better) against threads, oltp_read_only", "band of the whole curve"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

// Runs in, curves out: threads by themselves, other factors with --x, and what
// refuses a comparison refuses the claim.
func TestBuildCurves(t *testing.T) {
	runs := func(host func(arm int) string) []datasets.Run {
		var list []datasets.Run
		order := 0
		for _, day := range []string{"2026-11-28", "2026-11-29", "2026-11-30"} {
			for rep := range 2 {
				for _, threads := range []int{1, 2, 4, 8, 16} {
					for arm, version := range []string{"9.6.0", "9.7.0"} {
						order++
						noise := 1 + .002*math.Sin(float64(7*order))
						n := float64(threads)
						tps := []float64{900, 1000}[arm] * n / (1 + .05*(n-1)) * noise
						list = append(list, datasets.Run{ID: strings.Repeat("0", 12) + string(rune('a'+order%26)) + string(rune('a'+order/26)) + "00", Source: "log", Tool: "sysbench", Status: datasets.Complete, Threads: threads, Day: day, Order: order, Host: host(arm),
							Factors: map[string]datasets.Value{"version": datasets.Text(version), "rep": datasets.Int(int64(rep)), "clients_per_cpu": datasets.Float(n / 2)}, Metrics: map[string]float64{"tps": tps}})
					}
				}
			}
		}
		return list
	}
	columns := []datasets.Column{{Name: "version", Kind: datasets.TextKind, Role: datasets.Factor}, {Name: "rep", Kind: datasets.IntKind, Role: datasets.Factor},
		{Name: "clients_per_cpu", Kind: datasets.FloatKind, Role: datasets.Factor}, {Name: "tps", Kind: datasets.FloatKind, Role: datasets.Metric}}
	build := func(host func(int) string, opt Options) *Report {
		t.Helper()
		opt.Seed = 1
		r, err := Build(Input{Runs: runs(host), Columns: columns}, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	same := func(int) string { return "db1" }
	r := build(same, Options{})
	if len(r.Curves) != 1 || r.Curves[0].X != "threads" || len(r.Curves[0].Pairs) != 1 || len(r.Curves[0].Stratum) != 0 {
		t.Fatalf("%+v", r.Curves)
	}
	if rs := r.Curves[0].Pairs[0].Ranges; len(rs) != 1 || !rs[0].Above || r.Curves[0].better(rs[0].Above) != "faster" {
		t.Errorf("%+v", rs)
	}
	if r.Design.By != "version" || len(r.Comparisons) != 5 {
		t.Errorf("the report's own design has changed: by %q, %d comparisons", r.Design.By, len(r.Comparisons))
	}
	r = build(same, Options{Parts: []Part{PartScaling}, Curves: CurveOptions{X: "clients_per_cpu", Law: "power"}})
	if c := r.Curves[0]; c.X != "clients_per_cpu" || c.Closest != "power" || len(c.Stratum) != 0 {
		t.Errorf("%+v", c)
	}
	apart := build(func(arm int) string { return []string{"db1", "db2"}[arm] }, Options{})
	p := apart.Curves[0].Pairs[0]
	refused := false
	for _, w := range p.Warnings {
		if w, ok := w.(analysis.CurveClaimRefused); ok && w.Because == "aliased-conditions" {
			refused = true
		}
	}
	if len(p.Ranges) > 0 || !refused {
		t.Errorf("arms on machines of their own: %+v, %v", p.Ranges, p.Warnings)
	}
	for _, bad := range []CurveOptions{{X: "thread"}, {X: "version"}} {
		if _, err := Build(Input{Runs: runs(same), Columns: columns}, Options{Parts: []Part{PartScaling}, Curves: bad}); err == nil {
			t.Errorf("--x %s is taken", bad.X)
		}
	}
}
