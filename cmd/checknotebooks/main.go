// Command checknotebooks runs notebooks in a real Jupyter kernel and reads what
// their cells wrote, because the Go kernel says "ok" after a panic as well: a
// notebook passes if every cell ran without a word on stderr, gave the answer that
// is committed, and produced the numbers that its prose has in bold.
//
//	checknotebooks [-update] [NOTEBOOK...]
//
// -update commits to the new answers: it rewrites the notebooks with their
// outputs, for the diff to be read.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"

	"noisefloor/notebooks/lab"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "checknotebooks:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stdout io.Writer, args []string) error {
	flags := flag.NewFlagSet("checknotebooks", flag.ContinueOnError)
	update := flags.Bool("update", false, "rewrite the notebooks with what they answer now")
	if err := flags.Parse(args); err != nil {
		return err
	}
	checkout, err := lab.Checkout(".")
	if err != nil {
		return err
	}
	files := flags.Args()
	if len(files) == 0 {
		if files, err = shipped(checkout); err != nil {
			return err
		}
	}
	l, err := lab.Prepare(ctx, checkout, func(text string) { fmt.Fprintln(stdout, text) })
	if err != nil {
		return err
	}
	return checkAll(ctx, stdout, l, files, *update)
}

// shipped lists the notebooks of a checkout.
func shipped(checkout string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(checkout, "notebooks", "*.ipynb"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no notebooks", checkout)
	}
	return files, err
}

// atOnce is how many notebooks run at a time: a kernel waits for its compiler
// about half of the time.
const atOnce = 3

// checkAll checks notebooks and says of each what is wrong with it.
func checkAll(ctx context.Context, stdout io.Writer, l *lab.Lab, files []string, update bool) error {
	found := make([][]string, len(files))
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, file := range files {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			problems, err := check(ctx, l, file, update)
			if err != nil {
				problems = append(problems, err.Error())
			}
			found[i] = problems
		})
	}
	wait.Wait()
	bad := 0
	for i, file := range files {
		if len(found[i]) == 0 {
			fmt.Fprintln(stdout, "ok", filepath.Base(file))
			continue
		}
		bad++
		for _, problem := range found[i] {
			fmt.Fprintf(stdout, "%s: %s\n", filepath.Base(file), problem)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d notebooks do not hold", bad, len(files))
	}
	return ctx.Err()
}

// check runs one notebook; with update it is rewritten, unless a cell broke.
func check(ctx context.Context, l *lab.Lab, file string, update bool) ([]string, error) {
	committed, err := readNotebook(file)
	if err != nil {
		return nil, err
	}
	raw, err := execute(ctx, l, file)
	if err != nil {
		return nil, err
	}
	executed, err := parseNotebook(file, raw)
	if err != nil {
		return nil, err
	}
	if !update {
		return problems(committed, executed), nil
	}
	if found := broken(executed); len(found) > 0 {
		return found, nil
	}
	if raw, err = tidied(raw); err != nil {
		return nil, err
	}
	return unfounded(executed), os.WriteFile(file, raw, 0o644)
}

// execute runs a notebook where it lies and gives it back with its outputs. A cell
// that fails does not end it: what it wrote is to be read.
func execute(ctx context.Context, l *lab.Lab, file string) ([]byte, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	c := l.Command(ctx, "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--stdout", "--log-level=ERROR",
		"--ExecutePreprocessor.kernel_name=gonb", "--ExecutePreprocessor.timeout=600", file)
	c.Dir = filepath.Dir(file)
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("the notebook could not be run: %w\n%s", err, last(string(exit.Stderr), 20))
	}
	return out, err
}

// last gives the last lines of a text.
func last(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
