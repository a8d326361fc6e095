package naming

import (
	"slices"
	"strings"
)

// parts lines up names of unequal words by one of their separators; some may have one
// part more, which belongs to that before it:
//
//	pareto-p_sel1-thread_pool  uniform-p_sel1-reconnect-one_thread
//
// It is believed where the parts cross, which shows in levels that come back.
func (s slot) parts(cut [][]token, shapes []string) []levels {
	for _, separator := range []string{"--", "__", "-", "_", ".", " ", "+"} {
		groups := make([][][]token, len(cut))
		least, most := 0, 0
		for i, ts := range cut {
			if ts == nil {
				continue
			}
			groups[i] = s.split(i, ts, shapes, separator)
			n := len(groups[i])
			if most = max(most, n); least == 0 || n < least {
				least = n
			}
			if n == 0 || most > least+1 {
				break
			}
		}
		if least < 2 || most > least+1 {
			continue
		}
		var best []levels
		fewest := 0
		for at := 1; at < most; at++ {
			found, n, ok := s.crossing(groups, least, at)
			if ok && (best == nil || n < fewest) {
				best, fewest = found, n
			}
			if least == most {
				break
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// crossing places n parts of each name, of longer ones the part at more with that before
// it, and counts the levels of all parts that vary. Parts that cross have no more of
// them than there are names, none has more than two thirds of these, and of what they
// could make together there is a half at least.
func (s slot) crossing(groups [][][]token, n, more int) (found []levels, count int, ok bool) {
	names := map[string]bool{}
	parts := make([][][]token, n)
	for k := range parts {
		parts[k] = make([][]token, len(groups))
	}
	for i, g := range groups {
		if g == nil {
			continue
		}
		if len(g) > n {
			g = slices.Concat(g[:more-1], [][]token{slices.Concat(g[more-1], g[more])}, g[more+1:])
		}
		name := ""
		for k, part := range g {
			name += written(s.segments[i], part) + "\x00"
			parts[k][i] = part
		}
		names[name] = true
	}
	varying, many, all := 0, 0, 1
	for _, part := range parts {
		l := s.level(part)
		l.glued = false
		found = append(found, l)
		if list, _ := l.distinct(); len(list) > 1 {
			varying++
			count += len(list)
			many = max(many, len(list))
			all = min(all*len(list), 1<<20)
		}
	}
	return found, count, varying > 1 && count <= len(names) && 3*many <= 2*len(names) && all <= 2*len(names)
}

// split gives what has no shape in a name, cut at a separator.
func (s slot) split(i int, ts []token, shapes []string, separator string) (groups [][]token) {
	to := 0 // of the token before
	for _, t := range ts {
		switch {
		case slices.Contains(shapes, t.name):
			continue
		case groups == nil || strings.Contains(s.segments[i][to:t.from], separator):
			groups = append(groups, []token{t})
		default:
			groups[len(groups)-1] = append(groups[len(groups)-1], t)
		}
		to = t.to()
	}
	return groups
}
