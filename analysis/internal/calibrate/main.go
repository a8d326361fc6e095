// Calibrate simulates what the verdicts of package compare and the curves of
// package scaling promise, on data whose truth is known, and prints how often
// they are wrong: false verdicts, coverage, power against the plan, and what
// happens where the assumptions fail. just calibrate runs it; docs/calibration.md
// and docs/calibration-curves.md are its output.
//
// It exits with status 1 if a promise is broken.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	reps := flags.Int("reps", 2000, "simulated experiments a cell; 20000 is the full acceptance test")
	seed := flags.Uint64("seed", 1, "seed of all randomness")
	commit := flags.String("commit", "not given", "commit of the code under test, for the record")
	out := flags.String("out", "", "file to write the table to, besides standard output")
	subject := flags.String("subject", "compare", "whose promises: compare, for verdicts, or scaling, for curves")
	only := flags.String("only", "", "simulate only the tables with this in their title, for a closer look")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "cells simulated at once; does not change the result")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *reps < 1 || *workers < 1 {
		return fmt.Errorf("-reps and -workers must be at least 1")
	}
	rec := record{"Calibration", "How often verdicts are wrong", "calibrate", *seed, *reps, *commit}
	list := studies
	switch *subject {
	case "compare":
	case "scaling":
		rec.title, rec.about, rec.recipe = "Calibration of curves", "How often the intervals and bands of curves hold the truth", "calibrate-curves"
		list = scalingStudies
	default:
		return fmt.Errorf("-subject %q: want compare or scaling", *subject)
	}
	all := slices.DeleteFunc(list(), func(s *study) bool { return !strings.Contains(s.title, *only) })
	simulate(all, *reps, *seed, *workers, func(done, of int) {
		if 10*done/of > 10*(done-1)/of {
			fmt.Fprintf(stderr, "%d of %d cells\n", done, of)
		}
	})
	broken := verify(all)
	text := markdown(all, broken, rec)
	if _, err := io.WriteString(stdout, text); err != nil {
		return err
	}
	if *out != "" {
		if err := os.WriteFile(*out, []byte(text), 0o644); err != nil {
			return fmt.Errorf("the table is on standard output, but: %w", err)
		}
	}
	if len(broken) > 0 {
		return fmt.Errorf("%d promises broken:\n  %s", len(broken), strings.Join(broken, "\n  "))
	}
	return nil
}
