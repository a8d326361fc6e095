package serverstat

import "noisefloor/ingest/internal/pattern"

var (
	statusHead = pattern.MustCompile(`(?mi)^(?:\| *)?"?variable_name"? *[\t|,]|^ *variable_name: `)
	statusRow  = pattern.MustCompile(`(?m)^(?:\| *| *Variable_name: |")?(?:A(?:borted|cl|ria)|B(?:inlog|ytes)|Com|Created|Handler|Innodb|Key|Max|Open(?:ed)?|Qcache|Select|Slow|Sort|Table|Threads|Rocksdb|Performance)_[A-Za-z0-9_]+"?(?: *[\t|,]| +-?\d|\r?$)` +
		`|^(?:\| *| *VARIABLE_NAME: |")?(?:ABORTED|BYTES|COM|CREATED|HANDLER|INNODB|THREADS)_[A-Z_]+"? *[\t|,] *"?\d`)
	waitsHead = pattern.MustCompile(`(?mi)^(?:[^\n]*[|\t,] *)?"?event_name"? *[|\t,].*\bsum_timer_wait\b|^(?:\| *)?"?events"? *[|\t,].*\btotal_latency\b|^ *event_name: .*\r?\n(?: +\w+: .*\r?\n){0,3} *(?:count_star|sum_timer_wait): ` +
		`|^ *events: .*\r?\n *total: .*\r?\n *total_latency: `)
	digestHead   = pattern.MustCompile(`(?mi)^(?:\| *)?(?:schema_name|digest) *[|\t,] *digest`)
	metricsHead  = pattern.MustCompile(`(?mi)^(?:\| *)?"?name"? *[|\t,](?:.*\b)?count\b.*\b(?:type|status|enabled|comment)\b|^ *name: .*\r?\n *subsystem: .*\r?\n *count: `)
	summaryHead  = pattern.MustCompile(`(?m)^# Percona Toolkit MySQL Summary Report|^# Instances #+`)
	exporterRow  = pattern.MustCompile(`(?m)^(?:# TYPE )?mysql_global_status_\w+(?:\{[^}\n]*\})? [\dcgu]`)
	sessionsHead = pattern.MustCompile(`(?mi)^(?:\| *)?"?id"? *[|\t,] *"?user"? *[|\t,] *"?host"? *[|\t,].*\bcommand\b.*\bstate\b|^ *id: \d+\r?\n *user: .*\r?\n *host: .*\r?\n *db: .*\r?\n *command: `)
	monitorHead  = pattern.MustCompile(`(?:\d{4}-\d\d-\d\d|\b\d{6}) +\d{1,2}:\d\d:\d\d[^\n]*INNODB MONITOR OUTPUT`)
)

// Sniff tells what the head of a file holds first; "" if it is none of these.
func Sniff(head []byte) Kind {
	if summaryHead.Match(head) {
		return ""
	}
	at, kind := len(head), Kind("")
	first := func(k Kind, found []int) {
		if found != nil && found[0] < at {
			at, kind = found[0], k
		}
	}
	if rows := statusRow.FindAllIndex(head, 2); len(rows) == 2 || len(rows) == 1 && statusHead.Match(head) {
		first(Status, rows[0])
	}
	first(Status, exporterRow.FindIndex(head))
	if !digestHead.Match(head) {
		first(Waits, waitsHead.FindIndex(head))
	}
	first(Metrics, metricsHead.FindIndex(head))
	first(Sessions, sessionsHead.FindIndex(head))
	first(InnoDB, monitorHead.FindIndex(head))
	return kind
}
