// Command noisefloor says whether a few-percent change in a MySQL or MariaDB
// benchmark is real, or the noise floor.
//
// It is wiring: flags become options of the packages, answers go to stdout,
// progress and doubts to stderr.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"noisefloor/analysis/group"
	_ "noisefloor/cmd/noisefloor/garbage"
)

// Exit statuses.
const (
	exitDone         = 0
	exitFailed       = 1 // a gate
	exitUsage        = 2
	exitNothing      = 3   // nothing usable was found, or it could not be kept
	exitCannotAnswer = 4   // a gate was asked of a design that cannot answer
	exitStopped      = 130 // Ctrl-C, as a shell counts it
)

// nothingUsable is an error whose exit status is 3: the input, not the call, is
// at fault.
type nothingUsable struct{ error }

func (e nothingUsable) Unwrap() error { return e.error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A closed pipe is an error of the write, so that what is temporary is removed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}

// app is where one call reads from and writes to.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	quiet          bool
}

// run is main without the process: it returns the exit status.
func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var gate gateError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &gate): // whether anybody read the rest or not
		fmt.Fprintln(stderr, "noisefloor:", gate)
		return gate.status
	case errors.Is(err, syscall.EPIPE): // head has seen enough
		return exitDone
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "noisefloor:", err)
		return exitStopped
	}
	fmt.Fprintln(stderr, "noisefloor:", err)
	var nothing nothingUsable
	if errors.As(err, &nothing) {
		return exitNothing
	}
	return exitUsage
}

// root is the command with its verbs.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "noisefloor",
		Short:         "Is this few-percent change real, or is it the noise floor?",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().BoolVar(&a.quiet, "quiet", false, "no progress and no doubts on stderr")
	root.SetFlagErrorFunc(nearestFlag)
	root.AddCommand(a.reportCommand(), a.compareCommand(), a.historyCommand(), a.scalingCommand(), a.steadyCommand(), a.varianceCommand(), a.planCommand(), a.profileCommand(), a.ingestCommand(), a.infoCommand())
	root.AddCommand(a.exportCommand(), a.notebookCommand())
	return root
}

// nearestFlag adds the flag that was probably meant.
func nearestFlag(c *cobra.Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := group.Nearest(name, names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// version is the module version or the commit that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+changes"
		}
	}
	if commit == "" {
		return "devel"
	}
	return commit + modified
}
