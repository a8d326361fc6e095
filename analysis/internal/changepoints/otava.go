package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

//go:embed otava.py
var otavaScript string

// otavaRun is what Otava says about one series.
type otavaRun struct {
	changes []int
	took    time.Duration
}

// otava runs the peer on some series.
func otava(python string, series [][]float64) ([]otavaRun, error) {
	var in bytes.Buffer
	for _, y := range series {
		for i, v := range y {
			if i > 0 {
				in.WriteByte(' ')
			}
			in.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		}
		in.WriteByte('\n')
	}
	c := exec.Command(python, "-c", otavaScript)
	c.Stdin, c.Stderr = &in, os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("otava: %w", err)
	}
	var runs []otavaRun
	for line := range strings.Lines(string(out)) {
		var r otavaRun
		for i, word := range strings.Fields(line) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, fmt.Errorf("otava printed %q", line)
			}
			if i == 0 {
				r.took = time.Duration(v * float64(time.Second))
			} else {
				r.changes = append(r.changes, int(v))
			}
		}
		runs = append(runs, r)
	}
	if len(runs) != len(series) {
		return nil, fmt.Errorf("otava answered %d of %d series", len(runs), len(series))
	}
	return runs, nil
}
