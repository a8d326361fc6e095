package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"noisefloor/analysis/history"
)

// tcpd scores three ways to find changes on the series of a folder in the form
// of the Turing change point data set (van den Burg & Williams 2020, "An
// evaluation of change point detection algorithms"): <name>.json for each
// series, annotations.json with what people marked. Our way has one setting, the
// default.
func tcpd(folder string) (string, error) {
	var annotations map[string]map[string][]int
	if err := readJSON(filepath.Join(folder, "annotations.json"), &annotations); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("F1 (margin 5, index 0 counted) and cover, as van den Burg & Williams (2020) score.\n\n")
	b.WriteString("| series | points | annotators | noisefloor F1 | cover | no change F1 | cover | PELT 3 log n F1 | cover | noisefloor's changes |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	var total [3]score
	scored := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		marks, ok := annotations[name]
		if !ok {
			continue
		}
		var data struct {
			Points int `json:"n_obs"`
			Series []struct {
				Raw []*float64 `json:"raw"`
			} `json:"series"`
		}
		if err := readJSON(file, &data); err != nil {
			return "", err
		}
		if len(data.Series) != 1 {
			fmt.Fprintf(&b, "| %s | %d | left out: %d dimensions ||||||||\n", name, data.Points, len(data.Series))
			continue
		}
		y := make([]float64, len(data.Series[0].Raw))
		for i, v := range data.Series[0].Raw {
			y[i] = math.NaN()
			if v != nil {
				y[i] = *v
			}
		}
		ours := found(y)
		var row [3]score
		for i, changes := range [][]int{ours, nil, pelt(y)} {
			row[i] = newScore(marks, changes, len(y))
			total[i].f1 += row[i].f1
			total[i].cover += row[i].cover
		}
		scored++
		fmt.Fprintf(&b, "| %s | %d | %d |%s %s |\n", name, len(y), len(marks), scores(row, 1), strings.Trim(fmt.Sprint(ours), "[]"))
	}
	if scored == 0 {
		return "", fmt.Errorf("no annotated series in %s", folder)
	}
	fmt.Fprintf(&b, "| **mean of %d** | | |%s |\n", scored, scores(total, float64(scored)))
	return b.String(), nil
}

func scores(s [3]score, by float64) string {
	text := ""
	for _, v := range s {
		text += fmt.Sprintf(" %.3f | %.3f |", v.f1/by, v.cover/by)
	}
	return text
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// found is what package history finds at its default: ratios where all values
// are above zero, as everywhere in noisefloor, else differences.
func found(y []float64) []int { return places(points(y), additive(y)) }

func additive(y []float64) history.Options {
	return history.Options{Additive: slices.ContainsFunc(y, func(v float64) bool { return v <= 0 })}
}

// places are the first points of the new levels.
func places(series []history.Point, opt history.Options) (at []int) {
	for _, c := range history.Analyse(series, opt).Changes {
		at = append(at, c.At)
	}
	return at
}

// pelt is the best partition of the z-scores under 3 log n, found by pruning
// with bounds (Killick, Fearnhead & Eckley 2012, "Optimal detection of
// changepoints with a linear computational cost").
func pelt(y []float64) []int {
	var z []float64
	var index []int
	for i, v := range y {
		if !math.IsNaN(v) {
			z, index = append(z, v), append(index, i)
		}
	}
	n := len(z)
	mean, ss := 0., 0.
	for _, v := range z {
		mean += v / float64(n)
	}
	for _, v := range z {
		ss += (v - mean) * (v - mean)
	}
	sd := math.Sqrt(ss / float64(n))
	first, second := make([]float64, n+1), make([]float64, n+1)
	for i, v := range z {
		v = (v - mean) / sd
		first[i+1], second[i+1] = first[i]+v, second[i]+v*v
	}
	cost := func(a, b int) float64 {
		d := first[b] - first[a]
		return second[b] - second[a] - d*d/float64(b-a)
	}
	penalty := 3 * math.Log(float64(n))
	best, last := make([]float64, n+1), make([]int, n+1)
	best[0] = -penalty
	candidates := []int{0}
	for t := 1; t <= n; t++ {
		best[t] = math.Inf(1)
		for _, c := range candidates {
			if v := best[c] + cost(c, t) + penalty; v < best[t] {
				best[t], last[t] = v, c
			}
		}
		candidates = append(slices.DeleteFunc(candidates, func(c int) bool { return best[c]+cost(c, t) > best[t] }), t)
	}
	var at []int
	for t := last[n]; t > 0; t = last[t] {
		at = append(at, index[t])
	}
	slices.Sort(at)
	return at
}

// score is how well changes agree with what people marked.
type score struct{ f1, cover float64 }

func newScore(marks map[string][]int, changes []int, points int) score {
	const margin = 5
	with0 := func(at []int) []int {
		all := append([]int{0}, at...)
		slices.Sort(all)
		return slices.Compact(all)
	}
	var union []int
	for _, at := range marks {
		union = append(union, at...)
	}
	ours := with0(changes)
	precision := float64(truePositives(with0(union), ours, margin)) / float64(len(ours))
	recall, cover := 0., 0.
	for _, at := range marks {
		theirs := with0(at)
		recall += float64(truePositives(theirs, ours, margin)) / float64(len(theirs)) / float64(len(marks))
		cover += covering(theirs, ours, points) / float64(len(marks))
	}
	return score{2 * precision * recall / (precision + recall), cover}
}

// truePositives pairs each mark with the nearest change left within the margin.
func truePositives(marks, changes []int, margin int) int {
	left := slices.Clone(changes)
	n := 0
	for _, m := range marks {
		best := -1
		for i, c := range left {
			d := max(m-c, c-m)
			if d <= margin && (best < 0 || d < max(m-left[best], left[best]-m)) {
				best = i
			}
		}
		if best >= 0 {
			left = slices.Delete(left, best, best+1)
			n++
		}
	}
	return n
}

// covering is the mean over the marked segments, weighted by length, of the best
// Jaccard index with one of ours; both begin with 0.
func covering(marks, changes []int, points int) float64 {
	total := 0.
	for i, from := range marks {
		to := end(marks, i, points)
		best := 0.
		for j, a := range changes {
			b := end(changes, j, points)
			if both := min(to, b) - max(from, a); both > 0 {
				best = max(best, float64(both)/float64(max(to, b)-min(from, a)))
			}
		}
		total += float64(to-from) * best
	}
	return total / float64(points)
}

func end(at []int, i, points int) int {
	if i+1 < len(at) {
		return at[i+1]
	}
	return points
}
