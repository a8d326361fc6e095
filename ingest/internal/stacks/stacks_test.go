package stacks

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"noisefloor/datasets"
)

func add(s *Set, weight float64, event, comm string, frames ...string) {
	var codes []Name
	for _, f := range frames {
		codes = append(codes, s.Name([]byte(f)))
	}
	s.Add(s.NameOf(event), s.NameOf(comm), codes, weight, 1)
}

func TestSet(t *testing.T) {
	var s Set
	add(&s, 2, "cycles", "b", "main", "f")
	add(&s, 3, "cycles", "b", "main", "f")
	add(&s, 5, "cycles", "b", "f", "main") // the order of frames counts
	add(&s, 7, "cycles", "a", "main", "f") // and the command
	add(&s, 11, "branches", "b", "main", "f")
	add(&s, 13, "cycles", "b", "main")
	add(&s, 17, "cycles", "b")
	want := []datasets.Stack{
		{Event: "branches", Comm: "b", Frames: []string{"main", "f"}, Weight: 11, Samples: 1},
		{Event: "cycles", Comm: "a", Frames: []string{"main", "f"}, Weight: 7, Samples: 1},
		{Event: "cycles", Comm: "b", Weight: 17, Samples: 1},
		{Event: "cycles", Comm: "b", Frames: []string{"f", "main"}, Weight: 5, Samples: 1},
		{Event: "cycles", Comm: "b", Frames: []string{"main"}, Weight: 13, Samples: 1},
		{Event: "cycles", Comm: "b", Frames: []string{"main", "f"}, Weight: 5, Samples: 2},
	}
	if d := cmp.Diff(want, s.Rows()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// Two sets that share the samples between them, each with its own codes, are
// together what one set is that has them all.
func TestMerge(t *testing.T) {
	var whole Set
	var parts [2]Set
	for i := range 5000 {
		frames := []string{fmt.Sprint("f", i%7), fmt.Sprint("f", i%11), fmt.Sprint("f", i%13)}
		add(&whole, float64(i), "cycles", fmt.Sprint("c", i%3), frames[:i%4]...)
		add(&parts[i%2], float64(i), "cycles", fmt.Sprint("c", i%3), frames[:i%4]...)
	}
	parts[0].Merge(&parts[1])
	if d := cmp.Diff(whole.Rows(), parts[0].Rows()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
