package table

import "regexp"

var (
	hyphenMinus  = regexp.MustCompile(`(^|[ (\[])-(\d)`)
	spacePercent = regexp.MustCompile(`(\d) %`)
)

// Typeset puts real minus signs before numbers, a dash for what is not there,
// and holds a percent sign to its number: for pages, not for programs.
func Typeset(s string) string {
	if s == "-" {
		return "–"
	}
	return spacePercent.ReplaceAllString(hyphenMinus.ReplaceAllString(s, "$1−$2"), "$1\u00a0%")
}
