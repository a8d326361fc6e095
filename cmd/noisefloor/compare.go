package main

import (
	"github.com/spf13/cobra"

	"noisefloor/analysis/report"
)

func (a *app) compareCommand() *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   "compare DATASET|PATH...",
		Short: "is the change real: the verdicts alone, also as a gate in a pipeline",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			_, err := a.answer(c, paths, &flags, report.PartCompare)
			return err
		},
	}
	flags.register(c)
	flags.registerJudging(c)
	return c
}
