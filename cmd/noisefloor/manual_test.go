package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the outputs shown in the manual")

// The commands shown in README and docs are run, and print what is shown there:
// blocks marked ```console whose first line is "$ noisefloor ...".
func TestManual(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		rest := string(text)
		for {
			before, block, found := strings.Cut(rest, "```console\n")
			out.WriteString(before)
			if !found {
				break
			}
			shown, after, closed := strings.Cut(block, "```\n")
			if !closed {
				t.Fatalf("%s: a block without its end", page)
			}
			command, want, _ := strings.Cut(shown, "\n")
			args, ok := strings.CutPrefix(command, "$ noisefloor ")
			if !ok {
				t.Errorf("%s: %q is no noisefloor command", page, command)
			}
			got := shownOutput(t, args)
			if got != want && !*update {
				t.Errorf("%s: %s\nprints\n%s\nand not\n%s", page, command, got, want)
			}
			ran++
			out.WriteString("```console\n" + command + "\n" + got + "```\n")
			rest = after
		}
		if *update && out.String() != string(text) {
			if err := os.WriteFile(page, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran == 0 {
		t.Error("no command is shown in the manual")
	}
}

// shownOutput runs a command line without quotes and gives its stdout; pages go
// to a temporary folder.
func shownOutput(t *testing.T, line string) string {
	t.Helper()
	args := strings.Fields(line)
	for i, a := range args {
		if strings.HasSuffix(a, ".html") {
			args[i] = filepath.Join(t.TempDir(), a)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &stdout, &stderr, args); code != exitDone {
		t.Errorf("%s: exit status %d\n%s", line, code, stderr.String())
	}
	return stdout.String()
}
