package main

import (
	"github.com/spf13/cobra"

	"noisefloor/analysis/report"
)

func (a *app) steadyCommand() *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   "steady DATASET|PATH...",
		Short: "did each run reach a steady state, from when on, and what is its mean worth",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			_, err := a.answer(c, paths, &flags, report.PartSteady)
			return err
		},
	}
	flags.register(c)
	return c
}
