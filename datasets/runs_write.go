package datasets

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// runsPerRecord is the size of a record batch of runs, which are wide.
const runsPerRecord = 8192

// runSource yields the same runs each time it is called.
type runSource func(yield func([]Run) error) error

// runColumn is a column of a part of runs that is being written.
type runColumn struct {
	field arrow.Field
	value func(*Run) Value // null or of the field's type; times are microseconds
	dict  *dictionary      // of a dictionary-encoded column, else nil
	used  bool             // some run has a value
	array arrow.Array      // the finished dictionary
}

// writeRuns makes a part of the runs; there has to be at least one. Each column
// has the kind that columns says, and a factor or metric that no run has is
// left out. The runs are read twice: first for the dictionaries.
func writeRuns(d *disk, columns *columnSet, source runSource) (part, error) {
	plan, err := planRuns(columns, source)
	if err != nil {
		return part{}, err
	}
	schema := plan.schema()
	p, err := newPart(d, runsTable, schema, plan.bytes)
	if err != nil {
		return part{}, err
	}
	err = source(func(runs []Run) error {
		for batch := range slices.Chunk(runs, runsPerRecord) {
			if err := p.write(plan.record(schema, batch)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		p.abort()
		return part{}, err
	}
	return p.finish()
}

// runPlan is what has to be known of all runs before the first is written.
type runPlan struct {
	columns []runColumn
	bytes   int64 // about, uncompressed
}

// schema ends the planning.
func (p *runPlan) schema() *arrow.Schema {
	fields := make([]arrow.Field, len(p.columns))
	for i := range p.columns {
		c := &p.columns[i]
		fields[i] = c.field
		if c.dict != nil {
			c.array = c.dict.array()
		}
	}
	return arrow.NewSchema(fields, tableMetadata(runsTable))
}

// planRuns finds the columns that the runs have values in, and their texts.
func planRuns(columns *columnSet, source runSource) (*runPlan, error) {
	var all []runColumn
	for i := range builtins {
		b := &builtins[i]
		all = append(all, runColumn{field: b.field(), value: b.value, used: true})
	}
	for _, c := range columns.list {
		all = append(all, runColumn{field: fieldOf(c), value: c.value})
	}
	for i := range all {
		if all[i].field.Type == arrow.DataType(dictionaryType) {
			all[i].dict = &dictionary{}
		}
	}
	plan := &runPlan{}
	err := source(func(runs []Run) error {
		plan.bytes += int64(len(runs)*len(all)) * 8
		for i := range all {
			c := &all[i]
			if c.used && c.dict == nil {
				continue // nothing more to learn
			}
			for k := range runs {
				v := c.value(&runs[k])
				if v.IsNull() {
					continue
				}
				c.used = true
				if c.dict != nil {
					c.dict.codeOf(v.text)
				}
			}
		}
		return nil
	})
	plan.columns = slices.DeleteFunc(all, func(c runColumn) bool { return !c.used })
	return plan, err
}

// value gives the cell of a built-in column.
func (b *builtin) value(r *Run) Value {
	if b.time != nil {
		if t := b.time(r); !t.IsZero() {
			return Int(t.UnixMicro())
		}
		return Value{}
	}
	return r.Value(b.name)
}

// value gives the cell of a factor or metric.
func (c Column) value(r *Run) Value {
	if c.Role == Metric {
		if m, ok := r.Metrics[c.Name]; ok {
			return Float(m)
		}
		return Value{}
	}
	return r.Factors[c.Name].as(c.Kind)
}

func (p *runPlan) record(schema *arrow.Schema, runs []Run) arrow.Record {
	columns := make([]arrow.Array, len(p.columns))
	for i := range p.columns {
		columns[i] = p.columns[i].cells(runs)
	}
	return array.NewRecord(schema, columns, int64(len(runs)))
}

// cells makes the Arrow column of the runs.
func (c *runColumn) cells(runs []Run) arrow.Array {
	if c.dict != nil {
		codes := make([]int32, len(runs))
		for i := range runs {
			codes[i] = nullCode
			if v := c.value(&runs[i]); !v.IsNull() {
				codes[i] = c.dict.codeOf(v.text)
			}
		}
		return codeArray(codes, c.array)
	}
	if c.field.Type.ID() == arrow.FLOAT64 {
		v := make([]float64, len(runs))
		for i := range runs {
			v[i] = math.NaN()
			if x, ok := c.value(&runs[i]).Number(); ok {
				v[i] = x
			}
		}
		return floatArray(v)
	}
	b := array.NewBuilder(memory.DefaultAllocator, c.field.Type)
	defer b.Release()
	b.Reserve(len(runs))
	for i := range runs {
		v := c.value(&runs[i])
		if v.IsNull() {
			b.AppendNull()
			continue
		}
		switch b := b.(type) {
		case *array.Int64Builder:
			b.Append(v.whole())
		case *array.TimestampBuilder:
			b.Append(arrow.Timestamp(v.whole()))
		case *array.BooleanBuilder:
			b.Append(v.bits == 1)
		}
	}
	return b.NewArray()
}
