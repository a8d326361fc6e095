package group

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// withCounters gives a run that had these counted beside it.
func withCounters(t *testing.T, run datasets.Run, rows ...datasets.Counter) (datasets.Run, []datasets.Column, []string) {
	t.Helper()
	for i := range rows {
		rows[i].RunID = run.ID
	}
	runs := []datasets.Run{run, {ID: "other", Metrics: map[string]float64{"tps": 1}}}
	columns, counted, err := Counters(runs, []datasets.Column{{Name: "tps", Role: datasets.Metric}}, func(yield func([]datasets.Counter) error) error { return yield(rows) })
	if err != nil {
		t.Fatal(err)
	}
	if len(runs[1].Metrics) != 1 {
		t.Errorf("a run without counters has %v", runs[1].Metrics)
	}
	return runs[0], columns, counted.Names
}

func count(event string, value float64, rest ...string) datasets.Counter {
	c := datasets.Counter{Event: event, Value: value, RunningPct: 100, Variance: math.NaN()}
	if len(rest) > 0 {
		c.Unit = rest[0]
	}
	if len(rest) > 1 {
		c.Scope = rest[1]
	}
	return c
}

func hundredTPS() datasets.Run {
	return datasets.Run{ID: "r", Duration: 60, Metrics: map[string]float64{"tps": 100, "transactions": 6000}}
}

func wantMetrics(t *testing.T, r datasets.Run, want map[string]float64) {
	t.Helper()
	delete(r.Metrics, "tps")
	delete(r.Metrics, "transactions")
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) })
	if diff := cmp.Diff(want, r.Metrics, near); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// By hand: 10 s of a run of 60 s at 100 transactions a second.
func TestCountersOverPartOfARun(t *testing.T) {
	r, columns, metrics := withCounters(t, hundredTPS(), count("instructions", 3e9), count("cycles", 2e9), count("seconds elapsed", 10, "s"))
	wantMetrics(t, r, map[string]float64{
		"instructions_per_s": 3e8, "instructions_per_transaction": 3e6,
		"cycles_per_s": 2e8, "cycles_per_transaction": 2e6, "ipc": 1.5,
	})
	if diff := cmp.Diff([]string{"instructions_per_transaction", "cycles_per_transaction", "ipc", "instructions_per_s", "cycles_per_s"}, metrics); diff != "" {
		t.Error(diff)
	}
	i := slices.IndexFunc(columns, func(c datasets.Column) bool { return c.Name == "instructions_per_transaction" })
	if i < 0 || columns[i].Role != datasets.Metric || columns[i].Unit != (unit.Unit{Name: "1", Better: unit.Lower}) {
		t.Errorf("%+v", columns)
	}
}

// A count over the run is a metric of its own, for instructions/transactions.
func TestCountersOverTheRun(t *testing.T) {
	r, _, _ := withCounters(t, hundredTPS(), count("instructions", 6e9), count("seconds elapsed", 60.5, "s"))
	if r.Metrics["instructions"] != 6e9 || math.Abs(metricOf(&r, "instructions/transactions")-1e6) > 1 {
		t.Errorf("%v", r.Metrics)
	}
}

func TestCountersWithoutTheirTime(t *testing.T) {
	r, _, _ := withCounters(t, hundredTPS(), count("cache-misses:u", 600))
	wantMetrics(t, r, map[string]float64{"cache_misses_u": 600, "cache_misses_u_per_s": 10, "cache_misses_u_per_transaction": .1})
}

func TestCountersAddUpOverScopes(t *testing.T) {
	r, _, _ := withCounters(t, hundredTPS(), count("cycles", 400, "", "CPU0"), count("cycles", 200, "", "CPU1"), count("tma_retiring", 20, "%", "CPU0"), count("tma_retiring", 40, "%", "CPU1"),
		count("cycles:u", math.NaN()), count("stalled cycles per insn", 2), count("CPUs utilized", 1.5))
	wantMetrics(t, r, map[string]float64{"cycles": 600, "cycles_per_s": 10, "cycles_per_transaction": .1, "tma_retiring": 30, "stalled_cycles_per_insn": 2, "cpus_utilized": 1.5})
	r, _, _ = withCounters(t, hundredTPS(), count("cycles", 400, "", "CPU0"), count("cycles", 500))
	if r.Metrics["cycles"] != 500 {
		t.Errorf("what perf says of all wins over the sum of parts: %v", r.Metrics)
	}
}

func TestCountersOfATimeAndOfEachModifier(t *testing.T) {
	r, _, _ := withCounters(t, hundredTPS(), count("task-clock", 90, "s"), count("seconds user", 6, "s"), count("cpu_core/instructions/u", 12), count("cpu_core/cycles/u", 6))
	wantMetrics(t, r, map[string]float64{
		"user_s": 6, "user_s_per_s": .1, "user_s_per_transaction": .001,
		"task_clock_s": 90, "task_clock_s_per_s": 1.5, "task_clock_s_per_transaction": .015,
		"cpu_core_instructions_u": 12, "cpu_core_instructions_u_per_s": .2, "cpu_core_instructions_u_per_transaction": .002,
		"cpu_core_cycles_u": 6, "cpu_core_cycles_u_per_s": .1, "cpu_core_cycles_u_per_transaction": .001, "cpu_core_ipc_u": 2,
	})
}

func TestCountersNeverReplace(t *testing.T) {
	run := hundredTPS()
	run.Metrics["cycles_per_s"] = 7
	r, _, metrics := withCounters(t, run, count("cycles", 600))
	if r.Metrics["cycles_per_s"] != 7 || slices.Contains(metrics, "cycles_per_s") {
		t.Errorf("%v, new %v", r.Metrics, metrics)
	}
}

func TestCountersOf(t *testing.T) {
	metrics := Counted{Names: []string{"instructions_per_transaction", "ipc", "instructions_per_s", "cycles_u_per_s", "tma_retiring", "instructions", "cycles_u"}}
	picked := func(event, want string) {
		t.Helper()
		got, _, err := metrics.Of(event)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v %v, want %s", event, got, err, want)
		}
	}
	picked("", "instructions_per_transaction ipc instructions_per_s cycles_u_per_s tma_retiring")
	picked("cycles:u", "cycles_u_per_s")
	if _, _, err := metrics.Of("cycle_u"); err == nil || !strings.Contains(err.Error(), `did you mean "cycles_u"?`) {
		t.Errorf("%v", err)
	}
}
