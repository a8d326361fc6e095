package datasets

import (
	"fmt"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"noisefloor/datasets/unit"
)

// builtin is a column that every runs table has. One of the four accessors is
// set; unknown is null in the file: "", 0, NaN and the zero time.
type builtin struct {
	name   string
	role   Role
	unit   string
	text   func(*Run) *string
	count  func(*Run) *int
	number func(*Run) *float64
	time   func(*Run) *time.Time
}

// builtins are in the order of the file.
var builtins = []builtin{
	{name: "run_id", role: Key, text: func(r *Run) *string { return &r.ID }},
	{name: "source", role: Key, text: func(r *Run) *string { return &r.Source }},
	{name: "part", role: Key, count: func(r *Run) *int { return &r.Part }},
	{name: "sha256", role: Key, text: func(r *Run) *string { return &r.SHA256 }},
	{name: "tool", role: Condition, text: func(r *Run) *string { return &r.Tool }},
	{name: "tool_version", role: Condition, text: func(r *Run) *string { return &r.ToolVersion }},
	{name: "workload", role: Factor, text: func(r *Run) *string { return &r.Workload }},
	{name: "status", role: Key, text: func(r *Run) *string { return (*string)(&r.Status) }},
	{name: "threads", role: Factor, count: func(r *Run) *int { return &r.Threads }},
	{name: "clients", role: Factor, count: func(r *Run) *int { return &r.Clients }},
	{name: "duration_s", role: Condition, unit: "s", number: func(r *Run) *float64 { return &r.Duration }},
	{name: "host", role: Condition, text: func(r *Run) *string { return &r.Host }},
	{name: "session", role: Condition, text: func(r *Run) *string { return &r.Session }},
	{name: "day", role: Condition, text: func(r *Run) *string { return &r.Day }},
	{name: "launch", role: Condition, text: func(r *Run) *string { return &r.Launch }},
	{name: "order", role: Condition, count: func(r *Run) *int { return &r.Order }},
	{name: "started_at", role: Key, time: func(r *Run) *time.Time { return &r.Started }},
	{name: "started_from", role: Key, text: func(r *Run) *string { return &r.StartedFrom }},
}

var timestampType = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}

// isBuiltin tells whether a name is that of a built-in column of runs.
func isBuiltin(name string) bool {
	return slices.ContainsFunc(builtins, func(b builtin) bool { return b.name == name })
}

// columnSet is the factor and metric columns in order, and by name.
type columnSet struct {
	list []Column
	at   map[string]int
}

// add takes a column in, or widens and redescribes the one of that name.
func (s *columnSet) add(c Column) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	i, known := s.at[c.Name]
	if !known {
		s.at[c.Name] = len(s.list)
		s.list = append(s.list, c)
		return
	}
	c.Kind = widen(s.list[i].Kind, c.Kind)
	s.list[i] = c
}

// get gives the column of that name.
func (s *columnSet) get(name string) (Column, bool) {
	i, known := s.at[name]
	if !known {
		return Column{}, false
	}
	return s.list[i], true
}

// widen makes sure that a column holds values of a kind, and gives its kind.
func (s *columnSet) widen(name string, kind Kind) Kind {
	c := &s.list[s.at[name]]
	c.Kind = widen(c.Kind, kind)
	return c.Kind
}

// widen gives the narrowest kind that holds values of both: whole numbers are
// numbers, and everything is text.
func widen(a, b Kind) Kind {
	switch {
	case a == b || b == Null:
		return a
	case a == Null:
		return b
	case a == IntKind && b == FloatKind || a == FloatKind && b == IntKind:
		return FloatKind
	}
	return TextKind
}

// as turns a value into a kind at least as wide as its own.
func (v Value) as(k Kind) Value {
	switch {
	case v.IsNull() || v.kind == k:
		return v
	case k == FloatKind && v.kind == IntKind:
		return Float(float64(v.whole()))
	case k == TextKind:
		return Text(v.String())
	}
	return v
}

// runColumnsOf gives the union of the factor and metric columns of the parts.
// Later parts know better what a column is.
func runColumnsOf(parts []*partFile) (*columnSet, error) {
	set := &columnSet{}
	for _, p := range parts {
		err := p.read(func(r *ipc.FileReader) error {
			for _, f := range r.Schema().Fields() {
				if isBuiltin(f.Name) {
					continue
				}
				kind, err := kindOf(f.Type)
				if err != nil {
					return fmt.Errorf("part %s, column %q: %w", p.File, f.Name, err)
				}
				set.add(columnOfField(f, kind))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

func kindOf(t arrow.DataType) (Kind, error) {
	switch t := t.(type) {
	case *arrow.StringType:
		return TextKind, nil
	case *arrow.DictionaryType:
		return kindOf(t.ValueType)
	case *arrow.Int64Type, *arrow.Int32Type:
		return IntKind, nil
	case *arrow.Float64Type:
		return FloatKind, nil
	case *arrow.BooleanType:
		return BoolKind, nil
	}
	return Null, fmt.Errorf("cannot use a column of type %s here", t)
}

func columnOfField(f arrow.Field, kind Kind) Column {
	get := func(key string) string {
		v, _ := f.Metadata.GetValue(key)
		return v
	}
	c := Column{Name: f.Name, Kind: kind, Role: Role(get("role")), Guess: get("guess")}
	if c.Role == Metric && kind != FloatKind && kind != IntKind {
		c.Role = Factor // a metric is a number
	}
	if c.Role == Metric {
		c.Kind = FloatKind
		c.Unit = unit.Unit{Name: get("unit"), Better: betterOf(get("better"))}
	}
	if c.Role == "" {
		c.Role = Factor
	}
	return c
}

func betterOf(word string) unit.Better {
	for _, b := range []unit.Better{unit.Higher, unit.Lower} {
		if b.String() == word {
			return b
		}
	}
	return unit.Neither
}

// fieldOf is the inverse of columnOfField.
func fieldOf(c Column) arrow.Field {
	keys, values := []string{"role"}, []string{string(c.Role)}
	if c.Role == Metric {
		keys, values = append(keys, "unit", "better"), append(values, c.Unit.Name, c.Unit.Better.String())
	}
	if c.Guess != "" {
		keys, values = append(keys, "guess"), append(values, c.Guess)
	}
	f := arrow.Field{Name: c.Name, Nullable: true, Metadata: arrow.NewMetadata(keys, values)}
	switch c.Kind {
	case IntKind:
		f.Type = arrow.PrimitiveTypes.Int64
	case FloatKind:
		f.Type = arrow.PrimitiveTypes.Float64
	case BoolKind:
		f.Type = arrow.FixedWidthTypes.Boolean
	default:
		f.Type = dictionaryType
	}
	return f
}

// field is the Arrow field of a built-in column.
func (b *builtin) field() arrow.Field {
	keys, values := []string{"role"}, []string{string(b.role)}
	if b.unit != "" {
		keys, values = append(keys, "unit"), append(values, b.unit)
	}
	f := arrow.Field{Name: b.name, Nullable: true, Metadata: arrow.NewMetadata(keys, values)}
	switch {
	case b.text != nil:
		f.Type = dictionaryType
	case b.count != nil:
		f.Type = arrow.PrimitiveTypes.Int64
	case b.number != nil:
		f.Type = arrow.PrimitiveTypes.Float64
	case b.time != nil:
		f.Type = timestampType
	}
	return f
}
