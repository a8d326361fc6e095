package load

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/digits"
	"noisefloor/ingest/internal/secret"
)

// Number reads a plain number; NaN if it is none or cannot be.
func Number(text string) float64 {
	if v, ok := digits.All(text, 0); ok {
		return v
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v > 1e18 {
		return math.NaN()
	}
	return v
}

// Shifted is Number divided by 10^by, rounded once: milliseconds in seconds.
func Shifted(text string, by int) float64 {
	if v, ok := digits.All(text, by); ok {
		return v
	}
	return Number(text + "e-" + strconv.Itoa(by))
}

// Count reads a whole number from 1 on, 0 if it is none.
func Count(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return 0
	}
	return n
}

// CountIn reads the whole number in the first group of a pattern out of the head of a
// log, see Tool.Threads.
func CountIn(re *regexp.Regexp) func(head []byte) int {
	return func(head []byte) int {
		if m := re.FindSubmatch(head); m != nil {
			return Count(string(m[1]))
		}
		return 0
	}
}

// Typed gives an option the type that its text has; text without secrets.
func Typed(name, text string) datasets.Value {
	v := column.Value(name, text)
	switch {
	case v.Kind() == datasets.TextKind:
		return datasets.Text(secret.CleanCommand(text))
	case strings.TrimSpace(text) == "":
		return datasets.Text("")
	}
	return v
}
