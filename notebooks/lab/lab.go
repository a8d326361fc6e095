// Package lab finds JupyterLab, or makes one in a .venv, and puts the Go kernel of
// a checkout beside it: gonb in the version that go.mod names, which sees the
// packages of the checkout as they are on the disk.
//
// Nothing is installed outside the checkout, so that a kernel of the user's own
// with the same name stays what it is.
package lab

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Requirements are what pip puts into the .venv.
//
//go:embed requirements.txt
var Requirements string

// gopls is the newest that Go 1.26 builds.
const gopls = "golang.org/x/tools/gopls@v0.22.0"

// Lab is a JupyterLab with the Go kernel of a checkout.
type Lab struct {
	Checkout string
	scripts  string // folder of jupyter-lab and its like
}

// Checkout finds the checkout that a folder is in.
func Checkout(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		mod, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module noisefloor\n") {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("%s is in no checkout of noisefloor: the notebooks need its source, so git clone it and name it with --checkout", dir)
		}
		at = up
	}
}

// Prepare makes everything ready. say is told what takes a while.
func Prepare(ctx context.Context, checkout string, say func(string)) (*Lab, error) {
	l := &Lab{Checkout: checkout}
	// Two of these at once would tear down what the other one builds.
	one := flock.New(filepath.Join(checkout, ".venv.lock"))
	if _, err := one.TryLockContext(ctx, time.Second); err != nil {
		return nil, err
	}
	defer one.Unlock()
	if err := l.findJupyter(ctx, say); err != nil {
		return nil, err
	}
	if err := l.installKernel(ctx, say); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *Lab) venv(parts ...string) string {
	return filepath.Join(append([]string{l.Checkout, ".venv"}, parts...)...)
}

// findJupyter takes the JupyterLab of the PATH, else that of the .venv.
func (l *Lab) findJupyter(ctx context.Context, say func(string)) error {
	if found, err := exec.LookPath("jupyter-lab"); err == nil {
		l.scripts = filepath.Dir(found)
		return nil
	}
	l.scripts = l.venv("bin")
	if _, err := os.Stat(l.venv("bin", "jupyter-lab")); err == nil {
		return nil
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		return errors.New("JupyterLab is not on the PATH, and without python3 it cannot be installed: install Python 3.9 or newer")
	}
	say("making a .venv with " + strings.Join(strings.Fields(Requirements), ", "))
	if err := l.run(ctx, "", python, "-m", "venv", l.venv()); err != nil {
		return err
	}
	return l.run(ctx, "", l.venv("bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", filepath.Join(l.Checkout, "notebooks", "lab", "requirements.txt"))
}

// installKernel builds gonb and goimports from what go.mod names and installs the
// kernel into the .venv's own Jupyter data folder.
func (l *Lab) installKernel(ctx context.Context, say func(string)) error {
	gonb, stamp := l.venv("bin", "gonb"), l.venv("share", "jupyter", "kernels", "gonb", "made-from")
	made, err := l.madeFrom()
	if err != nil {
		return err
	}
	if was, err := os.ReadFile(stamp); err == nil && string(was) == made {
		if _, err := os.Stat(gonb); err == nil {
			return nil // a kernel that runs is left alone
		}
	}
	say("building the Go kernel")
	temp, err := os.MkdirTemp("", "noisefloor-gonb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	modfile, err := l.prompt(ctx, temp)
	if err != nil {
		return err
	}
	for _, tool := range [][2]string{{gonb, "github.com/janpfeifer/gonb"}, {l.venv("bin", "goimports"), "golang.org/x/tools/cmd/goimports"}} {
		if err := l.run(ctx, "", "go", "build", "-modfile", modfile, "-o", tool[0], tool[1]); err != nil {
			return err
		}
	}
	data := l.venv("share", "jupyter")
	if err := l.run(ctx, data, gonb, "--install", "--force_deps", "--go_work="+l.Checkout); err != nil {
		return err
	}
	if err := l.equip(filepath.Join(data, "kernels", "gonb", "kernel.json")); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(made), 0o644)
}

// gonb looks whether gopls is there 12 seconds after it has started it, and then every
// 12 seconds: so long takes the first completion. Here it looks ten times a second.
const looks, looksOften = "time.After(ConnectTimeout)", "time.After(time.Second / 10)"

// prompt makes a copy of gonb that looks so often in a folder, and gives the go.mod to
// build it with.
func (l *Lab) prompt(ctx context.Context, temp string) (modfile string, err error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", "github.com/janpfeifer/gonb")
	download.Dir = l.Checkout
	said, err := download.Output()
	var module struct{ Dir, Error string }
	if err := errors.Join(err, json.Unmarshal(said, &module)); err != nil {
		return "", fmt.Errorf("go mod download: %s: %w", module.Error, err)
	}
	source := filepath.Join(temp, "gonb")
	if err := os.CopyFS(source, os.DirFS(module.Dir)); err != nil {
		return "", err
	}
	edit := func(from, to string, change func(string) string) {
		text, failed := os.ReadFile(from)
		err = errors.Join(err, failed, os.WriteFile(to, []byte(change(string(text))), 0o644))
	}
	waits := filepath.Join(source, "internal", "goexec", "goplsclient", "exec.go")
	edit(waits, waits, func(text string) string { return strings.ReplaceAll(text, looks, looksOften) })
	modfile = filepath.Join(temp, "go.mod")
	edit(filepath.Join(l.Checkout, "go.mod"), modfile, func(text string) string {
		return text + "\nreplace github.com/janpfeifer/gonb => " + strconv.Quote(source) + "\n"
	})
	edit(filepath.Join(l.Checkout, "go.sum"), filepath.Join(temp, "go.sum"), func(text string) string { return text })
	return modfile, err
}

// madeFrom is what the kernel depends on: the Go command, the checkout and what it
// names, what prompt changes and what equip writes.
func (l *Lab) madeFrom() (string, error) {
	mod, err := os.ReadFile(filepath.Join(l.Checkout, "go.mod"))
	if err != nil {
		return "", err
	}
	real, err := exec.LookPath("go")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\n%s\n%x\n", real, l.Checkout, sha256.Sum256(append(mod, looksOften+goShim...))), nil
}

// goShim stands before the Go command in the kernel. gonb runs "go get" before each
// cell, which knows nothing of the workspace that the checkout is in, and would ask
// the network for the newest version of whatever a cell imports; it is left out if
// nothing is missing. Without debugging data a cell is linked faster.
const goShim = `#!/bin/sh
case "$1" in
get) [ $# -gt 1 ] || "%[1]s" list -deps . >/dev/null 2>&1 && exit 0 ;;
build) shift; exec "%[1]s" build -ldflags=-w "$@" ;;
esac
exec "%[1]s" "$@"
`

// equip lets the kernel find goimports, gopls and goShim however Jupyter is
// started.
func (l *Lab) equip(file string) error {
	real, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	shims := filepath.Join(filepath.Dir(file), "bin")
	if err := os.MkdirAll(shims, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(shims, "go"), fmt.Appendf(nil, goShim, real), 0o755); err != nil {
		return err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec map[string]any
	if err := json.Unmarshal(raw, &spec); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	spec["env"] = map[string]string{"PATH": strings.Join([]string{shims, l.venv("bin"), "${PATH}"}, string(os.PathListSeparator))} // Jupyter fills in ${PATH}
	raw, err = json.MarshalIndent(spec, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o644)
}

// Completion installs gopls, by which the kernel completes and explains names,
// unless there is one.
func (l *Lab) Completion(ctx context.Context, say func(string)) error {
	if _, err := exec.LookPath("gopls"); err == nil {
		return nil
	}
	if _, err := os.Stat(l.venv("bin", "gopls")); err == nil {
		return nil
	}
	say("building gopls, for completion; it takes minutes, once")
	c := exec.CommandContext(ctx, "go", "install", gopls)
	c.Dir = os.TempDir() // gopls has a go.mod of its own
	c.Env = append(os.Environ(), "GOBIN="+l.venv("bin"), "GOFLAGS=")
	return said(c)
}

// Command is a command of Jupyter, "lab" or "nbconvert", in the folder of the
// notebooks. It sees the kernel of the checkout before any other.
func (l *Lab) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, filepath.Join(l.scripts, "jupyter-"+name), args...)
	c.Dir = filepath.Join(l.Checkout, "notebooks")
	paths := l.venv("share", "jupyter")
	if more := os.Getenv("JUPYTER_PATH"); more != "" {
		paths += string(os.PathListSeparator) + more
	}
	c.Env = append(os.Environ(), "JUPYTER_PATH="+paths)
	return c
}

// run runs a command in the checkout; data is Jupyter's data folder, if it is to
// have one.
func (l *Lab) run(ctx context.Context, data, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = l.Checkout
	c.Env = os.Environ()
	if data != "" {
		c.Env = append(c.Env, "JUPYTER_DATA_DIR="+data)
	}
	return said(c)
}

// said runs a command; if it fails, the error has what it said.
func said(c *exec.Cmd) error {
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
