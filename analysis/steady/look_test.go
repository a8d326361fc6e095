package steady

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

var lineRE = regexp.MustCompile(`^\[ *([0-9.]+)s *\].*tps: *([0-9.]+)`)

func TestLook(t *testing.T) {
	pattern := os.Getenv("LOOK")
	files, _ := filepath.Glob(pattern)
	count := map[Class]int{}
	var total time.Duration
	for _, f := range files {
		h, _ := os.Open(f)
		sc := bufio.NewScanner(h)
		var ts, ys []float64
		for sc.Scan() {
			if m := lineRE.FindStringSubmatch(sc.Text()); m != nil {
				a, _ := strconv.ParseFloat(m[1], 64)
				b, _ := strconv.ParseFloat(m[2], 64)
				ts, ys = append(ts, a), append(ys, b)
			}
		}
		h.Close()
		s := time.Now()
		r := Analyse(ts, ys, Options{})
		total += time.Since(s)
		count[r.Class]++
		whole, _, _ := Mean(ts, ys, math.Inf(-1))
		fmt.Printf("%-46s n %d %-18s cut %5.0f mean %9.1f se %.2f%% (whole %9.1f, %+.1f%%) ess %.0f tau %.1f mser %.0f spikes %d seg %d", filepath.Base(f), r.Intervals, r.Class, r.Cut, r.Mean, 100*r.SE/r.Mean, whole, 100*(r.Mean/whole-1), r.ESS, r.Tau, r.MSER5, len(r.Spikes), len(r.Segments))
		for _, w := range r.Warnings {
			fmt.Printf(" [%s %+v]", w.Kind(), w)
		}
		fmt.Println()
		if os.Getenv("SEG") != "" {
			for _, g := range r.Segments {
				m := " "
				if g.Steady {
					m = "*"
				}
				fmt.Printf("    %5.0f..%5.0f %9.1f sd %.1f%s\n", g.Start, g.End, g.Mean, g.SD, m)
			}
		}
	}
	fmt.Println(count, total)
}
