package datasets

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Add stages a batch for the next Commit. It commits by itself when about
// 256 MB of rows are staged, so that memory stays bounded.
//
// A batch has whole runs: all intervals and buckets of a run come with it, or what
// Batch.Ahead says. Its stacks, counters, waits and series may come later, those of one table together
// (of series those of one source): they replace what that table had of the run. A
// run that the data set knows adds no row; if its description has changed, its
// row is updated. If two sources hold the same run, the first path in order
// describes it and the other gets a problem record. A longer version of a
// truncated run, at the same source and part, replaces it and all that belongs
// to it. When a source is read again, it and its problems replace what was
// known of it, and so do the settings that it gives for a run.
//
// The batch is not kept: the caller may use its slices and maps again.
func (w *Writer) Add(b *Batch) error {
	if w.err != nil {
		return w.err
	}
	var err error
	if b.Ahead != "" && w.ahead == nil {
		// What is staged then is this run's alone, and can go with it.
		if err = w.commit(); err == nil {
			w.ahead = &aheadRun{id: b.Ahead, fresh: !w.HasRun(b.Ahead)}
		}
	}
	if err == nil {
		err = w.add(b)
	}
	if b.Ahead == "" {
		w.ahead = nil
	}
	if err == nil && w.ahead == nil && w.stagedTooMuch() {
		err = w.commit()
	}
	if err != nil {
		w.fail(w.disk.explain(err))
	}
	return w.err
}

func (w *Writer) add(b *Batch) error {
	settings, err := w.groupSettings(b.Settings)
	if err != nil {
		return err
	}
	besides, err := w.groupBeside(b)
	if err != nil {
		return err
	}
	if w.replacesStaged(b.Runs, settings, besides) {
		if err := w.commit(); err != nil {
			return err
		}
	}
	for _, s := range b.Sources {
		w.addSource(s)
	}
	w.declareAll(b)
	in := &incoming{runs: make(map[string]*incomingRun, len(b.Runs)), problems: map[Problem]int{}}
	for i := range b.Runs {
		if err := w.addRun(&b.Runs[i], in); err != nil {
			return err
		}
	}
	for _, p := range b.Problems {
		w.addProblem(p)
	}
	in.eachProblem(w.addProblem)

	err = w.addRows(in, b.Intervals.rows, rowsOf{
		run:   b.Intervals.Run,
		rises: func(i int) bool { t := b.Intervals.Column(ColumnT); return t[i] > t[i-1] },
		add:   func(id string, from, n int) error { return w.intervals.addIntervals(id, &b.Intervals, from, n) },
	})
	if err != nil {
		return err
	}
	err = w.addRows(in, len(b.Buckets), rowsOf{
		run:   func(i int) (string, int) { return runOf(b.Buckets, i) },
		rises: func(i int) bool { return b.Buckets[i].Value > b.Buckets[i-1].Value },
		add:   func(_ string, from, n int) error { return w.buckets.addBuckets(b.Buckets[from : from+n]) },
	})
	if err != nil {
		return err
	}
	if err := w.addBeside(besides, in); err != nil {
		return err
	}
	return w.addSettings(settings, in)
}

// incoming is what a batch has brought so far.
type incoming struct {
	runs     map[string]*incomingRun // by ID
	problems map[Problem]int         // found while adding, with their counts
}

type incomingRun struct {
	fresh  bool // its rows are to be added
	copies int  // how often it is in the batch
}

// problem counts one more of a problem of a source as a whole.
func (in *incoming) problem(source, kind, text string) {
	in.problems[Problem{Source: source, Kind: kind, Text: text}]++
}

func (in *incoming) eachProblem(yield func(Problem)) {
	var all []Problem
	for p, n := range in.problems {
		p.Count = n
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Problem) int {
		return strings.Compare(a.Source+"\x00"+a.Kind+"\x00"+a.Text, b.Source+"\x00"+b.Kind+"\x00"+b.Text)
	})
	for _, p := range all {
		yield(p)
	}
}

// replacesStaged tells whether the batch replaces rows that are not committed
// yet. Only committed rows can be replaced, which keeps the rest simple, and
// within one ingest it hardly happens.
func (w *Writer) replacesStaged(runs []Run, settings []settingRows, besides []besideRows) bool {
	for i := range runs {
		if old := w.index.replacedBy(&runs[i]); old != "" {
			if _, staged := w.staged[old]; staged {
				return true
			}
		}
	}
	for _, s := range settings {
		if w.stagedSettings[s.group] && !w.settingIndex.has(s) {
			return true
		}
	}
	for _, b := range besides {
		for _, r := range b.owners {
			if b.table.staged[r.owner] && !b.table.has(r) {
				return true
			}
		}
	}
	return false
}

func (w *Writer) addSource(s Source) {
	s.Path, s.SHA256, s.Kind = validText(s.Path), validText(s.SHA256), validText(s.Kind)
	s.Tool, s.Version = validText(s.Tool), validText(s.Version)
	w.touch(s.Path)
	old := w.sources[s.Path]
	if old == nil {
		old = &Source{}
		w.sources[s.Path] = old
	}
	w.marksDirty = w.marksDirty || old.Mark != s.Mark
	old.Mark = s.Mark // no part of dataset.json
	w.sourcesDirty = w.sourcesDirty || *old != s
	*old = s
}

// touch forgets the problems of a source that is read again.
func (w *Writer) touch(source string) {
	if w.untouched[source] {
		delete(w.untouched, source)
		delete(w.problems, source)
		w.problemsDirty = true
	}
}

// addProblem records a problem once, however often it is added.
func (w *Writer) addProblem(p Problem) {
	p.Source, p.Kind, p.Text = validText(p.Source), validText(p.Kind), cut(validText(p.Text), maxProblemText)
	w.touch(p.Source)
	w.problemsDirty = true
	known := w.problems[p.Source]
	for i, k := range known {
		if k.Line == p.Line && k.Kind == p.Kind && k.Text == p.Text {
			known[i].Count = p.Count
			return
		}
	}
	w.problems[p.Source] = append(known, p)
}

// addRun takes a run in: as new, as changed, or as the copy of another.
func (w *Writer) addRun(given *Run, in *incoming) error {
	if given.ID == "" || !utf8.ValidString(given.ID) {
		return fmt.Errorf("datasets: a run of %q has the ID %q, which is none", given.Source, given.ID)
	}
	r := w.clean(given, in)
	w.touch(r.Source)
	here := in.runs[r.ID]
	if here == nil {
		here = &incomingRun{}
		in.runs[r.ID] = here
	}
	here.copies++

	row := w.index.row(&r)
	known, ok := w.index.get(r.ID)
	if !ok {
		here.fresh = true
		if old := w.index.replacedBy(&r); old != "" {
			w.dropRun(old)
		}
		w.staged[r.ID] = len(w.runs)
		w.runs = append(w.runs, r)
		w.runsHeap += heapOf(&r)
		w.index.put(&r, row, true)
		return nil
	}
	// A known run at another place has been moved since, or is a copy if this
	// writer has seen it at the other place as well.
	place, before := runPlace{r.Source, r.Part}, w.index.place(known)
	if known.seen() && before != place {
		winner, copied := before, place
		if place.before(before) {
			winner, copied = place, before
		}
		w.copies++
		in.problem(copied.source, kindCopy, copied.sameAs(winner))
		if winner == before {
			return nil
		}
	}
	if known.row != row {
		if at, staged := w.staged[r.ID]; staged {
			w.runs[at] = r
		} else {
			w.changedRuns[r.ID] = r
		}
		w.runsHeap += heapOf(&r)
	}
	w.index.put(&r, row, true)
	return nil
}

func (p runPlace) before(q runPlace) bool {
	return p.source < q.source || p.source == q.source && p.part < q.part
}

func (p runPlace) sameAs(q runPlace) string {
	if p.source == q.source {
		return "holds the same run twice"
	}
	return "holds the same run as " + q.source
}

// dropRun replaces a committed truncated run by a longer one.
func (w *Writer) dropRun(id string) {
	if _, staged := w.staged[id]; staged {
		return // of this very batch: then it is no earlier version
	}
	w.droppedRuns[id] = true
	delete(w.changedRuns, id)
	w.index.drop(id)
}

// heapOf is about what a staged run takes in memory.
func heapOf(r *Run) int64 {
	n := 600 // the struct, its built-in texts and the two maps
	for name, v := range r.Factors {
		n += 80 + len(name) + len(v.text)
	}
	return int64(n + 40*len(r.Metrics))
}

// rowsOf gives addRows the rows of one table of a batch.
type rowsOf struct {
	run   func(i int) (id string, end int) // the run of row i, and where the rows of another may begin
	rises func(i int) bool                 // row i comes after row i-1 in a run
	add   func(id string, from, n int) error
}

// runOf is rowsOf.run of buckets.
func runOf(buckets []Bucket, i int) (id string, end int) {
	id = buckets[i].RunID
	for end = i + 1; end < len(buckets) && buckets[end].RunID == id; end++ {
	}
	return id, end
}

// addRows adds the rows of the fresh runs of the batch and leaves out those
// that the data set has.
func (w *Writer) addRows(in *incoming, n int, rows rowsOf) error {
	var done map[string]bool // runs that are twice in the batch and have their rows
	for from, next := 0, 0; from < n; from = next {
		id, end := rows.run(from)
		next = end
		r := in.runs[id]
		if a := w.ahead; a != nil && id == a.id {
			if a.fresh {
				if err := rows.add(id, from, end-from); err != nil {
					return err
				}
			}
			continue
		}
		if r == nil && !w.HasRun(id) {
			return fmt.Errorf("datasets: the batch has rows of run %q but not the run", id)
		}
		if r == nil || !r.fresh || done[id] {
			continue
		}
		if r.copies > 1 {
			// The rows of all copies are here. One copy ends where the rows
			// begin again.
			if done == nil {
				done = map[string]bool{}
			}
			done[id] = true
			for k := from + 1; k < end; k++ {
				if !rows.rises(k) {
					end = k
				}
			}
		}
		if err := rows.add(id, from, end-from); err != nil {
			return err
		}
	}
	return nil
}
