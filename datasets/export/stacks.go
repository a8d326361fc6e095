package export

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"noisefloor/datasets"
)

const stacksTable = "stacks"

// stackSource yields stacks and may be asked again.
type stackSource func(yield func([]datasets.Stack) error) error

// profileFormat is a way to write the stacks of a run, or of several runs taken
// together. A format that knows one event only has a file for each.
type profileFormat struct {
	ext      string
	perEvent bool
	write    func(w io.Writer, event string, stacks stackSource, about ...string) error
}

var profileFormats = map[string]profileFormat{
	"pprof": {ext: "pb.gz", write: func(w io.Writer, _ string, stacks stackSource, about ...string) error {
		return Pprof(w, stacks, about...)
	}},
	"folded": {ext: "folded", perEvent: true, write: func(w io.Writer, event string, stacks stackSource, _ ...string) error {
		return Folded(w, event, stacks)
	}},
}

// stacks writes a profile of each run, or, with partitions, of all runs of each
// partition together.
func (e *export) stacks(format profileFormat) error {
	t := &tableExport{export: e, name: stacksTable, schema: arrow.NewSchema(nil, nil), parts: map[string]*part{}}
	e.done = append(e.done, t)
	if len(e.opt.PartitionBy) == 0 {
		return e.stacksByRun(func(id string, stacks []datasets.Stack) error {
			return t.profile(format, id, "run "+id, func(yield func([]datasets.Stack) error) error { return yield(stacks) })
		})
	}
	used := map[int]bool{}
	err := e.r.Stacks(func(rows []datasets.Stack) error {
		for i := range rows {
			if k, ok := e.of[rows[i].RunID]; ok {
				used[k] = true
			}
		}
		return e.stopped()
	})
	if err != nil {
		return err
	}
	for _, k := range slices.Sorted(maps.Keys(used)) {
		about := strings.TrimSuffix(e.folders[k], "/")
		err := t.profile(format, e.folders[k]+"profile", strings.ReplaceAll(about, "/", ", "), func(yield func([]datasets.Stack) error) error {
			return e.r.Stacks(func(rows []datasets.Stack) error {
				here := slices.Clone(rows)
				here = slices.DeleteFunc(here, func(s datasets.Stack) bool {
					at, ok := e.of[s.RunID]
					return !ok || at != k
				})
				return yield(here)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stacksByRun yields the stacks of each run that is exported, which come together.
func (e *export) stacksByRun(yield func(id string, stacks []datasets.Stack) error) error {
	var of []datasets.Stack
	hand := func() error {
		if len(of) == 0 {
			return nil
		}
		stacks := of
		of = nil
		return yield(stacks[0].RunID, stacks)
	}
	err := e.r.Stacks(func(rows []datasets.Stack) error {
		for _, s := range rows {
			if len(of) > 0 && of[0].RunID != s.RunID {
				if err := hand(); err != nil {
					return err
				}
			}
			if _, ok := e.of[s.RunID]; ok {
				of = append(of, s)
			}
		}
		return e.stopped()
	})
	if err != nil {
		return err
	}
	return hand()
}

// profile writes one file, or one for each event.
func (t *tableExport) profile(format profileFormat, name, about string, stacks stackSource) error {
	rows := map[string]int64{} // by event
	err := stacks(func(s []datasets.Stack) error {
		for i := range s {
			event := ""
			if format.perEvent {
				event = s[i].Event
			}
			rows[event]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, event := range slices.Sorted(maps.Keys(rows)) {
		path := stacksTable + "/" + name
		if event != "" {
			path += "." + hiveEscape(event)
		}
		out, err := t.folder.create(path + "." + format.ext)
		if err != nil {
			return err
		}
		t.parts[path] = &part{place: path, out: out, rows: rows[event]}
		if err := format.write(out, event, stacks, about); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := out.close(); err != nil {
			return err
		}
	}
	return nil
}
