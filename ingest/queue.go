package ingest

import (
	"sync"

	"noisefloor/datasets"
)

// part is what a worker hands on: whole runs of one file, with everything that
// belongs to them.
type part struct {
	datasets.Batch
	measured []*measured
	courses  []*course
	bytes    int64 // decompressed, read for it
}

// rows is what a part weighs: its rows are nearly all intervals and buckets.
func (p *part) rows() int {
	n := p.Intervals.Len() + len(p.Buckets) + p.Series.Len() + len(p.Settings) + 16*len(p.Runs) + 1
	for _, m := range p.measured {
		n += m.rows()
	}
	for _, c := range p.courses {
		n += c.series.Samples.Len()
	}
	return n
}

// queue hands parts from the workers to the sink in the order of the files. It
// bounds what waits: a worker that is far ahead sleeps until the file at the head
// has been taken.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	tasks   []waiting
	head    int // the file whose parts are taken now
	rows    int // that wait
	limit   int
	stopped bool
	free    chan *part // parts to use again
}

type waiting struct {
	parts []*part
	done  bool
	err   error
}

// freeParts is about how many parts of full size wait at most.
const freeParts = 16

func newQueue(tasks, limit int) *queue {
	q := &queue{tasks: make([]waiting, tasks), limit: limit, free: make(chan *part, freeParts)}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// push waits until there is room, and gives false when nobody wants the part any
// more. The file at the head always may have one part waiting, or nothing would
// ever move.
func (q *queue) push(task int, p *part) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && q.rows > 0 && q.rows+p.rows() > q.limit && !(task == q.head && len(q.tasks[task].parts) == 0) {
		q.changed.Wait()
	}
	if q.stopped {
		return false
	}
	q.rows += p.rows()
	q.tasks[task].parts = append(q.tasks[task].parts, p)
	q.changed.Broadcast()
	return true
}

// finish says that a file has no further parts.
func (q *queue) finish(task int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks[task].done, q.tasks[task].err = true, err
	q.changed.Broadcast()
}

// stop wakes everyone; pushed parts are not wanted any more.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.changed.Broadcast()
}

// next gives the next part of the file at the head, or nil when the file is
// done.
func (q *queue) next() (*part, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &q.tasks[q.head]
	for len(t.parts) == 0 && !t.done && !q.stopped {
		q.changed.Wait()
	}
	if len(t.parts) > 0 {
		p := t.parts[0]
		t.parts = t.parts[1:]
		q.rows -= p.rows()
		q.changed.Broadcast()
		return p, nil
	}
	err := t.err
	if t.done {
		t.parts = nil
		q.head++
		q.changed.Broadcast()
	}
	return nil, err
}

// fresh gives an empty part, with the memory of one that was taken if there is one.
func (q *queue) fresh() *part {
	select {
	case p := <-q.free:
		return p
	default:
		return &part{}
	}
}

// recycle keeps the memory of a part that the sink is done with.
func (q *queue) recycle(p *part) {
	b := &p.Batch
	clear(b.Runs) // drop the maps
	b.Intervals.Cut(0)
	*p = part{Batch: datasets.Batch{Columns: b.Columns[:0], Runs: b.Runs[:0], Intervals: b.Intervals, Buckets: b.Buckets[:0], Settings: b.Settings[:0], Problems: b.Problems[:0], Sources: b.Sources[:0]}}
	select {
	case q.free <- p:
	default:
	}
}
