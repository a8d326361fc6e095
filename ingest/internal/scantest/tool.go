package scantest

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
)

// Found is everything that a scan of a load generator's log gave, kept.
type Found struct {
	Runs     []load.Run
	Problems []datasets.Problem
}

// Read scans a text to its end.
func Read(tool load.Tool, text io.Reader) (Found, error) {
	var f Found
	err := tool.Scan(text, load.Out{
		Found: func(r *load.Run) error {
			kept := *r
			kept.Options, kept.Metrics = maps.Clone(r.Options), maps.Clone(r.Metrics)
			kept.Intervals, kept.Buckets = r.Intervals.Clone(), slices.Clone(r.Buckets)
			f.Runs = append(f.Runs, kept)
			return nil
		},
		Problem: func(p datasets.Problem) { f.Problems = append(f.Problems, p) },
	})
	return f, err
}

// Text scans a text that cannot fail.
func Text(t *testing.T, tool load.Tool, text string) Found {
	t.Helper()
	f, err := Read(tool, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Dump writes a run, one fact a line, in a fixed order, hash and lines apart.
func Dump(r load.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "part %d version %q threads %d clients %d status %s workload %q mix %q stamp %q\n", r.Part, r.Version, r.Threads, r.Clients, r.Status, r.Workload, r.Mix, r.Stamp)
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		fmt.Fprintf(&b, "option %s %v\n", name, r.Options[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
		fmt.Fprintf(&b, "%s %v\n", name, r.Metrics[name])
	}
	for _, iv := range r.Intervals.Rows() {
		fmt.Fprintf(&b, "%v\n", iv)
	}
	for _, k := range r.Buckets {
		fmt.Fprintf(&b, "%v\n", k)
	}
	if r.Host != "" {
		fmt.Fprintf(&b, "host %s\n", r.Host)
	}
	for _, v := range r.Series.Rows() {
		fmt.Fprintf(&b, "%.9g s: %s %.9g\n", v.T, v.Metric, v.Value)
	}
	return b.String()
}

func (f Found) String() string {
	var b strings.Builder
	for _, r := range f.Runs {
		b.WriteString(Dump(r))
	}
	for _, p := range f.Problems {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}

// CheckTool runs Check over logs of a tool, and what every log must stand: other
// line ends, marks and prefixes change no number, and a log cut at any byte
// yields a part of what the whole one does and no number that the whole one does
// not have.
func CheckTool(t *testing.T, tool load.Tool, logs ...string) {
	t.Helper()
	Check(t, func(text io.Reader) ([]Record, error) {
		f, err := Read(tool, text)
		var list []Record
		for _, r := range f.Runs {
			list = append(list, Record{r.FirstLine, fmt.Sprintf("%d..%d %x\n%s", r.FirstLine, r.LastLine, r.Hash, Dump(r))})
		}
		slices.SortStableFunc(list, func(a, b Record) int { return a.Line - b.Line })
		var told []Record
		for _, p := range f.Problems {
			told = append(told, Record{p.Line, p.String()})
		}
		list = append(list, told...)
		slices.SortStableFunc(list, func(a, b Record) int { return a.Line - b.Line })
		return list, err
	}, logs...)
	for i, log := range logs {
		if !tool.Sniff([]byte(log)) {
			t.Errorf("log %d is not recognised", i)
		}
		whole := Text(t, tool, log)
		for name, changed := range map[string]string{
			"CR LF":           strings.ReplaceAll(log, "\n", "\r\n"),
			"byte order mark": "\ufeff" + log,
			"colours":         "\x1b[32m" + strings.ReplaceAll(log, "\n", "\x1b[0m\n\x1b[32m") + "\x1b[0m",
			"no indentation":  unindented(log),
			"time stamps":     "2026-01-31T12:00:01.123456789Z " + strings.ReplaceAll(strings.TrimSuffix(log, "\n"), "\n", "\n2026-01-31T12:00:01.123456789Z ") + "\n",
		} {
			if got := Text(t, tool, changed); unstamped(got) != unstamped(whole) {
				t.Errorf("log %d with %s gives\n%s\nnot\n%s", i, name, unstamped(got), unstamped(whole))
			}
		}
		from := 0
		for line := range strings.SplitAfterSeq(log, "\n") {
			after := Text(t, tool, log[:from+len(line)])
			for end := from; end < from+len(line); end++ {
				cut := Text(t, tool, log[:end])
				err := partOf(cut, whole)
				if err == "" && from < end && log[end-1]-'0' <= 9 && unsaid(cut, after) {
					err = "nothing says that a number has lost its end: " + cut.String()
				}
				if err != "" {
					t.Fatalf("log %d, cut behind %q: %s", i, log[max(0, end-60):end], err)
				}
			}
			from += len(line)
		}
	}
}

func unindented(text string) string {
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return strings.Join(all, "\n")
}

// unstamped leaves the problems out, which quote the lines, and the stamp.
func unstamped(f Found) string {
	f.Problems = nil
	f.Runs = slices.Clone(f.Runs)
	for i := range f.Runs {
		f.Runs[i].Stamp = ""
	}
	return f.String()
}

// partOf says what the runs of a cut text have that those of the whole text do
// not.
func partOf(cut, whole Found) string {
	if len(cut.Runs) > len(whole.Runs) {
		return fmt.Sprintf("%d runs of %d", len(cut.Runs), len(whole.Runs))
	}
	for i, r := range cut.Runs {
		of := whole.Runs[i]
		switch {
		case i < len(cut.Runs)-1 && Dump(r) != Dump(of):
			return fmt.Sprintf("run %d, before the cut, is %s", i, Dump(r))
		case r.FirstLine != of.FirstLine, r.Threads != of.Threads && r.Threads != 0, !strings.HasPrefix(of.Workload, r.Workload):
			return fmt.Sprintf("run %d is %s", i, Dump(r))
		case r.Intervals.Len() > of.Intervals.Len() || len(r.Buckets) > len(of.Buckets) || !slices.Equal(r.Buckets, of.Buckets[:len(r.Buckets)]):
			return fmt.Sprintf("run %d has more rows: %s", i, Dump(r))
		}
		for name, v := range r.Metrics {
			if w, ok := of.Metrics[name]; !ok || v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				return fmt.Sprintf("run %d: %s is %v, not %v", i, name, v, w)
			}
		}
		for name, v := range r.Options {
			if of.Options[name] != v {
				return fmt.Sprintf("run %d: %s is %v, not %v", i, name, v, of.Options[name])
			}
		}
		for k, iv := range r.Intervals.Rows() {
			if fmt.Sprint(iv) != fmt.Sprint(of.Intervals.At(k)) {
				return fmt.Sprintf("run %d: interval %v, not %v", i, iv, of.Intervals.At(k))
			}
		}
	}
	return ""
}

// unsaid tells that a run passes for complete although it lacks what the last line
// says when it is whole, and that no problem says so.
func unsaid(cut, after Found) bool {
	n := len(cut.Runs) - 1
	return n >= 0 && len(cut.Problems) == 0 && cut.Runs[n].Status == datasets.Complete && len(after.Runs) == n+1 && Dump(cut.Runs[n]) != Dump(after.Runs[n])
}

// FuzzTool looks for texts that make the scanner of a tool panic, read
// differently when the reads are small, or give out impossible numbers.
func FuzzTool(f *testing.F, tool load.Tool, logs ...string) {
	for _, log := range logs {
		f.Add([]byte(log))
		f.Add([]byte(log[:len(log)*2/3]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, err := Read(tool, strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		inPieces, err := Read(tool, &pieces{rest: text, size: 3})
		if err != nil || inPieces.String() != whole.String() {
			t.Fatalf("in pieces of 3 bytes: %v\n%s\nnot\n%s", err, inPieces, whole)
		}
		lines := strings.Count(string(text), "\n") + strings.Count(string(text), "\r") + 1
		for _, r := range whole.Runs {
			if r.FirstLine < 1 || r.LastLine < r.FirstLine || r.LastLine > lines || r.Status == "" || r.Threads < 0 {
				t.Fatalf("a run of lines %d..%d of %d, %s", r.FirstLine, r.LastLine, lines, r.Status)
			}
			for name, v := range r.Metrics {
				if v < 0 || math.IsInf(v, 0) || name == "" {
					t.Fatalf("%s is %v", name, v)
				}
			}
			for _, iv := range r.Intervals.Rows() {
				if iv.TPS < 0 || math.IsInf(iv.TPS, 0) || iv.LatencyPct < 0 {
					t.Fatalf("interval %v", iv)
				}
			}
		}
		for _, p := range whole.Problems {
			if len(p.Text) > 200 || p.Kind == "" || p.Count < 1 || p.Line < 1 {
				t.Fatalf("problem %+v", p)
			}
		}
		tool.Sniff(text)
	})
}
