package history

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedianOfFiveOfAllOrders(t *testing.T) {
	var permute func(v []float64, k int)
	permute = func(v []float64, k int) {
		if k == len(v) {
			want := slices.Sorted(slices.Values(v))[2]
			if got := medianOfFive(v[0], v[1], v[2], v[3], v[4]); got != want {
				t.Fatalf("median of %v = %g, want %g", v, got, want)
			}
			return
		}
		for i := k; i < len(v); i++ {
			v[k], v[i] = v[i], v[k]
			permute(v, k+1)
			v[k], v[i] = v[i], v[k]
		}
	}
	permute([]float64{1, 2, 3, 4, 5}, 0)
	permute([]float64{1, 1, 2, 2, 3}, 0)
	permute([]float64{1, 2, 2, 2, 1}, 0)
}

func TestMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 40; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rng.IntN(10))
		}
		s := slices.Sorted(slices.Values(v))
		if got, want := median(slices.Clone(v)), (s[(n-1)/2]+s[n/2])/2; got != want {
			t.Fatalf("median of %v = %g, want %g", v, got, want)
		}
	}
}

// pattern is some harmless noise, with these values put in from a place on.
func pattern(n, at int, values ...float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = []float64{1, 3, 2, 5, 4, 3, 1, 4, 2, 3}[i%10]
	}
	copy(y[at:], values)
	return y
}

func TestTame(t *testing.T) {
	check := func(what string, y []float64, wild ...int) {
		t.Helper()
		before := slices.Clone(y)
		tamed, _, got := tame(y)
		if !slices.Equal(got, wild) {
			t.Errorf("%s: wild %v, want %v", what, got, wild)
		}
		if !slices.Equal(y, before) {
			t.Errorf("%s: the caller's values changed", what)
		}
		for i := range y {
			if !slices.Contains(wild, i) && tamed[i] != y[i] {
				t.Errorf("%s: value %d moved", what, i)
			}
		}
	}
	check("short", []float64{1, 2, 100})
	check("mostly equal", []float64{2, 2, 2, 2, 2, 2, 9})
	check("one bad night", pattern(10, 5, 90), 5)
	check("two in a row", pattern(12, 5, 90, 91), 5, 6)
	check("three are a level", pattern(14, 5, 90, 91, 90))
	check("a step is none", pattern(12, 6, 51, 53, 52, 55, 54, 53))
	check("the newest three", pattern(10, 7, 51, 52, 51))
	check("the newest one", pattern(10, 9, 90), 9)
	// By hand: distances from the medians of five are 2 0 1 1 0 86 1 2 1 1, their
	// median is 1; the median around the sixth value is 4. Between 3 and 6 SDs a
	// point is pulled in, beyond it is the median.
	for v, want := range map[float64]float64{90: 4, 10: 4 + 3*1.4826, 8: 8} {
		if tamed, _, _ := tame(pattern(10, 5, v)); tamed[5] != want {
			t.Errorf("%g becomes %g, want %g", v, tamed[5], want)
		}
	}
}
