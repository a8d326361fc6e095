package ingest

import (
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/naming"
)

// What package naming asks of a file, and tells it.

func (f *file) Source() string { return f.source }

func (f *file) Segments() []string {
	if !f.isMeasured() {
		return nil
	}
	return f.segments()
}

// Folder is where a file lies; an archive is a folder, and so is its inside.
func (f *file) Folder() string { return parent(strings.ReplaceAll(f.rel, "!", "/")) }

func (f *file) IsSettled() bool { return f.matched }

func (f *file) Threads() int { return int(f.threads) }

func (f *file) Together() int { return int(f.together) }

func (f *file) Forget(key string) {
	own := f.surroundings()
	own.forgotten = append(own.forgotten, key)
}

func (f *file) Join(threads int) { f.surroundings().together = int32(threads) }

// WasOn tells whether files beside a log are dated, and whether these, the time of the
// log's file or another date of the paths say that it ran on a day in any year.
func (f *file) WasOn(month, day string, known []string) (dated, agrees bool) {
	on, err := time.Parse("1-2", strings.TrimLeft(month, "0")+"-"+strings.TrimLeft(day, "0"))
	if err != nil {
		return false, false
	}
	// A run in the night ends on the next day.
	is := func(t time.Time) bool {
		return t.Month() == on.Month() && (t.Day() == on.Day() || t.Day() == on.Day()+1)
	}
	for _, k := range known {
		t, err := time.Parse(time.DateOnly, k)
		agrees = agrees || err == nil && is(t)
	}
	for _, s := range f.sides {
		if date := s.host.Date; date.Known() {
			dated = true
			agrees = agrees || is(time.Date(2000, time.Month(date.Month), date.Day, 0, 0, 0, 0, time.UTC))
		}
	}
	return dated, agrees || f.mtime != 0 && is(time.Unix(0, f.mtime).UTC())
}

// naming reads paths for this ingest.
func (in *ingest) naming() *naming.Names {
	return &naming.Names{
		Rename: in.rename,
		Tell: func(f naming.File, name string, value datasets.Value, from string) {
			of := f.(*file)
			of.told = append(of.told, in.claim(named{name, value, from}, guessedRank))
		},
		Say:     func(guess string) { in.summary.Guesses = append(in.summary.Guesses, guess) },
		Problem: in.problems.add,
	}
}

// readPaths cuts the paths of all that is measured into what names are guessed from.
func (in *ingest) readPaths(files []*file) {
	in.paths = in.naming().Paths(asNamed(files))
}

func asNamed(files []*file) []naming.File {
	list := make([]naming.File, len(files))
	for i, f := range files {
		list[i] = f
	}
	return list
}
