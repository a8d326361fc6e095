package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"noisefloor/analysis/internal/truth"
)

// Point by point, the changes are those of the whole series at once.
func TestLiveAgreesWithBatch(t *testing.T) {
	for seed := range uint64(5) {
		y := drawn(seed, truth.Series{Points: 120, Steps: []truth.Step{{At: 30, By: -6}, {At: 70, By: 5}, {At: 95, By: -7}}})
		points := nights(y...)
		live := NewLive(Options{Better: 1, FalseAlarm: .001}) // 120 looks
		for _, p := range points {
			live.Append(p)
		}
		batch := Analyse(points, Options{Better: 1, FalseAlarm: .001}).Changes
		got := live.Changes()
		if len(got) != len(batch) {
			t.Errorf("seed %d: %d changes, %d at once", seed, len(got), len(batch))
			continue
		}
		for i := range got {
			if d := got[i].At - batch[i].At; d > 1 || d < -1 || got[i].Verdict != batch[i].Verdict || got[i].Before != got[i].At-1 {
				t.Errorf("seed %d, change %d: %+v, at once %+v", seed, i, got[i], batch[i])
			}
		}
	}
}

// A new point costs the last level, and what is settled stays.
func TestLiveLooksAtTheLastLevelOnly(t *testing.T) {
	y := drawn(1, truth.Series{Points: 300, Steps: []truth.Step{{At: 100, By: -8}, {At: 200, By: 8}}})
	live := NewLive(Options{FalseAlarm: .001})
	var settled []Change
	for i, p := range nights(y...) {
		live.Append(p)
		for j, c := range settled {
			if c.At != live.settled[j].At || c.P != live.settled[j].P {
				t.Fatalf("point %d: a settled change moved", i)
			}
		}
		settled = append(settled[:0:0], live.settled...)
	}
	if got := len(live.points) - live.from; got < 95 || got > 105 {
		t.Errorf("%d points open after 300, of a last level of 100", got)
	}
	if len(live.Changes()) != 2 {
		t.Errorf("%d changes", len(live.Changes()))
	}
}

func ExampleLive() {
	rng := rand.New(rand.NewPCG(1, 1))
	live := NewLive(Options{Better: 1})
	for night := range 40 {
		tps := 1000.
		if night >= 30 {
			tps = 950
		}
		live.Append(Point{Label: fmt.Sprint("night ", night), Place: -1, Runs: []Run{{Slot: math.NaN(), Value: tps * math.Exp(.005*rng.NormFloat64())}}})
		if c := live.Changes(); len(c) > 0 {
			fmt.Printf("seen in night %d: %s since night %d\n", night, c[0].Verdict, c[0].At)
			break
		}
	}
	// Output: seen in night 32: slower since night 30
}
