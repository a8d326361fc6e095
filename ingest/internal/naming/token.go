package naming

import (
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"noisefloor/ingest/internal/column"
)

// token is a piece of a folder or file name. A token with a shape has the name
// of what it says; one without is just a word that may differ.
type token struct {
	text  string // as written
	name  string // "" = no shape
	value string // of a named token
	from  int    // where it stands in the segment
	// glued: a number behind a version, "8.0.42-33": part of the version or a
	// token of its own, which only the other names tell.
	glued bool
}

func (t token) to() int { return t.from + len(t.text) }

// Shapes, the greediest first. Names are cut out of the text in this order:
//
//	res-tpcc-8.0.21-2020-07-16-15-30 / mariadb-10.5.4.BP140.NVMe.io15000 / res.thr56txt
//	run1_Tier12G_RW_128th.sysbench.txt
//	9.7.0-er_t8.log
const (
	left  = `(?:^|[^0-9A-Za-z])`
	right = `(?:$|[^0-9A-Za-z])`

	kernelNumber  = `\d\.\d{1,2}(?:\.\d{1,3})?(?:-rc\d{1,2})?`
	kernelFlavour = `-\d{1,4}(?:-(?:generic|lowlatency|aws|azure|gcp|oracle|kvm|amd64|arm64)|(?:\.\d{1,4}){0,3}\.(?:el\d{1,2}(?:_\d{1,2})?|amzn\d{1,4})(?:\.(?:x86_64|aarch64))?)`
)

var (
	dateTimeShape = regexp.MustCompile(left + `(20\d\d[-_.]?[01]\d[-_.]?[0-3]\d[-_.T ]?[0-2]\d[-_:.h]?[0-5]\d(?:[-_:.m]?[0-5]\d)?Z?|1[4-9]\d{8}(?:\d{3})?)` + right)
	dateShape     = regexp.MustCompile(left + `(20\d\d[-_.]?[01]\d[-_.]?[0-3]\d[a-z]?|[0-3]\d[-.][0-3]\d[-.]20\d\d|(?i:[0-3]?\d[-_. ]?` + column.MonthName + `[-_. ]?20\d\d|20\d\d[-_. ]?` + column.MonthName + `[-_. ]?[0-3]?\d|` + column.MonthName + `[-_. ][0-3]?\d,?[-_. ]20\d\d))` + right)
	monthDayShape = regexp.MustCompile(left + `((?i:(` + column.MonthName + `)[-_. ]?([0-3]?\d)|([0-3]?\d)[-_. ]?(` + column.MonthName + `)))` + right)
	keyShape      = regexp.MustCompile(left + `([A-Za-z][A-Za-z_]*)=([^,;&\s_=()\[\]{}]+)`)
	versionShape  = regexp.MustCompile(`(?i)` + left + `(mysql|mariadb|maria|percona|ps|pxc|ms|md|my|ma|v|ver|r|rel|release)?(\d{1,2}\.\d{1,2}(?:\.\d{1,3}){0,2}(?:-\d{1,3}\.\d{1,2})?(?:-(?:er\d*|rc\d*|ga|lts|dmr|m\d+|alpha\d*|beta\d*|pre\d*|dev|snapshot|log|debug|labs|release|mariadb|ndb|ubu\d{4}|deb\d{1,2}|el\d))*` +
		`(?:-\d{1,5}-g[0-9a-f]{7,12}(?:-dirty)?)?)` + right) // as git describe says it
	// Kernels count otherwise than servers: kernel-6.8, linux-5.15, 5.15.0-91-generic, 5.14.0-362.el9.x86_64.
	kernelShape = regexp.MustCompile(`(?i)` + left + `((?:(?:kernel|linux)[-_. ]?v?(` + kernelNumber + `(?:` + kernelFlavour + `)?)|(` + kernelNumber + kernelFlavour + `)))` + right)
	// othersShape: what else has versions, and is neither: fw1.2, gcc-13.2, ubuntu22.04.
	othersShape   = regexp.MustCompile(`(?i)` + left + `((?:fw|firmware|bios|gcc|clang|llvm|openssl|ubuntu|debian|rhel|centos|rocky|jdk|java|proxysql|haproxy|maxscale)[-_]?v?\d{1,3}(?:\.\d{1,3}){1,3})` + right)
	workloadShape = regexp.MustCompile(`(?i)` + left + `(oltp[_-](?:read[_-]write|read[_-]only|write[_-]only|point[_-]select|update[_-](?:non[_-])?index|insert|delete|simple|complex|rw|ro|wo)` +
		`|select[_-]random[_-](?:points|ranges)|bulk[_-]insert|read[_-]?write|read[_-]?only|write[_-]?only|point[_-]?(?:select|query)|update[_-](?:non[_-])?index|rw|ro|wo|tpc[-_]?[ch])` + right)

	// Machines of the clouds: t2-small, db.r5.4xlarge, n1-standard-16, VM.Standard.E4.Flex, Standard_D8s_v5.
	instanceShape = regexp.MustCompile(`(?i)` + left + `((?:db[.-])?(?:[a-z]\d{1,2}[a-z]{0,4}(?:-flex)?[.-](?:nano|micro|small|medium|large|\d{0,2}xlarge|metal)|[a-z]\d[a-z]?-(?:standard|highmem|highcpu)-\d{1,3}` +
		`|(?:vm|bm)\.[a-z]+\d?(?:\.[a-z0-9]+){1,3}|standard_[a-z]{1,3}\d{1,3}[a-z]*(?:_v\d)?))` + right)

	dbPrefix = regexp.MustCompile(`^(?i:db[.-])`) // the same machine, rented as a database

	sizeWord   = regexp.MustCompile(`^([A-Za-z][A-Za-z]*?)?(\d+(?:\.\d+)?(?:[KMGTkmg]i?[Bb]?))$`)
	threadsT   = regexp.MustCompile(`^\d+T$`) // 16T: threads, and not 16 TB
	nameNumber = regexp.MustCompile(`^([A-Za-z]+)(\d{1,9})$`)
	numberName = regexp.MustCompile(`^(\d{1,9})([A-Za-z]{1,12})$`)
	NumberWord = regexp.MustCompile(`^\d{1,12}$`)
	countWord  = regexp.MustCompile(`^第?(\d{1,4})(?:回目?|次|轮|遍)$`) // 1回目, 第2次: repetitions
	hexWord    = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	wordOnly   = regexp.MustCompile(`^[A-Za-z]+$`)
)

// serverMajors tell a version of two parts (9.6, 10.11) from a decimal (0.5, 1.2).
// 6 and 7 are TiDB's and the kernel's.
var serverMajors = []string{"5", "6", "7", "8", "9", "10", "11", "12", "13"}

// tokens cuts a folder name, or a file name without its endings.
func tokens(segment string) []token {
	c := cutter{segment: segment, free: []token{{text: segment}}}
	if strings.Contains(segment, "20") || strings.Contains(segment, "1") {
		c.cut(dateTimeShape, func(m []string) []token {
			t, _, err := column.Time(strings.NewReplacer("h", ":", "m", ":").Replace(m[1]), time.UTC)
			if err != nil {
				t, err = looseTime(m[1])
			}
			if err != nil {
				return nil
			}
			return []token{{text: m[1], name: "started_at", value: t.Format("2006-01-02T15:04:05")}}
		})
		c.cut(dateShape, func(m []string) []token {
			date := strings.TrimRight(m[1], "abcdefghijklmnopqrstuvwxyz")
			day, err := column.Date(date)
			switch {
			case err == column.ErrAmbiguous:
				return []token{{text: m[1], name: Ambiguous, value: m[1]}}
			case err != nil:
				return nil
			case date != m[1]: // 2026-11-30a, 2026-11-30b: sessions of one day
				return []token{{text: m[1], name: "session", value: m[1]}}
			}
			return []token{{text: m[1], name: "day", value: day}}
		})
	}
	if strings.Contains(segment, "=") {
		c.cut(keyShape, func(m []string) []token {
			name := column.Name(m[1])
			if slices.Contains(repWords, name) {
				name = "rep"
			}
			return []token{{text: m[1] + "=" + m[2], name: name, value: m[2]}}
		})
	}
	if namesMonth(segment) {
		c.cut(monthDayShape, monthDayToken)
	}
	if strings.Contains(segment, ".") {
		c.cut(kernelShape, func(m []string) []token { return []token{{text: m[1], name: "kernel", value: m[2] + m[3]}} })
		c.cut(othersShape, func(m []string) []token { return []token{{text: m[1]}} })
		c.cut(versionShape, versionTokens)
	}
	if strings.ContainsAny(segment, ".-") || strings.Contains(segment, "tandard_") {
		c.cut(instanceShape, func(m []string) []token {
			return []token{{text: m[1], name: "instance", value: dbPrefix.ReplaceAllString(m[1], "")}}
		})
	}
	c.cut(workloadShape, func(m []string) []token { return []token{{text: m[1], name: "workload", value: m[1]}} })
	return c.words()
}

// Ambiguous is the name of a date whose day and month cannot be told apart.
const Ambiguous = "ambiguous-date"

// monthDayToken makes a day of mar02 and 2mar, written so that days sort.
func monthDayToken(m []string) []token {
	day, err := strconv.Atoi(m[3] + m[4])
	if err != nil || day < 1 || day > 31 {
		return nil
	}
	return []token{{text: m[1], name: "day", value: fmt.Sprintf("%02s-%02d", column.Month(m[2]+m[5]), day)}}
}

// namesMonth spares most names the search for months.
func namesMonth(segment string) bool {
	if !strings.ContainsAny(segment, "0123456789") {
		return false
	}
	lower := strings.ToLower(segment)
	return slices.ContainsFunc(months, func(m string) bool { return strings.Contains(lower, m) })
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// looseTime reads a date and a time of day whatever stands between the digits.
func looseTime(text string) (time.Time, error) {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	if len(digits) == len("200601021504") {
		digits += "00"
	}
	return time.Parse("20060102150405", digits)
}

// versionWords are written before a version without saying of what.
var versionWords = []string{"v", "ver", "r", "rel", "release"}

func versionTokens(m []string) []token {
	version := m[2]
	if major, _, _ := strings.Cut(version, "."); strings.Count(version, ".") == 1 && !slices.Contains(serverMajors, major) {
		return nil
	}
	v := token{text: version, name: "version", value: version}
	if m[1] == "" || slices.Contains(versionWords, strings.ToLower(m[1])) {
		v.text = m[1] + version
		return []token{v}
	}
	return []token{{text: m[1]}, v}
}

// cutter holds a segment and what of it is not understood yet.
type cutter struct {
	segment string
	free    []token
	done    []token
}

// cut takes the first group (and what follows it in the groups) of every match
// out of the free pieces, if understand makes tokens of it. The tokens' texts
// follow one another in the segment.
func (c *cutter) cut(shape *regexp.Regexp, understand func(m []string) []token) {
	var free []token
	for _, piece := range c.free {
		begin, at := piece.from, piece.from // of what is still free; where the search goes on
		for {
			rest := c.segment[at:piece.to()]
			m := shape.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			groups := make([]string, len(m)/2)
			for g := range groups {
				if m[2*g] >= 0 {
					groups[g] = rest[m[2*g]:m[2*g+1]]
				}
			}
			start := m[2]
			if start < 0 {
				start = m[4]
			}
			found := understand(groups)
			if found == nil {
				at = nextSeparator(c.segment, at+start+1, piece.to())
				continue
			}
			at += start
			if begin < at {
				free = append(free, c.piece(begin, at))
			}
			for _, t := range found {
				t.from = at
				at = t.to()
				c.done = append(c.done, t)
			}
			begin = at
		}
		if begin < piece.to() {
			free = append(free, c.piece(begin, piece.to()))
		}
	}
	c.free = free
}

// nextSeparator finds where the next word may begin, so that a refused match is
// not tried again from its middle.
func nextSeparator(segment string, from, to int) int {
	for from < to && !isSeparator(rune(segment[from])) {
		from++
	}
	return min(from, to)
}

func (c *cutter) piece(from, to int) token {
	return token{text: c.segment[from:to], from: from}
}

// words cuts what is left at separators and understands single words, and a word
// with the number behind it.
func (c *cutter) words() []token {
	for _, piece := range c.free {
		var here []token
		start := -1
		for i, r := range piece.text + "." {
			switch {
			case !isSeparator(r):
				if start < 0 {
					start = i
				}
			case start >= 0:
				here = append(here, word(piece.text[start:i], piece.from+start))
				start = -1
			}
		}
		c.done = append(c.done, c.pairs(here)...)
	}
	slices.SortFunc(c.done, func(a, b token) int { return a.from - b.from })
	for i := 1; i < len(c.done); i++ {
		t, before := &c.done[i], c.done[i-1]
		t.glued = before.name == "version" && t.name == "" && NumberWord.MatchString(t.text) && len(t.text) <= 3 && c.segment[before.to():t.from] == "-"
	}
	return c.done
}

func word(text string, from int) token {
	t := token{text: text, from: from}
	if slices.Contains(volumeTypes, strings.ToLower(text)) {
		return t
	}
	if slices.Contains(againWords, strings.ToLower(text)) {
		t.name, t.value = "rep", text
		return t
	}
	if m := countWord.FindStringSubmatch(text); m != nil {
		t.name, t.value = "rep", m[1]
		return t
	}
	if m := sizeWord.FindStringSubmatch(text); m != nil && len(m[1]) != 1 && !threadsT.MatchString(text) { // r8g is a machine
		t.name, t.value = "size", m[2]
		if m[1] != "" {
			t.name = column.Name(m[1])
		}
		return t
	}
	if hexWord.MatchString(text) && strings.ContainsAny(text, "abcdef") && strings.ContainsAny(text, "0123456789") {
		t.name, t.value = "commit", text
		return t
	}
	if m := nameNumber.FindStringSubmatch(text); m != nil && !isProduct(text) && !strings.EqualFold(m[1], "v") && m[1] != "O" { // v1, v2, O2 are names of what was tried
		t.name, t.value = numbered(m[1], m[2])
		if (m[1] == "r" || m[1] == "rev") && len(m[2]) > 3 { // nobody repeats a run so often
			t.name, t.value = "commit", text
		}
		return t
	}
	if m := numberName.FindStringSubmatch(text); m != nil {
		if slices.Contains(timeWords, strings.ToLower(m[2])) {
			t.name, t.value = "time", text
			return t
		}
		t.name, t.value = numbered(m[2], m[1])
	}
	return t
}

// numbered names a number by the word at its side.
func numbered(word, number string) (name, value string) {
	name = column.Name(word)
	switch {
	case slices.Contains(repWords, name):
		return "rep", number
	case slices.Contains(ThreadWords, name):
		return threadsNamed + name, number
	case name == "day" || name == "night":
		return "day", word + number
	}
	return name, number
}

// threadsNamed begins the name of a token that probably is the number of threads.
const threadsNamed = "threads:"

// pairs joins a word with the number behind it: rep-1, tables_10.
func (c *cutter) pairs(list []token) []token {
	var out []token
	for i := 0; i < len(list); i++ {
		t := list[i]
		if i+1 < len(list) && t.name == "" && wordOnly.MatchString(t.text) && !isProduct(t.text) && !isWorkload(t.text) {
			next := list[i+1]
			between := c.segment[t.to():next.from]
			lower := strings.ToLower(t.text)
			isNumber := next.name == "" && NumberWord.MatchString(next.text) || next.name == "size" && next.value == next.text
			// Any word may be tied to its number by a hyphen, known ones by "_" or "." too.
			if isNumber && (between == "-" && len(t.text) > 1 || slices.Contains(numberKeys, lower) && len(between) == 1) {
				name, value := numbered(t.text, next.text)
				out = append(out, token{text: c.segment[t.from:next.to()], name: name, value: value, from: t.from})
				i++
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// Stem is a file name without its endings.
func Stem(name string) string {
	for {
		i := strings.LastIndexByte(name, '.')
		if ending := strings.ToLower(name[i+1:]); i <= 0 || !slices.Contains(endings, ending) && !slices.Contains(documents, ending) {
			break
		}
		name = name[:i]
	}
	for _, ending := range []string{"txt", "log", "out"} {
		if rest, glued := strings.CutSuffix(name, ending); glued && rest != "" && rest[len(rest)-1]-'0' <= 9 { // res.thr56txt: the harness forgot the dot
			return rest
		}
	}
	return name
}

// cutAll cuts many segments.
func cutAll(known map[string][]token) {
	segments := slices.Collect(maps.Keys(known))
	for i, cut := range onAll(segments, func(s string) []token { return slices.Clone(tokens(s)) }) { // without room for more
		known[segments[i]] = cut
	}
}

// onAll gives what f makes of each, on all processors: there may be 100 000.
func onAll[T, R any](all []T, f func(T) R) []R {
	made := make([]R, len(all))
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), 1+len(all)/1000)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(all); i += workers {
				made[i] = f(all[i])
			}
		})
	}
	wait.Wait()
	return made
}
