package scaling

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"noisefloor/analysis/internal/levmar"
	"noisefloor/analysis/internal/truth"
)

var update = flag.Bool("update", false, "rewrite the tables in testdata; then, in testdata, Rscript oracle.R > reference.tsv")

// specsdm91 is throughput against load of SPEC SDM on a 16-way machine, 1991, and
// raytracer that of a ray tracer on a 64-way NUMA machine (Gunther, Guerrilla
// Capacity Planning, 2007, tables 4.1 and 5.1; in the R package usl).
var (
	specsdm91 = table([]float64{1, 18, 36, 72, 108, 144, 216}, []float64{64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775, 1702.2})
	raytracer = table([]float64{1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64}, []float64{20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310})
)

func table(x, y []float64) []Run {
	var runs []Run
	for i := range x {
		runs = append(runs, Run{X: x[i], Value: y[i]})
	}
	return runs
}

func analysed(t *testing.T, runs []Run, opt Options) Result {
	t.Helper()
	r, err := Analyse(runs, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (c *Curve) term(t *testing.T, name string) Term {
	t.Helper()
	for _, term := range c.Terms {
		if term.Name == name {
			return term
		}
	}
	t.Fatalf("no term %s in %v", name, c.Terms)
	return Term{}
}

// R 4.2's nls, testdata/usl.R, and the print of the R package usl.
func TestUSLReferences(t *testing.T) {
	usl := Options{Law: "usl", Clients: true, Better: 1, Natural: true}
	c := analysed(t, specsdm91, usl).Curves[0]
	near(t, "specsdm91 sigma", c.term(t, "sigma").Value, .0277284756, 1e-7)
	near(t, "specsdm91 kappa", c.term(t, "kappa").Value, .000104365484, 1e-7)
	near(t, "specsdm91 lambda", c.term(t, "lambda").Value, 89.9952, 1e-6)
	near(t, "specsdm91 peak at", c.Peak.X.Value, 96.5196, 1e-6)
	near(t, "specsdm91 peak", c.Peak.Y.Value, 1883.899, 1e-6)
	se := c.reps.full.standardErrors(true)
	near(t, "specsdm91 SE of sigma", se[1], .00912173, 1e-5)
	near(t, "specsdm91 SE of kappa", se[2], 1.98753e-5, 1e-5)
	near(t, "specsdm91 SE of lambda", se[0]*c.term(t, "lambda").Value, 14.21349, 1e-5)

	c = analysed(t, raytracer[:6], usl).Curves[0]
	near(t, "raytracer sigma, 6 rows", c.term(t, "sigma").Value, .0244440, 1e-5)
	near(t, "raytracer kappa, 6 rows", c.term(t, "kappa").Value, .00162681, 1e-5)
	near(t, "raytracer lambda, 6 rows", c.term(t, "lambda").Value, 20.8560450, 1e-7)

	c = analysed(t, raytracer, usl).Curves[0]
	near(t, "raytracer sigma, all rows", c.term(t, "sigma").Value, .0577707803, 1e-7)
	near(t, "raytracer lambda, all rows", c.term(t, "lambda").Value, 21.8488428, 1e-7)
	if v := c.term(t, "kappa").Value; v != 0 {
		t.Errorf("raytracer kappa, all rows: %g, want 0", v)
	}
}

// The tables in testdata are these draws, so that R reads the same numbers.
func TestDraws(t *testing.T) {
	check := func(name string, f func(int, float64) float64) {
		t.Helper()
		c := truth.Curve{Levels: []float64{1, 2, 4, 8, 16, 32, 64}, Days: 5, Runs: 2, F: f, SDDay: .04, SDCell: .01, SDRun: .01, Missing: .15}
		var text strings.Builder
		text.WriteString("day,x,value\n")
		for _, r := range draw(c, 7) {
			fmt.Fprintf(&text, "%s,%g,%.6f\n", r.Day, r.X, r.Value)
		}
		if *update {
			if err := os.WriteFile("testdata/"+name, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if string(kept) != text.String() {
			t.Errorf("testdata/%s is another draw", name)
		}
	}
	check("sweep.csv", uslOf(.03, 5e-4, 900))
	check("falling.csv", func(_ int, x float64) float64 { return (40*9 + 10*x) / (9 + x) })
}

// readRuns reads day, x, value.
func readRuns(t *testing.T, name string) []Run {
	t.Helper()
	var runs []Run
	for _, row := range lines(t, "testdata/"+name, ",") {
		runs = append(runs, Run{Day: row[0], X: number(t, row[1]), Value: number(t, row[2])})
	}
	return runs
}

func lines(t *testing.T, file, separator string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if i > 0 || separator == "\t" {
			rows = append(rows, strings.Split(line, separator))
		}
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// R 4.2, testdata/oracle.R: parameters, AICc, lack of fit and jackknife intervals
// of every law with a smooth curve, on a sweep with lost runs.
func TestAgainstR(t *testing.T) {
	files := map[string][]Run{"sweep": readRuns(t, "sweep.csv"), "falling": readRuns(t, "falling.csv")}
	checked := map[string]bool{}
	for _, row := range lines(t, "testdata/reference.tsv", "\t") {
		law, name, want := row[0], row[1], number(t, row[2])
		runs := files["sweep"]
		if law == "saturating" {
			runs = files["falling"]
		}
		r := analysed(t, runs, Options{Law: law, Clients: true, Better: 1})
		c := &r.Curves[0]
		f := c.reps.full
		var got float64
		tolerance := 1e-5
		switch name {
		case "p1", "p2":
			got = f.p[name[1]-'1']
		case "scale":
			got = f.scale
		case "rss":
			got = f.rss
		case "aicc":
			got = c.AICc
		case "lack_of_fit_p":
			got, tolerance = c.LackOfFitP, 1e-4
		case "at20", "at20_lo", "at20_hi":
			e := pointOf(20, f.log(20), of(c.reps.wideWithout, at(20)), .95, 0).Estimate
			got = map[string]float64{"at20": e.Value, "at20_lo": e.Lo, "at20_hi": e.Hi}[name]
		case "sigma_lo", "sigma_hi", "kappa_lo", "kappa_hi":
			e := c.term(t, name[:5]).Estimate
			got = map[string]float64{"lo": e.Lo, "hi": e.Hi}[name[6:]]
			tolerance = 1e-4
		case "peak", "peak_lo", "peak_hi":
			got = map[string]float64{"peak": c.Peak.X.Value, "peak_lo": c.Peak.X.Lo, "peak_hi": c.Peak.X.Hi}[name]
			tolerance = 1e-4
		default:
			t.Errorf("%s of %s is not known here", name, law)
			continue
		}
		near(t, law+" "+name, got, want, tolerance)
		checked[law] = true
	}
	if len(checked) != len(families)-1 {
		t.Errorf("checked %v", checked)
	}
}

// standardErrors are those of least squares: of the log of the scale, then of the
// parameters; NaN for a parameter on its bound. They are right if all cells of a
// day are independent draws, which days and launches contradict: nothing that is
// reported rests on them. They are what other programs print.
func (f *fit) standardErrors(natural bool) []float64 {
	s := f.s
	m, n := len(s.y), 1+len(f.p)
	if len(s.days) > 1 {
		panic("scaling: standard errors of least squares are for one day")
	}
	jac := make([]float64, m*n)
	grad := make([]float64, len(f.p))
	for i := range s.y {
		h := f.logs[0] + f.law.logShape(f.p, s.axis.levels[s.level[i]], grad)
		by := 1.0
		if natural {
			by = math.Exp(h)
		}
		jac[i] = by
		for j, g := range grad {
			jac[(1+j)*m+i] = by * g
		}
	}
	se := make([]float64, n)
	c, ok := levmar.Inverse(jac, m, n)
	for j := range se {
		se[j] = math.Sqrt(c[j*n+j] * f.rss / float64(m-n))
		if !ok {
			se[j] = math.NaN()
		}
	}
	return se
}
