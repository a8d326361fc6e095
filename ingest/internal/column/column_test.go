package column

import (
	"errors"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
)

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"threads": "threads", "cache-size": "cache_size", "Table Size": "table_size", "tableSize": "table_size", "BP": "bp", " 95th pct (ms) ": "95th_pct_ms",
		"": "", "--": "", "スレッド数": "スレッド数", "P99[μs]": "p99_μs", "a..b": "a_b", "_x_": "x", "TotalQPS": "total_qps",
	} {
		if got := Name(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestRole(t *testing.T) {
	for _, n := range []string{"kernel", "cpu", "cores", "memory_bytes", "sysbench_version", "sysbench_command", "tables", "table_size", "load1_before", "steal_s", "ended_at", "seconds"} {
		if Role(n) != datasets.Condition {
			t.Errorf("%s is not a condition", n)
		}
	}
	for _, n := range []string{"allocator", "server_version", "malloc_library", "tier", "rep", "group", "instance", "memory_allocator", "storage"} {
		if Role(n) != datasets.Factor {
			t.Errorf("%s is not a factor", n)
		}
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       datasets.Value
	}{
		{"x", "8", datasets.Int(8)}, {"x", "-8", datasets.Int(-8)}, {"x", "0", datasets.Int(0)}, {"x", "0.5", datasets.Float(.5)}, {"x", "1e3", datasets.Float(1000)},
		{"x", "007", datasets.Text("007")}, {"x", "32G", datasets.Text("32G")}, {"x", "true", datasets.Bool(true)}, {"x", "ON", datasets.Text("ON")},
		{"x", "", datasets.Value{}}, {"x", "nan", datasets.Text("nan")}, {"x", "Inf", datasets.Text("Inf")}, {"x", "0x1p3", datasets.Text("0x1p3")},
		{"version", "9.10", datasets.Text("9.10")}, {"server_version", "9", datasets.Text("9")}, {"x", "9.10", datasets.Float(9.1)},
		{"x", "1_000", datasets.Text("1_000")}, {"x", "99999999999999999999", datasets.Float(1e20)},
	} {
		if got := Value(c.name, c.text); got != c.want {
			t.Errorf("%s=%q: got %v (%d), want %v (%d)", c.name, c.text, got, got.Kind(), c.want, c.want.Kind())
		}
	}
}

func TestUnifyAndConvert(t *testing.T) {
	if Unify(datasets.IntKind, datasets.FloatKind) != datasets.FloatKind || Unify(datasets.Null, datasets.BoolKind) != datasets.BoolKind ||
		Unify(datasets.BoolKind, datasets.IntKind) != datasets.TextKind || Unify(datasets.TextKind, datasets.Null) != datasets.TextKind {
		t.Error("unify")
	}
	if Convert(datasets.Int(8), datasets.FloatKind) != datasets.Float(8) || Convert(datasets.Bool(true), datasets.TextKind) != datasets.Text("true") ||
		!Convert(datasets.Value{}, datasets.TextKind).IsNull() {
		t.Error("convert")
	}
}

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"2026-01-31": "2026-01-31", "20260131": "2026-01-31", "2026/01/31": "2026-01-31", "31.01.2026": "2026-01-31", "01/31/2026": "2026-01-31", "05/05/2026": "2026-05-05",
		"02-Mar-2026": "2026-03-02", "02.03.2026": "2026-03-02", "01.31.2026": "2026-01-31", "2 sept 2026": "2026-09-02", "2026-December-31": "2026-12-31", "Jan 31, 2026": "2026-01-31",
	} {
		if got, err := Date(in); got != want || err != nil {
			t.Errorf("%s: got %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "2026-02-30", "20261301", "d1", "1", "31/31/2026", "00000000", "31-Feb-2026", "2-Mai-2026", "Mar 2026"} {
		if got, err := Date(in); err == nil || errors.Is(err, ErrAmbiguous) {
			t.Errorf("%s: got %q, %v", in, got, err)
		}
	}
	if _, err := Date("03/04/2026"); !errors.Is(err, ErrAmbiguous) {
		t.Errorf("03/04/2026: %v", err)
	}
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		texts, known, want, guess string
	}{
		{"31/01/2026 03/04/2026", "", "day first", ""},
		{"01/31/2026 03/04/2026", "", "month first", ""},
		{"31/01/2026 01/31/2026", "", "any order", ""}, // two writers
		{"05/05/2026", "", "day first", ""},            // the same day in both
		{"03/04/2026", "", "day first", "usually"},
		{"03/04/2026 05/04/2026", "", "day first", "closest"},
		{"04/03/2026 04/05/2026", "", "month first", "closest"},
		{"03/04/2026", "2026-03-05", "month first", "closest"},
		{"02.03.2026 03.03.2026", "", "day first", ""},
		{"2.3.26", "", "day first", ""},
		{"26-03-02", "", "year first", ""}, // the 26th of March 2002 had no sysbench
		{"02-03-26", "", "day first", "usually"},
		{"26-03-12 26-03-13", "", "year first", "closest"},
		{"12-03-26 13-03-26", "", "day first", "closest"},
		{"3/14/26", "", "month first", ""},
		{"1-2-3", "", "any order", ""},
		{"d1", "", "any order", ""},
		{"", "", "any order", ""},
	} {
		order, guess := Settle(strings.Fields(c.texts), strings.Fields(c.known))
		if order.String() != c.want || !strings.Contains(guess, c.guess) || c.guess == "" && guess != "" {
			t.Errorf("%s, known %s: %s, %q", c.texts, c.known, order, guess)
		}
	}
	for _, c := range []struct {
		order      Order
		text, want string
	}{{DayFirst, "02.03.26", "2026-03-02"}, {MonthFirst, "3/14/26", "2026-03-14"}, {YearFirst, "26-03-02", "2026-03-02"}, {YearFirst, "02-03-2026", ""}, {YearFirst, "2-3-26", ""},
		{DayFirst, "31/02/2026", ""}, {DayFirst, "31/01-2026", ""}, {DayFirst, "03/04/99", ""}, {AnyOrder, "31/01/2026", ""}} {
		if got, ok := c.order.In(c.text); got != c.want || ok != (c.want != "") {
			t.Errorf("%s, %s: %q, %v", c.text, c.order, got, ok)
		}
	}
}

func TestTime(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	utc := func(s string) time.Time {
		x, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		in    string
		want  time.Time
		zoned bool
	}{
		{"2026-11-30T10:56:34.866194Z", utc("2026-11-30T10:56:34.866194Z"), true},
		{"2026-11-30T10:56:34+09:00", utc("2026-11-30T01:56:34Z"), true},
		{"2026-11-30 10:56:34", utc("2026-11-30T01:56:34Z"), false},
		{"20261130_105634", utc("2026-11-30T01:56:34Z"), false},
		{"2024-05-31_16_21_12", utc("2024-05-31T07:21:12Z"), false},
		{"Tue Mar  2 03:00:06 EST 2021", utc("2021-03-01T18:00:06Z"), false}, // EST is not a zone of Tokyo: read as local, said by zoned
		{"Tue Jan 23 00:42:32 UTC 2024", utc("2024-01-23T00:42:32Z"), true},
		{"1779094865.303", utc("2026-05-18T09:01:05.303Z"), true},
		{"1779094865303", utc("2026-05-18T09:01:05.303Z"), true},
		{"31.01.2026 15:04:05", utc("2026-01-31T06:04:05Z"), false},
		{"2026.01.31 3:04:05 +0100", utc("2026-01-31T02:04:05Z"), true},
		{"31.01.2026 15:04", utc("2026-01-31T06:04:00Z"), false},
	} {
		got, zoned, err := Time(c.in, tokyo)
		if err != nil || !got.Equal(c.want) || zoned != c.zoned {
			t.Errorf("%s: got %s, %v, %v", c.in, got, zoned, err)
		}
	}
	for _, in := range []string{"", "yesterday", "0001-01-01T00:00:00Z", "12:00:00", "03/04/2026 10:00:00"} {
		if got, _, err := Time(in, tokyo); err == nil {
			t.Errorf("%s: got %s", in, got)
		}
	}
}

func TestFill(t *testing.T) {
	var r datasets.Run
	fill := func(name string, v datasets.Value, ok bool) {
		t.Helper()
		if err := Fill(&r, name, v, time.UTC); (err == nil) != ok {
			t.Errorf("%s=%s: %v", name, v, err)
		}
	}
	fill("threads", datasets.Int(8), true)
	fill("clients", datasets.Text("08"), true)
	fill("order", datasets.Float(3), true)
	fill("day", datasets.Int(20260131), true)
	fill("started_at", datasets.Text("2026-01-31T00:00:00Z"), true)
	fill("host", datasets.Value{}, true)
	if r.Threads != 8 || r.Clients != 8 || r.Order != 3 || r.Day != "2026-01-31" || r.Started.Year() != 2026 || r.Host != "" {
		t.Errorf("got %+v", r)
	}
	fill("threads", datasets.Int(0), false)
	fill("threads", datasets.Text("many"), false)
	fill("order", datasets.Float(2.5), false)
	fill("day", datasets.Text("03/04/2026"), false)
	fill("started_at", datasets.Text("noon"), false)
	fill("duration_s", datasets.Text("long"), false)
	fill("sha256", datasets.Text("x"), false)
	if r.Threads != 8 || r.Day != "2026-01-31" {
		t.Errorf("a bad value changed the run: %+v", r)
	}
	fill("day", datasets.Text("d1"), true)
	if r.Day != "d1" {
		t.Errorf("day %q", r.Day)
	}
	// A moment: the day is the one that is written, whatever it is called in UTC.
	r = datasets.Run{}
	fill("day", datasets.Text("2026.01.31 0:30:00 +0100"), true)
	if r.Day != "2026-01-31" || !r.Started.Equal(time.Date(2026, 1, 30, 23, 30, 0, 0, time.UTC)) {
		t.Errorf("day %q, started %v", r.Day, r.Started)
	}
	fill("day", datasets.Text("Tuesday night"), true)
	if r.Day != "Tuesday night" {
		t.Errorf("day %q", r.Day)
	}
}

// The way that most moments are written is read without package time, which says the
// same of every day.
func TestUsualTime(t *testing.T) {
	zone := time.FixedZone("", 3600)
	for day := time.Date(2023, 12, 1, 23, 59, 58, 0, zone); day.Year() < 2025; day = day.AddDate(0, 0, 1) {
		if got, _, err := Time(day.Format(time.DateTime), zone); err != nil || !got.Equal(day) {
			t.Fatalf("%v: %v, %v", day, got, err)
		}
	}
	for _, text := range []string{"2026-02-29 00:00:00", "2026-04-31 00:00:00", "2026-00-01 00:00:00", "2026-13-01 00:00:00", "2026-01-00 00:00:00", "2026-01-01 24:00:00", "2026-01-01 00:60:00", "2026-01-01 00:00:60"} {
		if got, _, err := Time(text, zone); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
