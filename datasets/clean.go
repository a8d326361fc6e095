package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"noisefloor/datasets/unit"
)

// declareAll makes the columns of a batch known. Metrics come first, so that a
// note that happens to be called tps cannot take the name.
func (w *Writer) declareAll(b *Batch) {
	for _, c := range b.Columns {
		if c.Role == Metric {
			w.declare(c)
		}
	}
	for i := range b.Runs {
		for _, name := range newNames(b.Runs[i].Metrics, w.columns) {
			w.declare(Column{Name: name, Role: Metric, Unit: unit.Of(name)})
		}
	}
	for _, c := range b.Columns {
		if c.Role != Metric {
			w.declare(c)
		}
	}
	for i := range b.Runs {
		for _, name := range newNames(b.Runs[i].Factors, w.columns) {
			w.declare(Column{Name: name, Kind: b.Runs[i].Factors[name].kind})
		}
	}
}

// newNames gives the keys of a map that are no columns yet: in order, so that
// the order of the columns does not depend on chance.
func newNames[V any](m map[string]V, columns *columnSet) []string {
	var names []string
	for name := range m {
		if _, known := columns.get(validText(name)); !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// declare takes a column's description in. The name of a built-in column, and
// one name for a factor and a metric, show when a run uses them: see mayUse.
func (w *Writer) declare(c Column) {
	c.Name, c.Guess = validText(c.Name), validText(c.Guess)
	if c.Role == "" {
		c.Role = Factor
	}
	if c.Role == Metric {
		c.Kind = FloatKind
	} else {
		c.Unit = unit.Unit{}
	}
	old, known := w.columns.get(c.Name)
	if isBuiltin(c.Name) || known && (old.Role == Metric) != (c.Role == Metric) {
		return
	}
	w.columns.add(c)
}

// clean copies a run as the file will give it back: valid text, nothing that
// is null, values as wide as their column. A factor or metric whose name means
// something else already is left out and becomes a problem.
func (w *Writer) clean(given *Run, in *incoming) Run {
	r := *given
	for i := range builtins {
		if b := &builtins[i]; b.text != nil {
			*b.text(&r) = validText(*b.text(&r))
		}
	}
	r.Started = asStored(r.Started)
	r.Metrics = make(map[string]float64, len(given.Metrics))
	for name, v := range given.Metrics {
		if name = validText(name); !math.IsNaN(v) && w.mayUse(name, Metric, r.Source, in) {
			r.Metrics[name] = v
		}
	}
	r.Factors = make(map[string]Value, len(given.Factors))
	for name, v := range given.Factors {
		if name = validText(name); !v.IsNull() && w.mayUse(name, Factor, r.Source, in) {
			v.text = validText(v.text)
			r.Factors[name] = v.as(w.columns.widen(name, v.kind))
		}
	}
	return r
}

// mayUse tells whether a factor or metric may have that name. If not, it says
// so in a problem.
func (w *Writer) mayUse(name string, role Role, source string, in *incoming) bool {
	switch c, known := w.columns.get(name); {
	case !known:
		in.problem(source, string(role)+"-clash", fmt.Sprintf("%s %q is left out: it has the name of a built-in column", role, name))
		return false
	case (c.Role == Metric) != (role == Metric):
		in.problem(source, string(role)+"-clash", fmt.Sprintf("%s %q is left out: other runs have a %s of that name", role, cut(name, 100), c.Role))
		return false
	}
	return true
}

// asStored gives the time as the file keeps it.
func asStored(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.Truncate(time.Microsecond).UTC()
}

// maxProblemText is the length in bytes that a problem's text is cut to.
const maxProblemText = 200

// cut shortens a text without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// validText replaces what is no UTF-8: readers in other languages refuse it.
func validText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
