// Changepoints simulates what package history promises, and holds it against
// other people's programs and data:
//
//	changepoints null -out FILE       the null distribution of the maximal statistic
//	changepoints simulate -out FILE   false alarms and power; writes docs/history.md's tables
//	changepoints tcpd FOLDER          annotated series: F1 and cover
//	changepoints speed FILE           time for one series, and for 10 000 and 1 000 000 points
//
// simulate and speed take -otava PYTHON, an interpreter that has the package
// apache-otava, and run it beside.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "changepoints:", err)
		os.Exit(1)
	}
}

// options are the flags of all commands.
type options struct {
	reps   int
	seed   uint64
	commit string
	out    string
	otava  string
	stderr io.Writer
}

func run(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("which of null, simulate, tcpd, speed?")
	}
	opt := options{stderr: stderr}
	flags := flag.NewFlagSet("changepoints "+args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&opt.reps, "reps", 0, "simulated series a cell (default 2000; of the null 10000)")
	flags.Uint64Var(&opt.seed, "seed", 1, "seed of all randomness")
	flags.StringVar(&opt.commit, "commit", "not given", "commit of the code under test, for the record")
	flags.StringVar(&opt.out, "out", "", "file to write to, besides standard output")
	flags.StringVar(&opt.otava, "otava", "", "python with the package apache-otava, to run it beside")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	rest := flags.Args()
	var text string
	var err error
	switch {
	case args[0] == "null" && len(rest) == 0:
		text, err = null(opt)
	case args[0] == "simulate" && len(rest) == 0:
		text, err = simulate(opt)
	case args[0] == "tcpd" && len(rest) == 1:
		text, err = tcpd(rest[0])
	case args[0] == "speed" && len(rest) == 1:
		text, err = speed(rest[0], opt)
	default:
		return fmt.Errorf("%s with %d arguments is no command", args[0], len(rest))
	}
	if text == "" {
		return err
	}
	// A table that breaks a promise is written too: it shows which.
	if opt.out != "" {
		return errors.Join(err, os.WriteFile(opt.out, []byte(text), 0o644))
	}
	_, failed := io.WriteString(stdout, text)
	return errors.Join(err, failed)
}
