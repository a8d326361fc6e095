package report

import (
	"strings"
	"testing"

	"noisefloor/analysis/table"
)

func printed(t *testing.T, r *Report, s table.Screen) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, r, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextGolden(t *testing.T) {
	for name, r := range samples() {
		golden(t, name+".txt", printed(t, r, table.Screen{}))
	}
}

func TestTextFits(t *testing.T) {
	for name, r := range samples() {
		for _, width := range []int{60, 80, 100, 140} {
			for _, line := range strings.Split(printed(t, r, table.Screen{Width: width}), "\n") {
				if table.Width(line) > width {
					t.Errorf("%s: wider than %d: %q", name, width, line)
				}
			}
		}
	}
}

func TestTextShowsNoControlCharacters(t *testing.T) {
	out := printed(t, full(), table.Screen{})
	if strings.ContainsAny(out, "\x1b\u202e") {
		t.Error("a name reached the terminal as it was")
	}
	if !strings.Contains(out, `\x1b[31mFATAL`) {
		t.Error("the problem's text is not shown")
	}
}

// The answer comes first, in words.
func TestTextBeginsWithTheVerdict(t *testing.T) {
	check := func(name string, r *Report, want ...string) {
		t.Helper()
		head, _, _ := strings.Cut(printed(t, r, table.Screen{Width: 400}), "\nDesign\n")
		for _, w := range want {
			if !strings.Contains(head, w) {
				t.Errorf("%s: %q is not in\n%s", name, w, head)
			}
		}
	}
	check("full", full(), "slower        jemalloc is 3.4 % slower than glibc at 1 to 64 threads", "inconclusive  tcmalloc against glibc", "unsupported   </svg>",
		"One stratum at a time", "faster        jemalloc is 5.2 % faster than glibc at 8 threads, oltp_read_write")
	check("one day", oneDay(), "unsupported   No verdict on allocator: the arms share one day only (2026-11-30)",
		"Observed, without a claim: glibc-b +0.20 %, jemalloc -4.1 %, tcmalloc +1.3 %", "Run both arms, alternating, on at least 3 days")
	check("describe only", describeOnly(), "No verdict: version and </svg>", "--by version")
	check("nothing", nothing(), "No run was found")
}

func TestUnknownIsSaidInWords(t *testing.T) {
	out := printed(t, oneDay(), table.Screen{})
	for _, want := range []string{"unknown (one day)", "Cannot tell, whatever the change: 1 day x 1 run, 1 day x 3 runs or 1 day x 10 runs.", "at least "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestStrataNames(t *testing.T) {
	many := strings.Fields("a b c d e f g h")
	for _, c := range []struct {
		in, out []string
		want    string
	}{
		{many, nil, ""},
		{many[:2], many[2:], "at a; at b"},
		{many[1:], many[:1], "but for a"},
		{append(many, many...), append(many, many...), "in 16 of 32 strata"},
	} {
		if got := strataNames(c.in, c.out); got != c.want {
			t.Errorf("strataNames(%v, %v) = %q, want %q", c.in, c.out, got, c.want)
		}
	}
}

// A warning that all rows share is printed once, without naming them; one that
// some share names those.
func TestDoubtsAreSaidOnce(t *testing.T) {
	out := printed(t, oneDay(), table.Screen{Width: 1000})
	if n := strings.Count(out, "the arms share one day only"); n != 1 { // in the answer
		t.Errorf("said %d times:\n%s", n, out)
	}
	_, list, _ := strings.Cut(printed(t, full(), table.Screen{Width: 1000}), "\nDoubts\n")
	for _, want := range []string{
		"among the 6 looked at it does not. [tps: tcmalloc at 8 threads, oltp_read_only]",
		"an order in the metadata, would tell. [tps: jemalloc; tcmalloc at 1 thread, oltp_read_only; at 8 threads, oltp_read_only; at 64 threads, oltp_read_only. latency_p95, errors_per_s]",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not in\n%s", want, list)
		}
	}
}

func TestComparisonsCSVHasEveryNumber(t *testing.T) {
	var b strings.Builder
	if err := Comparisons(full().Comparisons).CSV(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if want := "metric,unit,scale,threads,workload,base,contender,estimate,lo,hi,p_adjusted,verdict,noise_floor,days_planned,looks,base_mean,contender_mean,base_runs,contender_runs,base_days,contender_days"; lines[0] != want {
		t.Errorf("head %q", lines[0])
	}
	if want := "tps,1/s,ratio,8,oltp_read_only,glibc,jemalloc,0.959,0.95,0.968,0.0004,slower,0.026,,once,1000,959,9,9,3,3"; lines[2] != want {
		t.Errorf("row %q", lines[2])
	}
}
