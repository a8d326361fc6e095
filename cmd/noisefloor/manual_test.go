package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "rewrite the outputs shown in the manual")

// The test binary is the command too, so that a shell can run it.
func TestMain(m *testing.M) {
	if os.Getenv("NOISEFLOOR_AS_COMMAND") != "" {
		main()
	}
	os.Exit(m.Run())
}

// manual is a page of README or docs.
type manual struct {
	path, text string
}

func manuals(t *testing.T) []manual {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var pages []manual
	for _, path := range append(paths, "../../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, manual{path, string(text)})
	}
	return pages
}

// desk is where a reader sits: a folder with the checkout's docs and datasets, logs
// of their own in results/, nights in nightly/ and in $NIGHTS, and noisefloor on the PATH.
type desk struct {
	dir string
	env []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	test, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]string{"docs": "docs", "datasets": "datasets", "noisefloor-source": ""} {
		if err := os.Symlink(filepath.Join(root, at), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	command := func(name, script string) {
		write(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command("noisefloor", "NOISEFLOOR_AS_COMMAND=1 exec '"+test+"' \"$@\"")
	command("gh", `for last; do :; done; test -s "$last" && ! grep -q 'nothing could be borrowed.*[[]tps' "$last"`) // posts a file
	command("run-benchmark", `mkdir -p "$1"
case $1 in
both) cp -R results/base/9.6.0/2026-01-01 both/base && cp -R results/base/9.7.0/2026-01-01 both/contender ;;
*) cp results/base/9.6.0/2026-01-02/run*.log "$1" ;;
esac`)
	for night := range 12 {
		for rep := range 3 {
			wobble := 1 + .001*float64(night*7%5) + .0001*float64(3*night+rep)
			write(t, filepath.Join(dir, "nights", fmt.Sprintf("2025-12-%02d", night+1), fmt.Sprintf("run%d.log", rep+1)), blogLog(8, 11, 300, 1000*wobble))
		}
		write(t, filepath.Join(dir, "nights", fmt.Sprintf("2025-12-%02d", night+1), "metadata.json"), fmt.Sprintf(`{"commit": "c0ffee%d"}`, night))
	}
	for i, build := range []string{"base", "pgo"} {
		recordedIn(t, filepath.Join(dir, "results", build), 4, .01*float64(i))
		write(t, filepath.Join(dir, "results", build, "build.json"), `{"build": "`+build+`"}`)
		write(t, filepath.Join(dir, "results", build, "variables.txt"), fmt.Sprintf("Variable_name\tValue\nautocommit\tON\nback_log\t80\ninnodb_buffer_pool_size\t%d\n", (8+8*i)<<30))
		logs, err := filepath.Glob(filepath.Join(dir, "results", build, "*", "*", "run*.log"))
		if err != nil || len(logs) == 0 {
			t.Fatal("no logs", err)
		}
		for k, log := range logs {
			for when, seconds := range map[string]float64{"before": 5, "after": 80 + float64(k)} {
				write(t, strings.TrimSuffix(log, ".log")+".waits."+when+".txt", fmt.Sprintf("EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\nwait/io/file/innodb/innodb_log_file\t%.0f\t%.0f\n", 1000*seconds, 1e12*seconds))
			}
		}
	}
	nights, err := os.ReadFile(filepath.Join(root, "docs/examples/nightly.csv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "nightly", "nights.csv"), string(nights))
	return &desk{dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "RUNNER_TEMP="+t.TempDir(), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"), "GITHUB_SHA=0123abc", "GITHUB_PATH="+filepath.Join(dir, "path"), "PR=1", "NIGHTS="+filepath.Join(dir, "nights"), "TMPDIR="+t.TempDir())}
}

// shell runs a script and gives its stdout, stderr and exit status.
func (d *desk) shell(t *testing.T, script string) (stdout, stderr string, status int) {
	t.Helper()
	c := exec.Command("bash", "-eo", "pipefail", "-c", script)
	var out, errs bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = d.dir, d.env, &out, &errs
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

var fence = regexp.MustCompile("(?m)^```(.*)\n((?s:.*?))^```$")

// The commands shown in README and docs are run, and print what is shown there:
// ```console has commands after "$ " and their stdout, ```sh a script, ```yaml a
// workflow whose run: lines are scripts. A page is one sitting: what a command
// leaves, the next one finds.
func TestManual(t *testing.T) {
	ran := 0
	for _, page := range manuals(t) {
		d := newDesk(t)
		text := fence.ReplaceAllStringFunc(page.text, func(block string) string {
			m := fence.FindStringSubmatch(block)
			switch m[1] {
			case "console":
				ran++
				got := d.session(t, page.path, m[2])
				if got != m[2] && !*update {
					t.Errorf("%s: a session is\n%s\nand not\n%s", page.path, got, m[2])
				}
				return "```console\n" + got + "```"
			case "sh":
				d.script(t, page.path, m[2])
			case "yaml":
				for _, script := range scripts(t, page.path, m[2]) {
					d.script(t, page.path, script)
				}
			default:
				t.Errorf("%s: a block of %q: want console, sh or yaml", page.path, m[1])
			}
			return block
		})
		if *update && text != page.text {
			write(t, page.path, text)
		}
	}
	if ran == 0 {
		t.Error("no command is shown in the manual")
	}
}

// session runs the commands of a block and gives it with what they print now.
func (d *desk) session(t *testing.T, page, shown string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(shown) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		out, errs, status := d.shell(t, command)
		if status != 0 {
			t.Errorf("%s: %s: exit status %d\n%s", page, command, status, errs)
		}
		b.WriteString(line + out)
	}
	return b.String()
}

func (d *desk) script(t *testing.T, page, script string) {
	t.Helper()
	if out, errs, status := d.shell(t, script); status != 0 {
		t.Errorf("%s: exit status %d\n%s\n%s%s", page, status, script, out, errs)
	}
}

// scripts are the values of run: in a workflow, in order.
func scripts(t *testing.T, page, text string) []string {
	t.Helper()
	var doc any
	if err := yaml.UnmarshalWithOptions([]byte(text), &doc, yaml.UseOrderedMap()); err != nil {
		t.Errorf("%s: %v", page, err)
	}
	var found []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case yaml.MapSlice:
			for _, item := range v {
				if script, ok := item.Value.(string); ok && item.Key == "run" {
					found = append(found, script)
				}
				walk(item.Value)
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(doc)
	return found
}

var (
	span       = regexp.MustCompile("`([^`\n]+)`")
	indented   = regexp.MustCompile(`(?m)^    ((?:go run \./cmd/|npx --yes rust-just ).*)$`)
	recipeLine = regexp.MustCompile(`(?m)^([a-z][-a-z]*)(?: .*)?:`)
)

// foreign flags are of perf and sysbench.
var foreign = map[string]bool{"show-task-events": true, "histogram": true}

// What stands in a sentence is there to be typed as well: noisefloor commands are
// understood, their flags exist, and so do the recipes of just.
func TestManualInline(t *testing.T) {
	justfile, err := os.ReadFile("../../Justfile")
	if err != nil {
		t.Fatal(err)
	}
	recipes := map[string]bool{}
	for _, m := range recipeLine.FindAllStringSubmatch(string(justfile), -1) {
		recipes[m[1]] = true
	}
	commands := map[string]string{} // and the page
	flags := map[string]string{}
	for _, page := range manuals(t) {
		prose := fence.ReplaceAllString(page.text, "")
		for _, m := range append(span.FindAllStringSubmatch(prose, -1), indented.FindAllStringSubmatch(prose, -1)...) {
			text := strings.TrimPrefix(strings.TrimPrefix(m[1], "go run ./cmd/"), "npx --yes rust-")
			words := strings.Fields(text)
			switch {
			case words[0] == "noisefloor" || words[0] == "report":
				commands[strings.TrimPrefix(text, "noisefloor ")] = page.path
			case words[0] == "just" && len(words) > 1 && !recipes[words[1]]:
				t.Errorf("%s: `%s`: there is no such recipe", page.path, text)
			case strings.HasPrefix(text, "--"):
				name, _, _ := strings.Cut(strings.Fields(text)[0][2:], "=")
				flags[name] = page.path
			}
		}
	}
	known := knownFlags()
	for name, page := range flags {
		if !known[name] && !foreign[name] {
			t.Errorf("%s: no verb has --%s", page, name)
		}
	}
	d := newDesk(t)
	for _, command := range slices.Sorted(maps.Keys(commands)) {
		args := command
		if !strings.Contains(args, " ") || strings.HasPrefix(args, "notebook") { // the verb alone is a name
			args = strings.Fields(args)[0] + " --help"
		}
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			_, errs, status := d.shell(t, "noisefloor "+args)
			if status != exitDone && status != exitFailed && status != exitCannotAnswer {
				t.Errorf("%s: exit status %d\n%s", commands[command], status, errs)
			}
		})
	}
}

// knownFlags are those of every verb.
func knownFlags() map[string]bool {
	known := map[string]bool{"help": true, "version": true}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&app{}).root())
	return known
}

// Links between the pages lead somewhere.
func TestManualLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)
	for _, page := range manuals(t) {
		for _, m := range link.FindAllStringSubmatch(page.text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page.path), m[1])); err != nil {
				t.Errorf("%s: %v", page.path, fmt.Errorf("[..](%s) leads nowhere: %w", m[1], err))
			}
		}
	}
}
