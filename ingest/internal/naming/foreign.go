package naming

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What people who write Chinese call the parts of their names, in the words that the
// rest of the package knows:
//
//	3月2日/优化前_8线程_读写.log     2026年3月2日/第2次/只读_32并发.log
var (
	chineseDate = regexp.MustCompile(`(?:(20\d\d)年)?(\d{1,2})月(\d{1,2})[日号]`)
	chineseNth  = regexp.MustCompile(`第(\d{1,3})[次轮遍]`)

	chineseWords = []struct{ word, plain string }{
		{"线程", "threads"}, {"并发", "threads"}, {"读写", "read_write"}, {"混合", "read_write"}, {"只读", "read_only"}, {"只写", "write_only"}, {"点查", "point_select"},
	}
)

// plainWords writes a segment of a path with these words and dates as the others are
// written.
func plainWords(segment string) string {
	ascii := true
	for i := range len(segment) {
		ascii = ascii && segment[i] < utf8.RuneSelf
	}
	if ascii {
		return segment
	}
	segment = chineseDate.ReplaceAllStringFunc(segment, func(m string) string {
		g := chineseDate.FindStringSubmatch(m)
		month, day := strings.Repeat("0", 2-len(g[2]))+g[2], strings.Repeat("0", 2-len(g[3]))+g[3]
		switch {
		case g[1] != "":
			return "_" + g[1] + "-" + month + "-" + day + "_"
		case month >= "01" && month <= "12":
			return "_" + months[(month[0]-'0')*10+month[1]-'0'-1] + day + "_"
		}
		return m
	})
	segment = chineseNth.ReplaceAllString(segment, "_rep${1}_")
	for _, w := range chineseWords {
		if w.plain == "threads" {
			segment = strings.ReplaceAll(segment, w.word, w.plain+"_")
			continue
		}
		segment = strings.ReplaceAll(segment, w.word, "_"+w.plain+"_")
	}
	return strings.Trim(doubled.ReplaceAllString(segment, "_"), "_")
}

var doubled = regexp.MustCompile(`_[-_ .]*_|_([-. ])`)
