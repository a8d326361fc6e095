package ingest

import (
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/sysbench"
)

// tools are the load generators whose logs are read, the first that knows a file
// by its content has it. Another one is a folder of its own and a line here.
var tools = []load.Tool{
	sysbench.Tool,
}

// toolOf tells whose log a file is; nil if it is none.
func toolOf(head []byte) *load.Tool {
	for i := range tools {
		if tools[i].Sniff(head) {
			return &tools[i]
		}
	}
	return nil
}

// logKind is what the logs of a tool are called.
func logKind(t *load.Tool) kind { return kind(t.Name + " log") }
