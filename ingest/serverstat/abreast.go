package serverstat

import (
	"strconv"
	"strings"

	"noisefloor/ingest/internal/client"
)

// maxAbreast statuses: an hour of one every second.
const maxAbreast = 4000

// sideBySide takes a row of statuses that stand side by side, as pt-mysql-summary
// (mysql-status-defer) and pt-mext write them; after pt-mext -r all but the first
// are differences:
//
//	Bytes_received 3394106 3424450
//	Bytes_received                          6473787   35   35   35
func (s *scanner) sideBySide(r *client.Row) {
	name, cells := r.Cells[0], r.Cells[1:]
	if rest, ok := strings.CutPrefix(name, "rocksdb_"); ok {
		name = "Rocksdb_" + rest
	}
	if s.abreast == nil {
		for range min(len(cells), maxAbreast) {
			s.abreast = append(s.abreast, newSnapshot(r.Line, 0))
		}
	}
	if len(cells) != len(s.abreast) {
		s.problems.Add("torn-line", r.Line, []byte(strings.Join(r.Cells, " ")))
		return
	}
	for i, n := range s.abreast {
		v, err := strconv.ParseFloat(cells[i], 64)
		if err != nil || v >= 1<<63 { // below zero, as the server prints it
			continue
		}
		n.set(name, v, false)
		if name == "Uptime" {
			n.Uptime = v
		}
	}
}

// endAbreast makes snapshots of the columns.
func (s *scanner) endAbreast() {
	relative := differences(s.abreast)
	for i, n := range s.abreast {
		for _, name := range alwaysWords { // printed as 0
			delete(n.Values, name)
		}
		if relative && i > 0 {
			for name, v := range s.abreast[i-1].Values {
				n.Values[name] += v
			}
			n.Uptime += s.abreast[i-1].Uptime
		}
		s.snapshot(Status, n.Line)
		s.courses[Status].cur = n
		s.end(Status)
	}
}

// differences tells columns of pt-mext -r: most of what has been counted at all falls
// from the first column to the second, and not because the server was started again,
// after which Uptime would grow. Of two columns nobody can tell.
func differences(columns []*Snapshot) bool {
	if len(columns) < 3 {
		return false
	}
	fell, counted := 0, 0
	for name, v := range columns[0].Values {
		if v > 0 {
			counted++
			if columns[1].Values[name] < v {
				fell++
			}
		}
	}
	return fell*2 > counted && !(columns[2].Uptime > 1.5*columns[1].Uptime)
}
