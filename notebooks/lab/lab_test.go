package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"noisefloor/internal/chromium"
)

// labEnv says that a JupyterLab may be made and kernels be run, which CI does.
const labEnv = "NOISEFLOOR_LAB"

const token = "noisefloor"

// JupyterLab as a person has it: two shipped notebooks are opened in a browser, run
// by clicking, and answer what is committed of them; a cell that takes too long is
// stopped by a click, and the kernel answers after it, and after a restart.
// NOISEFLOOR_SCREENSHOTS names a folder that keeps pictures.
func TestClickedThrough(t *testing.T) {
	if os.Getenv(labEnv) == "" {
		t.Logf("%s is not set: CI opens JupyterLab in a browser, here it is not made", labEnv)
		return
	}
	checkout, err := Checkout(".")
	if err != nil {
		t.Fatal(err)
	}
	l, err := Prepare(t.Context(), checkout, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Completion(t.Context(), func(text string) { t.Log(text) }); err != nil {
		t.Fatal(err)
	}
	base := serve(t, l)
	browser := chromium.Open(t)
	ctx, cancel := context.WithTimeout(browser, 8*time.Minute)
	defer cancel()
	v := &visitor{t: t, ctx: ctx}
	v.do(chromedp.EmulateViewport(1120, 780), chromedp.Navigate(base+"/lab/tree/06-which-version.ipynb?token="+token))
	v.ready()
	v.choose("Edit", "Clear Outputs of All Cells", front+`.querySelectorAll('.jp-OutputArea-output').length == 0`)
	v.choose("Run", "Run All Cells", prompts+`.some(p => /[*\d]/.test(p))`)
	v.wait("all answers", prompts+`.every(p => /^\[\d+\]:$/.test(p))`)
	if cells, pictures := v.count(".jp-OutputArea-output"), v.count(".jp-OutputArea-output img"); cells < 6 || pictures < 4 {
		t.Errorf("%d outputs, %d of them pictures", cells, pictures)
	}
	evaluate[bool](v, `document.querySelector('.jp-OutputArea-output img').scrollIntoView({block: 'center'}), true`)
	v.shot("jupyterlab")

	// A second notebook beside it, with a kernel of its own.
	v.click(".jp-DirListing-itemText", "scratch.ipynb", chromedp.ClickCount(2))
	v.wait("the second notebook", front+`.innerText.includes('%help')`)
	v.ready()
	v.choose("Run", "Run All Cells", prompts+`.some(p => /[*\d]/.test(p))`)
	v.wait("the help", shown("%track"))
	v.wait("the first line of the long cell", shown("begun"))
	v.choose("Kernel", "Interrupt Kernel", prompts+`.every(p => !p.includes('*'))`)
	v.shot("interrupted")
	v.choose("Kernel", "Restart Kernel…", visible("button.jp-mod-accept .jp-Dialog-buttonLabel", "Restart")+" !== undefined")
	v.click("button.jp-mod-accept .jp-Dialog-buttonLabel", "Restart")
	v.ready()
	v.click(".jp-CodeCell .cm-line", lastCell)
	v.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierShift)))
	v.wait("the answer of a new kernel", shown("42"))
	v.shot("restarted")

	// Names are completed. The first answer may come too late for JupyterLab, which
	// gives it up; then a person asks again.
	v.do(chromedp.KeyEvent("import \"noisefloor/notebooks/nb\"\r\r%%\rnb."))
	offered := visible(".jp-Completer-item", "Picture") + ` !== undefined`
	for range 10 {
		v.do(chromedp.KeyEvent(kb.Tab))
		if v.soon(offered, 10*time.Second) {
			break
		}
	}
	v.wait("the words of nb", offered)
	v.shot("completed")
}

const lastCell = "fmt.Println(6 * 7)"

// What the browser is asked: the notebook in front, its numbers beside the cells,
// whether an output says something.
const (
	front   = `[...document.querySelectorAll('.jp-NotebookPanel')].filter(e => e.checkVisibility())[0]`
	prompts = `[...` + front + `.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map(p => p.innerText.trim())`
)

func shown(text string) string {
	return `[...` + front + `.querySelectorAll('.jp-OutputArea-output')].some(e => e.innerText.includes(` + quoted(text) + `))`
}

// serve starts JupyterLab over copies of the notebooks, so that what is committed
// stays what it is, and says where.
func serve(t *testing.T, l *Lab) string {
	t.Helper()
	dir := t.TempDir()
	books := filepath.Join(dir, "notebooks")
	if err := os.Symlink(filepath.Join(l.Checkout, "datasets"), filepath.Join(dir, "datasets")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(books, os.DirFS(filepath.Join(l.Checkout, "notebooks"))); err != nil {
		t.Fatal(err)
	}
	writeBook(t, filepath.Join(books, "scratch.ipynb"), "%help", "import (\n\t\"fmt\"\n\t\"time\"\n)\n\n%%\nfmt.Println(\"begun\")\ntime.Sleep(time.Hour)", "%%\n"+lastCell)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := free.Addr().(*net.TCPAddr)
	free.Close()
	jupyter := l.Command(context.Background(), "lab", "--no-browser", "--allow-root", fmt.Sprintf("--ServerApp.port=%d", at.Port), "--ServerApp.port_retries=0",
		"--IdentityProvider.token="+token, "--ServerApp.root_dir="+books)
	settings := filepath.Join(dir, "settings")
	for file, text := range map[string]string{
		"apputils-extension/notification": `{"fetchNews": "false", "checkForUpdates": false}`, // it asks nothing
		"notebook-extension/tracker":      `{"windowingMode": "none"}`,                        // cells out of sight are there
	} {
		at := filepath.Join(settings, "@jupyterlab", file+".jupyterlab-settings")
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	jupyter.Env = append(jupyter.Env, "JUPYTER_CONFIG_DIR="+t.TempDir(), "JUPYTER_RUNTIME_DIR="+t.TempDir(), "JUPYTERLAB_SETTINGS_DIR="+settings, "JUPYTERLAB_WORKSPACES_DIR="+t.TempDir())
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	jupyter.Stdout, jupyter.Stderr = log, log
	if err := jupyter.Start(); err != nil {
		t.Fatal(err)
	}
	base := "http://" + at.String()
	t.Cleanup(func() { stop(t, jupyter, base, log.Name()) })
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", at.String()); err == nil {
			c.Close()
			return base
		}
	}
	t.Fatal("JupyterLab does not listen")
	return ""
}

// stop ends the kernels, then JupyterLab, which would leave them if it were killed.
func stop(t *testing.T, jupyter *exec.Cmd, base, log string) {
	ask := func(method, path string) []byte {
		request, err := http.NewRequest(method, base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "token "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil // it never listened
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return body
	}
	var kernels []struct{ ID string }
	json.Unmarshal(ask("GET", "/api/kernels"), &kernels)
	for _, k := range kernels {
		ask("DELETE", "/api/kernels/"+k.ID)
	}
	jupyter.Process.Signal(syscall.SIGTERM)
	jupyter.Wait()
	if said, _ := os.ReadFile(log); t.Failed() {
		t.Logf("%s", said)
	}
}

func writeBook(t *testing.T, file string, sources ...string) {
	t.Helper()
	var cells []map[string]any
	for i, source := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprint("c", i), "metadata": map[string]any{}, "source": source, "outputs": []any{}, "execution_count": nil})
	}
	raw, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{
		"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// visitor is the person in front of the browser.
type visitor struct {
	t   *testing.T
	ctx context.Context
}

func (v *visitor) do(steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, steps...); err != nil {
		v.shot("failed")
		v.t.Fatal(err)
	}
}

func evaluate[T any](v *visitor, expression string) T {
	v.t.Helper()
	value, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		v.t.Fatal(expression, err)
	}
	return value
}

func (v *visitor) count(selector string) int {
	return evaluate[int](v, front+".querySelectorAll("+quoted(selector)+").length")
}

// patience is how long a person waits for an answer.
const patience = 2 * time.Minute

// wait looks until something is so.
func (v *visitor) wait(what, expression string) {
	v.t.Helper()
	if !v.soon(expression, patience) {
		v.shot("failed")
		v.t.Fatalf("waited in vain for %s", what)
	}
}

// soon tells whether something is so before long.
func (v *visitor) soon(expression string, long time.Duration) bool {
	v.t.Helper()
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if evaluate[bool](v, "Boolean("+expression+")") {
			return true
		}
	}
	return false
}

// click clicks in the middle of the visible element of a text.
func (v *visitor) click(selector, text string, how ...chromedp.MouseOption) {
	v.t.Helper()
	find := visible(selector, text)
	v.wait(text, find+" !== undefined")
	at := evaluate[[]float64](v, "(() => { const r = "+find+".getBoundingClientRect(); return [r.x + r.width/2, r.y + r.height/2] })()")
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]), chromedp.MouseClickXY(at[0], at[1], how...)) // what is under the mouse is what a menu chooses
}

// choose opens a menu and chooses an item, and sees to it that something came of
// it. What is clicked while the page is still at work is lost now and then; then a
// person clicks again.
func (v *visitor) choose(menu, item, done string) {
	v.t.Helper()
	for range 5 {
		v.click(".lm-MenuBar-itemLabel", menu)
		if v.soon(visible(".lm-Menu-itemLabel", item)+" !== undefined", 2*time.Second) {
			v.click(".lm-Menu-itemLabel", item)
			if v.soon(done, 15*time.Second) {
				return
			}
		}
		v.do(chromedp.KeyEvent(kb.Escape))
	}
	v.shot("failed")
	v.t.Fatalf("nothing came of %s, %s", menu, item)
}

// visible is the element of a text that can be seen, in the browser's words.
func visible(selector, text string) string {
	return "[...document.querySelectorAll(" + quoted(selector) + ")].filter(e => e.checkVisibility() && e.innerText.trim() === " + quoted(text) + ")[0]"
}

// ready waits for the notebook in front and for its kernel.
func (v *visitor) ready() {
	v.t.Helper()
	v.wait("the notebook", front+" !== undefined && "+prompts+".length > 0")
	v.wait("the kernel", front+`.querySelector('.jp-NotebookPanel-toolbar')?.innerText.includes('Go (gonb)')`)
}

// shot takes a picture, where someone wants it.
func (v *visitor) shot(name string) {
	v.t.Helper()
	folder := os.Getenv("NOISEFLOOR_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o666)
	}
	if err != nil {
		v.t.Error(err)
	}
}

func quoted(s string) string {
	q, _ := json.Marshal(s)
	return strings.ReplaceAll(string(q), "\u2028", "")
}
