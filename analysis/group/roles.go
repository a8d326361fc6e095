package group

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// builtins are the built-in columns that describe a run, in print order.
var builtins = []string{"tool", "tool_version", "workload", "threads", "clients", "host", "session", "day", "launch", "order"}

// noiseNames are replication by name: their levels are draws, not choices.
var noiseNames = []string{"rep", "repetition", "repeat", "run", "run_no", "iteration", "iter", "trial", "round", "lauf", "durchlauf", "sweep", "block", "attempt",
	"day", "daytime", "week", "month", "year", "date", "launch", "session", "order", "sequence", "seq", "part", "seed", "rand_seed", "random_seed"}

// isNoise: a second folder that counts repetitions is called rep2.
func isNoise(name string) bool {
	return slices.Contains(noiseNames, strings.TrimRight(name, "23456789"))
}

// groupNames hold measurements apart: a column of that name is a stratum and
// never the change itself.
var groupNames = []string{"group", "series", "suite", "experiment", "study", "workload", "test", "benchmark", "scenario", "table", "mode", "profiled",
	"timed", "day_or_version"} // which of the two only the user knows

// byNames are the usual names of the change itself, the usual one first.
var byNames = []string{"version", "build", "allocator", "arm", "config"}

// sizeNames are conditions that people vary on purpose: strata also where they
// change from day to day. Of the others (host, kernel, tool versions) the day
// block takes such a change up, if both arms ran on each day.
var sizeNames = slices.Concat(askedNames, []string{"seconds", "time_s", "duration_s", "memory_bytes", "memory", "cores"})

// askedNames are those that the load generator was told and nothing measures: no
// label either where each run has another. Runs at 10/s and at 20/s repeat nothing.
var askedNames = []string{"tables", "table_size", "rows", "scale", "warehouses", "rate"}

// loadNames are what is asked of the server. What changes because of the arm is
// the change itself, but an arm that only ever ran under another load than the
// base was measured at something else.
var loadNames = []string{"workload", "threads", "clients"}

// survey is the state of one Analyse: the runs and what is known of each factor.
type survey struct {
	opt      Options
	all      []datasets.Run
	runs     []datasets.Run // complete ones
	columns  []datasets.Column
	factors  []*Factor
	values   map[string]leveled // per factor
	declared map[string]datasets.Column
	days     []string  // per run
	slots    []float64 // per run; NaN = unknown
	design   Design
	warnings []analysis.Warning
}

// leveled is what each run has of a factor: a place among its levels, -1 if it has
// no value. A run has few of the columns of unlike tables, and a value takes ten
// times as much.
type leveled struct {
	levels []datasets.Value
	of     []int32 // parallel to the runs
}

// at gives the value of a run.
func (l leveled) at(i int) datasets.Value {
	if l.of == nil || l.of[i] < 0 {
		return datasets.Value{}
	}
	return l.levels[l.of[i]]
}

func newSurvey(all []datasets.Run, columns []datasets.Column, opt Options) *survey {
	s := &survey{opt: opt, all: all, columns: columns, values: map[string]leveled{}, declared: map[string]datasets.Column{}}
	s.runs = complete(all)
	names := slices.Clone(builtins)
	for _, c := range columns {
		s.declared[c.Name] = c
		if c.Role != datasets.Metric && c.Role != datasets.Key && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	s.survey(names)
	return s
}

// complete gives the runs that finished, without copying them if all did.
func complete(all []datasets.Run) []datasets.Run {
	n := 0
	for i := range all {
		if all[i].Status == datasets.Complete {
			n++
		}
	}
	if n == len(all) {
		return all
	}
	runs := make([]datasets.Run, 0, n)
	for i := range all {
		if all[i].Status == datasets.Complete {
			runs = append(runs, all[i])
		}
	}
	return runs
}

// survey counts the levels of the factors; a factor without any value is none. It
// goes by what each run has, which is little of what all have.
func (s *survey) survey(names []string) {
	found := map[string]*tally{}
	take := func(name string, i int, v datasets.Value) {
		c := found[name]
		if c == nil {
			c = &tally{of: slices.Repeat([]int32{-1}, len(s.runs)), place: map[datasets.Value]int32{}}
			found[name] = c
		}
		c.take(i, v)
	}
	for i := range s.runs {
		for _, name := range builtins {
			if v := s.runs[i].Value(name); !v.IsNull() {
				take(name, i, v)
			}
		}
		for name, v := range s.runs[i].Factors {
			if !v.IsNull() {
				take(name, i, v)
			}
		}
	}
	for _, name := range names {
		if c := found[name]; c != nil {
			f := c.factor(name)
			s.factors = append(s.factors, f)
			s.values[name] = leveled{f.Levels, c.of}
		}
	}
}

// tally is a factor as its levels are met.
type tally struct {
	of     []int32
	place  map[datasets.Value]int32
	levels []datasets.Value
}

func (c *tally) take(i int, v datasets.Value) {
	n, ok := c.place[v]
	if !ok {
		n = int32(len(c.levels))
		c.place[v] = n
		c.levels = append(c.levels, v)
	}
	c.of[i] = n
}

// factor brings the levels into print order.
func (c *tally) factor(name string) *Factor {
	f := &Factor{Name: name, Levels: slices.SortedFunc(slices.Values(c.levels), CompareValues)}
	f.Runs = make([]int, len(f.Levels))
	for n, v := range f.Levels {
		c.place[v] = int32(n)
	}
	for i, n := range c.of {
		if n < 0 {
			f.Null++
			continue
		}
		c.of[i] = c.place[c.levels[n]]
		f.Runs[c.of[i]]++
	}
	return f
}

func (s *survey) factor(name string) *Factor {
	for _, f := range s.factors {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (s *survey) ignored(name string) bool { return slices.Contains(s.opt.Ignore, name) }

// sortRoles gives each factor the role that it has whatever is compared.
func (s *survey) sortRoles() {
	for _, f := range s.factors {
		column := s.declared[f.Name]
		switch {
		case f.Name == s.opt.X:
			f.Role = Axis
		case len(f.Levels) == 1 && f.Null == 0:
			f.Role = Constant
		case len(f.Levels) == 1 && (column.Role == datasets.Condition || f.Name == "host"):
			// Known from the side files of some runs only: no reason to split.
			f.Role, f.Why = Constant, fmt.Sprintf("unknown for %d runs", f.Null)
		case s.ignored(f.Name):
			f.Role, f.Why = Noise, "as asked with --ignore"
		case isNoise(f.Name):
			f.Role = Noise
		case strings.HasPrefix(f.Name, "path") && areIDs(f.Levels):
			f.Role, f.Why = Noise, "numbers given by a machine"
		case s.numbersJobs(f):
			f.Role, f.Why = Noise, "numbers what ran one after the other"
		case s.isLabel(f, column):
			f.Role = Label
		case s.isCondition(f.Name):
			f.Role = Condition
		default:
			f.Role = Stratum
		}
	}
}

// hostNames are what folders call machines: db1_9.6.0/, node2/.
var hostNames = []string{"host", "db", "node", "server", "machine", "vm", "box"}

// machineNames are what else tells one machine from another, as metadata spell it.
var machineNames = []string{"kernel", "cpu", "cores", "memory", "memory_bytes", "os"}

func (s *survey) isCondition(name string) bool {
	if name == "server_version" && s.isServer(s.design.By) {
		return false
	}
	return s.declared[name].Role == datasets.Condition || name == "tool" || name == "tool_version" || s.isHost(name)
}

// products are database servers by name: a column called server or db whose
// levels are such names, or versions, says what ran and not where.
var products = []string{"mysql", "mariadb", "percona", "ps", "pxc", "postgresql", "postgres", "aurora", "tidb"}

var serverVersion = regexp.MustCompile(`(?:^|[^\d.])\d{1,2}\.\d{1,2}(?:\.\d{1,3})?(?:$|[^\d.])`)

func (s *survey) isHost(name string) bool {
	if !slices.Contains(hostNames, name) {
		return false
	}
	f := s.factor(name)
	if f == nil || name != "server" && name != "db" {
		return true
	}
	stems := map[string]bool{} // mysql1 and mysql2 are machines, mysql8 and ps8 are not
	for _, v := range f.Levels {
		level := strings.ToLower(v.String())
		_, number := v.Number()
		if !number && serverVersion.MatchString(level) || slices.Contains(products, level) || IsBaseName(level) {
			return false
		}
		if stem := strings.TrimRight(level, "0123456789"); slices.Contains(products, stem) {
			stems[stem] = true
		}
	}
	return len(stems) < 2
}

// isServer tells whether what is compared is the server itself, whose version is then a
// part of the change: versions and builds, and what begins as the versions do (13 and
// 13.22).
func (s *survey) isServer(by string) bool {
	arms, known := s.values[by]
	if by == "version" || by == "build" || !known {
		return known
	}
	versions := s.values["server_version"]
	for i, v := range versions.of {
		if arm := arms.of[i]; v >= 0 && arm >= 0 {
			rest, ok := strings.CutPrefix(versions.levels[v].String(), arms.levels[arm].String())
			if !ok || rest != "" && rest[0]-'0' <= 9 {
				return false
			}
		}
	}
	return true
}

// isLoad tells what was asked of the server, where the load itself is not what is
// compared.
func (s *survey) isLoad(name string) bool {
	load := func(name string) bool { return slices.Contains(loadNames, name) || slices.Contains(sizeNames, name) }
	return load(name) && !load(s.design.By)
}

// follows tells whether g is known once f is: each level of f has one level of g
// (nulls count as a level of their own only in g).
func (s *survey) follows(g, f string) bool {
	const none = -2
	gs, fs := s.values[g].of, s.values[f].of
	seen := slices.Repeat([]int32{none}, len(s.values[f].levels))
	for i, level := range fs {
		switch {
		case level < 0:
			if gs[i] >= 0 {
				return false
			}
		case seen[level] == none:
			seen[level] = gs[i]
		case seen[level] != gs[i]:
			return false
		}
	}
	return true
}

// settleRoles gives the rest their role once the compared factor is known.
func (s *survey) settleRoles() {
	by := s.design.By
	for _, f := range s.factors {
		if f.Role != Stratum && f.Role != Condition {
			continue
		}
		isCondition := f.Role == Condition
		switch {
		case f.Name == by:
			f.Role = By
		case by != "" && isCondition && s.apart(f.Name, by), by != "" && s.isLoad(f.Name) && s.follows(f.Name, by):
			f.Role, f.Why = Condition, "moves with "+by
		case by != "" && s.follows(f.Name, by):
			f.Role, f.Why = Alias, "follows "+by
			if !isCondition { // of those findAliased tells, arm by arm
				s.design.AlsoDiffers = append(s.design.AlsoDiffers, f.Name)
			}
		case s.opt.X != "" && s.follows(f.Name, s.opt.X):
			f.Role, f.Why = Alias, "follows "+s.opt.X
		case isCondition && !slices.Contains(sizeNames, f.Name) && s.followsDay(f.Name):
			f.Role, f.Why = Condition, "moves with the day"
			s.warnings = append(s.warnings, analysis.PooledOverDays{Condition: f.Name, Levels: len(f.Levels)})
		case by != "" && s.isUnique(f) && strings.HasPrefix(f.Name, "path"):
			f.Role, f.Why = Label, "another in each run"
		case by != "" && s.follows(by, f.Name) && areHashes(f.Levels):
			f.Role, f.Why = Noise, "names what an arm was at a time"
		case by != "" && s.namesSittings(f.Name):
			f.Role, f.Why = Noise, "names the session, day or launch"
		case s.countsRepetitions(f):
			f.Role, f.Why = Noise, "counts the repetitions"
		default:
			f.Role = Stratum
			s.dropAlias(f)
		}
	}
	for _, f := range s.factors {
		s.design.Factors = append(s.design.Factors, *f)
		if by != "" && f.Role == Stratum && s.apart(f.Name, by) {
			s.design.Splits = append(s.design.Splits, f.Name)
		}
	}
	s.findAliased()
}

// dropAlias marks a stratum that says the same as an earlier one, or that an
// earlier one already settles (tables = 4 wherever workload = a).
func (s *survey) dropAlias(f *Factor) {
	for _, g := range s.factors {
		if g == f {
			return
		}
		if g.Role == Stratum && s.follows(f.Name, g.Name) {
			f.Role, f.Why = Alias, "follows "+g.Name
			return
		}
	}
}

// apart tells whether no two arms share a level of the condition, among the
// runs where it is known; it must be known in two arms at least.
func (s *survey) apart(condition, by string) bool {
	const none = -1
	arm := slices.Repeat([]int32{none}, len(s.values[condition].levels)) // by level
	first, several := int32(none), false
	arms := s.values[by].of
	for i, level := range s.values[condition].of {
		if level < 0 || arms[i] < 0 {
			continue
		}
		if arm[level] != none && arm[level] != arms[i] {
			return false
		}
		arm[level] = arms[i]
		if first == none {
			first = arms[i]
		}
		several = several || arms[i] != first
	}
	return several
}

// countsRepetitions tells whether a number without a name in the paths, or one
// called load (of the data, before the runs) or by the tool (sysbench3), is 1, 2,
// 3, ... (or from 0): res_t16_1.log, res_t16_2.log. What people set goes in other
// steps.
func (s *survey) countsRepetitions(f *Factor) bool {
	if !strings.HasPrefix(f.Name, "path") && !slices.Contains([]string{"load", "sysbench", "bench", "log", "out"}, f.Name) || f.Null > 0 {
		return false
	}
	first, _ := f.Levels[0].Number()
	for i, v := range f.Levels {
		if n, ok := v.Number(); !ok || n != first+float64(i) || first > 1 {
			return false
		}
	}
	return true
}

// namesSittings tells whether a factor has one value for each session, day or
// launch, and another for each other (a seed, a remark): a name for it, which
// held equal would leave every stratum one of them.
func (s *survey) namesSittings(name string) bool {
	for _, sitting := range []string{"session", "day", "launch"} {
		if f := s.factor(sitting); f != nil && f.Null == 0 && s.follows(name, sitting) && s.follows(sitting, name) {
			return true
		}
	}
	if s.isLoad(name) || !s.followsDay(name) {
		return false
	}
	of := map[int32]string{} // the days may be known from the times alone
	for i, v := range s.values[name].of {
		if was, ok := of[v]; ok && was != s.days[i] {
			return false
		}
		of[v] = s.days[i]
	}
	return true
}

func (s *survey) followsDay(name string) bool {
	seen := map[string]int32{}
	for i, v := range s.values[name].of {
		if s.days[i] == "" {
			return false
		}
		if was, ok := seen[s.days[i]]; ok && was != v {
			return false
		}
		seen[s.days[i]] = v
	}
	return true
}

// findAliased lists, for each contender, the conditions whose levels it shares
// with no run of the base.
func (s *survey) findAliased() {
	for _, f := range s.factors {
		if s.isHost(f.Name) || slices.Contains(machineNames, f.Name) {
			s.design.Conditions = append(s.design.Conditions, f.Name)
		}
	}
	if s.design.By == "" {
		return
	}
	arms := s.values[s.design.By]
	place := map[string]int{}
	for i, v := range arms.levels {
		place[v.String()] = i
	}
	for _, f := range s.factors {
		if !s.isCondition(f.Name) && !(s.isLoad(f.Name) && f.Role == Condition) || f.Name == s.design.By || f.Role == Label || f.Role == Noise || len(f.Levels) < 2 || s.ignored(f.Name) {
			continue
		}
		values := s.values[f.Name]
		levels := make([]map[string]bool, len(arms.levels)) // by arm
		for i, n := range values.of {
			if arm := arms.of[i]; n >= 0 && arm >= 0 {
				if levels[arm] == nil {
					levels[arm] = map[string]bool{}
				}
				levels[arm][values.levels[n].String()] = true
			}
		}
		base := levels[place[s.design.Base]]
		for _, contender := range s.design.Arms[1:] {
			other := levels[place[contender]]
			if len(base) == 0 || len(other) == 0 || overlap(base, other) {
				continue
			}
			s.design.Aliased = append(s.design.Aliased, Moves{f.Name, [2]string{s.design.Base, contender}, [2]string{joined(base), joined(other)}})
		}
	}
}

func overlap(a, b map[string]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

func joined(set map[string]bool) string {
	var names []string
	for k := range set {
		names = append(names, k)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
