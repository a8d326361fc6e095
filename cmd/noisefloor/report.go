package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"noisefloor/analysis/report"
)

func (a *app) reportCommand() *cobra.Command {
	var flags answerFlags
	c := &cobra.Command{
		Use:   "report DATASET|PATH...",
		Short: "is the change real: verdicts, noise floor, what to run next; as text, HTML, Markdown and JSON",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			_, err := a.answer(c, paths, &flags)
			return err
		},
	}
	flags.register(c)
	flags.registerJudging(c)
	return c
}

// writePage writes beside the target and renames, so that a half page is never
// looked at.
func writePage(path string, r *report.Report) error {
	var page bytes.Buffer
	if err := report.HTML(&page, r); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".noisefloor-*.html")
	if err != nil {
		return err
	}
	_, err = f.Write(page.Bytes())
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
