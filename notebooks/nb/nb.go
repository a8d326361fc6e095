// Package nb is the handful of words that notebooks share: Open a data set or a
// folder of logs, see what was Found there, Must have what comes without its error, Say a sentence, show a
// Table, a Picture or a Plot, and ask for the Report.
//
// Every display waits until the notebook has it, since a cell is a process that
// may end before. Outside a notebook the words print text.
package nb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"noisefloor/analysis/report"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
	"noisefloor/ingest"
)

// Must gives the value. If there is an error instead, the cell ends with it as a
// sentence.
func Must[T any](value T, err error) T {
	if err != nil {
		stop(err)
	}
	return value
}

// stop ends the cell; tests replace it.
var stop = func(err error) {
	fmt.Fprintln(os.Stderr, sentence(err))
	os.Exit(1)
}

// sentence writes an error as a person says it.
func sentence(err error) string {
	text := strings.TrimRight(strings.TrimSpace(err.Error()), ".")
	return "This cell stops here: " + text + "."
}

// Open opens a data set, or reads folders and files of raw logs into a temporary
// one; Found says what was guessed of them.
func Open(paths ...string) *datasets.Reader {
	r, _, err := open(paths)
	return Must(r, err)
}

// Found prints what there is in a data set or in raw logs, what was guessed, and what
// was not understood.
func Found(paths ...string) {
	r, found, err := open(paths)
	r = Must(r, err)
	if found == nil {
		fmt.Printf("runs: %d; tables: %s\n", r.Counts()["runs"], strings.Join(r.Tables(), ", "))
	} else {
		fmt.Printf("runs: %d, complete: %d, files: %d\n", found.Runs, found.Complete, found.Files)
		for _, guess := range found.Guesses {
			fmt.Println("guessed:", guess)
		}
	}
	problems := Must(r.Problems())
	for i, p := range problems {
		if i == problemsShown {
			fmt.Printf("and %d more problems; noisefloor info lists all\n", len(problems)-i)
			break
		}
		fmt.Println("problem:", table.Visible(p.String()))
	}
}

// problemsShown is how many problems are named; the rest is counted.
const problemsShown = 10

// open also gives what reading raw logs found; nil of a data set.
func open(paths []string) (*datasets.Reader, *ingest.Summary, error) {
	if len(paths) == 1 {
		r, err := datasets.Open(paths[0])
		if err == nil || !errors.Is(err, datasets.ErrNotDataset) {
			return r, nil, err
		}
	}
	dir, err := os.MkdirTemp("", "noisefloor-notebook-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir) // an open part stays readable
	w, err := datasets.OpenWriter(dir)
	if err != nil {
		return nil, nil, err
	}
	defer w.Close()
	found, err := ingest.Run(context.Background(), paths, ingest.Options{}, w)
	if err == nil && found.Nothing != "" {
		err = errors.New(found.Nothing)
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := datasets.Open(dir)
	return r, &found, err
}

// Report answers everything that applies to the data set, as noisefloor report
// does. The zero Options are the published defaults.
func Report(r *datasets.Reader, opt report.Options) *report.Report {
	if opt.Seed == 0 {
		opt.Seed = 1
	}
	return Must(report.Build(Must(report.Read(r)), opt))
}

// Say shows a sentence, in Markdown; the verbs are those of fmt.
func Say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	show(text, protocol.MIMETextMarkdown, text, nil)
}

// show displays rich content and the text that says the same.
func show(text string, kind protocol.MIMEType, content any, metadata map[string]any) {
	if !gonbui.IsNotebook {
		fmt.Println(text)
		return
	}
	gonbui.SendData(&protocol.DisplayData{
		Data:     map[protocol.MIMEType]any{kind: content, protocol.MIMETextPlain: text},
		Metadata: metadata,
	})
	gonbui.Sync()
	if err := gonbui.Error(); err != nil {
		stop(fmt.Errorf("the notebook did not take the output: %w", err))
	}
}
