package unit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Heading takes the heading of a table column apart: "P99[μs]" is p99, "μs",
// 1e-6; "avg_us" is avg; "RSS (MiB)" is rss, 1048576. name is plain snake_case;
// factor turns the column's numbers into base units. A heading without a unit
// has the factor 1 and no unitText.
//
// kB, KB, MB and GB are powers of 1000, KiB, MiB and GiB of 1024. A unit that
// is a word of its own in names ("min", "k", "m", "h") counts only in brackets
// or after a comma.
func Heading(h string) (name, unitText string, factor float64) {
	h = strings.TrimSpace(h)
	if label, inside, ok := cutBrackets(h); ok {
		if f, isUnit := factorOf(inside); isUnit && !isPlural(label, inside) {
			return named(snake(label), inside), inside, f
		}
		if isPlural(label, inside) {
			return snake(label + "s"), "", 1
		}
		return snake(h), "", 1
	}
	if at := strings.LastIndex(h, ","); at > 0 {
		if text := strings.TrimSpace(h[at+1:]); text != "" {
			if f, isUnit := factorOf(text); isUnit {
				return named(snake(h[:at]), text), text, f
			}
		}
	}
	name, unitText, factor = trailing(snake(h))
	if unitText == "" { // latency_ms_avg
		for _, text := range []string{"ms", "us", "msec", "usec"} {
			if before, after, ok := strings.Cut(name, "_"+text+"_"); ok {
				f, _ := factorOf(text)
				return named(before+"_"+after, text), text, f
			}
		}
	}
	return name, unitText, factor
}

// cutBrackets splits "label (inside)" and "label[inside]".
func cutBrackets(h string) (label, inside string, ok bool) {
	for _, pair := range []string{"()", "[]", "{}"} {
		rest, ends := strings.CutSuffix(h, pair[1:])
		at := strings.LastIndex(rest, pair[:1])
		if ends && at > 0 {
			return rest[:at], strings.TrimSpace(rest[at+1:]), true
		}
	}
	return "", "", false
}

// isPlural tells "Thread(s)" from "Time(s)", "avg(s)" and "Lag (s)".
func isPlural(label, inside string) bool {
	name := snake(label)
	return inside == "s" && !strings.HasSuffix(label, " ") && Of(name).Name != "s" && !statistics[name]
}

// rates are the metrics that people count in thousands: ktps.
var rates = words("tps qps eps rps ops iops nopm tpm tpmc")

// Factor gives what a number with this unit behind it is multiplied with to be in
// base units; false for what is no unit.
func Factor(text string) (float64, bool) { return factorOf(text) }

// trailing takes a unit off the end of a snake_case name: avg_us, latency_ms.
func trailing(name string) (plain, unitText string, factor float64) {
	if strings.HasSuffix(name, "_per_s") || strings.HasSuffix(name, "_per_sec") || strings.HasSuffix(name, "_per_second") {
		what, _ := cutRate(name)
		at := strings.LastIndex(what, "_")
		if f, ok := byteUnits[what[at+1:]]; ok { // "read_mb_per_s", "mb_per_s"
			return what[:at+1] + "bytes_per_s", what[at+1:] + "/s", f
		}
		return what + "_per_s", "1/s", 1
	}
	at := strings.LastIndex(name, "_")
	last := name[at+1:]
	if before, ok := strings.CutSuffix(name, "k_"+last); ok && rates[last] && (before == "" || strings.HasSuffix(before, "_")) { // kTPS
		return before + last, "", 1e3
	}
	if len(last) > 3 && rates[last[1:]] {
		switch last[0] {
		case 'k':
			return name[:at+1] + last[1:], "", 1e3
		case 'm':
			return name[:at+1] + last[1:], "", 1e6
		}
	}
	f, ok := suffixes[last]
	if !ok {
		if f, ok = byteUnits[last]; !ok || last == "b" {
			return name, "", 1
		}
	}
	if at <= 0 { // the heading is nothing but a unit
		return named("", last), last, f
	}
	if strings.HasSuffix(name[:at], "_per") || name[:at] == "per" {
		return name, "", 1
	}
	return name[:at], last, f
}

// named gives a column that has nothing but a unit a name.
func named(name, unitText string) string {
	if name != "" {
		return name
	}
	switch dimension(unitText) {
	case "s":
		return "time"
	case "B":
		return "bytes"
	}
	return snake(unitText)
}

// suffixes are the units that are safe to find at the end of a name. Minutes
// are not: latency_min is the smallest.
var suffixes = map[string]float64{
	"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1,
	"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1, "secs": 1,
}

// times are units of time by their text in small letters; µ is written u.
var times = map[string]float64{
	"ns": 1e-9, "nsec": 1e-9, "nanoseconds": 1e-9,
	"us": 1e-6, "usec": 1e-6, "microseconds": 1e-6,
	"ms": 1e-3, "msec": 1e-3, "milliseconds": 1e-3,
	"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
	"min": 60, "mins": 60, "minute": 60, "minutes": 60,
	"h": 3600, "hour": 3600, "hours": 3600,
}

// byteUnits are units of memory by their text in small letters.
var byteUnits = map[string]float64{
	"b": 1, "byte": 1, "bytes": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	"mbyte": 1e6, "mbytes": 1e6, "gbyte": 1e9, "gbytes": 1e9, "kbyte": 1e3, "kbytes": 1e3,
}

// multiples are bare SI prefixes; m could be milli, minutes or millions, and
// is none of them.
var multiples = map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}

// spelled are multiples in words.
var spelled = map[string]float64{"thousand": 1e3, "thousands": 1e3, "x1000": 1e3, "x 1000": 1e3, "×1000": 1e3, "1000s": 1e3, "million": 1e6, "millions": 1e6}

// factorOf gives the factor to base units of a unit as people write it.
func factorOf(text string) (float64, bool) {
	text = plainMicro(strings.TrimSpace(text))
	if f, ok := multiples[text]; ok {
		return f, true
	}
	if f, ok := spelled[strings.ToLower(text)]; ok {
		return f, true
	}
	low := strings.ToLower(text)
	if f, ok := times[low]; ok {
		return f, true
	}
	if f, ok := byteUnits[low]; ok && text != "b" { // "Plan (b)"
		return f, true
	}
	if f, ok := bits[low]; ok {
		return f, true
	}
	above, below, isRate := strings.Cut(low, "/")
	if !isRate {
		return 0, false
	}
	per, ok := times[strings.TrimSpace(below)]
	if !ok {
		return 0, false
	}
	written, _, _ := strings.Cut(text, "/") // M and m are not the same
	written, above = strings.TrimSpace(written), strings.TrimSpace(above)
	switch {
	case above == "" || above == "1" || above == "#":
		return 1 / per, true
	case multiples[written] != 0:
		return multiples[written] / per, true
	case thousands[above]:
		return 1e3 / per, true
	case byteUnits[above] != 0:
		return byteUnits[above] / per, true
	case strings.IndexFunc(above, func(r rune) bool { return !unicode.IsLetter(r) }) < 0:
		return 1 / per, true // trx/s, queries/s
	}
	return 0, false
}

// thousands of operations, as in "kops/s".
var thousands = words("kops kreq ktx ktrx kqueries krows")

// bits per second are counted in bytes.
var bits = map[string]float64{"kbit/s": 1e3 / 8, "kbps": 1e3 / 8, "mbit/s": 1e6 / 8, "mbps": 1e6 / 8, "gbit/s": 1e9 / 8, "gbps": 1e9 / 8}

// dimension gives the base unit that a unit text measures, "" if unknown.
func dimension(text string) string {
	low := strings.ToLower(plainMicro(strings.TrimSpace(text)))
	switch {
	case times[low] != 0:
		return "s"
	case byteUnits[low] != 0:
		return "B"
	case bits[low] != 0:
		return "B/s"
	}
	if above, _, isRate := strings.Cut(low, "/"); isRate {
		if byteUnits[strings.TrimSpace(above)] != 0 {
			return "B/s"
		}
		return "1/s"
	}
	return ""
}

// With gives the unit of a metric of that name whose heading stated a unit. The
// stated one says what is counted; the name says which way is better.
func With(name, unitText string) Unit {
	u := Of(name)
	stated := dimension(unitText)
	if stated == "" || stated == u.Name {
		return u
	}
	if stated == "s" && u.Name == "" {
		return seconds
	}
	return Unit{stated, u.Better}
}

// plainMicro writes both micro signs (U+00B5, U+03BC) as u.
func plainMicro(s string) string { return strings.NewReplacer("µ", "u", "μ", "u").Replace(s) }

// proper are names whose capital letters do not begin a word.
var proper = strings.NewReplacer("MySQL", "Mysql", "MariaDB", "Mariadb", "InnoDB", "Innodb", "MyISAM", "Myisam",
	"RocksDB", "Rocksdb", "MyRocks", "Myrocks", "TokuDB", "Tokudb", "PostgreSQL", "Postgresql", "IOps", "Iops")

// snake turns a heading into small letters, digits and underscores.
func snake(h string) string {
	h = proper.Replace(plainMicro(h))
	var b strings.Builder
	var before rune
	gap := func() {
		if s := b.String(); s != "" && !strings.HasSuffix(s, "_") {
			b.WriteByte('_')
		}
	}
	for _, r := range h {
		switch {
		case unicode.IsUpper(r):
			if unicode.IsLower(before) {
				gap()
			}
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			b.WriteRune(r)
		case r == '/':
			gap()
			b.WriteString("per_")
		case r == '%':
			gap()
			gap()
			b.WriteString("pct_")
		default:
			gap()
		}
		before = r
	}
	s := strings.TrimRight(b.String(), "_")
	if s == "" || !utf8.ValidString(s) {
		return "unnamed"
	}
	return s
}
