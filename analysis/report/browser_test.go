package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"noisefloor/internal/chromium"
)

// layout is what the browser says about a page.
type layout struct {
	Overflow int      // pixels that the body is wider than the window
	Empty    int      // shown pictures without a size
	Shown    int      // pictures with one
	Wide     []string // elements that stick out of the window and are in no scrolling box
	H1       string
	Ground   string // background of the body
	Smallest float64
}

const measure = `(() => {
	const width = document.documentElement.clientWidth;
	const svgs = [...document.querySelectorAll('svg')].filter(s => s.checkVisibility());
	const boxes = svgs.map(s => s.getBoundingClientRect());
	const wide = [...document.querySelectorAll('body *')]
		.filter(e => e.checkVisibility() && !e.closest('.scroll') && e.getBoundingClientRect().right > width + 1)
		.map(e => e.tagName + '.' + e.getAttribute('class') + ' ' + (e.textContent || '').slice(0, 40));
	const sizes = [...document.querySelectorAll('svg.figure text')].filter(e => e.checkVisibility())
		.map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a);
	return {
		Overflow: document.documentElement.scrollWidth - width,
		Empty: boxes.filter(b => b.width < 5 || b.height < 5).length,
		Shown: boxes.length,
		Wide: wide.slice(0, 5),
		H1: document.querySelector('h1').innerText,
		Ground: getComputedStyle(document.body).backgroundColor,
		Smallest: Math.min(100, ...sizes),
	};
})()`

// The page opens in a real browser, from a file, at the width of a phone and of
// a desk, light and dark: no error, no request, nothing sticks out.
// NOISEFLOOR_SCREENSHOTS names a folder that keeps the pictures.
func TestPageInBrowser(t *testing.T) {
	browser := chromium.Open(t)
	var mu sync.Mutex
	var complaints []string
	complain := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		complaints = append(complaints, fmt.Sprintf(format, args...))
	}
	err := chromedp.Listen(browser, func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			complain("log: %s", e.Entry.Text)
		case *runtime.EventConsoleAPICalled:
			complain("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			complain("exception: %s", e.ExceptionDetails.Text)
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, "file:") && !strings.HasPrefix(url, "data:") {
				complain("request: %s", url)
			}
		}
	})
	if err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}

	// Whole pages take their time to draw; without a folder that wants them, the
	// first screen shows that there is one.
	shots, shoot := os.Getenv("NOISEFLOOR_SCREENSHOTS"), chromedp.FullScreenshot(100)
	if shots == "" {
		shots, shoot = t.TempDir(), chromedp.CaptureScreenshot()
	}
	for _, name := range []string{"full", "one-day", "describe-only", "one-run"} {
		file := filepath.Join(t.TempDir(), name+".html")
		if err := os.WriteFile(file, []byte(rendered(t, samples()[name])), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{360, 1280} {
			for _, theme := range []string{"light", "dark"} {
				at := fmt.Sprintf("%s-%d-%s", name, width, theme)
				l, shot := visit(t, browser, "file://"+file, width, theme, shoot)
				if err := os.WriteFile(filepath.Join(shots, at+".png"), shot, 0o666); err != nil {
					t.Fatal(err)
				}
				check(t, at, l, theme)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(rendered(t, full())), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(browser, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+file)); err != nil {
		t.Fatal(err)
	}
	t.Run("keyboard", func(t *testing.T) { reachable(t, ctx) })
	t.Run("copy", func(t *testing.T) { copied(t, ctx) })
	t.Run("print", func(t *testing.T) { printedOnPaper(t, ctx) })
	mu.Lock()
	defer mu.Unlock()
	for _, c := range complaints {
		t.Error(c)
	}
}

func asked[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// reachable: the tab key comes to every fold, every table that scrolls and the box, and Enter
// opens a fold.
func reachable(t *testing.T, ctx context.Context) {
	stops := asked[int](t, ctx, `(window.stops = [...document.querySelectorAll('summary, .scroll, input')].filter(e => e.checkVisibility())).length`)
	if stops < 5 {
		t.Fatalf("%d places to stop at", stops)
	}
	for range stops {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Tab)); err != nil {
			t.Fatal(err)
		}
		if place := asked[int](t, ctx, `window.stops.indexOf(document.activeElement)`); place < 0 {
			t.Error("the tab key stops where nothing is to be done")
		}
		asked[bool](t, ctx, `document.activeElement.stopped = true`)
	}
	if missed := asked[int](t, ctx, `window.stops.filter(e => !e.stopped).length`); missed > 0 {
		t.Errorf("%d of %d places are not reached", missed, stops)
	}
	asked[bool](t, ctx, `document.querySelector('.part > summary').focus(), true`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		t.Fatal(err)
	}
	if !asked[bool](t, ctx, `document.querySelector('.part').open`) {
		t.Error("Enter does not open a fold")
	}
}

// copied: a table that is selected and copied is tab-separated, a line a row, and
// its numbers are what a spreadsheet takes for some.
func copied(t *testing.T, ctx context.Context) {
	asked[bool](t, ctx, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
	for _, table := range asked[[]struct {
		Text          string
		Rows, Columns int
	}](t, ctx, `[...document.querySelectorAll('table')].map(t => {
		getSelection().selectAllChildren(t);
		return {Text: getSelection().toString(), Rows: t.rows.length, Columns: t.rows[0].cells.length};
	})`) {
		lines := strings.Split(strings.TrimRight(table.Text, "\n"), "\n")
		if len(lines) != table.Rows {
			t.Errorf("%d lines of %d rows:\n%s", len(lines), table.Rows, table.Text)
		}
		for _, line := range lines {
			if strings.Count(line, "\t") != table.Columns-1 {
				t.Errorf("%q has not %d columns", line, table.Columns)
			}
		}
		if strings.Contains(table.Text, "\u2212") {
			t.Errorf("a minus that is none to a spreadsheet:\n%s", table.Text)
		}
	}
}

// printedOnPaper: on paper stand the rows and the doubts and what the reader opened,
// with a line that says so, or everything if the box is ticked; nothing is cut off at
// the width of A4, and no letter is too small to be read.
func printedOnPaper(t *testing.T, ctx context.Context) {
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(718, 1000)); err != nil { // A4 less Chromium's margins, at 96 dots an inch
		t.Fatal(err)
	}
	type paper struct {
		Overflow, Hidden, HiddenRows, Named int
		Note                                bool
		Smallest                            float64
	}
	printed := func(reader string) (p paper, sheets int) {
		t.Helper()
		asked[bool](t, ctx, reader+`, true`)
		p = asked[paper](t, ctx, `(() => {
			const hidden = d => [...d.children].some(e => e.tagName != 'SUMMARY' && e.textContent.trim() != '' && !e.checkVisibility({contentVisibilityAuto: true}));
			const folds = [...document.querySelectorAll('details')].filter(d => d.querySelector('summary').checkVisibility());
			return {
				Overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
				Hidden: folds.filter(hidden).length,
				HiddenRows: folds.filter(hidden).filter(d => d.closest('#comparisons, #doubts')).length,
				Named: folds.filter(d => getComputedStyle(d.querySelector('summary'), '::after').content.includes('left folded')).length,
				Note: document.querySelector('.paper').checkVisibility(),
				Smallest: Math.min(...[...document.querySelectorAll('p, li, td, th')].map(e => parseFloat(getComputedStyle(e).fontSize))),
			};
		})()`)
		if p.Overflow > 0 || p.HiddenRows > 0 || p.Smallest < 9 || p.Named != p.Hidden || p.Note != (p.Hidden > 0) {
			t.Errorf("on paper after %s: %+v", reader, p)
		}
		pdf, err := chromedp.Call(ctx, cdp.PrintToPDF, cdp.PrintToPDFParams{})
		if err != nil {
			t.Fatal(err)
		}
		return p, len(regexp.MustCompile(`/Type /Page\b`).FindAll(pdf.Data, -1))
	}
	closed, few := printed(`document.querySelectorAll('details').forEach(d => d.open = false)`)
	printed(`document.querySelector('.part').open = true`)
	if !asked[bool](t, ctx, `document.querySelector('.part > summary + *').checkVisibility()`) {
		t.Error("what the reader opened is not on paper")
	}
	whole, most := printed(`document.querySelector('#whole').click()`)
	if closed.Hidden < 3 || whole.Hidden > 0 {
		t.Errorf("folded on paper: %+v, and with the box ticked: %+v", closed, whole)
	}
	if few < 2 || few >= most {
		t.Errorf("%d sheets, and all of it on %d", few, most)
	}
}

// visit opens a page and takes its measures and its picture.
func visit(t *testing.T, browser context.Context, url string, width int64, theme string, shoot chromedp.Action[[]byte]) (layout, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(browser, 30*time.Second)
	defer cancel()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	l, err := chromedp.Run(ctx, chromedp.Evaluate[layout](measure))
	if err != nil {
		t.Fatal(err)
	}
	shot, err := chromedp.Run(ctx, shoot)
	if err != nil {
		t.Fatal(err)
	}
	return l, shot
}

func check(t *testing.T, at string, l layout, theme string) {
	t.Helper()
	if l.Overflow > 0 || len(l.Wide) > 0 {
		t.Errorf("%s: %d pixels wider than the window; %q", at, l.Overflow, l.Wide)
	}
	if l.Empty > 0 || l.Shown == 0 {
		t.Errorf("%s: %d pictures, %d of them without a size", at, l.Shown, l.Empty)
	}
	if strings.TrimSpace(l.H1) == "" {
		t.Errorf("%s: no h1", at)
	}
	if want := map[string]string{"light": "rgb(253, 253, 252)", "dark": "rgb(20, 23, 27)"}[theme]; l.Ground != want {
		t.Errorf("%s: the ground is %s, want %s", at, l.Ground, want)
	}
	if l.Smallest < 9 {
		t.Errorf("%s: text of %.1f pixels in a picture", at, l.Smallest)
	}
}
