package naming

import (
	"slices"
	"strings"

	"noisefloor/ingest/internal/column"
)

// The words that folder and file names are recognised by. A word here saves a
// user a --layout; a word too many names a factor wrongly, which every guess
// printed shows.

// repWords count replicates of one cell.
var repWords = []string{"r", "run", "rep", "repeat", "repetition", "iter", "iteration", "trial", "try", "attempt", "take", "pass", "round", "res", "result", "results", "lauf", "durchlauf"}

// againWords name one more replicate without a number.
var againWords = []string{"r", "rerun", "retry", "repeat", "again", "redo"}

// ThreadWords stand beside the number of threads. Whether they mean the threads
// of the log is checked against the log.
var ThreadWords = []string{"t", "th", "thr", "thrd", "thd", "thds", "thread", "threads", "vu", "vus", "user", "users", "client", "clients", "conn", "conns", "connections", "dop"}

// volumeTypes are disks of clouds, and no number of anything.
var volumeTypes = []string{"io1", "io2", "gp2", "gp3", "st1", "sc1"}

// numberKeys may stand apart from their number also by "_" or ".": rep_1.
var numberKeys = append(slices.Concat(repWords[1:], ThreadWords[1:], machineWords), "launch", "session", "order", "day", "sweep", "block", "series", "bp", "pool", "tables", "size", "rate", "warehouses", "wh")

// metricWords are what logs measure: a number behind one in a name (tps-64) is
// something else, and a factor of that name would hide the metric.
var metricWords = []string{"tps", "qps", "eps", "rps", "ops", "nopm", "tpm", "tpmc", "latency", "events", "errors", "transactions", "queries"}

// machineWords with a number name machines, and not repetitions of each other.
var machineWords = []string{"host", "node", "db", "server", "machine", "vm", "box", "srv", "rack", "client", "app"}

// engines keep the tables. Where names have several of them they are levels of one thing.
var engines = strings.Fields("innodb myisam aria rocksdb myrocks tokudb wiredtiger mmapv1 columnstore")

// settingWords are in the names of what a server or a kernel is told, and before the
// number of what was tried.
var settingWords = strings.Fields("config cfg conf variant setup option scenario innodb flush sync binlog trx commit capacity instances purge doublewrite neighbors ahi cleaners fsync numa hugepages thp swappiness redo undo")

// weekdays are days to whoever kept a week of runs, daytimes are parts of one.
var (
	weekdays = strings.Fields("mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday " +
		"montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche " +
		"周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日")
	daytimes = strings.Fields("morning noon midday lunch afternoon evening night am pm")
)

func isWeekday(level string) bool { return slices.Contains(weekdays, strings.ToLower(level)) }

func isDaytime(level string) bool { return slices.Contains(daytimes, strings.ToLower(level)) }

// timeWords after a number make it a duration: 3600s.
var timeWords = []string{"s", "sec", "secs", "seconds", "min", "mins", "minutes", "h", "hr", "hours"}

// workloadWords make up the names of workloads, alone or together: read-only,
// update-index, hot-points.
var workloadWords = []string{"oltp", "read", "write", "only", "ro", "rw", "wo", "point", "points", "select", "query", "queries", "update", "non", "nonindex", "index", "insert",
	"inserts", "ins", "upd", "del", "sel", "delete", "deletes", "random", "range", "ranges", "scan", "hot", "bulk", "mixed", "lookup", "simple", "complex", "tpcc", "tpch", "tpc", "c", "h", "covered", "pk", "sk",
	"pareto", "uniform", "zipf"}

// telling words say that the others are about a workload too: a folder called
// mixed or hot need not be.
var telling = []string{"oltp", "read", "write", "ro", "rw", "wo", "point", "select", "query", "queries", "update", "insert", "inserts", "ins", "upd", "del", "sel", "delete", "deletes", "scan", "lookup", "tpcc", "tpch", "tpc"}

// endings of file names say how a file is written, not what it describes.
var endings = []string{"gz", "xz", "zst", "bz2", "tgz", "txz", "tbz", "tar", "zip", "txt", "log", "logs", "out", "output", "res", "result", "results", "csv", "tsv", "json", "yaml", "yml",
	"toml", "ini", "conf", "cnf", "env", "sysbench", "stdout", "report"}

// documents end in what is no server either: of results.md the md is Markdown.
var documents = []string{"md", "markdown", "rst", "adoc"}

// setNames are settings by name. Where some names have one of them with a number, it is
// one in the others too, which leave it out.
var setNames = append(strings.Fields("engine bp pool cache io iops ios tables rate warehouses wh"), "mem", "lru")

// sideWords are what the files of one run differ in: sysbench.ro.32.res,
// iostat.32.res. They are left out when names are compared.
var sideWords = append(slices.Concat(endings, []string{"iostat", "mpstat", "vmstat", "dstat", "pidstat", "sar", "innodb", "idbhist", "io", "vm", "mp", "o", "met", "ps", "pmp", "time", "stat", "stats",
	"variables", "vars", "status", "errlog", "err", "error", "mysqld", "my", "params", "param", "runparam", "runparams", "meta", "metadata", "info", "run", "config", "settings", "env",
	"perf", "folded", "perfstat", "script", "svg", "hw", "histogram", "dool", "sadf", "lscpu", "cpuinfo", "uname", "meminfo", "free", "top", "df", "system", "sysinfo", "machine"}), "noisefloor")

// NoteWords make up the names of metadata for a whole folder: bench_params.json.
var NoteWords = []string{"bench", "benchmark", "test", "tests", "setup", "host", "hosts", "hardware", "environment", "server", "os", "experiment", "session", "job", "suite", "description", "version"}

var IsSideWord = map[string]bool{}

func init() {
	for _, w := range sideWords {
		IsSideWord[w] = true
	}
}

func isProduct(word string) bool { return column.IsProduct(word) }

// hasProduct looks at each word of a level: "mysql-non-pgo".
func hasProduct(level string) bool { return slices.ContainsFunc(Words(level), isProduct) }

func isAllocator(level string) bool { return column.IsAllocator(level) }

func isWorkload(level string) bool {
	all := Words(strings.ToLower(level))
	tells := false
	for _, w := range all {
		if !slices.Contains(workloadWords, w) {
			return false
		}
		tells = tells || slices.Contains(telling, w)
	}
	return tells
}

// mostStatements: insert_auto, select_in_points, update_non_index, confusion: four
// names and more, nearly all after a statement, are those of tests.
func mostStatements(levels []string) bool {
	n := 0
	for _, l := range levels {
		if slices.ContainsFunc(Words(strings.ToLower(l)), func(w string) bool { return slices.Contains(statements, w) }) {
			n++
		}
	}
	return n >= 4 && 4*n >= 3*len(levels)
}

var statements = []string{"oltp", "select", "insert", "update", "delete"}

// Words splits a name at everything that is no letter or digit.
func Words(s string) []string {
	return strings.FieldsFunc(s, isSeparator)
}

func isSeparator(r rune) bool {
	switch r {
	case '_', '-', '.', ',', '+', ' ', ':', ';', '@', '(', ')', '[', ']', '{', '}', '~', '!', '#', '&', '/':
		return true
	}
	return false
}
