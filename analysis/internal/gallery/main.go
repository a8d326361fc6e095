// Gallery writes the pictures of docs/verdicts.md and the table of every verdict
// and warning in it: what it looks like in the data, and the sentence that the
// program says. just gallery runs it; a test holds the page to the program.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// Where the table stands in the page.
const (
	begin = "<!-- written by just gallery -->\n"
	end   = "<!-- end of what just gallery writes -->\n"
)

func main() {
	if err := run("docs"); err != nil {
		log.Fatal(err)
	}
}

func run(docs string) error {
	page := filepath.Join(docs, "verdicts.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no place for the gallery: want the lines %q and %q", page, begin, end)
	}
	pictures := filepath.Join(docs, "pictures")
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		return err
	}
	for _, s := range sections() {
		for _, e := range s.entries {
			if err := os.WriteFile(filepath.Join(pictures, e.name+".svg"), []byte(e.picture), 0o644); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(page, []byte(before+begin+table()+end+after), 0o644)
}

// table is the gallery as Markdown.
func table() string {
	var b strings.Builder
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| in the data | | what is said |\n| --- | --- | --- |\n", s.title, s.text)
		for _, e := range s.entries {
			fmt.Fprintf(&b, "| ![%s](pictures/%s.svg) | `%s` | %s |\n", e.name, e.name, e.name, cell(e.says))
		}
	}
	return b.String() + "\n"
}

// cell keeps a sentence inside its cell, and what looks like Markdown as it is.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;").Replace(s)
}
