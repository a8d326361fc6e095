package serverstat

import (
	"io"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// One moment in every form of the clients, as MariaDB 10.11 printed it; a statement of
// several lines has lines in it that look like cells, rows, times and rulers.
var lists = map[string]string{
	"vertical": `*************************** 1. row ***************************
      Id: 8
    User: root
    Host: localhost
      db: sbtest
 Command: Sleep
    Time: 0
   State: 
    Info: NULL
Progress: 0.000
*************************** 2. row ***************************
      Id: 12
    User: root
    Host: localhost
      db: NULL
 Command: Query
    Time: 0
   State: User sleep
    Info: SELECT SLEEP(6),
 'Id: 7
   State: hunter2
2026-01-01 10:00:00', 'hunter2'
hunter2	hunter2
| hunter2 |
Progress: 0.000
*************************** 3. row ***************************
      Id: 13
    User: root
    Host: localhost
      db: NULL
 Command: Execute
    Time: 0
   State: Updating
    Info: UPDATE sbtest1 SET k=k+1 WHERE id=?
Progress: 0.000
*************************** 4. row ***************************
      Id: 14
    User: root
    Host: localhost
      db: NULL
 Command: Query
    Time: 0
   State: starting
    Info: SHOW FULL PROCESSLIST
Progress: 0.000
`,
	"batch": "Id\tUser\tHost\tdb\tCommand\tTime\tState\tInfo\tProgress\n8\troot\tlocalhost\tsbtest\tSleep\t0\t\tNULL\t0.000\n" +
		"12\troot\tlocalhost\tNULL\tQuery\t0\tUser sleep\tSELECT SLEEP(6),\\n 'Id: 7\\nState: hunter2'\t0.000\n13\troot\tlocalhost\tNULL\tExecute\t0\tUpdating\tUPDATE sbtest1 SET k=k+1 WHERE id=?\t0.000\n" +
		"14\troot\tlocalhost\tNULL\tQuery\t0\tstarting\tSHOW FULL PROCESSLIST\t0.000\n",
	"without headings": "8\troot\tlocalhost\tsbtest\tSleep\t0\t\tNULL\t0.000\n12\troot\tlocalhost\tNULL\tQuery\t0\tUser sleep\tSELECT 'hunter2'\t0.000\n" +
		"13\troot\tlocalhost\tNULL\tExecute\t0\tUpdating\tUPDATE x\t0.000\n14\troot\tlocalhost\tNULL\tQuery\t0\tstarting\tSHOW PROCESSLIST\t0.000\n",
	"drawn": `+----+------+-----------+--------+---------+------+-----------------+------------------------------------------+----------+
| Id | User | Host      | db     | Command | Time | State           | Info                                     | Progress |
+----+------+-----------+--------+---------+------+-----------------+------------------------------------------+----------+
|  8 | root | localhost | sbtest | Sleep   |    0 |                 | NULL                                     |    0.000 |
| 12 | root | localhost | NULL   | Query   |    0 | User sleep      | SELECT SLEEP(6),
 'Id: 7
State: hunter2' |    0.000 |
| 13 | root | localhost | NULL   | Execute |    0 | Updating        | UPDATE sbtest1 SET k=k+1 WHERE a || b    |    0.000 |
| 14 | root | localhost | NULL   | Query   |    0 | starting        | SHOW FULL PROCESSLIST                    |    0.000 |
+----+------+-----------+--------+---------+------+-----------------+------------------------------------------+----------+
`,
	"CSV": "\"ID\",\"USER\",\"HOST\",\"DB\",\"COMMAND\",\"TIME\",\"STATE\",\"INFO\"\n8,\"root\",\"localhost\",\"sbtest\",\"Sleep\",0,\"\",NULL\n" +
		"12,\"root\",\"localhost\",NULL,\"Query\",0,\"User sleep\",\"SELECT SLEEP(6),\n 'hunter2'\"\n13,\"root\",\"localhost\",NULL,\"Execute\",0,\"Updating\",\"UPDATE x\"\n" +
		"14,\"root\",\"localhost\",NULL,\"Query\",0,\"executing\",\"SELECT * FROM information_schema.processlist\"\n",
}

func TestSessions(t *testing.T) {
	for form, text := range lists {
		later := strings.ReplaceAll(text, "Updating", "Commit")
		two := "TS 1796079741.5 2026-11-30 23:02:21\n" + text + "TS 1796079743.5 2026-11-30 23:02:23\n" + later
		t.Run(form, func(t *testing.T) {
			// By hand: the session that asks is left out, and a state that nobody is in has 0. What stands still has one value.
			finds(t, two, "0 s: sessions_active 2", "0 s: threads_by_state Commit 0", "2 s: threads_by_state Commit 1", "0 s: threads_by_state Sleep 1", "0 s: threads_by_state Updating 1", "2 s: threads_by_state Updating 0", "0 s: threads_by_state User sleep 1")
			if form != "without headings" && Sniff([]byte(two)) != Sessions {
				t.Errorf("taken for %q", Sniff([]byte(two)))
			}
			// Whatever is torn off, no word of a statement comes out.
			for i := range two {
				list, _ := told(strings.NewReader(two[:i]))
				for _, r := range list {
					if strings.Contains(r.Text, "hunter2") || strings.Contains(r.Text, "sbtest1") {
						t.Fatalf("cut at %d: %s", i, r.Text)
					}
				}
			}
		})
	}
}

func TestSessionsPlaced(t *testing.T) {
	two := lists["vertical"] + strings.ReplaceAll(lists["vertical"], "Updating", "Commit")
	// pt-stalk writes no times here; other files have them.
	scantest.Finds(t, func(text io.Reader) (list []scantest.Record, err error) {
		found, err := Scan(text, Options{TZ: time.UTC, From: time.Unix(1796079741, 0), Every: 1}, nil)
		rows := Join(found.Parts, Run{Started: time.Unix(1796079731, 0), Duration: 60}, func(p datasets.Problem) { t.Error(p) })
		for _, s := range rows.Series.Rows() {
			if strings.HasPrefix(s.Metric, "threads_by_state Commit") {
				list = append(list, scantest.Record{Text: time.Duration(s.T*1e9).String() + " " + s.Metric})
			}
		}
		return list, err
	}, two, "10s threads_by_state Commit", "11s threads_by_state Commit")
	finds(t, two, "no-time 1: 2 snapshots of the process list, and no time at any")
	finds(t, lists["batch"], "one-snapshot 1: one process list: what sessions did at one moment says nothing about a run")
}

// States, and threads of the server.
func TestStates(t *testing.T) {
	row := func(command, state string) string {
		return "1\tu\th\td\t" + command + "\t0\t" + state + "\tNULL\n"
	}
	head := "Id\tUser\tHost\tdb\tCommand\tTime\tState\tInfo\n"
	text := "TS 1796079741.5\n" + head + row("Daemon", "InnoDB purge worker") + row("Query", "") + row("Binlog Dump", "NULL") + row("Query", "Waiting for 3 workers") + row("Query", "Waiting for 4 workers") +
		"TS 1796079742.5\n" + head + row("Daemon", "Waiting on empty queue") + "\nTS 1796079743.5\n" + head + row("Sleep", "") + row("Query", "cut o"[:3])
	finds(t, text, "0 s: sessions_active 4", "1 s: sessions_active 0", "2 s: sessions_active 1", "0 s: threads_by_state Binlog Dump 1", "1 s: threads_by_state Binlog Dump 0", "2 s: threads_by_state Binlog Dump 0",
		"0 s: threads_by_state Query 1", "1 s: threads_by_state Query 0", "2 s: threads_by_state Query 0", "0 s: threads_by_state Sleep 0", "1 s: threads_by_state Sleep 0", "2 s: threads_by_state Sleep 1",
		"0 s: threads_by_state Waiting for N workers 2", "1 s: threads_by_state Waiting for N workers 0", "2 s: threads_by_state Waiting for N workers 0", "0 s: threads_by_state cut 0", "1 s: threads_by_state cut 0", "2 s: threads_by_state cut 1")
}
