package ingest

import (
	"noisefloor/ingest/benchbase"
	"noisefloor/ingest/diskmark"
	"noisefloor/ingest/fio"
	"noisefloor/ingest/gotpc"
	"noisefloor/ingest/hammerdb"
	"noisefloor/ingest/hyperfine"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/mysqlslap"
	"noisefloor/ingest/mytools"
	"noisefloor/ingest/pgbench"
	"noisefloor/ingest/sysbench"
	"noisefloor/ingest/timecmd"
	"noisefloor/ingest/tpccmysql"
	"noisefloor/ingest/ycsb"
)

// tools are the load generators whose logs are read, the first that knows a file
// by its content has it. Another one is a folder of its own and a line here.
var tools = []load.Tool{
	sysbench.Tool, hammerdb.Tool, tpccmysql.Tool, mysqlslap.Tool, gotpc.Tool, ycsb.Tool, pgbench.Tool, benchbase.Tool, mytools.Tool, mytools.Insert, diskmark.Tool, fio.Tool, hyperfine.Tool, timecmd.Tool,
}

// Tools lists the load generators whose logs are read.
func Tools() []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}

// toolOf tells whose log a file is; nil if it is none. Of the tables that are no logs
// only a few lines are looked at.
func toolOf(head []byte) *load.Tool {
	told := lines.Telling(head)
	t := writer(told)
	if t == nil || len(told) == len(head) {
		return t
	}
	return writer(head)
}

func writer(text []byte) *load.Tool {
	for i := range tools {
		if tools[i].Sniff(text) {
			return &tools[i]
		}
	}
	return nil
}

// logKind is what the logs of a tool are called.
func logKind(t *load.Tool) kind { return kind(t.Name + " log") }
