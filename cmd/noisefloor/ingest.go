package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"noisefloor/analysis/table"
	"noisefloor/datasets"
	"noisefloor/datasets/export"
	"noisefloor/ingest"
)

func (a *app) ingestCommand() *cobra.Command {
	var flags ingestFlags
	var out string
	c := &cobra.Command{
		Use:   "ingest PATH... --out DIR",
		Short: "logs and tables -> a data set that any Arrow reader opens",
		Long:  ingestHelp(),
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			_, err := a.ingest(c.Context(), paths, &flags, out)
			if err != nil && c.Context().Err() != nil { // it may be done all the same
				return fmt.Errorf("%w; what was read is kept in %s, and the same call goes on from there", err, out)
			}
			return err
		},
	}
	flags.register(c.Flags())
	c.Flags().StringVar(&out, "out", "", "folder of the data set; an existing one is added to")
	if err := c.MarkFlagRequired("out"); err != nil {
		panic(err)
	}
	return c
}

// ingest reads paths into the data set in dir and says on stderr what was found,
// guessed and not understood.
func (a *app) ingest(ctx context.Context, paths []string, flags *ingestFlags, dir string) (ingest.Summary, error) {
	opt, err := flags.options()
	if err != nil {
		return ingest.Summary{}, err
	}
	w, err := datasets.OpenWriter(dir)
	if err != nil {
		return ingest.Summary{}, nothingUsable{err}
	}
	defer w.Close()
	opt.Stdin = a.stdin
	progress, finish := a.progress()
	var far ingest.Progress
	opt.Progress = func(p ingest.Progress) {
		if far = p; progress != nil {
			progress(p)
		}
	}
	sink := &doubts{Writer: w}
	raw, fromExports, err := readExports(paths, sink)
	if err != nil {
		return ingest.Summary{}, nothingUsable{err}
	}
	var summary ingest.Summary
	if len(raw) > 0 {
		summary, err = ingest.Run(ctx, raw, opt, sink)
	}
	finish()
	if summary.Runs += fromExports.Runs; fromExports.Runs > 0 {
		summary.Complete, summary.Nothing = summary.Complete+fromExports.Complete, ""
		summary.Notes = append(summary.Notes, fromExports.Notes...)
	}
	if errors.Is(err, context.Canceled) {
		stopped := fmt.Errorf("stopped after %d runs, %d of %d files", summary.Runs, far.Files, far.TotalFiles)
		if far.Looking || far.TotalFiles == 0 {
			stopped = fmt.Errorf("stopped while it looked at the files, %d of %d", far.Files, far.TotalFiles)
		}
		// What is done is kept: a second call goes on from there.
		return summary, errors.Join(stopped, w.Commit())
	}
	if err == nil && summary.Nothing == "" {
		err = w.Commit()
	}
	if err != nil && sink.used {
		err = nothingUsable{err} // the disk, not the call
	}
	if err != nil {
		return summary, err
	}
	if !a.quiet {
		say(a.stderr, summary, w.Copies(), sink.problems)
	}
	if summary.Nothing != "" {
		return summary, nothingUsable{errors.New(summary.Nothing)}
	}
	return summary, nil
}

// readExports reads those of the paths that noisefloor export wrote, as they were,
// and gives the others back.
func readExports(paths []string, sink *doubts) (raw []string, s ingest.Summary, err error) {
	for _, path := range paths {
		if path == "-" || !export.IsExport(path) {
			raw = append(raw, path)
			continue
		}
		before := s.Runs
		err := export.Read(path, func(b *datasets.Batch) error {
			s.Runs += len(b.Runs)
			for i := range b.Runs {
				if b.Runs[i].Status == datasets.Complete {
					s.Complete++
				}
			}
			return sink.Add(b)
		})
		if err != nil {
			return nil, s, err
		}
		s.Notes = append(s.Notes, fmt.Sprintf("%s is an export: %d runs read as they were", path, s.Runs-before))
	}
	return raw, s, nil
}

// doubts is a sink that remembers the problems it passes on.
type doubts struct {
	*datasets.Writer
	problems []datasets.Problem
	used     bool
}

func (d *doubts) Add(b *datasets.Batch) error {
	d.problems = append(d.problems, b.Problems...)
	d.used = true
	return d.Writer.Add(b)
}

// problemsShown: where problems are many, the first ones and a count say enough.
const problemsShown = 20

// say prints what an ingest found, each guess in a line.
func say(w io.Writer, s ingest.Summary, copies int, problems []datasets.Problem) {
	fmt.Fprintf(w, "runs: %d, complete: %d, files: %d\n", s.Runs, s.Complete, s.Files)
	if copies > 0 {
		fmt.Fprintf(w, "copies: %d of these runs, the same to the last byte as another; each counts once in the data set\n", copies)
	}
	if s.Unchanged > 0 {
		fmt.Fprintf(w, "not read again: %d files with %d runs, unchanged since they were read into this data set\n", s.Unchanged, s.Known)
	}
	if s.Stacks+s.Counters+s.Samples+s.Waits > 0 {
		waits := ""
		if s.Waits > 0 {
			waits = fmt.Sprintf(", %d waits", s.Waits)
		}
		fmt.Fprintf(w, "beside the runs: %d distinct stacks, %d counters%s, %d values of time series\n", s.Stacks, s.Counters, waits, s.Samples)
	}
	for _, g := range s.Guesses {
		fmt.Fprintln(w, "guessed:", table.Visible(g))
	}
	for _, j := range s.Joined {
		fmt.Fprintln(w, "joined:", table.Visible(j))
	}
	for _, n := range s.Notes {
		fmt.Fprintln(w, "note:", table.Visible(n))
	}
	for _, k := range s.Skipped {
		line := fmt.Sprintf("passed by: %d %s", k.Files, k.Kind)
		if k.Note != "" {
			line += ", " + k.Note
		}
		fmt.Fprintln(w, table.Visible(line+", first "+k.First))
	}
	gathered := datasets.Gather(problems)
	for i, p := range gathered {
		if i == problemsShown {
			fmt.Fprintf(w, "and %d more problems; noisefloor info lists all\n", len(gathered)-i)
			break
		}
		fmt.Fprintln(w, "problem:", table.Visible(p.String()))
	}
}

// progress is a bar on a terminal, a line every ten seconds elsewhere, nothing
// with --quiet.
func (a *app) progress() (func(ingest.Progress), func()) {
	if a.quiet {
		return nil, func() {}
	}
	if table.ScreenOf(a.stderr).Width > 0 {
		var bar *progressbar.ProgressBar // of looking, then of reading
		doing := ""
		finish := func() {
			if bar != nil {
				_ = bar.Finish() // a bar that cannot be drawn stops nothing
			}
		}
		return func(p ingest.Progress) {
			if p.TotalFiles == 0 { // it is known already
				return
			}
			if doing != doingNow(p) {
				finish()
				doing = doingNow(p)
				bar = progressbar.NewOptions64(max(p.TotalBytes, 1), progressbar.OptionSetWriter(a.stderr), progressbar.OptionShowBytes(true), progressbar.OptionSetPredictTime(true),
					progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
			}
			bar.Describe(fmt.Sprintf("%s, %d of %d files", doing, p.Files, p.TotalFiles))
			_ = bar.Set64(min(p.Bytes, p.TotalBytes))
		}, finish
	}
	begun := time.Now()
	last := begun
	doing := ""
	return func(p ingest.Progress) {
		now := time.Now()
		if doing != doingNow(p) {
			begun, doing = now, doingNow(p)
		}
		if now.Sub(last) > 10*time.Second && p.TotalFiles > 0 {
			last = now
			fmt.Fprintln(a.stderr, howFar(p, now.Sub(begun)))
		}
	}, func() {}
}

func doingNow(p ingest.Progress) string {
	if p.Looking {
		return "looking"
	}
	return "reading"
}

// howFar is a line of progress: files, bytes, rate and the time left at that rate.
func howFar(p ingest.Progress, took time.Duration) string {
	line := fmt.Sprintf("%s: %d of %d files, %d of %d MB", doingNow(p), p.Files, p.TotalFiles, p.Bytes>>20, p.TotalBytes>>20)
	if p.Bytes == 0 || took <= 0 {
		return line
	}
	left := time.Duration(float64(took) * float64(p.TotalBytes-p.Bytes) / float64(p.Bytes))
	return line + fmt.Sprintf(", %.1f MB/s, %s left", float64(p.Bytes)/(1<<20)/took.Seconds(), left.Round(time.Second))
}

// ingestHelp says what can be read and names the presets.
func ingestHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Reads the logs of %s;\n", strings.Join(ingest.Tools(), ", "))
	b.WriteString(`tables of runs (CSV, TSV, Markdown, aligned columns, JSON, Parquet, Arrow), wide or long; metadata
(JSON, YAML, TOML, key=value), host statistics beside them; all of it in gz, zst, xz, bz2, tar and
zip too. What a file is, its content tells. Factors are found in paths and metadata and printed.

Presets for --layout:
`)
	for _, p := range ingest.Presets {
		fmt.Fprintf(&b, "  %-15s %s\n", p.Name, p.Doc)
	}
	return b.String()
}
