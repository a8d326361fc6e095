package perfstat

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	s, err := Scan(text, func(p datasets.Problem) {
		problems = append(problems, scantest.Problem(p))
	})
	add := func(format string, args ...any) {
		list = append(list, scantest.Record{Text: fmt.Sprintf(format, args...)})
	}
	for _, c := range s.Counters {
		text := fmt.Sprintf("%s = %.12g%s", c.Event, c.Value, c.Unit)
		if c.Scope != "" {
			text = "[" + c.Scope + "] " + text
		}
		if c.RunningPct != 100 {
			text += fmt.Sprintf(" running %v", c.RunningPct)
		}
		if !math.IsNaN(c.Variance) {
			text += fmt.Sprintf(" +- %.6g", c.Variance)
		}
		add("%s", text)
	}
	for _, v := range s.Series.Rows() {
		add("%.9g s: %s %.12g", v.T, v.Metric, v.Value)
	}
	return append(list, problems...), err
}

// finds checks the counters, the series and the problems of a text.
func finds(t *testing.T, text string, want ...string) {
	t.Helper()
	scantest.Finds(t, told, text, want...)
}

const title = "\n Performance counter stats for 'sleep 1':\n\n"

func TestPeople(t *testing.T) {
	finds(t, title+`          1,234.50 msec task-clock                #    0.535 CPUs utilized
    13,405,391,552      cycles                    #    2.507 GHz                      (83.25%)
   <not supported>      bus-cycles
     <not counted>      branches                                                      (0.00%)
    11,703,191,229      instructions              #    0.87  insn per cycle
                                                  #    1.70  stalled cycles per insn  (83.35%)

      10.001521311 seconds time elapsed

       0.003147000 seconds user
       0.006295000 seconds sys

`, "task-clock = 1.2345s", "cycles = 13405391552 running 83.25", "bus-cycles = NaN running NaN", "branches = NaN running 0", "instructions = 11703191229",
		"stalled cycles per insn = 1.7 running 83.35", "seconds elapsed = 10.001521311s", "seconds user = 0.003147s", "seconds sys = 0.006295s")
	// German, perf 3.8: points between thousands, decimal commas, brackets; the unit behind the event.
	finds(t, " Performance counter stats for './mm' (5 runs):\n\n"+`       1545,410842 task-clock (msec)         #    0,994 CPUs utilized            ( +-  0,21% )
             1.200 page-faults               #    0,777 K/sec                    ( +- 10,42% )
   186.462.389.466 cycles                    #    3,306 GHz                      [83,25%]

       1,554860542 seconds time elapsed                                          ( +-  0,19% )
`, "task-clock = 1.545410842s +- 0.0021", "page-faults = 1200 +- 0.1042", "cycles = 186462389466 running 83.25", "seconds elapsed = 1.554860542s +- 0.0019")
	// Blanks of three kinds between thousands, and the Swiss apostrophe.
	finds(t, title+"    1 234 567      cycles          #    3,306 GHz\n    1\u00a0234\u00a0568      instructions\n    1\u202f234\u202f569      branches\n     12'345'678      loads\n",
		"cycles = 1234567", "instructions = 1234568", "branches = 1234569", "loads = 12345678")
	finds(t, title+"           0.11363 +- 0.00203 seconds time elapsed  ( +-  1.78% )\n", "seconds elapsed = 0.11363s +- 0.0178")
	// Parts, and their sums.
	finds(t, title+`CPU0                   217.11 msec cpu-clock                        #    1.000 CPUs utilized
CPU1                   217.05 msec cpu-clock                        #    1.000 CPUs utilized
CPU0          <not supported>      cycles
`, "[CPU0] cpu-clock = 0.21711s", "cpu-clock = 0.43416s", "[CPU1] cpu-clock = 0.21705s", "[CPU0] cycles = NaN running NaN", "cycles = NaN running NaN")
	finds(t, title+`S0-D0-C0           1               7801      context-switches                 #   37.631 K/sec
S0-D0-C1           2                130      context-switches
            bash-2595          <not counted> msec cpu-clock
      ib_io: rd/0-2596                    17      faults
`, "[S0-D0-C0] context-switches = 7801", "context-switches = 7931", "[S0-D0-C1] context-switches = 130", "[bash-2595] cpu-clock = NaNs running 0", "cpu-clock = NaNs running 0",
		"[ib_io: rd/0-2596] faults = 17", "faults = 17")
	// A cgroup.
	finds(t, title+"         1,234,567      cycles                    system.slice/mariadb.service        (83.25%)\n              5.00 msec cpu-clock   system.slice\n",
		"[system.slice/mariadb.service] cycles = 1234567 running 83.25", "cycles = 1234567 running 83.25", "[system.slice] cpu-clock = 0.005s", "cpu-clock = 0.005s")
	// Metrics with lines of their own.
	finds(t, title+"         TopdownL1                 #     41.3 %  tma_frontend_bound       (63.00%)\n                                   #      nan %  tma_retiring\n",
		"tma_frontend_bound = 41.3% running 63")
	// Intervals: a series, and sums.
	finds(t, `# started on Tue Mar  4 20:24:57 2025

#           time             counts unit events
     0.100284738               3.95 msec cpu-clock                        #    0.039 CPUs utilized
     0.100284738                  2      context-switches                 #  506.454 /sec                     (50.00%)
     0.201218481      <not counted> msec cpu-clock
     0.201218481                  3      context-switches
`, "cpu-clock = 0.00395s running 50", "context-switches = 5 running 75", "seconds elapsed = 0.201218481s",
		"0.100284738 s: cpu-clock 0.00395", "0.100284738 s: context-switches 2", "0.201218481 s: context-switches 3")
	// Several, one behind the other, each with its own time.
	finds(t, title+"    100      cycles\n\n      10.5 seconds time elapsed\n"+title+"    7      branches\n    8      cycles\n\n      5.5 seconds time elapsed\n",
		"[block 1] cycles = 100", "[block 1] seconds elapsed = 10.5s", "[block 2] branches = 7", "[block 2] cycles = 8", "[block 2] seconds elapsed = 5.5s")
	// The program's own output, and a row that is none.
	finds(t, "Exec time: 1.5 sec.\n12 monkeys\n"+title+"    100      cycles\nsome words\n", "cycles = 100", "@7 unknown-line 1: some words")
}

func TestSeparated(t *testing.T) {
	finds(t, "4.06,msec,task-clock,4064124,100.00,0.038,CPUs utilized\n5,,context-switches,4064124,75.50,1.232,K/sec\n<not supported>,,cycles,0,100.00,,\n<not counted>,,branches,0,100.00,,\n",
		"task-clock = 0.00406s", "context-switches = 5 running 75.5", "cycles = NaN running NaN", "branches = NaN running 0")
	for _, separator := range []string{";", "\t", "|", "/"} {
		finds(t, strings.ReplaceAll("4.06,msec,task-clock,4064124,100.00,0.038,CPUs utilized\n5,,page-faults:u,4064124,100.00,1.232,K_sec\n", ",", separator), "task-clock = 0.00406s", "page-faults:u = 5")
	}
	finds(t, "4.25,msec,cpu-clock,9.44%,4302877,100.00,0.038,CPUs utilized\n3,,context-switches,11.11%,4302877,100.00,667.377,/sec\n",
		"cpu-clock = 0.00425s +- 0.0944", "context-switches = 3 +- 0.1111")
	finds(t, "S0-D0-C0,1,212.31,msec,cpu-clock,212307702,100.00,1.000,CPUs utilized\nCPU1,6636,,context-switches,213350405,100.00,31.104,K/sec\nbash-2595,<not counted>,,page-faults,0,100.00,,\n",
		"[S0-D0-C0] cpu-clock = 0.21231s", "cpu-clock = 0.21231s", "[CPU1] context-switches = 6636", "context-switches = 6636", "[bash-2595] page-faults = NaN running 0", "page-faults = NaN running 0")
	finds(t, "637682729,,cycles,db_test,2011741096,100.00,3,GHz\n25,,cpu_atom/cycles/,/,2011741096,54.00,,\n", "[db_test] cycles = 637682729", "cycles = 637682729", "[/] cpu_atom/cycles/ = 25 running 54", "cpu_atom/cycles/ = 25 running 54")
	// Intervals, with the sums that perf prints.
	finds(t, "     0.100394978,5.37,msec,cpu-clock,5371831,100.00,0.054,CPUs utilized\n     0.201232847,S0,2,7.00,msec,cpu-clock,5371831,100.00,,\n",
		"cpu-clock = 0.01237s", "[S0] cpu-clock = 0.007s", "seconds elapsed = 0.201232847s", "0.100394978 s: cpu-clock 0.00537", "0.201232847 s: cpu-clock S0 0.007")
	finds(t, "     2.422069161,4,,page-faults,4569544,100.00,16.214,K/sec\n         summary,4,,page-faults,4569544,100.00,16.214,K/sec\n         summary,<not supported>,,cycles,0,100.00,,\n",
		"page-faults = 4", "cycles = NaN running NaN", "seconds elapsed = 2.422069161s", "2.42206916 s: page-faults 4")
	// Lines with a metric only.
	finds(t, "32139.34,msec,cpu-clock,32139351409,100.00,32.001,CPUs utilized\n,16067494476,100.00,,,,TopdownL1 (cpu_core)\n,,,,,,%  tma_backend_bound\n,10188319019,63.00,,,41.3,%  tma_frontend_bound\n,,,,,1.70,stalled cycles per insn\n",
		"cpu-clock = 32.13934s", "tma_frontend_bound = 41.3%", "stalled cycles per insn = 1.7")
	// Decimal commas: between semicolons they are read, between commas they cannot be.
	finds(t, "     0,250269405 ;CPU0 ;312998921 ; ;OFFCORE_REQUESTS ;250166318 ;50,50 ; ;\n", "[CPU0] OFFCORE_REQUESTS = 312998921 running 50.5", "OFFCORE_REQUESTS = 312998921 running 50.5", "seconds elapsed = 0.250269405s", "0.250269405 s: OFFCORE_REQUESTS CPU0 312998921")
	finds(t, "0,31/msec/task-clock/306721/100,00/0/CPUs utilized\n", "task-clock = 0.00031s")
	finds(t, "637682,,cycles,2011741096,100,00,3,GHz\n7,,branches,2011741096,100,00,3,GHz\n", "@1 decimal-commas-between-commas 2: 637682,,cycles,2011741096,100,00,3,GHz")
}

func TestObjects(t *testing.T) {
	finds(t, `{"counter-value" : "7.168413", "unit" : "msec", "event" : "cpu-clock", "event-runtime" : 7193421, "pcnt-running" : 100.00, "metric-value" : 0.032299, "metric-unit" : "CPUs utilized"}
{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "(null)"}
{"cpu" : "1", "counter-value" : 80, "unit" : "", "event" : "page-faults", "variance" : 5.5, "event-runtime" : 21, "pcnt-running" : 54.00, "metric-value" : "375.5", "metric-unit" : "/sec"}
{"core" : "S0-D0-C0", "aggregate-number" : 1, "counter-value" : "2.000000", "unit" : "", "event" : "page-faults"}
{"event-runtime" : 16061513607, "pcnt-running" : 100.00, "metricgroup" : "TopdownL1 (cpu_core)"}
{"metric-value" : "nan", "metric-unit" : "%  tma_backend_bound"}
{"metric-value" : "41.016738", "metric-unit" : "%  tma_frontend_bound"}
`, "cpu-clock = 0.007168413s", "cycles = NaN running NaN", "[CPU1] page-faults = 80 running 54 +- 0.055", "page-faults = 82 running 77", "[S0-D0-C0] page-faults = 2", "tma_frontend_bound = 41.016738%")
	// What some versions print is no JSON.
	finds(t, `{"interval" : 1.000528071, "thread" : "my thread-7", "counter-value" : "5.0", "unit" : "", "event" : "branches", "event-runtime" : 5, "pcnt-running" : 100.00, }
{"interval" : 2.000528071, "thread" : "my thread-7", "counter-value" : "6.0", "unit" : "" "event" : "branches", "event-runtime" : 3805731510100.00,}
{"interval" : 3.0, "counter-value" : "6
`, "[my thread-7] branches = 11", "branches = 11", "seconds elapsed = 2.000528071s", "1.00052807 s: branches my thread-7 5", "2.00052807 s: branches my thread-7 6", `@3 broken-json 1: {"interval" : 3.0, "counter-value" : "6`)
}

func TestPairs(t *testing.T) {
	finds(t, "cycles\t6728483884\nbus-cycles\t-1\nipc\t0.72\n", "cycles = 6728483884", "bus-cycles = NaN running 0", "ipc = 0.72")
}

func TestAbout(t *testing.T) {
	s, _ := Scan(strings.NewReader("# started on Tue Mar  4 20:24:57 2025\n\n\n Performance counter stats for process id '4711' (3 runs):\n\n    1 cycles\n"), nil)
	if s.Started != "Tue Mar  4 20:24:57 2025" || s.Target != "process id '4711'" {
		t.Errorf("%+v", s)
	}
}

func TestNumber(t *testing.T) {
	is := func(text string, comma bool, want float64) {
		t.Helper()
		if got, ok := parseNumber(text, comma); got != want || !ok {
			t.Errorf("%q is %v %v, want %v", text, got, ok, want)
		}
	}
	is("60,243.87", false, 60243.87)
	is("186.462.389.466", true, 186462389466)
	is("56397,171142", true, 56397.171142)
	is("-1", false, -1)
	for _, text := range []string{"", "1.2.3", "<not", "S0", "12a", "-", "1-2"} {
		if v, ok := parseNumber(text, false); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// Whatever perf prints is read whole, in every form.
func TestRecorded(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		s, err := Scan(strings.NewReader(text), func(p datasets.Problem) { t.Errorf("%s: %v", name, p) })
		if err != nil {
			t.Fatal(err)
		}
		events := map[string]bool{}
		for _, c := range s.Counters {
			events[c.Event] = true
		}
		for _, event := range []string{"cpu-clock", "context-switches", "cycles", "page-faults"} {
			if !events[event] {
				t.Errorf("%s: no %s in %v", name, event, s.Counters)
			}
		}
	}
}

func TestScanner(t *testing.T) {
	texts := []string{title + "  1 234 567      cycles   #  3,306 GHz\n  x y\n", "637682,,cycles,2011741096,100,00,3,GHz\n", "cycles\t6728483884\nbus-cycles\t-1\n"}
	for _, text := range scantest.Recorded(t) {
		texts = append(texts, text)
	}
	scantest.Check(t, told, texts...)
}

// sums is told without what changes with the lines behind: shares, which are means,
// and that a block is the first of several.
func sums(text io.Reader) (list []scantest.Record, err error) {
	all, err := told(text)
	for _, r := range all {
		if r.Line == 0 {
			r.Text, _, _ = strings.Cut(firstBlock.Replace(r.Text), " running ")
		}
		list = append(list, r)
	}
	return list, err
}

var firstBlock = strings.NewReplacer("[block 1] ", "", "[block 1 ", "[")

func TestCut(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		t.Run(name, func(t *testing.T) { scantest.Cut(t, sums, scantest.AtMost, text) })
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range scantest.Recorded(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Scan(bytes.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Counters {
			if c.Event == "" || math.IsInf(c.Value, 0) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
