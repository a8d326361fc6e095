package group

import (
	"math"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// plainly is how much more statements of a kind one run has to send a transaction
// than another, and by how many, until they did different things: rolled back
// transactions are counted too, and add a few percent.
const (
	plainly = 1.2
	atLeast = .1
)

// mixes finds strata whose runs did different things by the statements that they
// sent, whatever they are called: reads, writes and others a transaction.
func (s *survey) mixes(strata [][]int, name func(n int) string) (w analysis.MixesDiffer, any bool) {
	for n, runs := range strata {
		for _, statement := range []string{"reads", "writes", "other"} {
			least, most := math.Inf(1), math.Inf(-1)
			for _, i := range runs {
				r := &s.runs[i]
				sent, ok := r.Metrics[statement]
				all := r.Metrics["transactions"]
				if v := sent / all; ok && all > 0 && !math.IsNaN(v) && !math.IsInf(v, 0) {
					least, most = min(least, v), max(most, v)
				}
			}
			if !(most > plainly*least+atLeast) {
				continue
			}
			if w.Strata++; w.Strata == 1 {
				w.Statement, w.Least, w.Most, w.Stratum = statement, least, most, name(n)
			}
			break
		}
	}
	return w, w.Strata > 0
}

// kept is how near to its rate a run has to come to have kept it.
const kept = .02

// rates finds strata whose runs all kept the rate that they were told.
func (s *survey) rates(strata [][]int, name func(n int) string) (w analysis.RateKept, any bool) {
	for n, runs := range strata {
		rate := 0.
		for _, i := range runs {
			r := &s.runs[i]
			asked, ok := r.Value("rate").Number()
			sent, sql := r.Metrics["tps"]
			if !sql {
				sent = r.Metrics["eps"]
			}
			if !ok || !(math.Abs(sent-asked) <= kept*asked) {
				rate = 0
				break
			}
			rate = asked
		}
		if rate > 0 {
			if w.Strata++; w.Strata == 1 {
				w.Rate, w.Stratum = rate, name(n)
			}
		}
	}
	return w, w.Strata > 0
}

// alike counts the runs whose test is only known to be one of several.
func (s *survey) alike() (w analysis.WorkloadsAlike, any bool) {
	w.Workload = datasets.UpdateOrInsert
	for i := range s.runs {
		if s.runs[i].Workload == datasets.UpdateOrInsert {
			w.Runs++
		}
	}
	return w, w.Runs > 0
}
