package unit

import (
	"strconv"
	"strings"
)

// Parse reads a number as people write it: "15,398,029", "4.73E+03", "12.3k",
// "1 234.5". ok is false for what is no finite number: "", "-", "n/a", "1,23".
func Parse(text string) (value float64, ok bool) { return parse(text, '.', ',') }

// ParseComma is Parse where the comma is decimal: "1 234,5", "1.234,5".
func ParseComma(text string) (value float64, ok bool) { return parse(text, ',', '.') }

func parse(text string, decimal, thousands byte) (float64, bool) {
	text = strings.TrimSpace(text)
	if rest, minus := strings.CutPrefix(text, "\u2212"); minus { // the typographic minus
		text = "-" + rest
	}
	body, exponent := text, ""
	if n := len(body); n > 1 {
		switch body[n-1] {
		case 'k', 'K':
			body, exponent = body[:n-1], "e3"
		case 'M':
			body, exponent = body[:n-1], "e6"
		case 'G':
			body, exponent = body[:n-1], "e9"
		}
		body = strings.TrimRight(body, " ")
	}
	sign := ""
	if body != "" && (body[0] == '-' || body[0] == '+') {
		sign, body = body[:1], body[1:]
	}
	if at := strings.IndexAny(body, "eE"); at >= 0 {
		if exponent != "" || !isExponent(body[at+1:]) {
			return 0, false
		}
		body, exponent = body[:at], body[at:]
	}
	whole, fraction, hasPoint := strings.Cut(body, string(decimal))
	whole, ok := ungroup(whole, thousands)
	if !ok || !isDigits(fraction) || whole == "" && fraction == "" {
		return 0, false
	}
	if hasPoint {
		whole += "." + fraction
	}
	v, err := strconv.ParseFloat(sign+whole+exponent, 64)
	return v, err == nil // an error here is an overflow
}

// ungroup takes the separators out of "15,398,029": groups of three behind the
// first, all with the same separator.
func ungroup(whole string, thousands byte) (string, bool) {
	if isDigits(whole) {
		return whole, true
	}
	// Blanks: ordinary, no-break, thin, narrow no-break. Also ' as in Switzerland and _ as in code.
	for _, sep := range []string{string(thousands), " ", "\u00a0", "\u2009", "\u202f", "'", "\u2019", "_"} {
		groups := strings.Split(whole, sep)
		if len(groups) < 2 || groups[0] == "" || len(groups[0]) > 3 {
			continue
		}
		good := isDigits(groups[0]) && groups[0][0] != '0' // "0,123" is a decimal comma
		for _, g := range groups[1:] {
			good = good && len(g) == 3 && isDigits(g)
		}
		if good {
			return strings.Join(groups, ""), true
		}
	}
	return "", false
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func isExponent(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return s != "" && len(s) <= 4 && isDigits(s)
}
