// Package pprofile reads profiles in the format of pprof, profile.proto: those of Go
// programs, of perf_to_profile, py-spy, async-profiler and parca, and those that
// noisefloor export --to pprof writes.
//
// Each kind of value in a profile (cpu, alloc_space) is an event; how many samples
// there were comes from the kind "samples", if there is one. Inlined functions are
// frames of their own. A function without a name is called by its library, as
// everywhere.
package pprofile

import (
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"

	"github.com/google/pprof/profile"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/stacks"
)

// maxSize is more than a profile of a day has.
const maxSize = 1 << 30

// CommLabel is the label of a sample that names its command.
const CommLabel = "comm"

// firstType is the first field of nearly every profile: what its values are, two
// numbers of strings.
var firstType = regexp.MustCompile(`^\x0a[\x02-\x0c]\x08[\x01-\x7f][\x80-\xff\x01-\x7f]?\x10`)

// Sniff tells a profile that is not compressed by its first bytes.
func Sniff(head []byte) bool { return firstType.Match(head) }

// Scan reads a profile, which is not compressed any more, and gives its stacks
// without a RunID and how long it took in seconds, NaN if it does not say. The error
// is that of the reader.
func Scan(in io.Reader, problem func(datasets.Problem)) (rows []datasets.Stack, duration float64, err error) {
	var problems lines.Problems
	var set stacks.Set
	duration = math.NaN()
	data, err := io.ReadAll(io.LimitReader(in, maxSize+1))
	if err == nil {
		p, wrong := parse(data)
		if wrong != nil {
			problems.Add("broken-profile", 0, []byte(wrong.Error()))
		} else {
			count(&set, p)
			if p.DurationNanos > 0 {
				duration = float64(p.DurationNanos) / 1e9
			}
		}
	}
	if problem != nil {
		problems.Each(problem)
	}
	return set.Rows(), duration, err
}

func parse(data []byte) (p *profile.Profile, err error) {
	defer func() {
		if r := recover(); r != nil { // the package trusts what it reads
			err = errors.New("the profile is damaged")
		}
	}()
	if len(data) > maxSize {
		return nil, errors.New("longer than 1 GB")
	}
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return nil, errors.New("compressed twice")
	}
	p, err = profile.ParseUncompressed(data)
	if err == nil {
		err = p.CheckValid()
	}
	return p, err
}

func count(set *stacks.Set, p *profile.Profile) {
	samples := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "samples" })
	for _, s := range p.Sample {
		var frames []stacks.Name
		for _, location := range s.Location {
			frames = append(frames, functions(set, location)...)
		}
		slices.Reverse(frames)
		comm := ""
		if names := s.Label[CommLabel]; len(names) > 0 {
			comm = valid(names[0])
		}
		n := math.NaN()
		if samples >= 0 {
			n = float64(s.Value[samples])
		}
		for i, t := range p.SampleType {
			if s.Value[i] == 0 || i == samples && len(p.SampleType) > 1 {
				continue
			}
			set.Add(set.NameOf(valid(t.Type)), set.NameOf(comm), frames, float64(s.Value[i]), n)
		}
	}
}

// functions names what is at a location, the leaf first.
func functions(set *stacks.Set, l *profile.Location) []stacks.Name {
	library := stacks.Unknown
	if l.Mapping != nil && l.Mapping.File != "" {
		library = valid(l.Mapping.File)
	}
	if len(l.Line) == 0 {
		return named(set, stacks.Unknown, library)
	}
	var list []stacks.Name
	for _, line := range l.Line {
		symbol := stacks.Unknown
		if line.Function != nil && line.Function.Name != "" {
			symbol = valid(line.Function.Name)
		}
		list = append(list, named(set, symbol, library)...)
	}
	return list
}

func named(set *stacks.Set, symbol, library string) []stacks.Name {
	var list []stacks.Name
	for _, name := range stacks.Functions([]byte(symbol), []byte(library), false) {
		list = append(list, set.Name(name))
	}
	slices.Reverse(list)
	return list
}

func valid(s string) string { return string(bytes.ToValidUTF8([]byte(s), []byte("\ufffd"))) }
