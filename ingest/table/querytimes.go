package table

import (
	"bytes"
	"regexp"
)

// Lists of how long each query of TPC-H and the like took, a line each:
//
//	Q1: 12.34 s
//	Query 2    0.45 sec
//	tpch-q3.sql  3210 ms
//	q4 1.1
var queryTime = regexp.MustCompile(`(?i)^(?:[\w./-]*?[/_. -])?(?:query|q) ?[#_-]?(\d{1,3}[a-z]?)(?:\.sql)?(?: took| time| elapsed)?[\s:=,|]+(\d+(?:\.\d+)?) ?(s|secs?|seconds?|ms|milliseconds?|)$`)

// areQueryTimes: three queries at least, each once, and little else.
func areQueryTimes(text []byte) bool {
	seen := map[string]bool{}
	others, twice := 0, false
	for line := range bytes.Lines(text) {
		if m := queryTime.FindSubmatch(bytes.TrimSpace(line)); m != nil {
			twice = twice || seen[string(m[1])]
			seen[string(m[1])] = true
		} else if bytes.ContainsAny(line, "0123456789") {
			others++
		}
	}
	return len(seen) >= 3 && !twice && others*3 <= len(seen)
}

// queryObjects writes each line as an object, on its line. A time without a unit is in
// seconds, as these lists are.
func queryObjects(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if m := queryTime.FindSubmatch(bytes.TrimSpace(line)); m != nil {
			key := "elapsed_s"
			if bytes.HasPrefix(bytes.ToLower(m[3]), []byte("m")) {
				key = "elapsed_ms"
			}
			out.Write(object([]pair{{"query", "Q" + string(m[1]), false}, {key, string(m[2]), true}}))
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}
