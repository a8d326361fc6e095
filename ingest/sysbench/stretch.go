package sysbench

import (
	"bytes"
	"math"
	"slices"

	"noisefloor/datasets"
)

// stretch reads on while the lines have shapes that are known and come one step
// after the other, as many as are in memory. It does the work of line, parseThds and
// interval for the lines that logs are full of, column after column.
func (s *scan) stretch() {
	p := &s.pace
	if !s.open || s.finished || s.help || s.checkpoint || s.err != nil || s.run.Threads == 0 || p.rows < 2 || !(p.step > 0) || p.cut > 0 {
		return
	}
	for s.some() > 0 {
	}
}

// stretchRows are read at a time: their lines and numbers stay in the nearest cache.
const stretchRows = 128

// some is stretch for a few lines. It gives how many there were.
func (s *scan) some() (n int) {
	room := stretchRows
	if s.Chunk != nil {
		room = max(0, min(room, chunkRows-s.run.Intervals.Len())) // clients have no chunks
	}
	into := &s.run.Intervals
	into.Room(room)
	times := into.Free(datasets.ColumnT)
	var windows [stretchRows]*window
	var shapes [stretchRows]*shape
	if n = s.follow(windows[:room], shapes[:room], times); n == 0 {
		return 0
	}
	of := shapes[0]
	for k, p := range of.places[:of.changes] {
		rows := into.Free(int(p.column))[:n]
		read(rows, k, windows[:], shapes[:])
		if p.column == datasets.ColumnLatencyPct {
			if zero := slices.Index(rows, 0); zero >= 0 { // it may be none
				n = zero
			}
		}
	}
	for column, fixed := range of.fixed {
		if fixed {
			into.Level(column, n, math.Float64frombits(of.are[column]))
		}
	}
	into.Level(datasets.ColumnQueueLength, n, math.NaN())
	into.Level(datasets.ColumnConcurrency, n, math.NaN())
	if n == 0 {
		return 0
	}
	var rates []float64
	if !of.fixed[datasets.ColumnTPS] {
		rates = into.Free(datasets.ColumnTPS)[:n]
	}
	tps := math.Float64frombits(of.are[datasets.ColumnTPS])
	size, sum, step := 0, s.sum, s.step
	for i := range n {
		if rates != nil {
			tps = rates[i]
		}
		sum += tps * step
		size += shapes[i].size
	}
	s.sum, s.took = sum, s.took+float64(n)*step
	into.Filled(n)
	s.rd.Took(n, size, shapes[n-1].size)
	s.pace.rows += n
	s.last, s.at = times[n-1], s.rd.Number
	s.clocked(windows[n-1][:shapes[n-1].size], s.last)
	s.own()
	return n
}

// follow finds the lines that stretch can read: where they begin, their shapes, all
// of one kind, and their times.
func (s *scan) follow(windows []*window, shapes []*shape, times []float64) (n int) {
	two := s.recent
	fork, alike := two[0].fork(two[1]), two[0].kind == two[1].kind
	at := 0
	t := s.last
	for text := s.rd.Rest(); n < len(windows) && len(text)-at >= len(window{}); n++ {
		w := (*window)(text[at:])
		of := two[two[0].misses(w, fork)]
		if !of.begins(w) {
			if of = s.shapes.find(w, bytes.IndexByte(w[:], '\n')+1); of == nil {
				break
			}
			if last := two[0]; n == 0 || shapes[n-1] == last {
				two[1] = of
			} else {
				two[0] = of
			}
			fork, alike = two[0].fork(two[1]), two[0].kind == two[1].kind
		}
		if !alike && n > 0 && of != shapes[n-1] {
			break
		}
		t += s.step
		if of.seconds(w) != t {
			break
		}
		windows[n], shapes[n], times[n] = w, of, t
		at += of.size
	}
	s.recent = two
	return n
}
