package fio

import (
	"math"
	"strings"

	"noisefloor/ingest/internal/load"
)

// A document is what --output-format=json prints (source: fio, stat.c). bw counts KiB,
// and bw_bytes is there from 3.0 on; clat of 2.x counts microseconds.
//
//	{
//	  "fio version" : "fio-3.33", "timestamp_ms" : 1774300000123, "time" : "Mon Mar 23 21:06:40 2026",
//	  "global options" : { "ioengine" : "libaio", "group_reporting" : "" },
//	  "jobs" : [
//	    {
//	      "jobname" : "randread", "groupid" : 0, "error" : 0,
//	      "job options" : { "rw" : "randread", "bs" : "16k", "iodepth" : "32", "numjobs" : "4" },
//	      "read" : {
//	        "io_bytes" : 6442450944, "bw_bytes" : 214748364, "bw" : 209715, "iops" : 13107.2, "runtime" : 30000, "total_ios" : 393216,
//	        "clat_ns" : { "min" : 90000, "max" : 9000000, "mean" : 2400000.5, "percentile" : { "95.000000" : 3500000 } }
//	      },
//	      "write" : { "io_bytes" : 0, "bw" : 0, "iops" : 0.0, "runtime" : 0, "total_ios" : 0 },
//	      "job_runtime" : 120000
//	    }
//	  ]
//	}
type document struct {
	members load.Members
	time    string
	options map[string]string // of all jobs
	job     map[string]string // values of the job at hand, by path
}

// line takes a line that may be one of a document.
func (p *parser) json(b *load.Book, line string) (v load.Verdict, ok bool) {
	d := p.document
	if d == nil {
		if !strings.HasPrefix(line, "{") {
			return load.Foreign, false
		}
		d = &document{options: map[string]string{}}
	}
	found, ok := d.members.Line(line)
	if !ok {
		return load.Foreign, p.document != nil
	}
	p.document = d
	for _, m := range found {
		switch path := strings.Join(m.Path, "/"); {
		case m.Closed && path == "jobs/":
			p.finish(b)
		case m.Closed:
		case path == "fio version":
			p.version = strings.TrimPrefix(m.Text, "fio-")
		case path == "time":
			d.time = m.Text
		case m.Path[0] == "global options":
			d.options[strings.TrimPrefix(path, "global options/")] = m.Text
		case strings.HasPrefix(path, "jobs//"):
			if !b.Open() {
				b.Begin()
				p.over, d.job = false, map[string]string{}
			}
			if len(d.job) < maxValues {
				d.job[strings.TrimPrefix(path, "jobs//")] = m.Text
			}
		}
	}
	if b.Open() {
		return load.Mine, true
	}
	return load.Apart, true
}

// maxValues is how many values of a job are looked at; there are some 400.
const maxValues = 10_000

// finish makes a run of a job that is read to its end.
func (p *parser) finish(b *load.Book) {
	if !b.Open() {
		return
	}
	d, r := p.document, &b.Run
	option := func(name string) (value string, ok bool) {
		if value, ok = d.job["job options/"+name]; !ok {
			value, ok = d.options[name]
		}
		return value, ok
	}
	r.Version, r.Workload, r.Stamp = p.version, d.job["jobname"], d.time
	for name, as := range map[string]string{"rw": "rw", "bs": "block_size", "ioengine": "io_engine", "iodepth": "io_depth"} {
		if value, ok := option(name); ok {
			r.Options[as] = load.Typed(as, value)
		}
	}
	p.failed, p.msec, p.over = d.job["error"] != "0" && d.job["error"] != "", 0, true
	if p.failed {
		b.Note("fatal", []byte("the job "+r.Workload+" ended with error "+d.job["error"]))
	}
	for _, side := range []string{"read", "write", "trim"} {
		number := func(name string) float64 { return load.Number(d.job[side+"/"+name]) }
		if d.job[side+"/iops"] == "" || number("iops") == 0 {
			continue
		}
		bytes, unit, clat := 1024*number("bw"), 1e9, side+"/clat_ns/"
		if d.job[side+"/bw_bytes"] != "" {
			bytes = number("bw_bytes")
		}
		if d.job[clat+"mean"] == "" {
			unit, clat = 1e6, side+"/clat/"
		}
		p.direction(b, side, number("iops"), bytes, number("runtime"))
		for from, to := range map[string]string{"min": "min", "max": "max", "mean": "avg"} {
			if text := d.job[clat+from]; text != "" {
				r.Metrics[side+"_latency_"+to] = load.Number(text) / unit
			}
		}
		for path, text := range d.job {
			if percent, ok := strings.CutPrefix(path, clat+"percentile/"); ok {
				r.Metrics[percentileOf(side, percent)] = load.Number(text) / unit
			}
		}
	}
	r.Threads = 1
	if all := load.Number(d.job["job_runtime"]); p.msec > 0 && all > p.msec { // of the jobs of a group together
		r.Threads = int(math.Round(all / p.msec))
	}
	b.Finish()
}

// percentileOf is the name of a percentile: 99.900000 is p999.
func percentileOf(side, percent string) string {
	percent = strings.TrimSuffix(strings.TrimRight(percent, "0"), ".")
	return side + "_latency_p" + strings.ReplaceAll(percent, ".", "")
}
