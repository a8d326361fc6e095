// Package hammerdb reads what HammerDB prints on its console or writes to
// hammerdb.log: for each timed test the new orders and transactions per minute of
// TPROC-C, the virtual users and warehouses, the times of the new-order
// procedure where the time profiler ran, and for TPROC-H how long the query sets
// took.
package hammerdb

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
	"noisefloor/ingest/internal/secret"
)

// Tool is HammerDB for the registry of ingest.
var Tool = load.Tool{Name: "HammerDB", Sniff: Sniff, Scan: Scan}

var telling = pattern.MustCompile(`HammerDB CLI v\d|TEST RESULT : System achieved|Copyright \(C\) [\d-]+ Steve Shaw|(?i)Hammerdb Log @ |Vuser \d+:(?:Beginning rampup|Timing test period)`)

// Sniff tells whether the head of a file comes from HammerDB.
func Sniff(head []byte) bool {
	return bytes.Contains(head, []byte("Vuser")) && telling.Match(head) || bytes.Contains(head, []byte("HammerDB CLI v"))
}

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error {
	return load.Scan(text, out, &parser{settings: map[string]string{}})
}

// parser keeps what stands before the tests and holds for all of them.
type parser struct {
	version  string
	workload string
	stamp    string
	users    int               // of "4 VU TEST"
	settings map[string]string // of the dictionary, by name without "mysql_"

	finished, failed bool // the open run
	section          string
}

// The lines, as they stand in real logs:
//
//	HammerDB CLI v4.12
//	Hammerdb Log @ Fri Jul 05 09:54:28 BST 2019
//	Benchmark set to TPC-C for MySQL
//	Changed tpcc:mysql_count_ware from 1 to 20 for MySQL
//	Value 5 for tpcc:mysql_duration is the same as existing value 5, no change made
//	 mysql_num_vu           = 1
//	4 VU TEST
//	Vuser 1:DBVersion:8.0.44
//	Vuser 1:Beginning rampup time of 5 minutes
//	Vuser 1:Timing test period of 10 in minutes
//	Vuser 1:4 Active Virtual Users configured
//	Vuser 1:TEST RESULT : System achieved 8153 NOPM from 24772 MySQL TPM
//	Vuser 1:TEST RESULT : System achieved 24772 MySQL TPM at 8153 NOPM            before 4.0
//	Vuser 3:FINISHED SUCCESS
//	Error in Virtual User 2: mysqlexec/db server: Lost connection to MySQL server during query
//	>>>>> PROC: NEWORD
//	CALLS: 1226904	MIN: 0.567ms	AVG: 1.867ms	MAX: 100.902ms	TOTAL: 2290932.117ms
//	P99: 4.567ms	P95: 3.132ms	P50: 1.672ms	SD: 881.192	RATIO: 53.183%
//	Vuser 1:Completed 1 query set(s) in 23 seconds
//	Vuser 1:Geometric mean of query times returning rows (21) is 0.63241
var (
	versionLine = regexp.MustCompile(`^HammerDB CLI v(\S+)$`)
	logLine     = regexp.MustCompile(`^(?i:hammerdb log|timestamp \d+) @ (.+)$`)
	setLine     = regexp.MustCompile(`^(?:Benchmark set to|Database set to) (.+)$`)
	changed     = regexp.MustCompile(`^Changed (?:tpcc|tpch|connection|tprocc|tproch):(\w+) from .* to (\S+) for \S+$`)
	same        = regexp.MustCompile(`^Value (\S+) for (?:tpcc|tpch|connection|tprocc|tproch):(\w+) is the same as existing value`)
	entry       = regexp.MustCompile(`^((?:mysql|maria)_\w+)\s+= (\S*)$`)
	usersLine   = regexp.MustCompile(`^(\d+) VU TEST$`)
	vuser       = regexp.MustCompile(`^Vuser (\d+)[: ](.*)$`)
	rampup      = regexp.MustCompile(`^Beginning rampup time of (\d+(?:\.\d+)?) minutes?$`)
	period      = regexp.MustCompile(`^Timing test period of (\d+(?:\.\d+)?) in minutes?$`)
	active      = regexp.MustCompile(`^(\d+) Active Virtual Users configured$`)
	result      = regexp.MustCompile(`^TEST RESULT : System achieved (\d+) NOPM from (\d+) .*TPM$`)
	resultOld   = regexp.MustCompile(`^TEST RESULT : System achieved (\d+) .*TPM at (\d+) NOPM$`)
	querySets   = regexp.MustCompile(`^Completed (\d+) query set\(s\) in (\d+(?:\.\d+)?) seconds$`)
	geometric   = regexp.MustCompile(`^Geometric mean of query times returning rows \(\d+\) is (\d+(?:\.\d+)?)$`)
	procedure   = regexp.MustCompile(`^>+ PROC: (\w+)$`)
	timing      = regexp.MustCompile(`(CALLS|MIN|AVG|MAX|TOTAL|P99|P95|P50|SD|RATIO): ?(\d+(?:\.\d+)?)(ms|%|)`)
	counter     = regexp.MustCompile(`^\d+ \w+ tpm$`)
	nothingTold = regexp.MustCompile(`^(?:Copyright|Type "help"|Initialized|SETTING CONFIGURATION|Script|Loading script|Clearing Script|Dictionary Settings|The xml|No Virtual Users|\w+ *\{|\}$|Logging activated|to /|\d+ Virtual Users Created|ALL VIRTUAL USERS|vudestroy|Timer: |Transaction Counter|Test complete|RUNTEST|Usage:|Changed |Value |tpcc|tpch|connection|[\+-]{3,}|mysql_\w+ *=)`)
)

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	if strings.HasSuffix(text, "tpm") && counter.MatchString(text) { // most lines of a log
		return load.Apart
	}
	if m := vuser.FindStringSubmatch(text); m != nil {
		return p.user(b, line, m[2])
	}
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(versionLine); m != nil {
		p.version = m[1]
	} else if m := at(logLine); m != nil {
		if p.stamp == "" {
			p.stamp = m[1]
		}
	} else if m := at(setLine); m != nil {
		p.named(m[1])
	} else if m := at(changed); m != nil {
		p.set(m[1], m[2])
	} else if m := at(same); m != nil {
		p.set(m[2], m[1])
	} else if m := at(entry); m != nil {
		p.set(m[1], m[2])
	} else if m := at(usersLine); m != nil {
		p.users = load.Count(m[1])
	} else if m := at(procedure); m != nil {
		p.section = m[1]
		return mine(b)
	} else if strings.HasPrefix(text, "Error in Virtual User ") {
		if !b.Open() {
			p.begin(b)
		}
		p.failed = true
		b.Note("fatal", line)
		return load.Mine
	} else if p.section != "" && (strings.HasPrefix(text, "CALLS:") || strings.HasPrefix(text, "P99:")) && timing.MatchString(text) {
		p.times(b, timing.FindAllStringSubmatch(text, -1))
		return mine(b)
	} else if !strings.HasPrefix(text, "SEQUENCE ") && !strings.Contains(text, " SEQUENCE ") && !nothingTold.MatchString(text) {
		return load.Foreign
	}
	return load.Apart
}

func mine(b *load.Book) load.Verdict {
	if b.Open() {
		return load.Mine
	}
	return load.Apart
}

// user reads what a virtual user says; the first one is the monitor.
func (p *parser) user(b *load.Book, line []byte, text string) load.Verdict {
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(rampup); m != nil {
		p.begin(b)
		b.Run.Options["rampup_s"] = datasets.Float(60 * load.Number(m[1]))
		return load.Mine
	}
	if m := at(period); m != nil {
		if !b.Open() || p.finished || b.Run.Metrics["duration_s"] != 0 {
			p.begin(b)
		}
		b.Run.Metrics["duration_s"] = 60 * load.Number(m[1])
		return load.Mine
	}
	if m := at(active); m != nil {
		if b.Open() {
			b.Run.Threads = load.Count(m[1])
		}
		return mine(b)
	}
	nopm, tpm := "", ""
	if m := at(result); m != nil {
		nopm, tpm = m[1], m[2]
	} else if m := at(resultOld); m != nil {
		nopm, tpm = m[2], m[1]
	}
	switch {
	case nopm != "":
		if !b.Open() || p.finished {
			p.begin(b)
		}
		b.Run.Metrics["nopm"], b.Run.Metrics["tpm"] = load.Number(nopm), load.Number(tpm)
		p.finished = true
		return load.Mine
	case strings.HasPrefix(text, "TEST RESULT"):
		return load.Broken
	}
	if m := at(querySets); m != nil {
		if !b.Open() || p.finished {
			p.begin(b)
		}
		p.workload, p.finished = "tproc-h", true
		b.Run.Workload = p.workload
		b.Run.Options["query_sets"] = datasets.Int(int64(load.Number(m[1])))
		b.Run.Metrics["duration_s"], b.Run.Metrics["elapsed"] = load.Number(m[2]), load.Number(m[2])
		return load.Mine
	}
	if m := at(geometric); m != nil {
		if b.Open() {
			b.Run.Metrics["query_time_geomean"] = load.Number(m[1])
		}
		return mine(b)
	}
	if version, ok := strings.CutPrefix(text, "DBVersion:"); ok {
		p.settings["server_version"] = version
		return mine(b)
	}
	if strings.HasPrefix(text, "FINISHED FAILED") || strings.HasPrefix(text, "AT ERROR") {
		p.failed = true
		b.Note("fatal", line)
	}
	return mine(b)
}

func (p *parser) named(what string) {
	switch upper := strings.ToUpper(what); {
	case strings.Contains(upper, "TPC-C"), strings.Contains(upper, "TPROC-C"):
		p.workload = "tproc-c"
	case strings.Contains(upper, "TPC-H"), strings.Contains(upper, "TPROC-H"):
		p.workload = "tproc-h"
	default:
		p.settings["database"] = what
	}
}

// kept are the settings that describe a run; the others (host, user, socket) do not.
var kept = map[string]string{
	"count_ware": "warehouses", "allwarehouse": "all_warehouses", "storage_engine": "engine", "prepared": "prepared", "no_stored_procs": "no_stored_procs",
	"partition": "partition", "keyandthink": "key_and_think", "async_scale": "async_scale", "history_pk": "history_pk", "connect_pool": "connect_pool",
	"scale_fact": "scale_factor", "driver": "driver", "server_version": "server_version", "database": "database",
}

func (p *parser) set(name, value string) {
	for _, prefix := range []string{"mysql_", "maria_", "tpch_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if !secret.Name(name) {
		p.settings[name] = value
	}
}

func (p *parser) begin(b *load.Book) {
	b.Begin()
	r := &b.Run
	p.finished, p.failed, p.section = false, false, ""
	r.Version, r.Workload, r.Stamp = p.version, p.workload, p.stamp
	if r.Workload == "" {
		r.Workload = "tproc-c" // the only one with new orders
	}
	p.stamp = "" // of the first run
	if r.Threads = p.users; r.Threads == 0 {
		r.Threads = load.Count(p.settings["num_vu"])
	}
	for name, value := range p.settings {
		if to := kept[name]; to != "" {
			r.Options[to] = load.Typed(to, value)
		}
	}
}

// times reads the profile of the new-order procedure, whose rate NOPM is.
func (p *parser) times(b *load.Book, found [][]string) {
	if !b.Open() || p.section != "NEWORD" {
		return
	}
	for _, m := range found {
		if name := strings.ToLower(m[1]); m[3] == "ms" && name != "total" {
			b.Run.Metrics["latency_"+name] = load.Shifted(m[2], 3)
		}
	}
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	switch {
	case p.finished && p.failed:
		r.Status = datasets.FatalWithSummary
	case p.finished:
		r.Status = datasets.Complete
	case p.failed && len(r.Metrics) == 0:
		r.Status = datasets.FailedToStart
	default:
		r.Status = datasets.Truncated
	}
	return true
}
