package sysbench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
)

// wide writes a text in UTF-16, little end first, without a byte order mark.
func wide(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

// swapped turns the bytes of each pair.
func swapped(text string) string {
	b := []byte(text)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

// mapped puts every line through change.
func mapped(text string, change func(string) string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = change(lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

// However a log comes, the numbers are the same; where the bytes of the run are,
// so is the hash.
func TestDisguises(t *testing.T) {
	log := oltp(8, 20)
	plain, problems := one(t, log)
	if plain.Status != datasets.Complete || plain.Intervals.Len() != 20 || len(problems) > 0 {
		t.Fatalf("the plain log: %s problems %v", dump(plain), problems)
	}
	before := func(prefix string) func(string) string {
		return func(text string) string { return mapped(text, func(l string) string { return prefix + l }) }
	}
	seconds := 0
	for _, c := range []struct {
		name     string
		change   func(string) string
		sameHash bool
	}{
		{"byte order mark", func(s string) string { return "\ufeff" + s }, true},
		{"UTF-16 LE", func(s string) string { return "\xff\xfe" + wide(s) }, true},
		{"UTF-16 BE", func(s string) string { return "\xfe\xff" + swapped(wide(s)) }, true},
		{"UTF-16 LE without mark", wide, true},
		{"UTF-16 BE without mark", func(s string) string { return swapped(wide(s)) }, true},
		{"blank lines around", func(s string) string { return "\n\n" + s + "\n\n\n" }, true},
		{"no line end at the end", func(s string) string { return strings.TrimRight(s, "\n") }, true},
		{"CR LF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, false},
		{"CR", func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }, false},
		{"indentation lost", func(s string) string { return mapped(s, strings.TrimSpace) }, false},
		{"indented", before("    "), false},
		{"tabs", before("\t\t"), false},
		{"quoted", before("> "), false},
		{"quoted twice", before("> > "), false},
		{"piped", before("| "), false},
		{"table", func(s string) string { return mapped(s, func(l string) string { return "| " + l + " |" }) }, false},
		{"blanks behind", func(s string) string { return mapped(s, func(l string) string { return l + "  " }) }, false},
		{"no-break spaces", before("\u00a0\u00a0"), false},
		{"coloured", func(s string) string { return mapped(s, func(l string) string { return "\x1b[1;32m" + l + "\x1b[0m" }) }, false},
		{"terminal title", before("\x1b]0;bench\a"), false},
		{"ts", before("Jan 31 12:00:01 "), false},
		{"ts, first of the month", before("Feb  1 12:00:01 "), false},
		{"ts %.s", before("1769860801.123456 "), false},
		{"ts -s", before("00:00:01 "), false},
		{"date and time", before("2026-01-31 12:00:01 "), false},
		{"date and time in brackets", before("[2026-01-31 12:00:01,123] "), false},
		{"time in parentheses", before("(12:00:01.5) "), false},
		{"zone", before("2026-01-31T12:00:01.123+0200 "), false},
		{"UTC", before("2026-01-31 12:00:01 UTC: "), false},
		{"docker logs", before("2026-01-31T12:00:01.123456789Z "), false},
		{"container runtime", before("2026-01-31T12:00:01.123456789Z stdout F "), false},
		{"docker compose", before("sysbench-1  | "), false},
		{"kubectl --prefix", before("[pod/bench-x7k/sysbench] "), false},
		{"stern", before("bench-x7k2p sysbench "), false},
		{"pdsh", before("bench01: "), false},
		{"parallel --tag", func(s string) string {
			return strings.ReplaceAll(mapped(s, func(l string) string { return "db7.lab\t" + l }), "db7.lab\t\n", "\n")
		}, false},
		{"a page", func(s string) string { return "<pre><code>" + strings.TrimSpace(s) + "</code></pre>\n" }, false},
		{"a page with line ends", func(s string) string {
			return mapped(s, func(l string) string { return strings.ReplaceAll(l, "    ", " &nbsp; ") + "<br/>" })
		}, false},
		{"pdsh and ts", before("bench01: Jan 31 12:00:01 "), false},
		{"journald", before("Jan 31 12:00:01 bench1 sysbench[4711]: "), false},
		{"syslog, RFC 5424", before("<14>1 2026-01-31T12:00:01.123Z bench1 sysbench 4711 - - "), false},
		{"syslog, RFC 3164", before("<14>Jan 31 12:00:01 bench1 sysbench[4711]: "), false},
		{"a harness in Python", before("2026-01-31 12:00:01,849 41b2ddaa MainThread INFO     "), false},
		{"level in brackets", before("2026-01-31 12:00:01 [INFO] "), false},
		{"docker, json-file", func(s string) string {
			return mapped(s, func(l string) string {
				return fmt.Sprintf(`{"log":%q,"stream":"stdout","time":"2026-01-31T12:00:01.1Z"}`, l+"\n")
			})
		}, false},
		{"journalctl -o json", func(s string) string {
			return mapped(s, func(l string) string {
				return fmt.Sprintf(`{"__REALTIME_TIMESTAMP":"1769860801123456","MESSAGE":%q,"_HOSTNAME":"bench1"}`, l)
			})
		}, false},
		{"grep -H", before("res/run_1.log:"), false},
		{"grep -n", before("17:"), false},
		{"grep -Hn", before("run1.log:17:"), false},
		{"cat -n", func(s string) string {
			return strings.ReplaceAll(mapped(s, func(l string) string { return "    17\t" + l }), "    17\t\n", "\n")
		}, false},
		{"CPU of a process", before("CPU 0 "), false},
		{"tabs between numbers", func(s string) string {
			return mapped(s, func(l string) string {
				if strings.HasPrefix(l, "[") {
					return l
				}
				return strings.ReplaceAll(l, "    ", "\t")
			})
		}, false},
		{"journald, short-iso", before("2026-01-31T12:00:01+0000 bench1 run.sh[4711]: "), false},
		{"journald, short-full", before("Sat 2026-01-31 12:00:01 UTC bench1 sysbench[4711]: "), false},
		{"journald, short-monotonic", before("[  100.123456] bench1 sysbench[4711]: "), false},
		{"GitLab", before("2026-01-31T12:00:01.123456Z 01O "), false},
		{"stdout_lines of Ansible", func(s string) string {
			return mapped(s, func(l string) string { return fmt.Sprintf("            %q,", l) })
		}, false},
		{"no-break spaces inside", func(s string) string { return strings.ReplaceAll(s, "    ", "\u00a0\u00a0\u00a0 ") }, false},
		{"quoted time stamps", before("> 2026-01-31 12:00:01 "), false},
		{"running time stamps", func(s string) string {
			return mapped(s, func(l string) string {
				seconds++
				return fmt.Sprintf("2026-01-31 12:%02d:%02d %s", seconds/60, seconds%60, l)
			})
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, problems := one(t, c.change(log))
			if got := dump(r); got != dump(plain) {
				t.Errorf("got\n%s\nwant\n%s", got, dump(plain))
			}
			if !slices.EqualFunc(r.Intervals.Rows(), plain.Intervals.Rows(), func(a, b datasets.Interval) bool { return show(a) == show(b) }) {
				t.Errorf("intervals %v", r.Intervals.Rows())
			}
			if len(problems) > 0 {
				t.Errorf("problems %v", problems)
			}
			if same := r.Hash == plain.Hash; same != c.sameHash {
				t.Errorf("same hash: %v, want %v", same, c.sameHash)
			}
		})
	}
}

func TestHistogramInATable(t *testing.T) {
	r, problems := one(t, mapped(logCPU, func(l string) string { return "| " + l }))
	if len(r.Buckets) != 3 || len(problems) > 0 {
		t.Errorf("buckets %v, problems %v", r.Buckets, problems)
	}
}

func TestUndress(t *testing.T) {
	for _, c := range [][2]string{
		{"[ 1s ] thds: 8", "[ 1s ] thds: 8"},
		{"12:00 noon", "12:00 noon"},
		{"2026-01-31 was a Saturday", "2026-01-31 was a Saturday"},
		{"2026-01-31 12:00:01", ""},
		{"12:00:01x", "12:00:01x"},
		{"[12:00:01 x", "[12:00:01 x"},
		{"1769860801,4,5", "1769860801,4,5"},
		{"May be", "May be"},
		{"a b | c", "a b | c"},
		{"web_1 | x | y", "x | y"},
		{"0.218 |** 103", "0.218 |** 103"},
		{">", ""},
		{"Jan 31 12:00:01 bench1 sysbench[4711]: a [2]: b", "a [2]: b"},
		{"bench01:", ""},
		{"<p>", ""},
		{"a < b > c", "a < b > c"},
		{"<1 ms>", "<1 ms>"},
		{"bench-7 sysbench", ""},
		{"note: a", "note: a"},
		{"12: a", "a"},
		{"oltp-1 ran well: yes", "well: yes"},
		{"mysql-8.0 was, on the whole", "mysql-8.0 was, on the whole"},
		{"-- bench1: a", "-- bench1: a"},
		{"Jan 31 12:00:01 a b c[4711]: x", "a b c[4711]: x"},
	} {
		if got := string(lines.Undress([]byte(c[0]))); got != c[1] {
			t.Errorf("%q gave %q, want %q", c[0], got, c[1])
		}
	}
}

func TestCutMark(t *testing.T) {
	for _, line := range []string{"..", "...", ". . ...", "[...]", "(...)", "…", "[snip]", "<snip>", "-- snip --", "...[cut]...", "*** output omitted ***"} {
		if !lines.CutMark([]byte(line)) {
			t.Errorf("not recognised: %q", line)
		}
	}
	for _, line := range []string{"", ".", "----", "snip", "cut", "[ 1s ] ...", "and so on...", "Initializing worker threads..."} {
		if lines.CutMark([]byte(line)) {
			t.Errorf("taken for a cut: %q", line)
		}
	}
}
