package main

import (
	"github.com/spf13/cobra"

	"noisefloor/analysis/report"
)

func (a *app) varianceCommand() *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   "variance DATASET|PATH...",
		Short: "how far runs, launches and days scatter, and what 1, 3, 10 runs could detect",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			_, err := a.answer(c, paths, &flags, report.PartVariance)
			return err
		},
	}
	flags.register(c)
	return c
}
