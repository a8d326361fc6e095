package group

import (
	"strings"
	"testing"

	"noisefloor/datasets"
)

const hosts = `
version threads host day        release tps
9.6.0   1       h1   2026-05-01 9.10    1.
9.10.0  8       h1   2026-05-02 9.1     2.
9.7.0   16      -    2026-05-03 9.11.x  3.
`

func TestWhere(t *testing.T) {
	runs, columns := rows(t, hosts)
	for i, release := range []string{"9.10", "9.1", "9.11.x"} { // rows makes numbers of the first two
		runs[i].Factors["release"] = datasets.Text(release)
	}
	for _, c := range []struct{ where, want string }{
		{"threads>=8", "1 2"},
		{"threads=8", "1"},
		{"threads == 8 || threads==1", "0 1"},
		{"threads!=8", "0 2"},
		{"version<9.7.0", "0"},
		{"version >= 9.7.0", "1 2"}, // 9.10 is later than 9.7
		{"version in [9.6.0, '9.7.0']", "0 2"},
		{"version =~ '^9.1'", "1"},
		{"host == h1", "0 1"},
		{"host != h2", "0 1"},    // null matches nothing
		{"!(host == h1)", ""},    // and neither does its negation
		{"!(host == h2)", "0 1"}, //
		{"host==h1 && !threads==8", "0"},
		{"host==h1 || threads==16 && version==1", "0 1"}, // && binds closer
		{`version=="9.6.0"`, "0"},
		{"threads<2.5", "0"},
		{"version==9.10.0 || version==9.6", "1"}, // 9.6 is no prefix of 9.6.0
		{"day>=2026-05-02", "1 2"},
		{"day!=2026-05-01", "1 2"},
		{"day<2026-05-02", "0"},
		{"release>=9.10", "0 2"},
		{"release==9.1", "1"},
	} {
		kept, err := Where(runs, columns, []string{c.where})
		if err != nil {
			t.Errorf("%s: %v", c.where, err)
			continue
		}
		var ids []string
		for _, r := range kept {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: runs %q, want %q", c.where, got, c.want)
		}
	}
	if kept, err := Where(runs, columns, []string{"threads>1", "host==h1"}); err != nil || len(kept) != 1 {
		t.Errorf("two expressions: %d runs, %v; want both to hold", len(kept), err)
	}
}

func TestWhereErrors(t *testing.T) {
	runs, columns := rows(t, hosts)
	for _, c := range []struct{ where, want string }{
		{"thread==8", `column 1: no factor is called "thread"; did you mean "threads"?`},
		{"threads==8 && ", "column 15: want the name of a factor"},
		{"threads 8", "column 9: want one of =="},
		{"threads==", "column 10: want a value"},
		{"(threads==8", "column 12: want )"},
		{"threads==8)", "column 11: want && or ||"},
		{"threads in [1,2", "column 16: want , or ]"},
		{"version =~ '['", "column 12: error parsing regexp"},
		{"version == '9", "column 12: this quote is never closed"},
		{"version in [9, \"9.7]", "column 16: this quote is never closed"},
		{"host==größe && thread==8", "column 16: no factor is called"}, // counted in letters, as the pointer below is
		{"tps > 2", "column 1: tps is a result"},
		{strings.Repeat("(", 1000), "too many brackets"},
	} {
		_, err := Where(runs, columns, []string{c.where})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.where, err, c.want)
		}
	}
}

// Where nothing matches, the error names the level that nobody has.
func TestWhereNeverSeen(t *testing.T) {
	runs, columns := rows(t, hosts)
	for _, c := range []struct{ where, want string }{
		{"version==9.6", `none of the 3 runs matches; no level of version is called "9.6"; did you mean "9.6.0"? Known: 9.6.0, 9.7.0, 9.10.0`},
		{"threads>4 && host in [h1, h2] && threads==1", `no level of host is called "h2"; did you mean "h1"?`},
		{"!(version==9.6.0) && (threads==64 || threads==128)", `no level of threads is called "64". Known: 1, 8, 16`},
		{"workload==oltp", "no run has a workload"},
		{"threads>16", "noisefloor info lists"},
	} {
		_, _, _, err := Analyse(runs, columns, Options{Where: []string{c.where}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.where, err, c.want)
		}
	}
}

func FuzzWhere(f *testing.F) {
	for _, s := range []string{"threads>=8 && workload==\"x\"", "version in [1,2]", "!(a=~'b')", "((("} {
		f.Add(s)
	}
	runs := []datasets.Run{{ID: "1", Threads: 8}}
	f.Fuzz(func(t *testing.T, s string) {
		Where(runs, nil, []string{s})
	})
}
