package ingest

import (
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/load"
)

// stamped gives when a run in a file began by the time stamps in it.
func (in *ingest) stamped(f *file, r *load.Run) (time.Time, bool) {
	if r.Stamp == "" {
		return time.Time{}, false
	}
	t, zoned, err := column.Time(r.Stamp, in.tz)
	if err != nil {
		if t = in.lastSuch(r.Stamp, f.mtime); t.IsZero() {
			return t, false
		}
		in.noYear.Store(true)
	}
	if !zoned && !in.tzSaid {
		in.unzoned.Store(true)
	}
	return t.Add(-seconds(r.StampAfter)), true
}

// lastSuch gives the last moment before a file was written that is called like this:
// May  4 09:00:00. Zero if that is no such moment.
func (in *ingest) lastSuch(text string, mtime int64) time.Time {
	t, err := time.ParseInLocation(time.Stamp, text, in.tz)
	if err != nil || mtime == 0 {
		return time.Time{}
	}
	written := time.Unix(0, mtime).In(in.tz).Add(aboutNow)
	if t = t.AddDate(written.Year(), 0, 0); t.After(written) {
		t = t.AddDate(-1, 0, 0)
	}
	return t
}

// sayLogs says what was assumed while the logs were read.
func (in *ingest) sayLogs() {
	var noted []string
	in.noted.Range(func(name, _ any) bool {
		noted = append(noted, name.(string))
		return true
	})
	if slices.Sort(noted); len(noted) > 0 {
		in.summary.Guesses = append(in.summary.Guesses, strings.Join(noted, ", ")+": from the lines that a script wrote above the runs in their logs")
	}
	if in.noYear.Load() {
		in.note("time stamps without a year are taken for the last such before their file was written")
	}
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
