// Package chromium gives tests a real browser without a window.
package chromium

import (
	"context"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// Path finds the browser; without one a test that needs it cannot be kept.
func Path(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no chromium, chromium-browser or google-chrome on the PATH: pages must be looked at in a real browser (Debian: apt-get install chromium; `just test` does it)")
	return ""
}

// Open starts the browser with an empty profile; it ends with the test.
func Open(t testing.TB) context.Context {
	t.Helper()
	options := append(append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...),
		chromedp.ExecPath(Path(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	browser, quit := chromedp.NewContext(allocator)
	t.Cleanup(quit)
	return browser
}
