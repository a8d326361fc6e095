package main

import (
	"strings"

	"github.com/spf13/cobra"

	"noisefloor/analysis/report"
	"noisefloor/analysis/scaling"
)

func (a *app) scalingCommand() *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   "scaling DATASET|PATH...",
		Short: "curves against threads or another number: which law, the best level, where the arms cross",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			_, err := a.answer(c, paths, &flags, report.PartScaling)
			return err
		},
	}
	flags.register(c)
	f := c.Flags()
	f.Var(&flags.judging.margin, "margin", "misfit and change that nobody cares about")
	f.StringVar(&flags.curves.X, "x", "", "factor to draw against (default: threads, else the number with most levels)")
	f.StringVar(&flags.curves.Law, "law", "", "one law instead of the one that describes the data best: "+strings.Join(scaling.Laws(), ", "))
	f.BoolVar(&flags.curves.Natural, "natural", false, "least squares on the values, not on their logs")
	return c
}
