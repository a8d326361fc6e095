package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// told is what the table series holds: the mean of each run, and its lowest and
// highest value.
type told struct {
	sources map[string][]string              // by run
	metrics map[[2]string]map[string]*spread // source and metric, then run
}

// spread is what a series did during a run.
type spread struct {
	sum, lo, hi float64
	n           int
}

func (s *spread) mean() float64 { return s.sum / float64(s.n) }

func seriesOf(data *opened) (*told, error) {
	t := &told{map[string][]string{}, map[[2]string]map[string]*spread{}}
	var last datasets.Sample
	var at *spread
	err := data.Series(func(rows []datasets.Sample) error {
		for _, r := range rows {
			if math.IsNaN(r.Value) {
				continue
			}
			if at == nil || r.RunID != last.RunID || r.Source != last.Source || r.Metric != last.Metric {
				at, last = t.at(r), r
			}
			at.sum += r.Value
			at.n++
			at.lo, at.hi = min(at.lo, r.Value), max(at.hi, r.Value)
		}
		return nil
	})
	return t, err
}

func (t *told) at(r datasets.Sample) *spread {
	if !slices.Contains(t.sources[r.RunID], r.Source) {
		t.sources[r.RunID] = append(t.sources[r.RunID], r.Source)
	}
	key := [2]string{r.Source, r.Metric}
	if t.metrics[key] == nil {
		t.metrics[key] = map[string]*spread{}
	}
	s := t.metrics[key][r.RunID]
	if s == nil {
		s = &spread{lo: math.Inf(1), hi: math.Inf(-1)}
		t.metrics[key][r.RunID] = s
	}
	return s
}

// perRun says in a line which series the runs have: "series: 12 runs have iostat,
// vmstat; 132 have none (info --series)".
func (t *told) perRun(runs []datasets.Run) string {
	count := map[string]int{}
	for i := range runs {
		have := slices.Clone(t.sources[runs[i].ID])
		slices.Sort(have)
		if len(have) > 0 {
			count[some(have)]++
		} else {
			count[""]++
		}
	}
	if count[""] == len(runs) {
		return ""
	}
	var kinds, parts []string
	for kind := range count {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, kind := range kinds {
		what := kind
		if kind == "" {
			what = "none"
		}
		verb := "have"
		if count[kind] == 1 {
			verb = "has"
		}
		parts = append(parts, fmt.Sprintf("%d %s %s", count[kind], verb, what))
	}
	if more := len(parts) - levelsShown; more > 1 {
		parts = append(parts[:levelsShown], fmt.Sprintf("and %d more such lists", more))
	}
	return "series: of " + fmt.Sprint(len(runs)) + " runs " + strings.Join(parts, "; ") + " (info --series shows them)"
}

// seriesOfCPUs: more single CPUs than these are only counted, unless asked for.
const seriesOfCPUs = 8

var singleCPU = regexp.MustCompile(` (?:cpu|node)\d+$`)

// seriesTable prints what each series with such a name did, over the runs that are
// asked for.
func (a *app) seriesTable(data *opened, opt group.Options, name string) error {
	runs, columns, err := data.Runs()
	if err != nil {
		return nothingUsable{err}
	}
	if runs, columns, err = group.Settings(runs, columns, data.Settings, opt); err != nil {
		return err
	}
	if runs, err = group.Where(runs, columns, opt.Where); err != nil {
		return err
	}
	all, err := seriesOf(data)
	if err != nil {
		return nothingUsable{err}
	}
	asked := map[string]bool{}
	for _, r := range runs {
		asked[r.ID] = true
	}
	var keys [][2]string
	single, zeros := 0, 0 // series that are 0 all the time
	for key := range all.metrics {
		if name == "" && singleCPU.MatchString(key[1]) {
			single++
		}
	}
	if single <= seriesOfCPUs*10 {
		single = 0
	}
	for key := range all.metrics {
		if strings.Contains(key[0]+" "+key[1], name) && !(single > 0 && singleCPU.MatchString(key[1])) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	right := func(head string) table.Column { return table.Column{Head: head, Align: table.Right} }
	out := table.Table{Columns: []table.Column{{Head: "source"}, {Head: "series"}, right("runs"), right("mean"), right("lowest run"), right("highest run"), {Head: "unit"}}}
	for _, key := range keys {
		n, sum, lo, hi := 0, 0.0, math.Inf(1), math.Inf(-1)
		for id, s := range all.metrics[key] {
			if asked[id] {
				n, sum, lo, hi = n+1, sum+s.mean(), min(lo, s.mean()), max(hi, s.mean())
			}
		}
		switch {
		case n == 0:
			continue
		case lo == 0 && hi == 0:
			zeros++
			continue
		}
		metric, _, _ := strings.Cut(key[1], " ")
		mean := sum / float64(n)
		scale := unit.ScaleFor(unit.Of(metric), mean, lo, hi)
		word := func(v float64) table.Cell { return table.Word(scale.Format(v, 3)) }
		out.Add(table.Word(key[0]), table.Word(key[1]), table.Word(fmt.Sprint(n)), word(mean), word(lo), word(hi), table.Word(scale.Unit))
	}
	if len(out.Rows)+zeros == 0 {
		fmt.Fprintln(a.stdout, "no such series lies beside these runs")
		return nil
	}
	screen := table.ScreenOf(a.stdout)
	if err := out.Text(a.stdout, screen); err != nil {
		return err
	}
	if zeros > 0 {
		fmt.Fprintf(a.stdout, "%d more were 0 all the time\n", zeros)
	}
	if single > 0 {
		fmt.Fprintf(a.stdout, "%d more are of single CPUs: info --series=cpu3\n", single)
	}
	return nil
}
