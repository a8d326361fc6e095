package serverstat

import (
	"regexp"
	"strings"

	"noisefloor/ingest/internal/client"
	"noisefloor/ingest/internal/secret"
)

// Sessions is SHOW FULL PROCESSLIST: how many sessions were in which state at each
// moment. What they were told to do, and whose they are, is nobody's business.
const Sessions Kind = "process list"

const (
	active  = "sessions_active"
	inState = "threads_by_state "

	maxStates    = 200
	longestState = 64 // as information_schema has it
)

var (
	number    = regexp.MustCompile(`^\d{1,19}$`)
	askedFor  = regexp.MustCompile(`(?i)^\s*(?:show\s+(?:full\s+)?processlist\b|select\b.*\bprocesslist\b)`)
	oneOfMany = regexp.MustCompile(`\d+`) // Waiting for 3 more of ...: the number says nothing from one moment to the next
)

// isSession tells a row without headings, of a client that was called with -N.
func isSession(r *client.Row) bool {
	return r.Columns == nil && len(r.Cells) >= 8 && number.MatchString(r.Cells[0]) && number.MatchString(strings.TrimPrefix(r.Cells[5], "-")) && !number.MatchString(r.Cells[4])
}

// session takes a row of a process list:
//
//	Id	User	Host	db	Command	Time	State	Info	Progress
//	9	root	localhost	sbtest	Execute	0	Updating	UPDATE sbtest1 SET k=k+1 WHERE id=?	0.000
//	10	root	localhost	sbtest	Sleep	0		NULL	0.000
//
// Threads of the server itself (Daemon) are in the same state at all times, and the
// session that asks is not one of those that are asked about.
func (s *scanner) session(line int, command, state, info string) {
	n := s.snapshot(Sessions, line)
	gauges := s.courses[Sessions].part.gauges
	count := func(name string, v float64) {
		if !gauges[name] && len(gauges) == maxStates {
			name = inState + "any other"
		}
		gauges[name] = true
		n.set(name, v, true)
	}
	count(active, 0)
	switch {
	case command == "Daemon" || strings.Contains(strings.ToLower(info), "processlist") && askedFor.MatchString(info):
		return
	case command == "Sleep":
		state = command
	case state == "" || state == "NULL":
		state = command
	}
	if command != "Sleep" {
		count(active, 1)
	}
	name, known := s.states[state]
	if !known {
		if name = inState + oneOfMany.ReplaceAllString(secret.Clean(state), "N"); len(name) > len(inState)+longestState {
			name = strings.ToValidUTF8(name[:len(inState)+longestState], "")
		}
		if s.states == nil {
			s.states = map[string]string{}
		}
		if len(s.states) < maxStates {
			s.states[strings.Clone(state)] = name
		}
	}
	count(name, 1)
}

// none gives the states that no session is in the value 0: they are not unknown.
func (n *Snapshot) none(gauges map[string]bool) {
	for name := range gauges {
		n.set(name, 0, true)
	}
}
