package hoststat

import (
	"math"
	"os"
	"strings"
	"testing"

	"noisefloor/datasets"
)

func recorded(t *testing.T, name string, kind Kind) map[string][]datasets.Sample {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Scan(kind, f, Options{Day: recordingDay}, func(p datasets.Problem) { t.Error(p) })
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]datasets.Sample{}
	for _, v := range s.Samples.Rows() {
		by[v.Metric] = append(by[v.Metric], v)
	}
	return by
}

// mpstat ran beside node_exporter under a busy sysbench, both every 2 s; over the 18 s
// that Prometheus has, their averages agree.
func TestPrometheusAsMpstat(t *testing.T) {
	ours, theirs := recorded(t, "prometheus-cpu", Prometheus), recorded(t, "prometheus-mpstat", Mpstat)
	compared := 0
	for name, list := range theirs {
		mine := ours[name]
		if len(mine) == 0 { // node_exporter counts no guests here
			continue
		}
		from, to := mine[0].T-2, mine[len(mine)-1].T
		want, n := 0.0, 0.0
		for _, v := range list {
			if v.T > from && v.T <= to+1 {
				want, n = want+v.Value, n+1
			}
		}
		got := 0.0
		for _, v := range mine {
			got += v.Value / float64(len(mine))
		}
		if math.Abs(got-want/n) > 1.5 { // points of a hundred: the two begin up to a second apart
			t.Errorf("%s is %.4g, mpstat says %.4g", name, got, want/n)
		}
		compared++
	}
	if compared != 8 {
		t.Errorf("%d of user, nice, system, iowait, irq, softirq, steal, idle", compared)
	}
	// sysbench counted 18369 transactions in all; the exporter had 1993 at its first answer.
	commits := 0.0
	for _, v := range recorded(t, "prometheus-commands", Prometheus)["Com_commit/s"] {
		commits += 2 * v.Value
	}
	if commits != 18369-1993 {
		t.Errorf("%v commits", commits)
	}
}

func answer(result ...string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(result, ",") + `]}}` + "\n"
}

func TestPrometheus(t *testing.T) {
	// A level, a count, a count that was reset, one that falls and so is a level, an answer without a name; of two instances the second says which.
	finds(t, answer(`{"metric":{"__name__":"node_load1","instance":"a:9100","job":"n"},"values":[[1796081928,"0.5"],[1796081930.5,"0.75"]]}`,
		`{"metric":{"__name__":"node_load1","instance":"b:9100","job":"n"},"values":[[1796081928,"3"]]}`)+
		answer(`{"metric":{"__name__":"node_disk_io_time_seconds_total","device":"vda","instance":"a:9100"},"values":[[1796081928,"10"],[1796081930,"10.5"],[1796081932,"0.1"],[1796081934,"1.1"]]}`,
			`{"metric":{"__name__":"mysql_global_status_questions","instance":"a:9100"},"values":[[1796081928,"100"],[1796081930,"300"]]}`,
			`{"metric":{"__name__":"mysql_global_status_threads_running","instance":"a:9100"},"values":[[1796081928,"4"],[1796081930,"5"]]}`,
			`{"metric":{"__name__":"mysql_global_status_something_new","instance":"a:9100"},"values":[[1796081928,"4"],[1796081930,"3"]]}`,
			`{"metric":{"command":"select","digest_text":"SELECT hunter2","instance":"a:9100"},"values":[[1796081928,"4"],[1796081930,"NaN"]]}`,
			`{"metric":{"__name__":"x_bucket","le":"0.1"},"values":[[1796081928,"4"]]}`),
		"0 s: load1 0.5", "2.5 s: load1 0.75", "0 s: load1 b:9100 3", "2 s: device_util_pct vda 25", "6 s: device_util_pct vda 50", "2 s: Questions/s 100", "0 s: Threads_running 4", "2 s: Threads_running 5",
		"0 s: Something_new 4", "2 s: Something_new 3", "0 s: value select 4", "@1 went-back 1: device_util_pct vda: a count fell; it was reset, or came around", "@1 table-not-read 1: the buckets of x_bucket")
	// Cut in the middle of a series: that one is left out.
	whole := answer(`{"metric":{"__name__":"node_load1"},"values":[[1796081928,"0.5"]]}`, `{"metric":{"__name__":"node_load5"},"values":[[1796081928,"0.5"],[1796081930,"0.75"]]}`)
	finds(t, whole[:len(whole)-12], "0 s: load1 0.5", "@1 broken-json 1: unexpected EOF")
	finds(t, answer(`{"metric":{"__name__":"node_load1"},"values":[[1796081928,"x"],["y","1"]]}`), "@1 torn-line 2: a value that is no number in node_load1")
	for _, text := range []string{`{"status":"success","data":{"resultType":"vector","result":[]}}`, `{"resultType": 1}`} {
		if k := kindOf(text); k != "" {
			t.Errorf("%s: taken for %s", text, k)
		}
	}
}
