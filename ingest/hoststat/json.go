package hoststat

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sysstat -o JSON and sadf -j, a report an element:
//
//	{"sysstat": {"hosts": [{"nodename": "db7", "sysname": "Linux", "release": "6.8.0", "machine": "x86_64", "number-of-cpus": 80, "date": "05/15/26",
//	  "statistics": [
//	    {"timestamp": "05/15/26 17:00:38", "avg-cpu": {"user": 66.34, ..., "idle": 0.00}, "disk": [{"disk_device": "vda", "r/s": 62.00, ..., "rrqm": 20.51, "util": 2.80}]},
//	    {"timestamp": "17:00:38", "cpu-load": [{"cpu": "all", "usr": 66.67, ...}, {"cpu": "0", ...}]},
//	    {"timestamp": {"date": "2026-11-30", "time": "17:00:39", "utc": 1, "interval": 1}, "cpu-load": [...], "memory": {"memfree": 18862340, ...}, "network": {"net-dev": [{"iface": "eth0", "rxpck": 14.71, ...}]}}
//
// A file of a tool that was killed ends anywhere; its whole elements are read.
func isJSON(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("{"))
}

// maxElement bounds what one report may take: a thousand CPUs need 200 kB.
const maxElement = 8 << 20

var errTooLong = errors.New("a report longer than 8 MB")

// allowance is a reader of which only so many bytes may be read at a time.
type allowance struct {
	in     io.Reader
	left   int
	failed error // of the reader itself
}

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, errTooLong
	}
	n, err := a.in.Read(p[:min(len(p), a.left)])
	a.left -= n
	if err != nil && err != io.EOF {
		a.failed = err
	}
	return n, err
}

// json reads a file of that kind. The error is that of the reader.
func (s *scanner) json(text io.Reader) error {
	in := &allowance{in: text, left: maxElement}
	s.line = 1
	if err := s.statistics(in); err != nil && in.failed == nil {
		s.tell("broken-json", "after "+counted(s.reports)+": "+err.Error())
		_, err = io.Copy(io.Discard, text)
		return err
	}
	if in.failed != nil {
		return in.failed
	}
	_, err := io.Copy(io.Discard, text)
	return err
}

func counted(reports int) string {
	if reports == 1 {
		return "1 report"
	}
	return strconv.Itoa(reports) + " reports"
}

// statistics reads the elements of every list of that name.
func (s *scanner) statistics(in *allowance) error {
	in.in = skipBOM(in.in)
	dec := json.NewDecoder(in)
	key, depth := "", 0
	for {
		t, err := dec.Token()
		if err == io.EOF && depth == 0 {
			return nil
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else if depth--; depth == 0 {
				return nil // what stands behind it is not ours
			}
			if t != '[' || key != "statistics" {
				continue
			}
			for dec.More() {
				var element map[string]any
				if err := dec.Decode(&element); err != nil {
					if errors.Is(err, io.EOF) {
						err = io.ErrUnexpectedEOF
					}
					return err
				}
				s.element(element)
				in.left = maxElement
			}
			key = ""
		case string:
			key = t
		}
	}
}

// skipBOM takes a byte order mark off a text.
func skipBOM(in io.Reader) io.Reader {
	head := make([]byte, 3)
	n, err := io.ReadFull(in, head)
	rest := io.MultiReader(bytes.NewReader(bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf"))), in)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return rest // the error comes again with the next read
	}
	return rest
}

// jsonTables are the tables of a report: what their rows are of,
// and the fields that name it.
var jsonTables = map[string]struct{ device, field string }{
	"avg-cpu": {}, "cpu-load": {"cpu", "cpu"}, "cpu-load-all": {"cpu", "cpu"}, "disk": {"device", "disk_device disk-device"}, "net-dev": {"net", "iface"},
	"memory": {}, "queue": {}, "swap-pages": {}, "paging": {}, "process-and-context-switch": {}, "io": {},
}

// element reads one report.
func (s *scanner) element(e map[string]any) {
	switch t := e["timestamp"].(type) {
	case string: // 05/15/26 17:00:38, 17:00:38, 2026-05-15T17:00:37+0000
		if iso, ok := isoTime(t); ok {
			s.moment("", iso)
			break
		}
		if day, rest, ok := strings.Cut(t, " "); ok && dated(day) {
			t = rest
		}
		if clock, _, ok := timeOfDay(t); ok {
			s.ofDay("", clock)
		} else {
			s.next()
		}
	case map[string]any:
		date, _ := t["date"].(string)
		clock, _ := t["time"].(string)
		utc, _ := t["utc"].(float64)
		zone := s.opt.TZ
		if utc == 1 {
			zone = time.UTC
		}
		if at, err := time.ParseInLocation(time.DateTime, date+" "+clock, zone); err == nil {
			s.moment("", at)
		} else {
			s.next()
		}
	default:
		s.next()
	}
	s.jsonTables(e)
}

func (s *scanner) jsonTables(e map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(e)) {
		table, known := jsonTables[name]
		switch v := e[name].(type) {
		case map[string]any:
			switch {
			case known:
				s.fields(name, table.device, "", v)
			case name == "network":
				s.jsonTables(v)
			case name != "timestamp":
				s.tell("table-not-read", name)
			}
		case []any:
			if !known {
				s.tell("table-not-read", name)
				continue
			}
			for _, row := range v {
				row, _ := row.(map[string]any)
				of := ""
				for _, field := range strings.Fields(table.field) {
					if device, ok := row[field].(string); ok {
						of = deviceName(table.device, device)
						delete(row, field)
					}
				}
				s.fields(name, table.device, of, row)
			}
		}
	}
}

// fields reads the fields of a row.
func (s *scanner) fields(table, device, of string, row map[string]any) {
	for _, field := range slices.Sorted(maps.Keys(row)) {
		v, ok := row[field].(float64)
		if !ok {
			v = math.NaN()
		}
		s.put(sysstatColumn(textName(table, field), device), of, v)
	}
}

// textName gives the name that a field has in the text form of the tools.
func textName(table, field string) string {
	percent := func() string { return "%" + strings.TrimSuffix(field, "-percent") }
	switch table {
	case "avg-cpu", "cpu-load", "cpu-load-all":
		return percent()
	case "disk":
		switch field {
		case "rrqm", "wrqm", "drqm", "util", "util-percent":
			return percent()
		case "rkB", "wkB", "dkB":
			return field + "/s"
		}
	case "net-dev":
		if field == "ifutil-percent" || field == "ifutil" {
			return "%ifutil"
		}
		return field + "/s"
	case "memory":
		switch {
		case strings.HasSuffix(field, "-percent"):
			return percent()
		case field == "swpfree" || field == "swpused" || field == "swpcad" || !strings.HasPrefix(field, "swp"):
			return "kb" + field
		}
	case "swap-pages", "paging", "process-and-context-switch":
		if strings.HasSuffix(field, "-percent") {
			return percent()
		}
		return field + "/s"
	}
	return field
}
