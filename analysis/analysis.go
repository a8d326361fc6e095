// Package analysis is the vocabulary that every part of noisefloor answers in:
// an Estimate with its doubt, a Verdict, and the closed set of Warning kinds.
package analysis

// Verdict is the answer to "is this change real?".
type Verdict string

const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	Equivalent   Verdict = "equivalent"   // shown to lie within the margin
	Inconclusive Verdict = "inconclusive" // the design could answer, these data do not
	Unsupported  Verdict = "unsupported"  // the design cannot answer
)

// Estimate is a number with its interval. Unknown is NaN, never 0.
type Estimate struct {
	Value, Lo, Hi float64
	Confidence    float64 // level that Lo..Hi achieves, 0.95 for 95 %
}

// Warning is one doubt about a number. The set of kinds is closed: each is a
// struct in warnings.go, its sentence stands there and nowhere else, and tests
// ask for the struct. A warning says what was seen, the likely cause, and what
// to do now.
type Warning interface {
	Kind() string // stable, lower-case with hyphens
	Text() string // one or two sentences for a person
}
