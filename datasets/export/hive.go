package export

import (
	"fmt"
	"math"
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

// places are the folders of partitions, made by some factors of the runs.
type places struct {
	by      []string
	folders []string       // below that of a table; one without partitions
	of      map[string]int // place of each run that is exported, by ID; "" is of rows without a run
	whole   int            // of tables that know no runs
}

func placesBy(runs []datasets.Run, by []string) places {
	p := places{by: by, of: map[string]int{}}
	at := map[string]int{}
	place := func(path string) int {
		k, known := at[path]
		if !known {
			k = len(p.folders)
			at[path] = k
			p.folders = append(p.folders, path)
		}
		return k
	}
	for i := range runs {
		p.of[runs[i].ID] = place(hivePath(&runs[i], by))
	}
	p.of[""] = place(hivePath(&datasets.Run{Duration: math.NaN()}, by))
	p.whole = place("")
	return p
}
