package group

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// throughputs are the usual primary metrics, the usual one first.
var throughputs = []string{"tps", "eps", "nopm", "tpm", "qps", "ops", "iops"}

// durationSlack is how unequal the runs of a cell may be in length before it is
// said: a run that is a tenth longer has seen a tenth more of the drift.
const durationSlack = 0.1

// cells sorts the complete runs into strata and takes each metric out of them.
func (s *survey) cells() ([]Cell, error) {
	metrics, err := s.metrics()
	if err != nil {
		return nil, err
	}
	strata := s.strata()
	type stratum struct {
		fields  []Field
		runs    []int
		leftOut []int
	}
	arms := map[string]int{}
	for i, a := range s.design.Arms {
		arms[a] = i
	}
	byKey := map[string]*stratum{}
	var order []*stratum
	var key []byte
	pointless := 0 // runs without a place on the axis
	for i := range s.runs {
		if _, ok := arms[s.armOf(&s.runs[i])]; !ok && s.design.By != "" {
			continue // no value for the compared factor: counted below
		}
		if s.opt.X != "" && !isNumber(s.runs[i].Value(s.opt.X)) {
			pointless++
			continue
		}
		key = appendKey(key[:0], &s.runs[i], strata)
		st := byKey[string(key)]
		if st == nil {
			st = &stratum{fields: fieldsOf(&s.runs[i], strata), leftOut: make([]int, max(1, len(s.design.Arms)))}
			byKey[string(key)] = st
			order = append(order, st)
		}
		st.runs = append(st.runs, i)
	}
	unplaced := 0
	for i := range s.all {
		if s.all[i].Status == datasets.Complete {
			continue
		}
		key = appendKey(key[:0], &s.all[i], strata)
		arm, ok := arms[s.armOf(&s.all[i])]
		if st := byKey[string(key)]; st != nil && (ok || s.design.By == "") && s.sameCell(&s.all[i], st.runs[0]) {
			st.leftOut[arm]++
		} else {
			unplaced++
		}
	}
	if unplaced > 0 {
		s.warnings = append(s.warnings, analysis.LeftOutUnplaced{Runs: unplaced})
	}
	if n := s.without(s.design.By); n > 0 {
		s.warnings = append(s.warnings, analysis.NoArm{By: s.design.By, Runs: n})
	}
	if pointless > 0 {
		s.warnings = append(s.warnings, analysis.NoArm{By: s.opt.X, Runs: pointless})
	}
	slices.SortStableFunc(order, func(a, b *stratum) int {
		for i := range a.fields {
			if c := CompareValues(a.fields[i].Value, b.fields[i].Value); c != 0 {
				return c
			}
		}
		return 0
	})
	var cells []Cell
	pooled := make([][]analysis.Warning, len(order))
	strataRuns := make([][]int, len(order))
	for n, st := range order {
		pooled[n] = s.residue(st.runs)
		strataRuns[n] = st.runs
	}
	name := func(n int) string { return Words(order[n].fields) }
	if w, any := s.mixes(strataRuns, name); any {
		s.warnings = append(s.warnings, w)
	}
	if w, any := s.rates(strataRuns, name); any {
		s.warnings = append(s.warnings, w)
	}
	if w, any := s.alike(); any {
		s.warnings = append(s.warnings, w)
	}
	for m, metric := range metrics {
		for n, st := range order {
			c := Cell{Metric: metric, Unit: unit.Of(metric), Primary: m == 0, Stratum: st.fields, LeftOut: st.leftOut, Exposure: make([]float64, len(st.leftOut))}
			c.Runs, c.RunIDs = make([]compare.Run, 0, len(st.runs)), make([]string, 0, len(st.runs))
			missing := 0
			for _, i := range st.runs {
				r := &s.runs[i]
				v := metricOf(r, metric)
				if math.IsNaN(v) || math.IsInf(v, 0) {
					missing++
					continue
				}
				arm := arms[s.armOf(r)]
				c.Runs = append(c.Runs, compare.Run{Arm: arm, Day: s.days[i], Launch: r.Launch, Slot: s.slots[i], Value: v, ID: path.Base(r.Source)})
				c.RunIDs = append(c.RunIDs, r.ID)
				if x, ok := r.Value(s.opt.X).Number(); ok {
					c.Xs = append(c.Xs, x)
				}
				if r.Duration > 0 {
					c.Exposure[arm] += r.Duration
				}
			}
			if len(c.Runs) == 0 {
				continue
			}
			if missing > 0 {
				c.Warnings = append(c.Warnings, analysis.MetricMissing{Metric: metric, Runs: missing})
			}
			if lo, hi := s.durations(st.runs); hi > lo*(1+durationSlack) {
				c.Warnings = append(c.Warnings, analysis.UnequalDuration{Shortest: lo, Longest: hi})
			}
			c.Warnings = append(c.Warnings, pooled[n]...)
			cells = append(cells, c)
		}
	}
	s.design.Interleaved = interleaved(cells)
	return cells, nil
}

// strata are the factors held equal, those that people name last at the end:
// "rows 1000000, oltp_read_only, 8 threads".
func (s *survey) strata() []string {
	var names []string
	for _, f := range s.factors {
		if f.Role == Stratum && (len(f.Levels) > 1 || f.Null > 0) {
			names = append(names, f.Name)
		}
	}
	last := []string{"workload", "clients", "threads"}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(slices.Index(last, a), slices.Index(last, b))
	})
	return names
}

func fieldsOf(r *datasets.Run, names []string) []Field {
	fields := make([]Field, len(names))
	for i, name := range names {
		fields[i] = Field{name, r.Value(name)}
	}
	return fields
}

// appendKey writes what tells the stratum of a run from others.
func appendKey(key []byte, r *datasets.Run, names []string) []byte {
	for _, name := range names {
		v := r.Value(name)
		key = append(append(key, v.String()...), 0, '0'+byte(v.Kind()))
	}
	return key
}

// sameCell tells whether an incomplete run belongs beside run j: threads and
// workload may be the same in all complete runs, and no stratum then.
func (s *survey) sameCell(r *datasets.Run, j int) bool {
	for _, name := range []string{"threads", "workload"} {
		if v := r.Value(name); name != s.opt.X && !v.IsNull() && v != s.runs[j].Value(name) {
			return false
		}
	}
	return true
}

func (s *survey) without(by string) int {
	if f := s.factor(by); f != nil {
		return f.Null
	}
	return 0
}

func (s *survey) durations(runs []int) (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	for _, i := range runs {
		if d := s.runs[i].Duration; d > 0 {
			lo, hi = min(lo, d), max(hi, d)
		}
	}
	return lo, hi
}

// metricOf takes a metric out of a run; "a/b" is formed per run, before logs.
func metricOf(r *datasets.Run, metric string) float64 {
	value := func(name string) float64 {
		if v, ok := r.Metrics[name]; ok {
			return v
		}
		return math.NaN()
	}
	if a, b, ok := strings.Cut(metric, "/"); ok {
		return value(a) / value(b)
	}
	return value(metric)
}

// throughputs are the usual one that half of the runs have, and those of a quarter
// of them that have another: beside OLTP, tests of the processor have events. One
// that is 0 is none, if there is another: without BEGIN and COMMIT, old sysbench
// counts no transactions.
func (s *survey) throughputs() []string {
	var chosen []string
	covered := make([]bool, len(s.runs))
	choose := func(share int, above float64) bool {
		for _, name := range throughputs {
			var these []int
			for i := range s.runs {
				if v, ok := s.runs[i].Metrics[name]; ok && v > above && !covered[i] {
					these = append(these, i)
				}
			}
			if len(these) == 0 || share*len(these) < len(s.runs) {
				continue
			}
			chosen = append(chosen, name)
			for _, i := range these {
				covered[i] = true
			}
			return true
		}
		return false
	}
	choose(2, 0)
	for choose(4, 0) {
	}
	if chosen == nil {
		choose(2, math.Inf(-1))
	}
	return chosen
}

// metrics are those asked for, else the usual throughput and beside it the
// percentile that most runs have, p95 if it is among them; else every metric
// that has a better side.
func (s *survey) metrics() ([]string, error) {
	have := map[string]int{}
	for i := range s.runs {
		for name, v := range s.runs[i].Metrics {
			if !math.IsNaN(v) {
				have[name]++
			}
		}
	}
	known := make([]string, 0, len(have))
	for name := range have {
		known = append(known, name)
	}
	slices.Sort(known)
	var asked []string
	for _, metric := range s.opt.Metrics {
		a, b, isRatio := strings.Cut(metric, "/")
		if isRatio && (a == "" || b == "" || strings.Contains(b, "/")) {
			return nil, fmt.Errorf("--metric %s: a ratio is of two metrics: a/b", metric)
		}
		for part := range strings.SplitSeq(metric, "/") {
			if have[part] == 0 {
				return nil, Unknown{"metric", part, known}
			}
		}
		if !slices.Contains(asked, metric) { // named twice it is one question
			asked = append(asked, metric)
		}
	}
	if len(asked) > 0 {
		return asked, nil
	}
	metrics := s.throughputs()
	latency := "latency_p95"
	if have[latency] == 0 {
		for _, name := range known {
			if strings.HasPrefix(name, "latency_p") && have[name] > have[latency] {
				latency = name
			}
		}
	}
	if have[latency] > 0 {
		metrics = append(metrics, latency)
	}
	if metrics == nil {
		for _, name := range known {
			if unit.Of(name).Better != unit.Neither {
				metrics = append(metrics, name)
			}
		}
	}
	if metrics == nil {
		metrics = known
	}
	return metrics, nil
}

// interleaved looks at every day of every cell that has both the base and a
// contender: -1 if one arm always ran wholly before the other, in the same
// direction; 1 if not; 0 if the order is unknown.
func interleaved(cells []Cell) int {
	first, second, mixed := false, false, false
	for _, c := range cells {
		if !c.Primary {
			continue
		}
		type span struct{ lo, hi float64 }
		spans := map[string]map[int]span{}
		for _, r := range c.Runs {
			if math.IsNaN(r.Slot) {
				return 0
			}
			day := spans[r.Day]
			if day == nil {
				day = map[int]span{}
				spans[r.Day] = day
			}
			sp, ok := day[r.Arm]
			if !ok {
				sp = span{r.Slot, r.Slot}
			}
			day[r.Arm] = span{min(sp.lo, r.Slot), max(sp.hi, r.Slot)}
		}
		for _, day := range spans {
			base, ok := day[0]
			for arm, sp := range day {
				switch {
				case !ok || arm == 0:
				case base.hi < sp.lo:
					first = true
				case sp.hi < base.lo:
					second = true
				default:
					mixed = true
				}
			}
		}
	}
	switch {
	case !first && !second && !mixed:
		return 0
	case mixed || first && second:
		return 1
	}
	return -1
}
