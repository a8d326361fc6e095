package sysbench

import (
	"fmt"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

const (
	pidstatBanner  = "Linux 6.8.0-1029-aws (db7) \t05/31/25 \t_x86_64_\t(32 CPU)\n\n"
	pidstatHeading = "# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  minflt/s  majflt/s     VSZ     RSS   %MEM  Command\n"
)

// bmkkit writes a part of a sweep as BMK-kit does: what pidstat said stands behind
// the report of the run.
func bmkkit(clients, seconds, cpu int) string {
	text := fmt.Sprintf("\nClients: %d\n", clients) + oltp(clients, seconds) + pidstatBanner
	for t := 5; t <= seconds+5; t += 5 {
		text += fmt.Sprintf("%s18:27:%02d      111    486957   70.80   26.20    0.00    0.00   %d.00    27    573.00      0.00 46226500 22864760   8.76  mysqld\n\n", pidstatHeading, 9+t, cpu)
	}
	return text
}

func TestPidstatInLog(t *testing.T) {
	text := bmkkit(1, 10, 97) + bmkkit(4, 10, 310)
	f := scantest.Text(t, Tool, text)
	if len(f.Runs) != 2 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	for i, cpu := range []float64{97, 310} {
		r := f.Runs[i]
		// The first report is of the 5 s before it.
		if r.Host != "db7" || r.Options["kernel"] != datasets.Text("6.8.0-1029-aws") || r.Options["cores"] != datasets.Int(32) || r.Stamp != "2025-05-31 18:27:09" || r.StampAfter != 0 {
			t.Errorf("%q at %q\n%s", r.Host, r.Stamp, scantest.Dump(r))
		}
		var got []string
		for _, v := range r.Series.Rows() {
			if v.Metric == "process_cpu_pct mysqld" {
				got = append(got, fmt.Sprintf("%g: %g", v.T, v.Value))
			}
		}
		if want := fmt.Sprintf("5: %g, 10: %g, 15: %g", cpu, cpu, cpu); strings.Join(got, ", ") != want {
			t.Errorf("%q, want %s", got, want)
		}
	}
	// A date that can be read in two ways is no date; a log that pidstat's output alone follows has nothing before it.
	f = scantest.Text(t, Tool, strings.ReplaceAll(bmkkit(1, 10, 97), "05/31/25", "05/06/25"))
	if r := f.Runs[0]; r.Stamp != "" || r.Host != "db7" || len(f.Problems) != 1 || f.Problems[0].Kind != "ambiguous-date" || f.Problems[0].Line != strings.Count(oltp(1, 10), "\n")+3 {
		t.Errorf("%q %v", f.Runs[0].Stamp, f.Problems)
	}
	// What is torn is no report.
	f = scantest.Text(t, Tool, strings.TrimRight(bmkkit(1, 10, 97), " \n")[:len(bmkkit(1, 10, 97))-10])
	if n := f.Runs[0].Series.Len(); n != 2*10 {
		t.Errorf("%d values", n)
	}
	scantest.Check(t, records, text)
}
