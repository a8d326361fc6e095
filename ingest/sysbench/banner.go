package sysbench

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/secret"
)

// banner reads the line that a script writes above a run to say which it is.
// Each word holds until a line gives it anew, so that a line for the version and
// one for each level of the threads below it say both.
//
//	===== 2026-03-02 08:14:00 version=8.4.3 threads=4 rep=1 =====
//	### engine=innodb, pool=32G
//	--- MySQL 8.4.3, 16 threads ---
//
// What such a line says in words is the title of the runs below; lines behind other
// rulers are other titles.
//
//	### jemalloc ###
//	--- Sequential Write (1K block) ---
func (s *scan) banner(b []byte) bool {
	ruler := s.ruler
	if s.ruler = 0; len(b) > maxBanner {
		return false
	}
	for under := lines.Undress(b); len(under) < len(b); under = lines.Undress(b) {
		b = under
	}
	text := bytes.TrimLeft(b, "=#*->~+: ")
	if len(b)-len(text) >= 2 {
		ruler = b[0]
	}
	ruled := ruler != 0
	if !ruled && bytes.IndexByte(b, '=') < 0 || bytes.HasPrefix(b, []byte("+ ")) { // the trace of a shell
		return false
	}
	// As a whole: a title has lost the signs that tell a password.
	text = bytes.Trim([]byte(secret.CleanBelow(string(s.rd.Above(1)), string(b))), "=#*-<>~+:; ")
	if s.belongs() == mine && !ruled || afterwards.Match(text) {
		return false
	}
	said := map[string]datasets.Value{}
	words := strings.FieldsFunc(string(text), func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' || r == '|' })
	pairs := 0
	for _, w := range words {
		key, value, ok := strings.Cut(strings.Trim(w, "()[]{}"), "=")
		if !ok || !bannerKey.MatchString(key) {
			continue
		}
		if value = strings.Trim(value, `'"`); value == "" || strings.ContainsAny(value, "$`=<>") {
			return false // a script, and not what it prints
		}
		pairs++
		name := column.Name(key)
		if to, known := bannerNames[name]; known {
			name = to
		}
		switch {
		case name == "", notSaid[name], secret.Name(key), strings.HasPrefix(secret.Removed, value), name == "subtest" && !strings.ContainsAny(value, "_"):
		default:
			said[name] = load.Typed(name, value)
		}
	}
	title := false
	if ruled {
		if m := serverVersion.FindSubmatch(text); m != nil && said["version"].IsNull() {
			said["version"] = datasets.Text(string(m[1]))
			pairs++
		}
		title = s.titled(said, ruler, text)
	}
	if pairs == 0 && !title || !ruled && (pairs < 2 || 2*pairs < len(words)) { // one is a line of a script
		return false
	}
	s.notes = maps.Clone(s.notes)
	if s.notes == nil {
		s.notes = map[string]datasets.Value{}
	}
	maps.Copy(s.notes, said)
	if len(s.notes) > maxNotes { // the environment of a shell, and no banner
		clear(s.notes)
		return false
	}
	return true
}

// titled takes the title out of a line behind a ruler: what is left when dates, pairs,
// versions, threads and the count of repetitions are taken away.
func (s *scan) titled(said map[string]datasets.Value, ruler byte, line []byte) bool {
	text := lines.WithoutMoment(saidPair.ReplaceAll(line, nil))
	for _, shape := range []*regexp.Regexp{serverVersion, countedRuns, saidThreads} {
		text = shape.ReplaceAllFunc(text, func(m []byte) []byte {
			word, _, _ := bytes.Cut(m, []byte(" ")) // MySQL 8.4.3: of MySQL
			if shape == serverVersion && len(word) < len(m) && !bytes.EqualFold(word, []byte("version")) && !bytes.EqualFold(word, []byte("server")) {
				return word
			}
			return []byte(" ")
		})
	}
	words := strings.Fields(string(text))
	for i := range words {
		words[i] = strings.Trim(words[i], `,;:|/'"`)
	}
	title := strings.Trim(strings.Join(words, " "), " -=#*.")
	switch {
	case title == "", len(words) > 8, len(title) > maxTitle, !named.MatchString(title), strings.ContainsAny(title, "$`"):
		was := s.titles[ruler]
		if title == "" && aside.MatchString(was) {
			delete(s.titles, ruler)
		}
		return title == ""
	case ofTests.MatchString(title):
		said["subtest"] = datasets.Text(title)
		return true
	}
	if s.titles == nil {
		s.titles = map[byte]string{}
	}
	if _, known := s.titles[ruler]; !known && !slices.Contains(s.rulers, ruler) {
		s.rulers = append(s.rulers, ruler)
	}
	s.titles[ruler] = title
	return true
}

// directly is the line that stands directly above a run without a ruler, and names
// it if it is a few words:
//
//	kunlun oltp.lua, read only, 10 point selects
//	sysbench 0.5:  multi-threaded system evaluation benchmark
func (s *scan) directly() {
	const none = 0 // for a ruler
	delete(s.titles, none)
	if s.aboveAt != s.rd.Number-1 || s.aboveAt == 0 || len(s.notes) > 0 {
		return
	}
	text := bytes.TrimSpace(lines.WithoutMoment(saidThreads.ReplaceAll(s.above, nil)))
	words := bytes.Fields(text)
	said := 0
	for _, w := range words {
		if len(bytes.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })) >= 3 {
			said++
		}
	}
	if len(text) > maxTitle || len(words) > 7 || said < 2 || measured.Match(text) || bytes.ContainsAny(text, "=$<>{}[]\\/`") || afterwards.Match(text) {
		return
	}
	if s.titles == nil {
		s.titles = map[byte]string{}
	}
	if !slices.Contains(s.rulers, none) {
		s.rulers = append(s.rulers, none)
	}
	s.titles[none] = strings.Join(strings.Fields(secret.CleanBelow(string(s.overAbove), string(text))), " ")
}

// giveTitles names the run by the lines above it.
func (s *scan) giveTitles(r *Run) {
	s.directly()
	for i, ruler := range s.rulers {
		if title, ok := s.titles[ruler]; ok {
			name := "title"
			if i > 0 {
				name += strconv.Itoa(i + 1)
			}
			r.Factors[name] = datasets.Text(title)
		}
	}
}

const (
	maxTitle  = 60  // bytes
	maxBanner = 240 // bytes
	maxNotes  = 20
)

var (
	bannerKey     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,39}$`)
	serverVersion = regexp.MustCompile(`(?i)(?:^version|\b(?:mysql|mariadb|percona|server|percona server)(?:[ _]version)?)[-: _]{1,2}v?(\d{1,2}\.\d{1,2}(?:\.\d{1,3})?(?:-\d{1,3}(?:\.\d{1,2})?)?)\b`)

	saidPair    = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_.-]*=[^\s,;|)\]}]+`)
	countedRuns = regexp.MustCompile(`(?i)\b(?:run|rep|repeat|repetition|iteration|iter|round|pass|trial|test|attempt|loop)(?: *[#:.]? *\d+)(?: *(?:/|of) *\d+)?`)
	saidThreads = regexp.MustCompile(`(?i)\b\d+[ -]*(?:threads?|thds?|thr|clients?|conns?|connections?|users?)\b|\b(?:threads?|thds?|clients?|conns?|connections?|concurrency)(?: *[:#]? *\d+)`)
	ofTests     = regexp.MustCompile(`^(?:oltp|select_random|bulk|update|tpcc)_?[a-z_]*$`)
	measured    = regexp.MustCompile(`(?:^|[\s=:(])\d+[.,]\d+(?:[^\d.]|$)|\d+m\d`) // real 0m1.2s, and no version
	named       = regexp.MustCompile(`\pL.*\pL`)
	aside       = regexp.MustCompile(`(?i)warm|prepar|clean`) // titles of no measurement

	// afterwards are the words of lines about the run that is over.
	afterwards = regexp.MustCompile(`(?i)\b(?:done|finished|finish|completed|ended|end|took|elapsed|result|results|exit|failed|stopped|tps|qps)\b`)
)

// bannerNames are the words of scripts for what a data set has a word for.
var bannerNames = map[string]string{"run": "rep", "iteration": "rep", "iter": "rep", "round": "rep", "repeat": "rep", "repetition": "rep", "trial": "rep", "attempt": "rep",
	"test": "subtest", "workload": "subtest", "script": "subtest", "mysql_version": "version", "server_version": "version", "date": "day"}

// notSaid are the words of banners that the option block knows better, and what is
// another one for each run.
var notSaid = map[string]bool{}

func init() {
	for _, name := range strings.Fields("threads thread thds num_threads nthreads concurrency conc time timestamp start started started_at start_time now pid port socket user host server_ip ip dir file log output cmd command errno state") {
		notSaid[name] = true
	}
}
