package perfscript

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func BenchmarkScan(b *testing.B) {
	text := long("\n", 20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Scan(strings.NewReader(text), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// gigabyte writes 1 GB of what perf script prints of a database server: some
// thousand functions in a tree of calls, most samples in few of its leaves, offsets
// as they fall, one frame in six without a symbol.
func gigabyte(b *testing.B, name string) {
	b.Helper()
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 8, 4000)
	written := 0
	for i := 0; written < 1<<30; i++ {
		n, _ := fmt.Fprintf(w, "%s 25886/%d [%03d] %6d.%06d: %10d cycles:P: \n", []string{"connection", "ib_io_rd-1", "one_connection", "ib_pg_flush"}[rng.IntN(4)], 25886+rng.IntN(64), rng.IntN(64), 3277+i/4000, i%1000000, 250000+rng.IntN(9999))
		written += n
		leaf := int(zipf.Uint64())
		for depth := range 12 + leaf%29 {
			// The callers of a function are always the same, and return to the same
			// places; the leaf is somewhere inside.
			function := (leaf*31 + depth*depth*7) % (200 + 100*(40-depth))
			offset := function % 61 * 4
			if depth == 0 {
				offset = rng.IntN(200)
			}
			address := 0x55d0c0000000 + function*4096 + offset
			switch {
			case function%6 == 0:
				n, _ = fmt.Fprintf(w, "\t%16x [unknown] (/usr/sbin/mariadbd)\n", address)
			case depth < 3 && leaf%2 == 0:
				n, _ = fmt.Fprintf(w, "\tffffffff%08x __kernel_function_%d+0x%x ([kernel.kallsyms])\n", 0x81000000+function*4096+offset, function, offset)
			default:
				n, _ = fmt.Fprintf(w, "\t%16x Item_func_%d::evaluate(THD*, bool)+0x%x (/usr/sbin/mariadbd)\n", address, function, offset)
			}
			written += n
		}
		n, _ = w.WriteString("\n")
		written += n
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkAgainst folds 1 GB from a file with this package, with
// inferno-collapse-perf (default threads) and with FlameGraph's script, by turns,
// and says how many times as long the others take.
func BenchmarkAgainst(b *testing.B) {
	inferno, perl := os.Getenv(infernoEnv), os.Getenv(perlEnv)
	if inferno == "" {
		b.Skipf("%s is not set: just bench-profiles sets it", infernoEnv)
	}
	name := filepath.Join(b.TempDir(), "perf.txt")
	gigabyte(b, name)
	read := func() {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		io.Copy(io.Discard, f) // into the page cache
	}
	read()
	var ours, theirs time.Duration
	var heap uint64
	distinct := 0
	const rounds = 3
	for range rounds {
		began := time.Now()
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		p, err := Scan(f, nil)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Folded(io.Discard); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap, distinct = max(heap, m.HeapSys), p.Len()
		theirs += timed(b, name, inferno)
	}
	b.ReportMetric(float64(rounds)*1024/ours.Seconds(), "MB/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-inferno")
	b.ReportMetric(float64(heap)/(1<<20), "MB-heap")
	b.ReportMetric(float64(distinct), "stacks")
	if perl != "" {
		b.ReportMetric(timed(b, name, "perl", perl).Seconds()/ours.Seconds()*rounds, "x-stackcollapse")
	}
}

func timed(b *testing.B, name, program string, args ...string) time.Duration {
	b.Helper()
	c := exec.Command(program, args...)
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	c.Stdin = f
	began := time.Now()
	if err := c.Run(); err != nil {
		b.Fatal(program, err)
	}
	return time.Since(began)
}
