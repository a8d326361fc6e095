package ingest

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"noisefloor/ingest/hoststat"
)

// What pt-stalk collects at one moment, and the samples of pt-mysql-summary, is
// known by the names of the files, which the two tools give: of some the content
// might be taken for something else.

// collected is the name of a file that pt-stalk collected: 2026_01_31_12_00_01-mysqladmin.
var collected = regexp.MustCompile(`^(\d{4}(?:_\d\d){5})-([\w-]+)$`)

// summaryMember is the name of a file of pt-mysql-summary.
var summaryMember = regexp.MustCompile(`^(?:mysql-(?:status|status-defer|variables|databases|users|processlist|slave|slave-hosts|replicas?|roles|plugins|master-logs|master-status|source-logs|source-status|executables|instances|config-file)|mysqld-(?:executables|instances)|ndb-status|innodb-status|keyring-plugins|encrypted-(?:tables|tablespaces)|collect\.err|mysqldump)$`)

// isCollected tells by its name a file that one of the two tools wrote.
func isCollected(name string) bool {
	return collected.MatchString(name) || summaryMember.MatchString(name)
}

// whyPassedBy says why files of pt-stalk are not read, by what their names end in.
var whyPassedBy = []struct {
	names  []string
	reason string
}{
	{[]string{"vmstat-overall", "iostat-overall", "mpstat-overall"}, "one report over the whole collection, which -vmstat, -iostat and -mpstat have step by step"},
	{strings.Fields("procstat procvmstat interrupts slabinfo numastat netstat netstat_s"), "counts of the kernel since its start; what is read is -vmstat, -iostat, -mpstat and -diskstats"},
	{strings.Fields("transactions lock-waits ps-locks-transactions prepared-statements opentables1 opentables2 mutex-status1 mutex-status2 slave-status"), "what single sessions did at some moments, with their statements; what is read is -mysqladmin, -innodbstatus and the states in -processlist"},
	{strings.Fields("rocksdbstatus1 rocksdbstatus2 tokudbstatus1 tokudbstatus2"), "text of an engine of which SHOW GLOBAL STATUS has the counts"},
	{strings.Fields("ps pmap lsof sysctl dmesg hostname disk-space"), "about the machine and its processes, not about a run"},
	{strings.Fields("stacktrace strace tcpdump opreport"), "traces; profiles are read of perf"},
	{strings.Fields("trigger output log_error"), "notes of the collection and of the server"},
}

// otherCollected says why a file of the two tools is passed by.
func otherCollected(name string, isEmpty bool) string {
	if isEmpty {
		return "empty: the server had nothing to say"
	}
	if m := collected.FindStringSubmatch(name); m != nil {
		for _, of := range whyPassedBy {
			if slices.Contains(of.names, m[2]) {
				return of.reason
			}
		}
	}
	return "what is in it is no count and no setting"
}

// isRead tells the kinds of a collection that are read. pt-mysql-summary lists the
// sessions once.
func (s *sniffed) isRead(name string) bool {
	return name != "mysql-processlist" && (s.kind == hostFile || s.kind == variables || s.kind == optionFile || s.kind.isServer()) && !strings.HasSuffix(name, "-overall")
}

// collection is what is known of the files that pt-stalk collected together: some
// have the time in front of every report, the others were started with these.
type collection struct {
	from  time.Time
	every float64 // seconds
}

// collectionOf tells by its path to which collection a file belongs; "" is none.
func (f *file) collectionOf() string {
	if m := collected.FindStringSubmatch(f.name()); m != nil {
		return f.source[:len(f.source)-len(f.name())] + m[1]
	}
	return ""
}

// stamps are the times that a file of a collection has.
type stamps struct {
	of    string
	times []time.Time
}

func (in *ingest) collect(s stamps) {
	if len(s.times) < 2 {
		return
	}
	c := in.collections[s.of]
	if c.from.IsZero() || s.times[0].Before(c.from) {
		c.from = s.times[0]
	}
	for i, t := range s.times[1:] { // the shortest, because one is late now and then; pt-stalk waits for whole seconds
		if every := max(1, t.Sub(s.times[i]).Round(time.Second).Seconds()); c.every == 0 || every < c.every {
			c.every = every
		}
	}
	in.collections[s.of] = c
}

// placed says when the reports of a file of a collection were made.
func (in *ingest) placed(f *file, opt hoststat.Options) hoststat.Options {
	if c, ok := in.collections[f.collectionOf()]; ok {
		opt.From, opt.Every = c.from, c.every
	}
	return opt
}
