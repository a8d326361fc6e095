package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"noisefloor/notebooks/lab"
)

func (a *app) notebookCommand() *cobra.Command {
	var checkout string
	var prepare bool
	c := &cobra.Command{
		Use:   "notebook [-- JUPYTER ARGS...]",
		Short: "JupyterLab with the Go kernel and the notebooks",
		RunE: func(c *cobra.Command, args []string) error {
			root, err := lab.Checkout(checkout)
			if err != nil {
				return err
			}
			say := func(text string) {
				if !a.quiet {
					fmt.Fprintln(a.stderr, text)
				}
			}
			l, err := lab.Prepare(c.Context(), root, say)
			if err != nil || prepare {
				return err
			}
			if err := l.Completion(c.Context(), say); err != nil {
				say("no completion in notebooks: " + err.Error())
			}
			args = append([]string{"--ServerApp.root_dir=" + filepath.Join(root, "notebooks")}, args...)
			if os.Geteuid() == 0 { // a container; Jupyter refuses otherwise
				args = append([]string{"--allow-root"}, args...)
			}
			jupyter := l.Command(c.Context(), "lab", args...)
			jupyter.Stdin, jupyter.Stdout, jupyter.Stderr = a.stdin, a.stdout, a.stderr
			return jupyter.Run()
		},
	}
	c.Flags().StringVar(&checkout, "checkout", ".", "a checkout of noisefloor, or a folder in one")
	c.Flags().BoolVar(&prepare, "prepare", false, "only install what is missing")
	return c
}
