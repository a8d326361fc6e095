package pattern

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// rows are expressions as scanners have them, with a line of each.
var rows = map[string]string{
	`^(\d+), trx: (\d+), 95%: ([\d.]+), (\d+)\|[\d.]+$`:                                            "10, trx: 12920, 95%: 9.483, 12919|98.778",
	`^\[(Current|Summary)\] (\w+) - Takes\(s\): ([\d.]+)((?:, [\w.]+\(ms\): [\d.]+)+)$`:            "[Current] NEW_ORDER - Takes(s): 9.9, Sum(ms): 315743.2, 99.9th(ms): 142.6",
	`^(?:\d{4}-\d\d-\d\d )?(?:\d\d:\d\d:\d\d[:.,]\d+ )?(\d+) sec: (?:([\d.]+) current;)?.*$`:       "2026-01-31 10:11:12:345 10 sec: 1234.5 current; est [READ: é]",
	`^tpmC: ([\d.]+)(?:, tpmTotal: ([\d.]+))?, efficiency: ([\d.]+)%$`:                             "tpmC: 64523.0, efficiency: 501.7%",
	`^progress: (\d+\.\d+) s, lat (?:-?nan|NaN|\d+\.\d+) ms(?:, (\d+) failed)?(?:, \d+ skipped)?$`: "progress: 1.0 s, lat nan ms, 7 skipped",
	`^Changed (?:tpcc|tpch):(\w+) from .* to (\S+) for \S+$`:                                       "Changed tpcc:count_ware from 1 to 2 to 20 for MySQL",
	`^(?:Vuser (\d+)[: ](.*)|done)$`:                                                               "Vuser 1:x",
	`^(.*?)(?: \((\d+) runs\))?:$`:                                                                 "a (b): (5 runs):",
	`^"([^"]{1,60})": (?:"([^"]*)"|(\d+(?:[eE]\d+)?)),?$`:                                          `"a": 1E5,`,
	`^[A-Za-z_][^"'\s]*(?: [^"'\s]+)*$`:                                                            "cache-misses \u00e9 x",
	`(?:(\d+(?:\.\d+)?)th|(\w+))\(ms\): ([\d.]+)`:                                                  "Sum(ms): 3.2, 99.9th(ms): 1.42.6",
	`(\d+(?:[.,]\d+)?) ?%? ?(us|sy|ni)\b`:                                                          "32.9 us, 1.30.3%sy, 35.1 nix",
	`^(?:(a)|b)*c?(\d\b)?`:                                                                         "abab1",
}

func TestLine(t *testing.T) {
	for expr, line := range rows {
		l := MustLine(expr)
		if l.compiled().start == nil {
			t.Errorf("%s is left to package regexp", expr)
		}
		if got := l.FindStringSubmatch(line); got == nil {
			t.Errorf("%s: not found in %q", expr, line)
		}
	}
	for _, expr := range []string{`a?`, `a|$`, `[^a]b`, `(?i)^ask`, `(?m)^a$`, `^[^\x{e9}]`, `^(?:a*)*$`} {
		if MustLine(expr).compiled().start != nil {
			t.Errorf("%s is walked", expr)
		}
	}
	long := strings.Repeat("a.", 30_000) // goes back too often
	if !MustLine(`^(?:(a)\.|a\.b)*.*a.*\.$`).MatchString(long) || MustLine(`^.*a.*a.*b$`).MatchString(long) {
		t.Error("a long line")
	}
}

// Whatever the expression and the line, the answer is that of package regexp.
func FuzzLine(f *testing.F) {
	for expr, line := range rows {
		f.Add(expr, line)
		f.Add(expr, line[:len(line)/2]+"\xe9"+line[len(line)/2:])
	}
	f.Add(`^([^a]+)([^b])$`, "\u00e9")
	f.Add(`^(?:(?i)a)+`, "aA")
	f.Add(`^.+?(\S)\b.?`, "\u00e9a")
	f.Fuzz(func(t *testing.T, expr, line string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 200 {
			return
		}
		l := MustLine(expr)
		if got, want := fmt.Sprintf("%q", l.FindStringSubmatch(line)), fmt.Sprintf("%q", re.FindStringSubmatch(line)); got != want {
			t.Errorf("%q in %q: %s, want %s", expr, line, got, want)
		}
		if got, want := fmt.Sprintf("%q", l.FindAllStringSubmatch(line)), fmt.Sprintf("%q", re.FindAllStringSubmatch(line, -1)); got != want {
			t.Errorf("all of %q in %q: %s, want %s", expr, line, got, want)
		}
		if got, want := fmt.Sprint(l.FindAllStringSubmatchIndex(line)), fmt.Sprint(re.FindAllStringSubmatchIndex(line, -1)); got != want {
			t.Errorf("all of %q in %q at %s, want %s", expr, line, got, want)
		}
		if l.MatchString(line) != re.MatchString(line) {
			t.Errorf("%q in %q", expr, line)
		}
	})
}
