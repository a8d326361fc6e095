package ingest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/sums"
)

const (
	// waitingRows may wait for the sink: about 16 MB of intervals.
	waitingRows = 128 << 10
	// partRows is when a part is handed on although its file goes on.
	partRows = 8 << 10
	// Files up to smallFile are read together, up to taskBytes.
	smallFile = 16 << 10
	taskBytes = 256 << 10
)

// scan reads all logs and tables and hands their rows to the sink in the order of
// the files.
func (in *ingest) scan(ctx context.Context, sink Sink) error {
	in.passUnchanged()
	in.expectBeside()
	in.expectHosts()
	first := in.firstPart()
	if err := in.add(sink, first); err != nil {
		return err
	}
	var todo []*diskFile
	var progress Progress
	for _, d := range in.disk {
		n := 0
		for _, f := range d.files {
			if !f.isMap() && !f.passed {
				n++
			}
		}
		if n > 0 {
			todo = append(todo, d)
			progress.TotalFiles += n
			progress.TotalBytes += d.Size
		}
	}
	in.onDisk.Store(0)
	in.expectGroups()
	tasks := batched(todo)
	in.forget()
	q := newQueue(len(tasks), waitingRows)
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	defer q.stop()
	stopWhenDone := context.AfterFunc(ctx, q.stop)
	defer stopWhenDone()
	turns := xzTurns(tasks)
	next := make(chan int, len(tasks))
	for i := range tasks {
		next <- i
	}
	close(next)
	workers := min(in.opt.Workers, len(tasks))
	if sums.InPairs && workers > 1 {
		workers += 2 // one of them waits for another to hash with, one for its turn in the queue
	}
	for range workers {
		wait.Go(func() {
			for i := range next {
				if !turns[i].wait(ctx) {
					return
				}
				s := &scanner{in: in, task: i, q: q, packs: workers > 1}
				in.hashing.Enter()
				err := s.run(ctx, tasks[i])
				in.hashing.Leave()
				q.finish(i, err)
				turns[i].pass()
			}
		})
	}
	report := in.reporter(&progress)
	for i, files := range tasks {
		for {
			p, err := q.next()
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if p == nil {
				break
			}
			if err := in.add(sink, p); err != nil {
				return err
			}
			progress.Runs = in.summary.Runs
			progress.Files += len(p.Sources)
			progress.Bytes = in.onDisk.Load()
			q.recycle(p)
			report(false)
		}
		for _, d := range files {
			for _, f := range d.files {
				if f.team != nil && f.group != nil {
					in.came(f)
				}
			}
		}
		if err := in.seal(sink); err != nil {
			return err
		}
		tasks[i] = nil
	}
	progress.Files, progress.Bytes = progress.TotalFiles, progress.TotalBytes // also those that could not be opened
	report(true)
	for _, of := range sortedKeys(in.held) { // files beside them could not be opened
		if err := in.handOn(sink, of, in.held[of]); err != nil {
			return err
		}
	}
	if err := in.handOnRest(sink); err != nil {
		return err
	}
	in.sayHosts()
	return nil
}

// batched makes tasks of the files: neighbours that are small are read as one, so
// that handing on does not cost more than reading.
func batched(todo []*diskFile) (tasks [][]*diskFile) {
	room := int64(0)
	for i, d := range todo {
		alone := d.container || d.Size > smallFile
		if alone || d.Size > room {
			tasks = append(tasks, nil)
			room = taskBytes
		}
		if room -= d.Size; alone {
			room = -1
		}
		last := &tasks[len(tasks)-1]
		*last = append(*last, todo[i])
	}
	return tasks
}

// A turn keeps files with xz streams from being open two at a time: each waits for
// the one before. In the order of the files, because one that came first by chance
// could hold its turn while the queue waits for an earlier file that wants it.
type turn struct {
	before <-chan struct{} // nil: need not wait
	done   chan struct{}   // nil: nobody waits
}

func xzTurns(tasks [][]*diskFile) []turn {
	turns := make([]turn, len(tasks))
	var last chan struct{}
	for i, files := range tasks {
		if files[0].xz { // a container, which is alone
			turns[i].before = last
			turns[i].done = make(chan struct{})
			last = turns[i].done
		}
	}
	return turns
}

// wait gives false when the ingest is over.
func (t turn) wait(ctx context.Context) bool {
	if t.before != nil {
		select {
		case <-t.before:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

func (t turn) pass() {
	if t.done != nil {
		close(t.done)
	}
}

// reportEach is how often Options.Progress is called at most.
const reportEach = 100 * time.Millisecond

// reporter calls it so often.
func (in *ingest) reporter(p *Progress) func(last bool) {
	var before time.Time
	return func(last bool) {
		if in.opt.Progress == nil {
			return
		}
		if now := time.Now(); last || now.Sub(before) >= reportEach {
			before = now
			in.opt.Progress(*p)
		}
	}
}

// add gives a part to the sink and counts it.
func (in *ingest) add(sink Sink, p *part) error {
	s := &in.summary
	s.Runs += len(p.Runs)
	s.Intervals += p.Intervals.Len()
	s.Samples += p.Series.Len()
	s.Problems += len(p.Problems)
	s.Bytes += p.bytes
	for _, src := range p.Sources {
		if src.Tool != "" && src.Runs == 0 && strings.HasSuffix(src.Kind, " log") {
			in.skip(kind(src.Kind+" without a run"), "output of prepare or cleanup, or cut before the run", src.Path)
		}
	}
	for i := range p.Runs {
		r := &p.Runs[i]
		switch r.Status {
		case datasets.Complete:
			s.Complete++
		case datasets.FailedToStart, datasets.HelpText, datasets.Empty:
			if in.failed == "" {
				in.failed = in.whyFailed(r, p.Problems)
			}
			continue
		}
		in.started++
	}
	if err := sink.Add(&p.Batch); err != nil {
		return err
	}
	in.remember(p)
	if err := in.hold(sink, p); err != nil {
		return err
	}
	if err := in.holdHosts(sink, p); err != nil {
		return err
	}
	return in.seal(sink)
}

func (in *ingest) whyFailed(r *datasets.Run, problems []datasets.Problem) string {
	for _, p := range problems {
		if p.Source == r.Source && strings.Contains(strings.ToUpper(p.Kind+p.Text), "FATAL") {
			return r.Source + " says " + p.Text
		}
	}
	return r.Source + ": " + string(r.Status)
}

// forget drops what only the description of the runs needed. From here on a log is
// known by its task alone, and goes with it.
func (in *ingest) forget() {
	in.disk, in.problems = nil, problemList{}
	for _, f := range in.files {
		if f.isMap() {
			f.content = &noContent
		}
		if f.around != &noAround {
			f.metas, f.sayings, f.laidOut = nil, nil, nil
		}
	}
	in.files = slices.DeleteFunc(in.files, func(f *file) bool { return f.tool != nil || f.isMap() })
}

// firstPart holds what belongs to no single log: factor columns, metadata files,
// and the problems met so far.
func (in *ingest) firstPart() *part {
	p := &part{}
	for _, name := range sortedKeys(in.columns) {
		p.Columns = append(p.Columns, in.columns[name])
	}
	for _, f := range in.files {
		if !f.isMap() {
			continue
		}
		p.Sources = append(p.Sources, datasets.Source{Path: f.source, SHA256: f.sha, Size: f.size, Kind: string(f.kind)})
		p.bytes += f.size
		if len(f.meta.Entries) > manyKeys {
			p.Settings = append(p.Settings, settingsOf(f, *f.meta)...)
		}
	}
	p.Problems = in.problems.list
	tidy(&p.Batch, in.cleaned)
	return p
}
