package export

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
)

// Folded writes the stacks of one event, of one run or of several taken
// together, as flamegraph.pl, inferno and speedscope read them: command and
// frames, root first and joined by ";", a space, the weight; sorted, one line
// for each stack. Events are never mixed, so that each needs a file of its own.
// The format has no way to write ";" or a line break in a name: they become ":"
// and a space.
func Folded(w io.Writer, event string, stacks func(yield func([]datasets.Stack) error) error) error {
	weights := map[string]float64{}
	var line []byte
	err := stacks(func(rows []datasets.Stack) error {
		for i := range rows {
			s := &rows[i]
			if s.Event != event {
				continue
			}
			line = line[:0]
			if s.Comm != "" {
				line = append(line, unfoldable.Replace(s.Comm)...)
			}
			for _, f := range s.Frames {
				if len(line) > 0 {
					line = append(line, ';')
				}
				line = append(line, unfoldable.Replace(f)...)
			}
			if len(line) > 0 {
				weights[string(line)] += s.Weight
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, stack := range slices.Sorted(maps.Keys(weights)) {
		out.WriteString(stack) // an error stays in out and comes back from Flush
		out.WriteByte(' ')
		out.WriteString(strconv.FormatFloat(weights[stack], 'f', -1, 64))
		out.WriteByte('\n')
	}
	return out.Flush()
}

var unfoldable = strings.NewReplacer(";", ":", "\n", " ", "\r", " ")
