package history

import "math"

// partition divides a series into segments of constant mean so that the
// weighted sum of squares around the means plus a penalty for each change is
// the smallest there is: optimal partitioning (Jackson et al. 2005, "An
// algorithm for optimal partitioning of data on an interval") made linear by
// functional pruning (Maidstone, Hocking, Rigaill & Fearnhead 2017, "On optimal
// multiple changepoint algorithms for large data", section 3.2).
//
// A candidate is the place where the last segment may begin. Its cost is a
// quadratic of that segment's mean, so the mean's axis is cut into stretches on
// which one candidate is the best; what is best nowhere can never be again and
// is forgotten. That prunes where nothing changes too, which pruning by bounds
// (PELT) does not.
type partition struct {
	penalty float64
	least   int // points in a segment

	// Running sums over the first t points, at index t.
	weight, first, second []float64
	cost                  []float64 // of the best partition of the first t points and the penalty of one more change; +Inf = none
	last                  []int32   // where its last segment begins

	lo, hi        float64 // the means that are looked at
	pieces, spare []piece
}

// piece is a stretch of the mean's axis and the candidate that is best on it.
type piece struct {
	lo, hi float64
	start
}

// start is a candidate with the running sums up to it.
type start struct {
	cost, weight, first float64 // cost less the second sum
	begin               int32
}

// newPartition reserves room for n points whose values lie in lo..hi.
func newPartition(n, least int, penalty, lo, hi float64) *partition {
	p := &partition{penalty: penalty, least: least, lo: lo, hi: hi}
	p.weight = append(make([]float64, 0, n+1), 0)
	p.first = append(make([]float64, 0, n+1), 0)
	p.second = append(make([]float64, 0, n+1), 0)
	p.cost = append(make([]float64, 0, n+1), 0)
	p.last = append(make([]int32, 0, n+1), 0)
	return p
}

// push adds a point; the partition of the points so far stays the best there is.
func (p *partition) push(y, w float64) {
	t := len(p.weight)
	p.weight = append(p.weight, p.weight[t-1]+w)
	p.first = append(p.first, p.first[t-1]+w*y)
	p.second = append(p.second, p.second[t-1]+w*y*y)
	if t < p.least {
		p.cost = append(p.cost, math.Inf(1))
		p.last = append(p.last, 0)
		return
	}
	if begin := t - p.least; !math.IsInf(p.cost[begin], 1) {
		p.admit(int32(begin))
	}
	best, from := math.Inf(1), int32(0)
	s1, s2, sw := p.first[t], p.second[t], p.weight[t]
	for i := range p.pieces {
		s := &p.pieces[i].start
		d := s1 - s.first
		if c := s.cost - d*d/(sw-s.weight); c < best {
			best, from = c, s.begin
		}
	}
	p.cost = append(p.cost, best+s2+p.penalty)
	p.last = append(p.last, from)
}

// admit lets segments begin after the first b points. The difference between an
// older candidate and this one does not change any more, and is convex in the
// mean, since the older segment has more points: the older one stays where it
// is below zero, between two roots.
func (p *partition) admit(b int32) {
	young := start{p.cost[b] - p.second[b], p.weight[b], p.first[b], b}
	if len(p.pieces) == 0 {
		p.pieces = append(p.pieces, piece{p.lo, p.hi, young})
		return
	}
	out := p.spare[:0]
	for i := range p.pieces {
		old := &p.pieces[i]
		a := young.weight - old.weight
		h := young.first - old.first
		root := h*h - a*(old.cost-young.cost)
		from, to := old.hi, old.lo // nothing stays
		if root > 0 {
			root = math.Sqrt(root)
			from, to = max(old.lo, (h-root)/a), min(old.hi, (h+root)/a)
		}
		if from >= to {
			from, to = old.hi, old.hi
		}
		if from > old.lo {
			out = give(out, old.lo, from, &young)
		}
		if from < to {
			out = append(out, piece{from, to, old.start})
		}
		if to < old.hi {
			out = give(out, to, old.hi, &young)
		}
	}
	p.pieces, p.spare = out, p.pieces
}

// give adds a stretch to the young candidate's.
func give(out []piece, lo, hi float64, young *start) []piece {
	if n := len(out); n > 0 && out[n-1].begin == young.begin {
		out[n-1].hi = hi
		return out
	}
	return append(out, piece{lo, hi, *young})
}

// changes are the first points of the segments but the first, from 0.
func (p *partition) changes() []int {
	var at []int
	for t := p.last[len(p.last)-1]; t > 0; t = p.last[t] {
		at = append(at, int(t))
	}
	for i, j := 0, len(at)-1; i < j; i, j = i+1, j-1 {
		at[i], at[j] = at[j], at[i]
	}
	return at
}
