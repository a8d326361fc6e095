package pattern

import (
	"fmt"
	"regexp"
	"testing"
)

func TestWords(t *testing.T) {
	for expr, want := range map[string]string{
		`abc`:                         `abc`,
		`(?m)^MemTotal:\s+\d+ kB\r?$`: `MemTotal:`,
		`(?i)Event_Name`:              `event_name*`,
		`x(?:foo|barks)+y{2}`:         `foo barks`,
		`(?:A(?:cl|ria)|Com)_\d`:      `Acl_ Aria_ Com_`,
		`\d+, \d+\(\d+\):`:            `):`,
		`a(?:foo)?b`:                  `ab afoob`,
		`(?:foo)*`:                    ``,
		`foo|\d+`:                     ``, // numbers have no words
		`(?i:Ab)C|de`:                 `abc* de`,
		`perf(?:script|stat)`:         `perfscript perfstat`,
	} {
		got := ""
		for i, w := range MustCompile(expr).compiled().words {
			if i > 0 {
				got += " "
			}
			if got += string(w.text); w.folds {
				got += "*"
			}
		}
		if got != want {
			t.Errorf("%s needs %q, want %q", expr, got, want)
		}
	}
}

// Whatever the expression and the text, the answer is that of package regexp.
func FuzzMatch(f *testing.F) {
	f.Add(`(?i)kelvin|^x`, "a \u212Aelvin")
	f.Add(`(?i)sleep`, "\u017Fleep SLEEP")
	f.Add(`(?m)^(?:foo|bar)+ \d`, "a\nfoobar 1")
	f.Add(`\bab?c{0,2}`, "a")
	f.Add(`(?:)|x`, "")
	f.Add("a\uFFFD", "a\xff")
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 100 {
			return
		}
		p := MustCompile(expr)
		if got, want := p.Match([]byte(text)), re.MatchString(text); got != want {
			t.Errorf("%q in %q: %v", expr, text, got)
		}
		if got, want := fmt.Sprint(p.FindIndex([]byte(text)), p.FindAllIndex([]byte(text), 2)), fmt.Sprint(re.FindIndex([]byte(text)), re.FindAllIndex([]byte(text), 2)); got != want {
			t.Errorf("%q in %q at %s, want %s", expr, text, got, want)
		}
	})
}
