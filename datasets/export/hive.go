package export

import (
	"fmt"
	"net/url"
	"strings"

	"noisefloor/datasets"
)

// hiveNull is how Hive names the partition of rows without a level.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// hivePath gives the folder of a run below that of its table, with a slash at the
// end; "" without partitions.
func hivePath(r *datasets.Run, by []string) string {
	var b strings.Builder
	for _, name := range by {
		level := hiveNull
		if v := r.Value(name); !v.IsNull() && v.String() != "" {
			level = hiveEscape(v.String())
		}
		b.WriteString(hiveEscape(name) + "=" + level + "/")
	}
	return b.String()
}

// hiveEscape writes what a folder's name cannot have, or what Hive or a reader of
// URLs would take for something else, as %XX.
func hiveEscape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c < ' ' || c == 0x7f, strings.IndexByte(`/\:*?"<>|%=#'{}[]^`+"`", c) >= 0, c == '.' && i == 0, c == ' ' && (i == 0 || i == len(s)-1):
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// hiveLevel is the inverse of hiveEscape for a level; null is false.
func hiveLevel(s string) (level string, ok bool, err error) {
	if s == hiveNull {
		return "", false, nil
	}
	level, err = url.PathUnescape(s)
	return level, true, err
}
