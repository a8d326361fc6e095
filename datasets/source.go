package datasets

// Source is one file that was read: the provenance of a data set.
type Source struct {
	Path    string `json:"path"`   // relative to the PATH given, archive members after "!"
	SHA256  string `json:"sha256"` // of the decompressed bytes
	Size    int64  `json:"size"`   // decompressed
	Kind    string `json:"kind"`   // what it was taken for: "sysbench", "table", "metadata", ...
	Tool    string `json:"tool,omitempty"`
	Version string `json:"version,omitempty"` // of the tool that wrote it
	Runs    int    `json:"runs"`              // runs found in it
	// Mark is what ingest knows a file by that has not changed since; "" is one that
	// has to be read again. It is kept beside the data set, for the next Writer.
	Mark string `json:"-"`
}

// Batch is what one ingest step adds to a data set: whole runs, each with all
// its rows. See Writer.Add.
type Batch struct {
	Columns   []Column
	Runs      []Run
	Intervals Intervals
	Buckets   []Bucket
	Stacks    []Stack
	Counters  []Counter
	Waits     []Wait
	Series    Samples
	Settings  []Setting
	Problems  []Problem
	Sources   []Source

	// Ahead is the ID of a run whose report lines are more than memory holds: they
	// come in batches that hold nothing else, and the run with the last of them in
	// the batch after these.
	Ahead string
}
