package hoststat

import (
	"encoding/json"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/ingest/serverstat"
)

// Prometheus is what it answers to query_range: series of node_exporter, of
// mysqld_exporter, or of anything.
const Prometheus Kind = "Prometheus"

var matrix = regexp.MustCompile(`\A\s*\{(?s:.{0,300}?)"resultType"\s*:\s*"matrix"`)

// promSeries is an element of such an answer:
//
//	{"status":"success","data":{"resultType":"matrix","result":[
//	  {"metric":{"__name__":"node_load1","instance":"db7:9100","job":"node"},"values":[[1796069307.775,"0.53"],[1796069312.775,"0.61"]]}]}}
//
// The answer to rate(x[1m]) and the like has no __name__.
type promSeries struct {
	Metric map[string]string
	Values [][2]any
}

// prometheus reads answers, one behind the other.
func (s *scanner) prometheus(text io.Reader) error {
	in := &allowance{in: text, left: maxElement}
	s.line = 1
	if err := s.answers(in); err != nil && in.failed == nil {
		s.tell("broken-json", err.Error())
		_, err = io.Copy(io.Discard, text)
		return err
	}
	s.allCPUs()
	return in.failed
}

func (s *scanner) answers(in *allowance) error {
	dec := json.NewDecoder(in)
	key, depth := "", 0
	for {
		t, err := dec.Token()
		switch {
		case err == io.EOF && depth == 0:
			return nil
		case err == io.EOF:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			if t != '[' || key != "result" {
				continue
			}
			for dec.More() {
				var one promSeries
				if err := dec.Decode(&one); err != nil {
					if err == io.EOF {
						err = io.ErrUnexpectedEOF
					}
					return err
				}
				s.promSeries(&one)
				in.left = maxElement
			}
			key = ""
		case string:
			key = t
		}
	}
}

// promNames are what node_exporter calls the things that other tools tell of; rates
// of counts, shares of seconds.
var promNames = map[string]meaning{
	"node_load1": {"load1", 1}, "node_load5": {"load5", 1}, "node_load15": {"load15", 1}, "node_procs_running": {"runnable", 1}, "node_procs_blocked": {"blocked", 1},
	"node_memory_MemFree_bytes": {"memory_free_bytes", 1}, "node_memory_MemAvailable_bytes": {"memory_available_bytes", 1}, "node_memory_Buffers_bytes": {"memory_buffers_bytes", 1},
	"node_memory_Cached_bytes": {"memory_cache_bytes", 1}, "node_memory_Dirty_bytes": {"memory_dirty_bytes", 1}, "node_memory_SwapFree_bytes": {"swap_free_bytes", 1},
	"node_context_switches_total": {"context_switches_per_s", 1}, "node_intr_total": {"interrupts_per_s", 1},
	"node_vmstat_pswpin": {"swap_in_pages_per_s", 1}, "node_vmstat_pswpout": {"swap_out_pages_per_s", 1},
	"node_disk_reads_completed_total": {"device_reads_per_s", 1}, "node_disk_writes_completed_total": {"device_writes_per_s", 1}, "node_disk_read_bytes_total": {"device_read_bytes_per_s", 1},
	"node_disk_written_bytes_total": {"device_write_bytes_per_s", 1}, "node_disk_io_time_seconds_total": {"device_util_pct", 100}, "node_disk_io_time_weighted_seconds_total": {"device_queue", 1},
	"node_network_receive_bytes_total": {"net_receive_bytes_per_s", 1}, "node_network_transmit_bytes_total": {"net_send_bytes_per_s", 1},
	"node_cpu_seconds_total": {"cpu_pct", 100},
}

// unsaid are labels that are the same in all series, or hold a statement.
var unsaid = map[string]bool{"__name__": true, "instance": true, "job": true, "digest_text": true, "query": true, "statement": true, "sql": true}

// promName gives the series of a metric its name; counts tells that it is a count.
func (s *scanner) promName(labels map[string]string) (c meaning, of string, counts bool) {
	name := labels["__name__"]
	counts = strings.HasSuffix(name, "_total") || strings.HasSuffix(name, "_sum") || strings.HasSuffix(name, "_count") || strings.HasPrefix(name, "node_vmstat_")
	var rest []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if !unsaid[key] {
			rest = append(rest, labels[key])
		}
	}
	of = strings.Join(rest, " ")
	variable := serverstat.Exported(name, of)
	switch c = promNames[name]; {
	case name == "node_cpu_seconds_total":
		c.metric, of = "cpu_"+labels["mode"]+"_pct", "cpu"+labels["cpu"]
	case c.metric != "":
	case variable != "": // nothing says which of them count
		of, counts = "", !serverstat.Level(variable)
		if c = (meaning{variable, 1}); counts {
			c.metric += "/s"
		}
	case name == "":
		c = meaning{"value", 1}
	default:
		if c = (meaning{name, 1}); counts {
			c.metric += "/s"
		}
	}
	if at := labels["instance"]; s.instance == "" {
		s.instance = at
	} else if at != s.instance {
		of = strings.TrimSpace(of + " " + at)
	}
	return c, of, counts
}

// promSeries reads one series: levels as they are, of counts what came in a second.
func (s *scanner) promSeries(one *promSeries) {
	if _, isHistogram := one.Metric["le"]; isHistogram {
		s.tell("table-not-read", "the buckets of "+one.Metric["__name__"])
		return
	}
	var t, v []float64
	falls := false
	for _, pair := range one.Values {
		at, isTime := pair[0].(float64)
		text, _ := pair[1].(string)
		value, err := strconv.ParseFloat(text, 64)
		if !isTime || at < 0 || at > 1e11 || err != nil {
			s.tell("torn-line", "a value that is no number in "+one.Metric["__name__"])
			continue
		}
		falls = falls || len(v) > 0 && value < v[len(v)-1]
		t, v = append(t, at), append(v, value)
	}
	c, of, counts := s.promName(one.Metric)
	if falls && counts && strings.HasPrefix(one.Metric["__name__"], "mysql_global_status_") && !strings.HasSuffix(one.Metric["__name__"], "_total") {
		counts, c.metric = false, strings.TrimSuffix(c.metric, "/s") // a level after all
	}
	table := "prometheus " + strconv.Itoa(len(s.courses))
	for i := range t {
		s.moment(table, time.UnixMicro(int64(t[i]*1e6)))
		value := v[i]
		if counts {
			if i == 0 || t[i] <= t[i-1] {
				continue
			}
			if v[i] < v[i-1] {
				s.tell("went-back", c.metric+" "+of+": a count fell; it was reset, or came around")
				continue
			}
			value = (v[i] - v[i-1]) / (t[i] - t[i-1])
		}
		s.put(c, of, value)
		if one.Metric["__name__"] == "node_cpu_seconds_total" && one.Metric["instance"] == s.instance {
			s.addCPU(c, value)
		}
	}
}

// addCPU adds the share of one CPU to that of all.
func (s *scanner) addCPU(c meaning, value float64) {
	at := s.cpus[c.metric]
	if at == nil {
		at = map[float64][2]float64{}
		s.cpus[c.metric] = at
	}
	sum := at[s.now]
	at[s.now] = [2]float64{sum[0] + value, sum[1] + 1}
}

// allCPUs records the average over the CPUs, where all of them are known.
func (s *scanner) allCPUs() {
	for _, metric := range slices.Sorted(maps.Keys(s.cpus)) {
		at, most := s.cpus[metric], 0.0
		for _, sum := range at {
			most = math.Max(most, sum[1])
		}
		for _, t := range slices.Sorted(maps.Keys(at)) {
			if s.now = t; at[t][1] == most {
				s.put(meaning{metric, 100}, "", at[t][0]/most)
			}
		}
	}
}
