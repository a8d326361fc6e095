package ingest

import (
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/load"
)

// stamped gives when a run began by the time stamps in its log.
func (in *ingest) stamped(r *load.Run) (time.Time, bool) {
	if r.Stamp == "" {
		return time.Time{}, false
	}
	t, zoned, err := column.Time(r.Stamp, in.tz)
	if err != nil {
		return time.Time{}, false
	}
	if !zoned && !in.tzSaid {
		in.unzoned.Store(true)
	}
	return t.Add(-seconds(r.StampAfter)), true
}

// sayLogs says what was assumed while the logs were read.
func (in *ingest) sayLogs() {
	if in.unzoned.Load() {
		in.note("times without a zone are read as UTC; --tz says otherwise")
	}
	if in.alike.Load() {
		in.note("workload: update_index, update_non_index and insert look alike in a log, and runs of either may stand together as %q: a name of the test in the path keeps them apart, --set workload= or {workload} in --layout says it", datasets.UpdateOrInsert)
	}
	if in.mixes.Load() {
		in.note("workload: where no name stands anywhere, guessed from the statements of a transaction; --set workload= says otherwise")
	}
}

// aboutNow is how far two accounts of the beginning of a run may be apart: a
// folder is named before the data is loaded.
const aboutNow = 15 * time.Minute
