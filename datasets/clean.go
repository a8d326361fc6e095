package datasets

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

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
	for _, name := range sortedIfNew(given.Metrics, w.columns) {
		if v := given.Metrics[name]; !math.IsNaN(v) {
			if name = validText(name); w.columnFor(name, Metric, FloatKind, r.Source, in) {
				r.Metrics[name] = v
			}
		}
	}
	r.Factors = make(map[string]Value, len(given.Factors))
	for _, name := range sortedIfNew(given.Factors, w.columns) {
		if v := given.Factors[name]; !v.IsNull() {
			v.text = validText(v.text)
			if name = validText(name); w.columnFor(name, Factor, v.kind, r.Source, in) {
				c, _ := w.columns.get(name)
				r.Factors[name] = v.as(c.Kind)
			}
		}
	}
	return r
}

// sortedIfNew gives the keys of a map; in order if one of them will be a new
// column, so that the order of the columns does not depend on chance.
func sortedIfNew[V any](m map[string]V, columns *columnSet) []string {
	names := slices.Collect(maps.Keys(m))
	if slices.ContainsFunc(names, func(name string) bool { _, known := columns.get(name); return !known }) {
		slices.Sort(names)
	}
	return names
}

// columnFor makes sure that there is a column for a factor or metric of that
// kind. If the name is taken it says so in a problem and gives false.
func (w *Writer) columnFor(name string, role Role, kind Kind, source string, in *incoming) bool {
	c, known := w.columns.get(name)
	isMetric := role == Metric
	switch {
	case known && (c.Role == Metric) == isMetric:
		if wide := widen(c.Kind, kind); wide != c.Kind {
			c.Kind = wide
			w.columns.add(c)
		}
		return true
	case known:
		in.problem(source, string(role)+"-clash", fmt.Sprintf("%s %q is left out: other runs have a %s of that name", role, cut(name, 100), c.Role))
		return false
	case isBuiltin(name):
		in.problem(source, string(role)+"-clash", fmt.Sprintf("%s %q is left out: it has the name of a built-in column", role, name))
		return false
	}
	w.columns.add(Column{Name: name, Kind: kind, Role: role}) // an undeclared factor; metrics are declared
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
