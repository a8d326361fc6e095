package datasets

import "testing"

// Samples of several sources come together with their numbers, and are then of one run.
func TestSamples(t *testing.T) {
	var vmstat, mpstat, all Samples
	vmstat.Append(vmstat.Number("cpu_user_pct"), 1, 10)
	vmstat.Append(vmstat.Number("cpu_idle_pct"), 1, 90)
	vmstat.Own("", "vmstat")
	all.AddAll(&vmstat)
	late := vmstat.Sieve()
	late.Append(vmstat.Metric[1], 2, 80)
	late.Own("", "vmstat")
	mpstat.Append(mpstat.Number("cpu_idle_pct"), 1, 95)
	mpstat.Own("", "mpstat")
	mpstat.Append(mpstat.Number("cpu_user_pct"), 2, 5) // of no source
	for _, s := range []*Samples{&late, &mpstat} {
		all.AddAll(s)
	}
	all.OfRun("x")
	wantSame(t, "rows", all.Rows(), []Sample{
		{RunID: "x", T: 1, Source: "vmstat", Metric: "cpu_user_pct", Value: 10}, {RunID: "x", T: 1, Source: "vmstat", Metric: "cpu_idle_pct", Value: 90},
		{RunID: "x", T: 2, Source: "vmstat", Metric: "cpu_idle_pct", Value: 80}, {RunID: "x", T: 1, Source: "mpstat", Metric: "cpu_idle_pct", Value: 95},
		{RunID: "x", T: 2, Metric: "cpu_user_pct", Value: 5},
	})
	wantSame(t, "names", all.Names, []string{"cpu_user_pct", "cpu_idle_pct"})
	again := samplesOf(all.Rows()...)
	wantSame(t, "rows once more", again.Rows(), all.Rows())
}

// samplesOf gives rows as columns.
func samplesOf(rows ...Sample) (s Samples) {
	s.Add(rows...)
	return s
}
