package group

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// baseNames are levels that people give the arm they compare against.
var baseNames = []string{"base", "baseline", "control", "before", "old", "main", "master", "trunk", "vanilla", "stock", "original", "orig", "upstream", "reference", "unpatched", "without", "default", "no", "off", "disabled", "vorher", "ohne", "aus", "alt", "avant", "変更前", "改善前", "优化前", "修改前", "release"}

// remote is what git puts before a branch of another repository: origin/main.
var remote = regexp.MustCompile(`^(?i:origin|upstream)[-_/]`)

// IsBaseName tells whether people give this name to what they compare against.
func IsBaseName(level string) bool {
	return slices.ContainsFunc(baseNames, func(n string) bool { return strings.EqualFold(n, level) })
}

// checkNames refuses a factor that is not there, with the nearest that is.
func (s *survey) checkNames() error {
	var known []string
	for _, f := range s.factors {
		known = append(known, f.Name)
	}
	if !slices.Contains(known, "order") { // that --ignore may name where no run has one
		known = append(known, "order")
	}
	for _, c := range s.columns {
		if c.Role != datasets.Metric && !slices.Contains(known, c.Name) {
			known = append(known, c.Name)
		}
	}
	for _, name := range append([]string{s.opt.By, s.opt.X}, s.opt.Ignore...) {
		if name != "" && !slices.Contains(known, name) && !slices.Contains(builtins, name) {
			return Unknown{"factor", name, known}
		}
	}
	return s.checkAxis()
}

// checkAxis refuses an axis without numbers, or that is the compared factor.
func (s *survey) checkAxis() error {
	x := s.opt.X
	if x == "" {
		return nil
	}
	if x == s.opt.By {
		return fmt.Errorf("--x %s: a curve is drawn against it, so it cannot be what is compared, too", x)
	}
	if f := s.factor(x); f == nil || !slices.ContainsFunc(f.Levels, isNumber) {
		return fmt.Errorf("--x %s: it has no numbers to draw a curve against", x)
	}
	return nil
}

func isNumber(v datasets.Value) bool { _, ok := v.Number(); return ok }

// chooseBy finds the factor under comparison, its arms and its base.
func (s *survey) chooseBy() error {
	d := &s.design
	switch {
	case s.opt.By != "":
		f := s.factor(s.opt.By)
		if f == nil || len(f.Levels) < 2 {
			return fmt.Errorf("--by %s: all runs have the same %s, there is nothing to compare; factors that vary: %s", s.opt.By, s.opt.By, strings.Join(s.varying(), ", "))
		}
		d.By, d.ByWhy = f.Name, "as asked with --by"
		if s.declared[f.Name].Guess == fromSettings {
			d.ByWhy = "a " + fromSettings + ", as asked with --by"
		}
		f.Role = Stratum // whatever it looked like: settleRoles makes it the compared one
	default:
		s.guessBy()
	}
	if d.By == "" {
		return nil
	}
	f := s.factor(d.By)
	levels := slices.Clone(f.Levels)
	base, why, err := s.chooseBase(levels)
	if err != nil {
		return err
	}
	d.Base, d.BaseWhy = base.String(), why
	d.Arms = []string{d.Base}
	for _, v := range levels {
		if v != base {
			d.Arms = append(d.Arms, v.String())
		}
	}
	return nil
}

// mostArms: more levels than this are rather a pile of unrelated logs, and nobody
// reads the answer; --by asks for it all the same.
const mostArms = 12

// guessBy takes the only varying factor of byNames; else the only other varying
// factor that is no natural stratum: first those with words for levels, then,
// if there is none, those with numbers.
func (s *survey) guessBy() {
	var named, words, numbers []string
	tool := s.usualTool()
	factors := slices.Clone(s.factors)
	hashes := map[*Factor]bool{} // which name nothing that a word does not name better
	for _, f := range factors {
		hashes[f] = areHashes(f.Levels)
	}
	slices.SortStableFunc(factors, func(a, b *Factor) int { return cmp.Or(rank(a.Name)-rank(b.Name), b2i(hashes[a])-b2i(hashes[b])) })
	for _, f := range factors {
		if f.Role != Stratum || !s.variesInTool(f.Name, tool) || s.countsRepetitions(f) || s.namesLoad(f.Name) {
			continue
		}
		_, number := f.Levels[0].Number()
		switch {
		case slices.Contains(byNames, f.Name) || f.Name == "server_version":
			if !s.saysSame(named, f.Name) {
				named = append(named, f.Name)
			}
		case f.Name == "threads" || f.Name == "clients" || slices.Contains(groupNames, f.Name):
		case number || sized(f.Levels):
			numbers = append(numbers, f.Name)
		default:
			if !s.saysSame(append(slices.Clone(named), words...), f.Name) {
				words = append(words, f.Name)
			}
		}
	}
	// The commits of main and of a branch are the arms only where nothing names these.
	words = slices.DeleteFunc(words, func(name string) bool {
		return areHashes(s.factor(name).Levels) && slices.ContainsFunc(slices.Concat(named, words), func(other string) bool {
			return other != name && s.follows(other, name)
		})
	})
	for _, kind := range []struct {
		names []string
		why   string
	}{
		{named, "the only one of " + strings.Join(byNames, ", ") + " that varies"},
		{words, "the only factor that varies and is no stratum"},
		{numbers, "the only factor that varies beside threads and workload"},
	} {
		if len(kind.names) == 1 && len(s.factor(kind.names[0]).Levels) <= mostArms {
			s.design.By, s.design.ByWhy = kind.names[0], kind.why
			return
		}
		if len(kind.names) > 0 {
			s.design.Choices = kind.names
			return
		}
	}
	if s.guessByMachine() {
		return
	}
	if s.guessByLabel(); s.design.By == "" && s.design.Choices == nil {
		s.guessBySize()
	}
}

// guessBySize: where all else is the same, 8 and 16 tables are two arms. More levels
// are a curve.
func (s *survey) guessBySize() {
	for _, f := range s.factors {
		if slices.Contains(askedNames, f.Name) && f.Role != Constant && len(f.Levels) == 2 && f.Null == 0 {
			s.design.By, s.design.ByWhy = f.Name, "the only thing that varies"
			return
		}
	}
}

// guessByMachine: where nothing else varies, a kernel, or more memory, that came and
// went within the days is what somebody changed.
func (s *survey) guessByMachine() bool {
	var names []string
	for _, f := range s.factors {
		moves := func(h *Factor) bool { return len(h.Levels) > 1 && s.isHost(h.Name) && s.apart(h.Name, f.Name) }
		if f.Role == Condition && slices.Contains(machineNames, f.Name) && f.Null == 0 && len(f.Levels) <= mostArms &&
			!s.followsDay(f.Name) && !s.saysSame(names, f.Name) && !slices.ContainsFunc(s.factors, moves) {
			names = append(names, f.Name)
		}
	}
	if len(names) == 1 {
		s.design.By, s.design.ByWhy = names[0], "the only thing that varies"
	} else {
		s.design.Choices = names
	}
	return len(names) > 0
}

// usualTool is the tool that most runs are of.
func (s *survey) usualTool() (usual string) {
	count := map[string]int{}
	for i := range s.runs {
		tool := s.runs[i].Tool
		if count[tool]++; count[tool] > count[usual] || count[tool] == count[usual] && tool < usual {
			usual = tool
		}
	}
	return usual
}

// variesInTool tells whether a factor has several levels among the runs of a tool:
// how the logs of a loading are called is not what the runs compare.
func (s *survey) variesInTool(name, tool string) bool {
	first := int32(-1)
	for i, v := range s.values[name].of {
		switch {
		case v < 0 || s.runs[i].Tool != tool:
		case first < 0:
			first = v
		case v != first:
			return true
		}
	}
	return false
}

// guessByLabel: where nothing else varies that could be the change, a name that
// each run has for itself (K8s.log, OpenEBS.log, plain.log) is what it compares,
// one run an arm, and no repetition of one thing.
func (s *survey) guessByLabel() {
	var names, asked []string
	for _, f := range s.factors { // rate10, rate60: names of the points of a sweep
		if (f.Role == Stratum || f.Role == Condition) && slices.Contains(askedNames, f.Name) {
			asked = append(asked, f.Name)
		}
	}
	for _, f := range s.factors {
		column := s.declared[f.Name]
		if f.Role == Label && column.Role == datasets.Factor && !isMeasured(f, column) && !slices.Contains(labelNames, f.Name) && !isTag(f.Levels) && !s.namesLoad(f.Name) && !s.saysSame(slices.Concat(names, asked), f.Name) {
			f.Role = Stratum
			names = append(names, f.Name)
		}
	}
	if len(names) == 1 && len(s.factor(names[0]).Levels) <= mostArms {
		s.design.By, s.design.ByWhy = names[0], "the only thing that tells the runs apart"
		return
	}
	s.design.Choices = names
}

// labelNames are columns of a table that name or describe a run.
var labelNames = []string{"id", "uuid", "note", "notes", "comment", "remark", "remarks", "label", "timestamp", "time", "at", "file", "filename", "log", "logfile", "path"}

// countWords stand before the number of a run: test3, log-12.
var countWords = append([]string{"", "n", "r", "i", "no", "nr", "test", "try", "log", "res", "result", "results", "out", "output", "sample", "file", "sysbench", "bench"}, noiseNames...)

var number = regexp.MustCompile(`\d+`)

// isTag tells names that say nothing of their runs: run1, run2, run3, ...; the
// same words around a day, a time or a hash.
func isTag(levels []datasets.Value) bool {
	counted, stamped := true, true
	var first, bare string
	for i, v := range levels {
		text := v.String()
		rest, stamps := withoutStamps(text)
		word := number.ReplaceAllString(text, "")
		if i == 0 {
			first, bare = word, rest
			counted = slices.Contains(countWords, strings.ToLower(strings.Trim(word, "-_. #"))) && len(number.FindAllString(text, -1)) == 1
			continue
		}
		counted = counted && word == first && asInt(text) == asInt(levels[i-1].String())+1
		stamped = stamped && stamps && rest == bare
	}
	return counted || stamped
}

// withoutStamps takes numbers of six digits and more and hexadecimal hashes out
// of a name, and tells whether there was one.
func withoutStamps(name string) (rest string, any bool) {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		digits := len(number.ReplaceAllString(word, "")) == 0
		hash := strings.Trim(strings.ToLower(word), "0123456789abcdef") == "" && number.MatchString(word)
		if digits && len(word) >= 6 || hash && len(word) >= 7 {
			any = true
			continue
		}
		rest += word + " "
	}
	return rest, any
}

func asInt(text string) int {
	n, _ := strconv.Atoi(number.FindString(text))
	return n
}

// namesLoad tells names in paths that say what was asked of the server and hardly what
// was changed.
func (s *survey) namesLoad(name string) bool {
	return strings.HasPrefix(name, "path") && (s.followsLoad(name) || s.splitsLoads(name))
}

// splitsLoads: each level has one workload, and most have one that no other has: cpu,
// fileio, memory000, memory200.
func (s *survey) splitsLoads(name string) bool {
	workloads, f := s.factor("workload"), s.factor(name)
	return workloads != nil && len(workloads.Levels) > 1 && 2*len(workloads.Levels) > len(f.Levels) && s.follows("workload", name)
}

// followsLoad: a name that the load settles (run_workload_a.txt of workload a)
// says what was asked of the server, and no two of its levels meet at one load.
func (s *survey) followsLoad(name string) bool {
	seen := map[string]int32{}
	for i, v := range s.values[name].of {
		load, known := "", false
		for _, of := range slices.Concat(loadNames, sizeNames, []string{"phase"}) {
			if values, ok := s.values[of]; ok {
				load += values.at(i).String() + "\x00"
				known = known || values.of[i] >= 0
			}
		}
		if was, ok := seen[load]; !known || ok && was != v {
			return false
		}
		seen[load] = v
	}
	return true
}

// rank puts the names of byNames first, in their order: of two factors that say the same the better name is taken.
func rank(name string) int {
	if i := slices.Index(byNames, name); i >= 0 {
		return i
	}
	return len(byNames)
}

// saysSame tells whether one of names splits the runs exactly as name does.
func (s *survey) saysSame(names []string, name string) bool {
	for _, n := range names {
		if s.follows(n, name) && s.follows(name, n) {
			return true
		}
	}
	return false
}

func (s *survey) varying() []string {
	var names []string
	for _, f := range s.factors {
		if len(f.Levels) > 1 && f.Role != Label && f.Role != Noise {
			names = append(names, f.Name)
		}
	}
	if names == nil {
		return []string{"none"}
	}
	return names
}

// chooseBase: as asked; a level with a base's name; the lowest version; the
// first by name.
func (s *survey) chooseBase(levels []datasets.Value) (datasets.Value, string, error) {
	if s.opt.Base != "" {
		var names []string
		for _, v := range levels {
			if v.String() == s.opt.Base {
				return v, "as asked with --base", nil
			}
			names = append(names, v.String())
		}
		return datasets.Value{}, "", Unknown{"level of " + s.design.By, s.opt.Base, names}
	}
	for _, name := range baseNames {
		for _, v := range levels {
			if strings.EqualFold(remote.ReplaceAllString(v.String(), ""), name) {
				return v, "by its name", nil
			}
		}
	}
	// Of two, stock-8.0.36 and patched-8.0.36, the one that has such a word in its
	// name. Of more it may be anything: glibc, glibc-control, jemalloc.
	var named []datasets.Value
	for _, v := range levels {
		if slices.ContainsFunc(strings.FieldsFunc(v.String(), notLetter), IsBaseName) {
			named = append(named, v)
		}
	}
	if len(levels) == 2 && len(named) == 1 {
		return named[0], "by its name", nil
	}
	versions := true
	for _, v := range levels {
		if _, number := v.Number(); !number && !isVersion(v.String()) {
			versions = false
		}
	}
	if versions {
		return levels[0], "the lowest", nil // levels are sorted as versions
	}
	return levels[0], "the first by name", nil
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// CompareValues orders levels as people do: null first, numbers by size, words
// with numbers in them by those (9.6.0 < 9.10.0, 2G < 12G).
func CompareValues(a, b datasets.Value) int {
	x, xok := a.Number()
	y, yok := b.Number()
	switch {
	case a.IsNull() || b.IsNull():
		return cmp.Compare(b2i(!a.IsNull()), b2i(!b.IsNull()))
	case xok && yok:
		return cmp.Compare(x, y)
	case xok != yok:
		return cmp.Compare(b2i(yok), b2i(xok)) // numbers before words
	}
	return analysis.Natural(a.String(), b.String())
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// isVersion: starts with number.number, as 8.0.42 or 9.7.0-er, or v8.0.
func isVersion(s string) bool {
	s = strings.TrimPrefix(s, "v")
	n := digits(s)
	return n > 0 && n+1 < len(s) && s[n] == '.' && digits(s[n+1:]) > 0
}

// sized: all levels are a number with a size letter, as 2G, 512M.
func sized(levels []datasets.Value) bool {
	for _, v := range levels {
		s := strings.TrimSuffix(strings.TrimSuffix(v.String(), "B"), "i")
		if s == "" || !strings.ContainsRune("kKmMgGtT", rune(s[len(s)-1])) || digits(s) != len(s)-1 {
			return false
		}
	}
	return true
}

// Unknown is a name that the user gave and that is not there.
type Unknown struct {
	What, Name string
	Known      []string
}

func (u Unknown) Error() string {
	text := fmt.Sprintf("no %s is called %q", u.What, u.Name)
	if near := Nearest(u.Name, u.Known); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else {
		text += "."
	}
	return text + " Known: " + strings.Join(u.Known, ", ")
}

// Nearest is the known name that needs the fewest edits, "" if none is near
// (more than a third of its letters, at least two).
func Nearest(name string, known []string) string {
	best, at := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := edits(strings.ToLower(name), strings.ToLower(k)); d < at && d < max(len(name), len(k)) { // some letter has to stay
			best, at = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance (1966) with one row of memory.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
