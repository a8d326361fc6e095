// Package scantest states once what every scanner of ingest must keep, whatever
// it reads: the size of the reads does not matter, records come in the order of
// the text, garbage is no reason to panic, a read error is passed on, and nothing
// of the input is held on to.
package scantest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"noisefloor/datasets"
)

// A Record is one thing that a scanner found: the line it starts at, 0 if it has
// none, and everything about it in words, so that records can be compared.
type Record struct {
	Line int
	Text string
}

// Problem writes a problem as a record.
func Problem(p datasets.Problem) Record {
	return Record{Line: p.Line, Text: fmt.Sprintf("%s %d: %s", p.Kind, p.Count, p.Text)}
}

// A Scan runs a scanner over a text and returns what it found.
type Scan func(text io.Reader) ([]Record, error)

// Check runs scan over the texts and over what chance makes of them.
func Check(t *testing.T, scan Scan, texts ...string) {
	t.Helper()
	for i, text := range texts {
		whole, err := scan(strings.NewReader(text))
		if err != nil {
			t.Errorf("text %d: %v; what a text says is no error", i, err)
		}
		for _, size := range []int{1, 7, 4096} {
			got, err := scan(&pieces{rest: []byte(text), size: size})
			same(t, fmt.Sprintf("text %d read in pieces of %d", i, size), got, err, whole)
		}
		got, err := scan(iotest.DataErrReader(strings.NewReader(text)))
		same(t, fmt.Sprintf("text %d read with its end", i), got, err, whole)
		ascend(t, i, whole)
		failing(t, i, scan, text)
	}
	unkept(t, scan, texts)
	garbage(t, scan, texts)
}

// same fails the test unless the records are equal.
func same(t *testing.T, what string, got []Record, err error, want []Record) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if slices.Equal(got, want) {
		return
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s: record %d is missing: %v", what, i, want[i])
		case i >= len(want):
			t.Fatalf("%s: record %d is new: %v", what, i, got[i])
		case got[i] != want[i]:
			t.Fatalf("%s: record %d is\n%v\nwant\n%v", what, i, got[i], want[i])
		}
	}
}

func ascend(t *testing.T, i int, records []Record) {
	t.Helper()
	last := 0
	for _, r := range records {
		if r.Line < last {
			t.Errorf("text %d: a record of line %d comes after one of line %d", i, r.Line, last)
		}
		last = r.Line
	}
}

var errDisk = errors.New("the disk is gone")

func failing(t *testing.T, i int, scan Scan, text string) {
	t.Helper()
	half := strings.NewReader(text[:len(text)/2])
	if _, err := scan(io.MultiReader(half, iotest.ErrReader(errDisk))); !errors.Is(err, errDisk) {
		t.Errorf("text %d: a read error came back as %v", i, err)
	}
}

// unkept scans text after text and looks whether earlier records change when the
// input is overwritten and the scanner reads something else.
func unkept(t *testing.T, scan Scan, texts []string) {
	t.Helper()
	var found, copies [][]Record
	for _, text := range texts {
		input := []byte(text)
		got, _ := scan(bytes.NewBuffer(input))
		var saved []Record
		for _, r := range got {
			saved = append(saved, Record{r.Line, strings.Clone(r.Text)})
		}
		found, copies = append(found, got), append(copies, saved)
		clear(input)
	}
	for i := range found {
		same(t, fmt.Sprintf("text %d after the others were read", i), found[i], nil, copies[i])
		again, err := scan(strings.NewReader(texts[i]))
		same(t, fmt.Sprintf("text %d read a second time", i), again, err, copies[i])
	}
}

// garbage scans random bytes and damaged texts. Seeded, so that a failure comes
// again.
func garbage(t *testing.T, scan Scan, texts []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		var b []byte
		if len(texts) > 0 && round%4 != 0 {
			b = []byte(texts[rng.IntN(len(texts))])
		}
		if len(b) == 0 {
			b = make([]byte, rng.IntN(2000))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
		}
		b = damage(rng, b)
		whole, err := scan(bytes.NewReader(b))
		if err != nil {
			t.Errorf("garbage %d: %v", round, err)
		}
		got, err := scan(&pieces{rest: b, size: 1 + rng.IntN(100)})
		same(t, fmt.Sprintf("garbage %d", round), got, err, whole)
		ascend(t, round, whole)
	}
}

// damage flips bytes, takes a part out, doubles a part, cuts the end off or puts it in
// front.
func damage(rng *rand.Rand, b []byte) []byte {
	for range 1 + rng.IntN(8) {
		if len(b) == 0 {
			break
		}
		from := rng.IntN(len(b))
		to := from + rng.IntN(min(len(b)-from, 500))
		switch rng.IntN(6) {
		case 0:
			b[from] = byte(rng.Uint32())
		case 1:
			b[from] = nasty[rng.IntN(len(nasty))]
		case 2:
			b = slices.Delete(b, from, to)
		case 3:
			b = slices.Insert(b, from, slices.Clone(b[from:to])...)
		case 4:
			if rng.IntN(4) == 0 {
				b = b[:from]
			}
		case 5:
			b = slices.Concat(b[from:], b[:from])
		}
	}
	return b
}

// pieces reads at most size bytes at a time.
type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(p.size, len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

// nasty are bytes that mean something to scanners.
const nasty = "\x00\r\n\x1b[ .,:/%()'\xff"

// Finds checks what told writes of a text, a line each: a fact, or "@line problem".
func Finds(t *testing.T, told func(io.Reader) ([]Record, error), text string, want ...string) {
	t.Helper()
	list, err := told(strings.NewReader(text))
	if err != nil {
		t.Error(err)
	}
	var got []string
	for _, r := range list {
		s := r.Text
		if r.Line > 0 {
			s = fmt.Sprintf("@%d %s", r.Line, s)
		}
		got = append(got, s)
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s\ngot\n%s\nwant\n%s", text, g, w)
	}
}

// Recorded gives the texts in the package's testdata by name.
func Recorded(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no testdata", err)
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}
