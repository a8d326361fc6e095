package sysbench

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/hoststat"
)

// hostTool is what a tool of sysstat printed into the log of a run. BMK-kit appends
// what pidstat said of the server while the run went on:
//
//	Linux 6.8.0-1029-aws (ip-172-31-26-164) 	05/31/25 	_x86_64_	(32 CPU)
//
//	# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  minflt/s  majflt/s     VSZ     RSS   %MEM  Command
//	18:27:14      111    486957   70.80   26.20    0.00    0.00   97.00    27    573.00      0.00 46226500 22864760   8.76  mysqld
type hostTool struct {
	text  []byte
	lines []int // in the log, of each line of text
}

// maxHostTool bounds what is kept of such a tool: an hour of pidstat every second.
const maxHostTool = 1 << 20

// hostLine takes a line that is no line of sysbench, from the banner on.
func (s *scan) hostLine(b []byte) bool {
	t := &s.hostTool
	switch {
	case !s.open || s.torn || s.coming > 0 || len(t.text) > maxHostTool:
		return false
	case len(t.text) == 0 && (!bytes.HasPrefix(b, []byte("Linux ")) || hoststat.ReadHead(hoststat.Pidstat, b).Kernel == ""):
		return false
	}
	t.text = append(append(t.text, b...), '\n')
	t.lines = append(t.lines, s.rd.Number)
	return true
}

// hostSays tells what the tool says of the machine, of the start of the run, and of
// the time in it.
func (s *scan) hostSays() {
	t := &s.hostTool
	r := &s.run
	r.Host, r.Series = "", datasets.Samples{}
	if len(t.text) == 0 {
		return
	}
	kind := hoststat.Sniff(t.text)
	h := hoststat.ReadHead(kind, t.text[:min(len(t.text), 4<<10)])
	r.Host = h.Host
	r.Options["kernel"] = datasets.Text(h.Kernel)
	if h.CPUs > 0 {
		r.Options["cores"] = datasets.Int(int64(h.CPUs))
	}
	var day time.Time
	switch d := h.Date; {
	case d.Known() && d.Year > 0:
		day = time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
	case d.Doubtful():
		s.problems.Add("ambiguous-date", t.lines[0], fmt.Appendf(nil, "%02d/%02d: day and month cannot be told apart; give --set day= or {day} in --layout", d.First, d.Second))
	}
	series, _ := hoststat.Scan(kind, bytes.NewReader(t.text), hoststat.Options{Day: day}, func(p datasets.Problem) {
		s.problems.Add(p.Kind, t.lines[p.Line-1], []byte(p.Text))
		s.problems.More(p.Kind, p.Count-1)
	})
	// The first report is of the time before it, as long as that from one to the next.
	step := 0.0
	for _, t := range series.Samples.T {
		if t > series.Start {
			step = t - series.Start
			break
		}
	}
	if kind != hoststat.Iostat { // whose first report is the average since the start of the machine
		series.Start -= step
	}
	if r.Stamp == "" && series.Clock == hoststat.Moments && !math.IsNaN(series.Start) {
		r.Stamp, r.StampAfter = time.UnixMicro(int64(series.Start*1e6)).UTC().Format(time.DateTime), 0
	}
	seconds, ended := r.Metrics["duration_s"]
	if !ended || series.Clock == hoststat.Reports {
		return
	}
	r.Series = series.Samples.Sieve()
	for i, t := range series.Samples.T {
		if t -= series.Start; t <= seconds+step {
			r.Series.Append(series.Samples.Metric[i], t, series.Samples.Value[i])
		}
	}
	r.Series.Own("", string(kind))
}
