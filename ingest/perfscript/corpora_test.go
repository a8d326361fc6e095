package perfscript

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Other people's texts and programs, named by environment variables: folders of
// perf script texts, separated by colons, inferno-collapse-perf, and
// stackcollapse-perf.pl. just corpora fetches, builds and sets them.
const (
	corporaEnv = "NOISEFLOOR_CORPORA"
	infernoEnv = "NOISEFLOOR_INFERNO"
	perlEnv    = "NOISEFLOOR_STACKCOLLAPSE"
)

// Folded output is byte for byte inferno's on the perf script texts of the tests of
// inferno and FlameGraph. Where FlameGraph's own script says something else is
// printed: docs/decisions.md lists it with the reasons.
func TestCorpora(t *testing.T) {
	folders, inferno := os.Getenv(corporaEnv), os.Getenv(infernoEnv)
	if folders == "" || inferno == "" {
		t.Logf("%s and %s are not set: just corpora compares with inferno, here testdata/*.folded stand for it", corporaEnv, infernoEnv)
		return
	}
	files := 0
	for _, folder := range filepath.SplitList(folders) {
		names, _ := filepath.Glob(filepath.Join(folder, "*.txt*"))
		slices.Sort(names)
		for _, name := range names {
			text := corpus(t, name)
			files++
			want := output(t, inferno, text)
			got := foldedText(t, text)
			if got != want {
				t.Errorf("%s: %s", name, firstDifference(got, want))
			}
			if perl := os.Getenv(perlEnv); perl != "" {
				if other := output(t, "perl", text, perl); other != want {
					t.Logf("FlameGraph's script differs from inferno: %s: %s", filepath.Base(name), firstDifference(other, want))
				}
			}
		}
	}
	if files < 15 {
		t.Errorf("only %d texts in %s", files, folders)
	}
}

func corpus(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func output(t testing.TB, program string, text []byte, args ...string) string {
	t.Helper()
	c := exec.Command(program, args...)
	c.Stdin = bytes.NewReader(text)
	out, err := c.Output()
	if err != nil && len(out) == 0 && len(text) > 0 {
		t.Logf("%s: %v", program, err)
	}
	return string(out)
}

func foldedText(t testing.TB, text []byte) string {
	t.Helper()
	p, err := Scan(bytes.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Folded(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			return fmt.Sprintf("line %d of %d is missing: %.300s", i+1, len(w), w[i])
		case i >= len(w):
			return fmt.Sprintf("line %d of %d is too many: %.300s", i+1, len(g), g[i])
		case g[i] != w[i]:
			at := 0
			for at < min(len(g[i]), len(w[i])) && g[i][at] == w[i][at] {
				at++
			}
			at = max(0, at-60)
			return fmt.Sprintf("line %d of %d\n  got  ...%.200s\n  want ...%.200s", i+1, len(w), g[i][at:], w[i][at:])
		}
	}
	return "equal"
}
