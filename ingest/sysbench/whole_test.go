package sysbench

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/unicode"

	"noisefloor/ingest/internal/lines"
)

// The hash of a text is that of its bytes, whether the text shares it with a run
// or not.
func TestTextHash(t *testing.T) {
	line := func(s int) string {
		return fmt.Sprintf("[ %ds ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,95%%): 14.46 err/s: 0.00 reconn/s: 0.00\n", s)
	}
	run := func(lines int) string {
		var b strings.Builder
		b.WriteString("sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nRunning the test with following options:\nNumber of threads: 8\n\nThreads started!\n\n")
		for s := range lines {
			b.WriteString(line(s + 1))
		}
		return b.String()
	}
	prepare := "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nCreating table 'sbtest1'...\nInserting 10000 records into 'sbtest1'\n"
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(run(20))
	if err != nil {
		t.Fatal(err)
	}
	long := 3 * lines.BufferSize / len(line(1000))
	for name, text := range map[string]string{
		"empty":                "",
		"no run":               "hello\nworld\n",
		"no run, long":         strings.Repeat("hello\n", lines.BufferSize),
		"one run":              run(10),
		"one run, long":        run(long),
		"text before":          "$ ./run.sh\n" + run(long),
		"text behind":          run(10) + strings.Repeat("\n", 2*lines.BufferSize) + "done\n",
		"text behind, long":    run(long) + strings.Repeat("x\n", lines.BufferSize),
		"two runs":             run(10) + run(20),
		"three runs, long":     run(long) + run(long) + run(5),
		"preparation":          prepare,
		"preparation, a run":   prepare + run(long),
		"byte order mark":      "\xef\xbb\xbf" + run(10),
		"UTF-16":               utf16,
		"one long line":        strings.Repeat("x", 3*lines.BufferSize),
		"a long line in a run": run(10) + strings.Repeat("x", 3*lines.BufferSize) + "\n" + line(11),
		"NUL bytes":            run(10) + strings.Repeat("\x00", 100) + run(10),
	} {
		want := sha256.Sum256([]byte(text))
		for how, in := range map[string]io.Reader{
			"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)), "with EOF": iotest.DataErrReader(strings.NewReader(text)),
		} {
			var plain, shared [][32]byte
			var sum [32]byte
			s := Scanner{Found: func(r *Run) error { shared = append(shared, r.Hash); return nil }, Text: &sum}
			if err := s.Scan(in); err != nil {
				t.Fatal(err)
			}
			if sum != want {
				t.Errorf("%s, %s: the hash of the text is not that of its bytes", name, how)
			}
			if err := Scan(strings.NewReader(text), func(r *Run) error { plain = append(plain, r.Hash); return nil }, nil); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(plain) != fmt.Sprint(shared) {
				t.Errorf("%s, %s: the hashes of the runs depend on whether the text is hashed", name, how)
			}
		}
	}
}

// What was read before an error is hashed as well.
func TestTextHashError(t *testing.T) {
	text := "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nThreads started!\n"
	var sum [32]byte
	s := Scanner{Text: &sum}
	err := s.Scan(io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if err == nil || sum != sha256.Sum256([]byte(text)) {
		t.Errorf("error %v, or a hash that is not that of the bytes before it", err)
	}
}
