package stacks

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Profile is the stacks of one recording and what is known about it.
type Profile struct {
	Set
	// First is the event of the first sample.
	First string
	// Lost is how many samples perf says that it lost.
	Lost float64
	// Meta is what perf says about the recording, by the names of perf script
	// --header: "hostname", "os release", "perf version", "captured on", "cmdline".
	Meta map[string]string
}

// Folded writes the stacks of the first event as flame graph tools take them, one
// "command;root;...;leaf weight" a line, in the order of the bytes. Events are the
// same up to their first colon, cycles:u and cycles:k, and samples without a call
// chain are left out, as inferno does both.
func (p *Profile) Folded(out io.Writer) error {
	base, _, _ := strings.Cut(p.First, ":")
	sums := map[string]float64{}
	for _, s := range p.Rows() {
		if event, _, _ := strings.Cut(s.Event, ":"); event != base || len(s.Frames) == 0 {
			continue
		}
		sums[strings.ReplaceAll(s.Comm, " ", "_")+";"+strings.Join(s.Frames, ";")] += s.Weight
	}
	w := bufio.NewWriterSize(out, 64<<10)
	for _, stack := range slices.Sorted(maps.Keys(sums)) {
		w.WriteString(stack)
		w.WriteByte(' ')
		w.Write(strconv.AppendFloat(w.AvailableBuffer(), sums[stack], 'f', -1, 64))
		w.WriteByte('\n')
	}
	return w.Flush()
}
