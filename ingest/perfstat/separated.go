package perfstat

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/ingest/internal/digits"
)

var (
	separatedTime    = regexp.MustCompile(`^\s*\d+[.,]\d{9}\s*$`)
	separatedByComma = regexp.MustCompile(`(?m)^[^,\n]*(?:,[^,\n]*){0,3},[a-z][\w:.-]*,(?:[^,\n]*,)*\d+,\d+,\d\d(?:,|$)`)
	eventName        = regexp.MustCompile(`^[A-Za-z_][^"'\s]*(?: [^"'\s]+)*$`)
	pairLine         = regexp.MustCompile(`(?m)^(?:cycles|instructions|branches|cache-misses|ipc)\t-?\d`)
)

// separatedRow reads a line of perf stat -x:
//
//	[time,][part,[CPUs,]]value,unit,event,[cgroup,][variance%,]run time,share of it[,metric,its unit]
//
//	5.37,msec,cpu-clock,5371831,100.00,0.054,CPUs utilized
//	     0.100916619,S0-D0-C0,1,106.72,msec,cpu-clock,106722117,100.00,1.067,CPUs utilized
//	         summary,3,,context-switches,4569544,100.00,657.342,/sec
//	3,,context-switches,11.11%,4302877,100.00,667.377,/sec
//	bash-2595,<not counted>,msec,cpu-clock,0,100.00,,
//	6376827291,,cycles,mesos_test,2011741096,100.00,3,GHz
//	,10188319019,63.00,,,41.3,%  tma_frontend_bound
//	     0.250269405 ;CPU0 ;312998921 ; ;OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO ;250166318 ;100,00 ; ;
//	0,31/msec/task-clock/306721/100,00/0/CPUs utilized
//
// The kind is "" for a row.
func separatedRow(line, separator string) (row, string) {
	r := newRow()
	fields := strings.Split(line, separator)
	if len(fields) < 3 {
		return r, "unknown-line"
	}
	comma := separator != ","
	num := func(text string) (float64, bool) {
		text = strings.TrimSpace(text)
		if v, ok := plain(text, false); ok {
			return v, true
		}
		if strings.Trim(text, "0123456789.,-") != "" || strings.Count(text, ".")+strings.Count(text, ",") > 1 || separator == "," && strings.Contains(text, ",") {
			return math.NaN(), false
		}
		return parseNumber(text, comma && strings.Contains(text, ","))
	}
	if separatedTime.MatchString(fields[0]) {
		r.time, _ = num(fields[0])
		fields = fields[1:]
	} else if strings.TrimSpace(fields[0]) == "summary" {
		r.sum = true
		fields = fields[1:]
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	at := eventAt(fields, num)
	if at < 0 {
		return metricRow(r, fields, num)
	}
	switch value := fields[at-2]; value {
	case notCounted, notSupported:
		r.missing = value
	default:
		r.value, _ = num(value)
	}
	r.unit, r.event = fields[at-1], fields[at]
	if at > 2 {
		r.scope = fields[0]
	}
	rest := fields[at+1:]
	if len(rest) > 0 && rest[0] != "" && !strings.HasSuffix(rest[0], "%") {
		if _, ok := num(rest[0]); !ok {
			r.scope = strings.TrimSpace(r.scope + " " + rest[0])
			rest = rest[1:]
		}
	}
	if len(rest) > 0 && strings.HasSuffix(rest[0], "%") {
		r.variance, _ = num(strings.TrimSuffix(rest[0], "%"))
		rest = rest[1:]
	}
	if len(rest) >= 2 {
		r.running, _ = num(rest[1])
		if len(rest) > 2 && separator == "," && !strings.Contains(rest[1], ".") && len(rest[2]) == 2 && digits.Only(rest[2]) {
			return r, decimalComma
		}
	}
	return r, ""
}

// decimalComma is the kind of a line that cannot be read: is 100,00,3 a share of 100
// and a metric of 0 or a share of 100.00?
const decimalComma = "decimal-commas-between-commas"

// eventAt finds the event: behind a value and a unit, and no number.
func eventAt(fields []string, num func(string) (float64, bool)) int {
	for at := 2; at < min(len(fields), 5); at++ {
		value, unit, event := fields[at-2], fields[at-1], fields[at]
		if _, ok := num(value); !ok && value != notCounted && value != notSupported {
			continue
		}
		if _, ok := num(unit); ok || unit == notCounted || unit == notSupported || !eventName.MatchString(event) {
			continue
		}
		if at > 2 { // a part, and perhaps its CPUs, before the value
			if _, ok := num(fields[0]); ok || fields[0] == "" {
				continue
			}
		}
		return at
	}
	return -1
}

// metricRow reads a line that has only a metric.
func metricRow(r row, fields []string, num func(string) (float64, bool)) (row, string) {
	n := len(fields)
	if n < 4 || fields[0] != "" && strings.Trim(fields[0], "0123456789") != "" {
		if n >= 4 && fields[1] == "" && fields[n-1] != "" { // a part before the empty fields
			r.scope = fields[0]
		} else {
			return r, "unknown-line"
		}
	}
	percent, name, ok := strings.Cut(fields[n-1], "%")
	unit := "%"
	if !ok {
		name, unit = percent, ""
	}
	if name = strings.TrimSpace(name); !eventName.MatchString(name) {
		return r, "unknown-line"
	}
	v, ok := num(fields[n-2])
	if !ok {
		return r, nothing // the name of a group, or nan
	}
	r.value, r.unit, r.event, r.metric = v, unit, name, true
	return r, ""
}

// object reads a line of perf stat -j:
//
//	{"interval" : 0.100386782, "socket" : "S0", "aggregate-number" : 2, "counter-value" : "204.138617", "unit" : "msec",
//	 "event" : "cpu-clock", "event-runtime" : 204144136, "pcnt-running" : 100.00, "metric-value" : 2.0, "metric-unit" : "CPUs utilized"}
//	{"metric-value" : "nan", "metric-unit" : "%  tma_backend_bound"}
//	{"counter-value" : "5.0", "unit" : "", "event" : "cycles", "event-runtime" : 5.00, "pcnt-running" : 100.00, }         perf 6.12-rc
func object(line string) (row, string) {
	r := newRow()
	var o map[string]any
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		if line[0] != '{' {
			return r, nothing // the program's own output
		}
		mended := trailingComma.ReplaceAllString(line, "}")
		mended = noSeparator.ReplaceAllString(mended, "$1, $2")
		if json.Unmarshal([]byte(mended), &o) != nil {
			return r, "broken-json"
		}
	}
	num := func(name string) float64 {
		switch v := o[name].(type) {
		case float64:
			return v
		case string:
			if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && !math.IsInf(n, 0) {
				return n
			}
		}
		return math.NaN()
	}
	text := func(name string) string {
		s, _ := o[name].(string)
		if s == "(null)" {
			return ""
		}
		return strings.TrimSpace(s)
	}
	r.time = num("interval")
	if cpu := text("cpu"); cpu != "" {
		r.scope = "CPU" + strings.TrimPrefix(cpu, "CPU")
	}
	for _, part := range []string{"core", "cluster", "die", "cache", "socket", "node", "thread", "cgroup"} {
		if s := text(part); s != "" {
			r.scope = strings.TrimSpace(r.scope + " " + s)
		}
	}
	r.event, r.unit = text("event"), text("unit")
	if r.event == "" {
		percent, name, ok := strings.Cut(text("metric-unit"), "%")
		if r.unit = "%"; !ok {
			name, r.unit = percent, ""
		}
		r.event, r.value, r.metric = strings.TrimSpace(name), num("metric-value"), true
		if r.event == "" || math.IsNaN(r.value) {
			return r, nothing
		}
		return r, ""
	}
	r.value, r.variance, r.running = num("counter-value"), num("variance"), num("pcnt-running")
	if math.IsNaN(r.value) {
		r.missing = text("counter-value")
	}
	return r, ""
}

var (
	trailingComma = regexp.MustCompile(`,\s*\}\s*$`)
	noSeparator   = regexp.MustCompile(`("[^"]*"|\d)\s+("[a-z-]+" ?:)`)
)

// pair reads what harnesses make of perf stat: an event and its value, -1 if it was
// not counted.
//
//	cycles	6728483884
//	bus-cycles	-1
//	ipc	0.72
func pair(line string) (row, string) {
	r := newRow()
	event, value, ok := strings.Cut(line, "\t")
	v, isNumber := parseNumber(strings.TrimSpace(value), false)
	if !ok || !isNumber || !eventName.MatchString(event) {
		return r, "unknown-line"
	}
	r.event, r.value = strings.TrimSpace(event), v
	if v == -1 {
		r.value, r.missing = math.NaN(), notCounted
	}
	return r, ""
}
