// Package load is the seam between ingest and the scanners of load generators:
// what a run in a log is, how a log is recognised, and, for tools whose logs are
// short, the loop around their lines (Scan).
package load

import (
	"io"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/sums"
)

// Tool is a load generator whose logs are read.
type Tool struct {
	Name string // in the column tool, and in "sysbench log", the kind of its files
	// Sniff tells from the first bytes of a file (64 KiB are enough) whether the
	// tool wrote it: something in them that nothing else prints.
	Sniff func(head []byte) bool
	// Scan reads a text to its end. The error is that of the reader or of Found,
	// never one of the text.
	Scan func(text io.Reader, out Out) error
	// Threads finds the threads of the first run in the head of a log, 0 if they
	// are not there; nil: the tool never says.
	Threads func(head []byte) int
	// Beside: its reports often stand beside the log of another tool for the same
	// run, and are then no run of their own.
	Beside bool
}

// Out takes what a scanner finds; nil members are allowed.
type Out struct {
	// Found is called once per run, in order. The Run, its slices and its maps are
	// used again when it returns.
	Found func(*Run) error
	// Problem is called at the end, once per kind of thing not understood, in the
	// order of lines. Its source is the caller's to fill.
	Problem func(datasets.Problem)
	// Text gets the SHA-256 of the text as it was read, up to an error.
	Text *[32]byte
	// Others hash together with this scan; nil: nobody.
	Others *sums.Group
	// Chunk, where a tool writes logs that memory does not hold, gets the report lines
	// of a long run as they come; Found then has the rest of them.
	Chunk func(part int, rows *datasets.Intervals) error
}

// Run is one run found in a text. What the text does not say is "", 0, or
// missing in the maps.
type Run struct {
	Part                int // n-th run in the text, from 1
	FirstLine, LastLine int // in the text, from 1
	Version             string
	Threads             int
	Clients             int // processes whose results were added up; 0: one
	Status              datasets.Status

	// Workload is the name of the test if the text names it. Mix is what the
	// counts of statements show where no name stands anywhere: a guess.
	Workload, Mix string

	// Stamp is a moment as the text writes it, StampAfter how many seconds of the run
	// had gone by then; "" if the text tells none.
	Stamp      string
	StampAfter float64

	Host string // the machine that the text names

	// Options holds what the text says about how the run was made; never a
	// password.
	Options map[string]datasets.Value

	// Factors holds what a harness wrote into the text about the run.
	Factors map[string]datasets.Value

	// Metrics holds the totals in base units (seconds, per second, bytes; nopm and
	// tpmc, per minute by definition). NaN: printed, but impossible.
	Metrics map[string]float64

	// Intervals holds the report lines in the order of the text, RunID empty.
	Intervals datasets.Intervals

	Buckets []datasets.Bucket // the histogram, RunID empty

	Series datasets.Samples // what tools of the host printed into the text, RunID empty

	// Hash is the SHA-256 of the run's own bytes in UTF-8: from the first byte of
	// FirstLine to the last of LastLine, the last line end not included. A byte
	// order mark before the first line is not the run's.
	Hash [32]byte
}
