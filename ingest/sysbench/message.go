package sysbench

import (
	"bytes"

	"noisefloor/ingest/internal/digits"
)

// message reads what sysbench says about what goes wrong. A message may quote a
// query of several lines, and several threads say the same thing, which sysbench
// counts.
//
//	FATAL: unable to connect to MySQL server on host 'db1', port 3306, aborting...
//	FATAL: mysql_drv_query() returned error 2013 (Lost connection to MySQL server during query) for query 'UPDATE warehouse14
//		          SET w_ytd = w_ytd + 2938
//		        WHERE w_id = 80'
//	(last message repeated 3 times)
//	FATAL: `thread_run' function failed: ./tpcc_run.lua:258: SQL error, errno = 2013, state = 'HY000': Lost connection
//	FATAL: The --max-time limit has expired, forcing shutdown...
//	ALERT: failed to execute MySQL query: `SELECT c FROM sbtest WHERE id=5045`:
//	WARNING: --num-threads is deprecated, use --threads instead
//	DEBUG: Worker thread (#0) started
func (s *scan) message(b []byte) verdict {
	level, text, ok := bytes.Cut(b, []byte(":"))
	if !ok || len(text) > 0 && text[0] != ' ' {
		return foreign
	}
	switch string(level) {
	case "FATAL":
		return s.failed(b)
	case "ALERT":
		s.says(KindAlert, b)
		s.quoted(b)
	case "WARNING":
		s.says(KindWarning, b)
	case "DEBUG":
		s.query, s.saying = 0, ""
		if s.open { // also behind the summary: statistics per thread
			return mine
		}
	default:
		return foreign
	}
	return s.belongs()
}

// failed takes a message that ends a thread, the run or sysbench. Behind a
// finished run it is the message of the next one, which came no further.
func (s *scan) failed(b []byte) verdict {
	if s.belongs() != mine {
		s.begin()
	}
	s.fatal = true
	if bytes.Contains(b, []byte("forcing shutdown")) {
		s.forced = true
	}
	for _, own := range [...]string{"function failed", "malformed number near", "mysql_", "MySQL", "PostgreSQL", "benchmark", "option", "--"} {
		s.strong = s.strong || bytes.Contains(b, []byte(own))
	}
	s.says(KindFatal, b)
	s.quoted(b)
	return mine
}

// quoted looks for a query that does not end in this line.
func (s *scan) quoted(b []byte) {
	s.query = 0
	for _, start := range [...]string{"for query '", "MySQL query: `"} {
		if i := bytes.Index(b, []byte(start)); i >= 0 && !s.torn {
			s.query, s.queryLines = 1, maxQueryLines
			s.quote = start[len(start)-1]
			s.goOn(b[i+len(start):])
			return
		}
	}
}

// goOn reads a line of a quoted query. Quotes inside the query come in pairs, so
// the one that makes their number even, at the end of a line, is the last.
func (s *scan) goOn(b []byte) {
	s.queryLines--
	s.query += bytes.Count(b, []byte{s.quote})
	end := bytes.TrimRight(b, ":")
	if s.queryLines == 0 || s.query%2 == 0 && len(end) > 0 && end[len(end)-1] == s.quote {
		s.query = 0
	}
}

// maxQueryLines is how far a query is followed whose last quote does not come;
// those of sysbench-tpcc, the longest known, have about ten lines.
const maxQueryLines = 100

// says counts a message.
func (s *scan) says(kind string, b []byte) {
	s.note(kind, b)
	s.saying = kind
}

// repeated reads "(last message repeated 249 times)".
func (s *scan) repeated(b []byte) verdict {
	rest, ok := bytes.CutPrefix(b, []byte("(last message repeated "))
	if !ok {
		return foreign
	}
	if n, size, _ := digits.Fixed(rest, 0); s.saying != "" && string(rest[size:]) == " times)" {
		s.problems.More(s.saying, int(n))
	}
	return s.belongs()
}

// broken records a line that starts like one of ours and goes on otherwise.
func (s *scan) broken(b []byte) verdict {
	if s.torn {
		s.note(KindTorn, b)
	} else {
		s.note(KindBroken, b)
	}
	return apart
}
