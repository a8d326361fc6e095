package nb

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/plot"

	"noisefloor/analysis/frame"
	"noisefloor/analysis/report"
	"noisefloor/analysis/table"
)

// stopped runs what should end the cell and gives its last words.
func stopped(t *testing.T, cell func()) (words string) {
	t.Helper()
	old := stop
	defer func() {
		stop = old
		if r := recover(); r != nil && r != "stopped" {
			panic(r)
		}
	}()
	stop = func(err error) {
		words = sentence(err)
		panic("stopped")
	}
	cell()
	t.Error("the cell went on")
	return ""
}

func TestErrorsAreSentences(t *testing.T) {
	is := func(want string, cell func()) {
		t.Helper()
		if got := stopped(t, cell); !strings.HasPrefix(got, "This cell stops here: ") || !strings.HasSuffix(got, ".") || strings.HasSuffix(got, "..") || !strings.Contains(got, want) {
			t.Errorf("the cell stops with %q, want %q", got, want)
		}
	}
	is("This cell stops here: the file is gone.", func() { Must(1, errors.New("the file is gone.")) })
	is("no such file or directory", func() { Open(filepath.Join(t.TempDir(), "nowhere")) })
	is(`there is no column "tsp"; there are tps`, func() {
		Table(frame.Frame{DataFrame: dataframe.New(series.New([]float64{1}, series.Float, "tps"))}.Long([]string{"tsp"}, "metric", "value"))
	})
	is("not a string", func() { Table("x") })
}

// Raw logs are opened like a data set.
func TestOpenLogs(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "results.csv"), []byte("version,day,tps\n8.0,2026-01-30,100\n8.0,2026-01-31,101\n9.7,2026-01-30,110\n9.7,2026-01-31,111\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := Report(Open(dir), report.Options{})
	if r.Inputs.Complete != 4 || len(r.Comparisons) != 1 || r.Comparisons[0].Level != "9.7" {
		t.Errorf("%d runs, %d comparisons", r.Inputs.Complete, len(r.Comparisons))
	}
}

func TestFrameTable(t *testing.T) {
	f := dataframe.New(
		series.New([]string{"a", "<b>"}, series.String, "name"), series.New([]int{1, 2}, series.Int, "threads"),
		series.New([]float64{1234.56, math.NaN()}, series.Float, "tps"), series.New([]float64{0.0012, 0.01}, series.Float, "latency_p95"),
		series.New([]float64{2, 3}, series.Float, "count"), series.New([]float64{0.12345, 12.345}, series.Float, "ratio"),
		series.New([]float64{0.00012345, 12.345}, series.Float, "apart"))
	shown, rest, err := tableOf(f)
	if err != nil || rest != "" {
		t.Fatal(err, rest)
	}
	var text strings.Builder
	if err := shown.Text(&text, table.Screen{}); err != nil {
		t.Fatal(err)
	}
	want := `name  threads  tps (1/s)  latency_p95 (ms)  count  ratio      apart
----  -------  ---------  ----------------  -----  -----  ---------
a           1       1235              1.20      2   0.12  0.0001234
<b>         2          –             10.00      3  12.35      12.35
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	page := htmlOf(shown)
	for _, part := range []string{"<th style=\"text-align:right;white-space:nowrap\">latency_p95 (ms)</th>", "&lt;b&gt;"} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not in\n%s", part, page)
		}
	}
	long := make([]int, rowsShown+3)
	if _, rest, _ = tableOf(dataframe.New(series.New(long, series.Int, "x"))); rest != "and 3 more rows" {
		t.Error(rest)
	}
}

// A verdict has its word, its sign and its colour.
func TestVerdictColours(t *testing.T) {
	v := &table.Table{Columns: []table.Column{{Head: "change", Align: table.Right}, {Head: "verdict"}}}
	v.Add(table.Cell{Text: "-3.1 %"}, table.Cell{Text: "slower", Tone: table.Vermillion})
	if page := htmlOf(v); !strings.Contains(page, ">−3.1\u00a0%<") || !strings.Contains(page, "font-weight:bold;color:#d55e00\">«\u00a0slower<") {
		t.Error(page)
	}
}

// Of what there is nothing of, there is no picture, and the cell goes on.
func TestNothing(t *testing.T) {
	Picture(report.ForestFigure(nil))
	Table(report.Verdicts(nil))
}

// Outside a notebook the words print text and need nothing.
func TestOutside(t *testing.T) {
	Say("%d runs", 3)
	Table(dataframe.New(series.New([]int{1}, series.Int, "x")))
	Plot(plot.New(), 100, 50)
}
