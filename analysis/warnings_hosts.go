package analysis

import "fmt"

// The doubts about what else the machine did while the runs went on, by vmstat,
// mpstat and the like beside them.

// StolenCPU: a hypervisor gave processors to others.
type StolenCPU struct {
	Runs, Of int
	Most     float64 // percent, mean of the worst run
	Worst    string  // its source
}

func (StolenCPU) Kind() string { return "stolen-cpu" }
func (w StolenCPU) Text() string {
	return fmt.Sprintf("the hypervisor took processor time from %d of %s, up to %.3g %% (%s): other guests were at work, and their load is in these numbers; use a host of your own, or many days.", w.Runs, Counted(w.Of, "run"), w.Most, w.Worst)
}

// Swapping: the machine moved memory to disk and back.
type Swapping struct {
	Runs, Of int
	Most     float64 // bytes per second, mean of the worst run
	Worst    string
}

func (Swapping) Kind() string { return "swapping" }
func (w Swapping) Text() string {
	return fmt.Sprintf("the machine swapped during %d of %s, up to %.3g MB/s (%s): what was measured there is the disk; give the server less memory or the machine more.", w.Runs, Counted(w.Of, "run"), w.Most/1e6, w.Worst)
}

// OtherLoad: the processors were idle more or less than in the other runs of the
// same arm and stratum.
type OtherLoad struct {
	Runs, Of    int
	Idle, Usual float64 // percent, of the run that is furthest off and of its fellows
	Worst       string
}

func (OtherLoad) Kind() string { return "other-load" }
func (w OtherLoad) Text() string {
	return fmt.Sprintf("the processors were idle %.0f %% of the time in %s and %.0f %% in the other runs of its arm and stratum; %d of %s stand out so: something else ran beside them, or they did not do the same.", w.Idle, w.Worst, w.Usual, w.Runs, Counted(w.Of, "run"))
}
