package datasets

import (
	"encoding/json"
	"math"
	"strconv"
)

// Kind is the type of a factor or metric column.
type Kind int8

const (
	Null Kind = iota
	TextKind
	IntKind
	FloatKind
	BoolKind
)

// Value is one cell of a factor: a text, a whole number, a number, a yes/no,
// or null (the zero Value). Values are comparable and may be map keys.
type Value struct {
	text string
	bits uint64 // of the number; a run has a dozen of these, and a folder 100 000 runs
	kind Kind
}

// Text is a text value; the empty text is a value, not null.
func Text(s string) Value { return Value{kind: TextKind, text: s} }

// Int is a whole-number value.
func Int(i int64) Value { return Value{kind: IntKind, bits: uint64(i)} }

// Float is a number value; NaN is null.
func Float(f float64) Value {
	if math.IsNaN(f) {
		return Value{}
	}
	return Value{kind: FloatKind, bits: math.Float64bits(f + 0)} // -0 is 0
}

// Bool is a yes/no value.
func Bool(b bool) Value {
	v := Value{kind: BoolKind}
	if b {
		v.bits = 1
	}
	return v
}

func (v Value) whole() int64 { return int64(v.bits) }

func (v Value) float() float64 { return math.Float64frombits(v.bits) }

// Kind gives the type of the value.
func (v Value) Kind() Kind { return v.kind }

// IsNull tells whether there is no value.
func (v Value) IsNull() bool { return v.kind == Null }

// Number gives the value as a number; false for text, yes/no and null.
func (v Value) Number() (float64, bool) {
	switch v.kind {
	case IntKind:
		return float64(v.whole()), true
	case FloatKind:
		return v.float(), true
	}
	return math.NaN(), false
}

// String prints the value as a person writes it; null is "".
func (v Value) String() string {
	switch v.kind {
	case TextKind:
		return v.text
	case IntKind:
		return strconv.FormatInt(v.whole(), 10)
	case FloatKind:
		return strconv.FormatFloat(v.float(), 'g', -1, 64)
	case BoolKind:
		return strconv.FormatBool(v.bits == 1)
	}
	return ""
}

// MarshalJSON keeps the type: stratum values are numbers where the column is.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case Null:
		return []byte("null"), nil
	case TextKind:
		return json.Marshal(v.text)
	case FloatKind:
		if math.IsInf(v.float(), 0) {
			return []byte("null"), nil
		}
	}
	return []byte(v.String()), nil
}
