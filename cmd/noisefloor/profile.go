package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"noisefloor/analysis/report"
)

// profileCommand holds the questions about what was recorded beside the runs:
// stacks, waits, counters.
func (a *app) profileCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "where the difference is: symbols, waits and counters of replicated runs",
	}
	c.AddCommand(
		a.besideCommand("diff", "symbols whose share of the samples, or cost of a transaction, changed", report.PartProfile, "stacks", "profiles (perf script, perf.data, folded stacks, pprof)"),
		a.besideCommand("top", "the usual shares of symbols in each arm", report.PartProfile, "stacks", "profiles (perf script, perf.data, folded stacks, pprof)"),
		a.besideCommand("waits", "which waits grew: average active sessions for each event", report.PartWaits, "waits", "waits (performance_schema, average active sessions)"),
		a.countersCommand(),
	)
	return c
}

// besideCommand answers about one table beside the runs.
func (a *app) besideCommand(verb, short string, part report.Part, table, what string) *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   verb + " DATASET|PATH...",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			flags.profile.Top = verb == "top"
			flags.needs, flags.needsWhat = table, what
			_, err := a.answer(c, paths, &flags, part)
			return err
		},
	}
	flags.register(c)
	c.Flags().MarkHidden("metric") // shares and sessions are the metric
	c.Flags().StringVar(&flags.profile.Event, "event", "", "only this event: cycles, a wait event (default: each for itself)")
	if part == report.PartProfile {
		c.Flags().Float64Var(&flags.profile.MinSamples, "min-samples", 0, "samples a run that a symbol needs to be looked at (default 20)")
	}
	return c
}

// countersCommand compares what perf stat and the server counted, per second and per
// transaction: the counters are metrics, so that it is a report about these.
func (a *app) countersCommand() *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   "counters DATASET|PATH...",
		Short: "counters per second and per transaction, and instructions per cycle",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			flags.needs, flags.needsWhat = "counters", "counters (perf stat, server status)"
			flags.counters = true
			_, err := a.answer(c, paths, &flags, report.PartCompare, report.PartVariance)
			return err
		},
	}
	flags.register(c)
	flags.registerJudging(c)
	c.Flags().StringVar(&flags.profile.Event, "event", "", "only this event: instructions, cycles:u (default: all)")
	return c
}

// require says what is missing where a question is about a table that is empty.
func require(data *opened, table, what string) error {
	if table == "" || data.Counts()[table] > 0 {
		return nil
	}
	return nothingUsable{fmt.Errorf("%s holds no %s", data.folder, what)}
}
