package export

import (
	"io"
	"math"
	"strings"

	"github.com/google/pprof/profile"

	"noisefloor/datasets"
)

// Pprof writes stacks, of one run or of several taken together, as one gzipped
// pprof profile, which `go tool pprof -http` shows and, with -diff_base, sets
// against another; speedscope reads it too. Each event is a value of its own:
// its weight and, where samples were counted beside it, "<event>_samples". What
// is said in about (the arm, the run) stands in the profile's comments.
func Pprof(w io.Writer, stacks func(yield func([]datasets.Stack) error) error, about ...string) error {
	b := pprofBuilder{
		p:         &profile.Profile{Comments: about},
		events:    map[string]*pprofEvent{},
		samples:   map[string]*pprofSample{},
		locations: map[string]*profile.Location{},
	}
	err := stacks(func(rows []datasets.Stack) error {
		for i := range rows {
			b.add(&rows[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.finish().Write(w)
}

type pprofEvent struct {
	name    string
	column  int
	counted bool // every stack says how many samples
}

// pprofSample keeps its sums as floats until the end: a sum of rounded periods
// would drift.
type pprofSample struct {
	*profile.Sample
	weight, samples []float64 // by event
}

type pprofBuilder struct {
	p         *profile.Profile
	events    map[string]*pprofEvent
	order     []*pprofEvent
	samples   map[string]*pprofSample // by command and frames
	all       []*pprofSample
	locations map[string]*profile.Location
	key       []byte
}

func (b *pprofBuilder) add(s *datasets.Stack) {
	e := b.events[s.Event]
	if e == nil {
		e = &pprofEvent{name: s.Event, column: len(b.order), counted: true}
		b.events[s.Event] = e
		b.order = append(b.order, e)
	}
	b.key = append(append(b.key[:0], s.Comm...), 0)
	for _, f := range s.Frames {
		b.key = append(append(b.key, f...), 0)
	}
	sample := b.samples[string(b.key)]
	if sample == nil {
		sample = &pprofSample{Sample: &profile.Sample{}}
		if s.Comm != "" {
			sample.Label = map[string][]string{"comm": {s.Comm}}
		}
		for i := range s.Frames { // leaf first
			sample.Location = append(sample.Location, b.location(s.Frames[len(s.Frames)-1-i]))
		}
		b.samples[string(b.key)] = sample
		b.all = append(b.all, sample)
	}
	for len(sample.weight) <= e.column {
		sample.weight, sample.samples = append(sample.weight, 0), append(sample.samples, 0)
	}
	sample.weight[e.column] += s.Weight
	if math.IsNaN(s.Samples) {
		e.counted = false
	} else {
		sample.samples[e.column] += s.Samples
	}
}

func (b *pprofBuilder) location(name string) *profile.Location {
	l := b.locations[name]
	if l == nil {
		id := uint64(len(b.p.Function) + 1)
		f := &profile.Function{ID: id, Name: name, SystemName: name}
		l = &profile.Location{ID: id, Line: []profile.Line{{Function: f}}}
		b.locations[name] = l
		b.p.Function = append(b.p.Function, f)
		b.p.Location = append(b.p.Location, l)
	}
	return l
}

func (b *pprofBuilder) finish() *profile.Profile {
	// The mapping says that names are known already: without it pprof looks for
	// a binary to take them from.
	m := &profile.Mapping{ID: 1, HasFunctions: true}
	b.p.Mapping = []*profile.Mapping{m}
	for _, l := range b.p.Location {
		l.Mapping = m
	}
	for _, e := range b.order {
		name := e.name
		if name == "" {
			name = "samples"
		}
		if e.counted && name != "samples" {
			b.p.SampleType = append(b.p.SampleType, &profile.ValueType{Type: name + "_samples", Unit: "count"})
		}
		b.p.SampleType = append(b.p.SampleType, &profile.ValueType{Type: name, Unit: b.unit(e)})
		if b.p.DefaultSampleType == "" {
			b.p.DefaultSampleType = name
		}
	}
	if len(b.order) == 0 { // a profile without any type is refused by its readers
		b.p.SampleType = []*profile.ValueType{{Type: "samples", Unit: "count"}}
	}
	for _, s := range b.all {
		for _, e := range b.order {
			var weight, samples float64
			if e.column < len(s.weight) {
				weight, samples = s.weight[e.column], s.samples[e.column]
			}
			if e.counted && e.name != "" && e.name != "samples" {
				s.Value = append(s.Value, int64(math.Round(samples)))
			}
			s.Value = append(s.Value, int64(math.Round(weight)))
		}
		b.p.Sample = append(b.p.Sample, s.Sample)
	}
	return b.p
}

// unit: perf counts its clocks in nanoseconds. A weight that is no more than
// the samples is no time.
func (b *pprofBuilder) unit(e *pprofEvent) string {
	if !strings.HasPrefix(e.name, "cpu-clock") && !strings.HasPrefix(e.name, "task-clock") {
		return "count"
	}
	var weight, samples float64
	for _, s := range b.all {
		if e.column < len(s.weight) {
			weight, samples = weight+s.weight[e.column], samples+s.samples[e.column]
		}
	}
	if e.counted && weight > samples {
		return "nanoseconds"
	}
	return "count"
}
