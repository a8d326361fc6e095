package group

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// beside gives the samples of a run: "vmstat cpu_idle_pct 40 41".
func beside(run string, lines ...string) (list []datasets.Sample) {
	for _, line := range lines {
		tool, rest, _ := strings.Cut(line, ": ")
		metric, values, _ := strings.Cut(rest, " = ")
		for i, v := range strings.Fields(values) {
			var x float64
			fmt.Sscan(v, &x)
			list = append(list, datasets.Sample{RunID: run, T: float64(i + 1), Source: tool, Metric: metric, Value: x})
		}
	}
	return list
}

// By hand: means of what was written.
func TestHosts(t *testing.T) {
	runs := []datasets.Run{{ID: "a", Metrics: map[string]float64{"tps": 1}}, {ID: "b", Metrics: map[string]float64{"tps": 1, "load1": 7}}, {ID: "c"}}
	var rows []datasets.Sample
	rows = append(rows, beside("a", "vmstat: cpu_idle_pct = 40 42", "vmstat: runnable = 1 2 3", "mpstat: cpu_idle_pct = 40.5 41.5 42.5", "mpstat: cpu_idle_pct cpu1 = 1 1", "iostat: device_util_pct vda = 10 30", "iostat: device_util_pct vdb = 80 90", "perf stat: cycles = 4 5")...)
	rows = append(rows, beside("b", "sar: load1 = 1 2", "vmstat: cpu_idle_pct = 50")...)
	rows = append(rows, beside("c", "mpstat db7: cpu_idle_pct = 1", "mpstat gen1: cpu_idle_pct = 99", "vmstat: cpu_idle_pct = 7")...)
	rows = append(rows, datasets.Sample{RunID: "b", Source: "vmstat", Metric: "cpu_idle_pct", Value: math.NaN()})
	columns, err := Hosts(runs, []datasets.Column{{Name: "tps", Role: datasets.Metric}}, func(yield func([]datasets.Sample) error) error {
		for i := range rows {
			if err := yield(rows[i : i+1]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantMetrics(t, runs[0], map[string]float64{"cpu_idle_pct": 41.5, "runnable": 2, "device_util_pct": 85})
	wantMetrics(t, runs[1], map[string]float64{"cpu_idle_pct": 50, "load1": 7})
	wantMetrics(t, runs[2], map[string]float64{"cpu_idle_pct": 7})
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "tps cpu_idle_pct device_util_pct runnable" {
		t.Errorf("columns %s", got)
	}
}

func TestHostDoubts(t *testing.T) {
	doubts := func(change func(runs []datasets.Run)) (kinds []string, list []analysis.Warning) {
		t.Helper()
		var runs []datasets.Run
		for i := range 8 {
			r := datasets.Run{ID: fmt.Sprint("r", i), Source: fmt.Sprintf("run%d.log", i), Tool: "sysbench", Status: datasets.Complete, Threads: 8, Factors: map[string]datasets.Value{"version": datasets.Text([]string{"8.0", "9.0"}[i%2])},
				Metrics: map[string]float64{"tps": 100, "cpu_idle_pct": []float64{40, 70}[i%2], "cpu_steal_pct": .2, "swap_in_bytes_per_s": 0, "swap_out_pages_per_s": 0}}
			runs = append(runs, r)
		}
		change(runs)
		columns := []datasets.Column{{Name: "version", Kind: datasets.TextKind, Role: datasets.Factor}}
		for name := range runs[0].Metrics {
			columns = append(columns, datasets.Column{Name: name, Kind: datasets.FloatKind, Role: datasets.Metric})
		}
		_, _, warnings, err := Analyse(runs, columns, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range warnings {
			switch w.(type) {
			case analysis.StolenCPU, analysis.Swapping, analysis.OtherLoad:
				kinds, list = append(kinds, w.Kind()), append(list, w)
			}
		}
		return kinds, list
	}
	set := func(metric string, values map[int]float64) func([]datasets.Run) {
		return func(runs []datasets.Run) {
			for i, v := range values {
				runs[i].Metrics[metric] = v
			}
		}
	}
	// Arms may differ: that is what is looked for.
	if kinds, _ := doubts(func([]datasets.Run) {}); len(kinds) > 0 {
		t.Errorf("quiet machine: %v", kinds)
	}
	_, list := doubts(set("cpu_steal_pct", map[int]float64{2: 1, 5: 4.5}))
	if want := (analysis.StolenCPU{Runs: 2, Of: 8, Most: 4.5, Worst: "run5.log"}); len(list) != 1 || list[0] != want {
		t.Errorf("got %+v", list)
	}
	if kinds, _ := doubts(set("cpu_steal_pct", map[int]float64{2: math.Nextafter(1, 0)})); len(kinds) > 0 {
		t.Errorf("a little stolen: %v", kinds)
	}
	_, list = doubts(set("swap_out_pages_per_s", map[int]float64{3: 100}))
	if want := (analysis.Swapping{Runs: 1, Of: 8, Most: 409600, Worst: "run3.log"}); len(list) != 1 || list[0] != want {
		t.Errorf("got %+v", list)
	}
	_, list = doubts(set("cpu_idle_pct", map[int]float64{4: 25, 6: 41}))
	if want := (analysis.OtherLoad{Runs: 1, Of: 8, Idle: 25, Usual: 40, Worst: "run4.log"}); len(list) != 1 || list[0] != want {
		t.Errorf("got %+v", list)
	}
	if kinds, _ := doubts(set("cpu_idle_pct", map[int]float64{4: math.Nextafter(30, 40)})); len(kinds) > 0 {
		t.Errorf("a little other load: %v", kinds)
	}
}
