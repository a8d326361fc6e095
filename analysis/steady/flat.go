package steady

// gainAtMost is how much less a stretch costs with a mean and a variance of its
// own than with 0 and 1, those of the whole series; or up to (to-from)/1024 more.
//
// What stretches cost with 0 and 1 sums to what no change costs, or more, so a
// partition is cheaper only if its gains are worth its penalties. And since
// splitting never costs more, no stretch gains more than two that it is made of.
func (c *segmentCost) gainAtMost(from, to int) float64 {
	return c.until[to].squares - c.until[from].squares - float64(to-from)*(1-c.floor) - c.atLeast(from, to)
}

// isFlat says that no change pays; false says nothing. Of k+1 stretches the first
// and the last gain less than one penalty together, and each between them gains
// less than one: less than k in all.
func (c *segmentCost) isFlat(penalty float64) bool {
	n := len(c.until) - 1
	limit := penalty - boundSlack
	var head, tail float64
	for at := minSegment; at <= n-minSegment; at++ {
		head = max(head, c.gainAtMost(0, at))
		tail = max(tail, c.gainAtMost(at, n))
	}
	return head+tail < limit && c.shortGainLess(limit) && c.longGainLess(limit)
}

// shortGainLess says that each stretch of up to two blocks gains less than the
// limit. One is either of 5 to 9 values, or it is cut into some fives and the 5 to 9
// that are left.
func (c *segmentCost) shortGainLess(limit float64) bool {
	n := len(c.until) - 1
	var rest [2 * startBlock]float64 // of the last starts: the most that 5 to 9 values from there gain
	for from := n - minSegment; from >= 0; from-- {
		most := 0.0
		for to := from + minSegment; to <= min(n, from+2*minSegment-1); to++ {
			most = max(most, c.gainAtMost(from, to))
		}
		if most >= limit {
			return false
		}
		rest[from%len(rest)] = most
		for cut := from + minSegment; cut <= min(n-minSegment, from+2*startBlock-minSegment); cut += minSegment {
			if c.gainAtMost(from, cut)+rest[cut%len(rest)] >= limit {
				return false
			}
		}
	}
	return true
}

// longGainLess says the same of each stretch that begins in one block and ends in
// the next but one or later. Each is cut in three: up to the point behind its
// first block, from the point before its last block, and what lies between them.
func (c *segmentCost) longGainLess(limit float64) bool {
	n := len(c.until) - 1
	var ahead []float64 // per first block, the most that the first part gains
	for last := 2; last*startBlock <= n; last++ {
		first := last - 2
		most := 0.0
		for from := first * startBlock; from < (first+1)*startBlock; from++ {
			most = max(most, c.gainAtMost(from, behind(first)))
		}
		ahead = append(ahead, most)
		before := last*startBlock - minSegment
		most = 0
		for to := last * startBlock; to <= min(n, (last+1)*startBlock-1); to++ {
			most = max(most, c.gainAtMost(before, to))
		}
		for k, gain := range ahead {
			if gain+c.gainAtMost(behind(k), before)+most >= limit {
				return false
			}
		}
	}
	return true
}
