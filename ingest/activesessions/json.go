package activesessions

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"noisefloor/ingest/internal/digits"
)

// json reads values one behind the other, as pages of an export are kept:
//
//	{"AlignedStartTime": 1.5270264E9, "Identifier": "db-X", "MetricList": [
//	  {"Key": {"Metric": "db.load.avg"}, "DataPoints": [{"Timestamp": 1527026700.0, "Value": 1.35}, ...]},
//	  {"Key": {"Metric": "db.load.avg", "Dimensions": {"db.wait_event.name": "CPU", ...}}, "DataPoints": [...]}]}
//	{"AlignedStartTime": ..., "Keys": [{"Dimensions": {"db.wait_event.name": "CPU"}, "Total": 0.6}, ...]}
//	[{"timestamp": "2026-01-31T12:00:00Z", "wait_event": "CPU", "aas": 0.6}, ...]
func (s *scanner) json(text io.Reader) error {
	source := &kept{in: text}
	d := json.NewDecoder(source)
	d.UseNumber()
	for {
		err := s.value(d, "", &object{}, 0)
		switch {
		case err == nil:
			continue
		case source.err != nil:
			return source.err
		case !errors.Is(err, io.EOF) || errors.Is(err, errCut):
			s.problems.Add("broken-json", 1, []byte("at byte "+strconv.FormatInt(d.InputOffset(), 10)+": "+err.Error()))
		}
		_, err = io.Copy(io.Discard, text)
		return err
	}
}

// kept remembers the error of a reader, which the decoder wraps.
type kept struct {
	in  io.Reader
	err error
}

func (k *kept) Read(p []byte) (int, error) {
	n, err := k.in.Read(p)
	if err != nil && err != io.EOF {
		k.err = err
	}
	return n, err
}

var errCut = errors.New("the text ends inside of a value")

// object is what is known of one object, its plain members and what was found in
// those inside of it.
type object struct {
	texts      map[string]string // plain members, by key in small letters
	dimensions map[string]string // of Key.Dimensions or Dimensions
	metric     string
	points     []jsonPoint
}

type jsonPoint struct {
	at, value string
}

const maxDepth = 16

// value reads one value that stands under a key of an object.
func (s *scanner) value(d *json.Decoder, key string, in *object, depth int) error {
	t, err := d.Token()
	if err != nil {
		if depth > 0 && errors.Is(err, io.EOF) {
			return errCut
		}
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		if depth > maxDepth {
			return errors.New("nested too deep")
		}
		if t == '[' {
			for d.More() {
				if err := s.value(d, key, in, depth+1); err != nil {
					return err
				}
			}
		} else if t == '{' {
			o := &object{texts: map[string]string{}}
			for d.More() {
				k, err := d.Token()
				if err != nil {
					s.closed(key, o, in, d, true)
					return cut(err)
				}
				name, _ := k.(string)
				if err := s.value(d, name, o, depth+1); err != nil {
					s.closed(key, o, in, d, true)
					return err
				}
			}
			if _, err := d.Token(); err != nil {
				s.closed(key, o, in, d, true)
				return cut(err)
			}
			s.closed(key, o, in, d, false)
			return nil
		}
		if _, err := d.Token(); err != nil {
			return cut(err)
		}
	case string:
		in.put(key, t)
	case json.Number:
		in.put(key, t.String())
	}
	return nil
}

func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

func (o *object) put(key, value string) {
	if o.texts != nil && len(o.texts) < 100 {
		o.texts[strings.ToLower(key)] = value
	}
}

// closed takes an object at its end, or at the end of a text that was cut in it:
// then only what is inside of it is whole.
func (s *scanner) closed(key string, o, in *object, d *json.Decoder, isCut bool) {
	switch key {
	case "DataPoints":
		if !isCut && len(in.points) < maxPoints {
			in.points = append(in.points, jsonPoint{o.texts["timestamp"], o.texts["value"]})
		}
		return
	case "Dimensions":
		if !isCut {
			in.dimensions = o.texts
		}
		return
	case "Key":
		if !isCut {
			in.metric, in.dimensions = o.texts["metric"], o.dimensions
			if in.dimensions == nil {
				in.dimensions = map[string]string{}
			}
		}
		return
	case "MetricList":
		s.metric(o)
		return
	case "Keys":
		if !isCut {
			s.dimension(o)
		}
		return
	}
	if isCut {
		return
	}
	if t, ok := s.moment(o.texts["alignedstarttime"]); ok {
		s.load.From = t
	}
	if t, ok := s.moment(o.texts["alignedendtime"]); ok {
		s.load.To = t
	}
	s.jsonRow(o)
}

// eventOf names what the dimensions of a metric stand for; "" is all of it. ok is
// false for the dimensions that are no waits: statements, users, hosts.
func eventOf(dimensions map[string]string) (name string, ok bool) {
	if len(dimensions) == 0 {
		return "", true
	}
	for _, k := range []string{"db.wait_event.name", "db.wait_event_type.name", "db.wait_event.type"} {
		if v := dimensions[k]; v != "" {
			return v, true
		}
	}
	return "", false
}

func (s *scanner) metric(o *object) {
	name, ok := eventOf(o.dimensions)
	if o.dimensions == nil || !ok || o.metric != "" && !strings.HasPrefix(o.metric, "db.load") {
		if len(o.points) > 0 {
			s.problems.Add("no-wait", 1, []byte("a metric that is not the load of a wait event: "+o.metric))
		}
		return
	}
	for _, p := range o.points {
		at, ok := s.moment(p.at)
		if !ok {
			s.problems.Add("bad-time", 1, []byte(p.at))
			continue
		}
		if v, ok := number(p.value); ok {
			s.add(1, name, at, v)
		}
	}
}

func (s *scanner) dimension(o *object) {
	name, ok := eventOf(o.dimensions)
	v, isNumber := number(o.texts["total"])
	if !ok || name == "" || !isNumber || v < 0 {
		s.problems.Add("no-wait", 1, []byte("a key that is no wait event"))
		return
	}
	if len(s.events) < 10_000 {
		s.event(name).Average = v
	}
}

// jsonRow takes an object that is a row: a time, an event, a value.
func (s *scanner) jsonRow(o *object) {
	find := func(names []string) string {
		for _, n := range names {
			if v := o.texts[n]; v != "" {
				return v
			}
		}
		return ""
	}
	name, value := find(eventHeads), find(valueHeads)
	if name == "" || value == "" {
		return
	}
	at, ok := s.moment(find(timeHeads))
	v, isNumber := number(value)
	if !ok || !isNumber {
		s.problems.Add("bad-time", 1, []byte(find(timeHeads)+" "+value))
		return
	}
	s.add(1, name, at, v)
}

func number(text string) (float64, bool) {
	if v, ok := digits.All(text, 0); ok {
		return v, true
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// shape is how a table is written.
type shape struct {
	separator   string
	at          int      // the column of the time
	event       int      // of the event in a long table; -1 = wide
	value       int      // likewise
	columns     []string // of a wide table: the events, "" where it has others
	decimalMark bool     // a comma
}

// shapeOf tells by its heading how a table is written:
//
//	Timestamp,CPU,wait/io/table/sql/handler,wait/synch/mutex/innodb/...
//	timestamp	wait_event	aas
func shapeOf(heading string) (shape, bool) {
	heading = strings.TrimRight(heading, "\r\x00 ")
	for _, separator := range []string{",", "\t", ";"} {
		cells := fields(nil, heading, separator)
		if len(cells) < 2 {
			continue
		}
		sh := shape{separator: separator, at: -1, event: -1, value: -1, decimalMark: separator == ";"}
		var others []int
		waits := 0
		for i, c := range cells {
			low := strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(c, " ", "_")), "@_")
			switch {
			case sh.at < 0 && slices.Contains(timeHeads, low):
				sh.at = i
			case sh.event < 0 && slices.Contains(eventHeads, low):
				sh.event = i
			case sh.value < 0 && slices.Contains(valueHeads, low) && !isWait(c):
				sh.value = i
			default:
				others = append(others, i)
				if isWait(c) {
					waits++
				}
			}
		}
		long := sh.event >= 0 && sh.value >= 0
		if sh.at < 0 || !long && (waits == 0 || waits*3 < len(others)-1) { // beside the CPU and names of people
			continue
		}
		if !long {
			sh.event = -1
		}
		sh.columns = make([]string, len(cells))
		for _, i := range others {
			sh.columns[i] = cells[i]
		}
		return sh, true
	}
	return shape{}, false
}
