//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkIngestMixedAgainstMawk is BenchmarkIngestAgainstMawk on a tree as people
// keep it: beside each log what iostat, vmstat and mpstat wrote meanwhile and
// innodb_metrics every second, in the shares of bytes of a published folder of 2026
// (sysbench 38 %, innodb_metrics 38 %, iostat 20 %, vmstat and others 4 %), and logs
// of sysbench 0.5, 1.0, 1.1 and of its tpcc. mawk looks at the same files and finds
// report lines in a third of their bytes; what the others hold becomes series here,
// so that this ratio is below 1 (0.49 when this was written). It is for watching.
func BenchmarkIngestMixedAgainstMawk(b *testing.B) { againstMawk(b, makeMixedTree) }

// mixedBytes is the size of that tree.
const mixedBytes = 256 << 20

func makeMixedTree(b *testing.B, dir string) (size int64, files []string) {
	b.Helper()
	rng := rand.New(rand.NewPCG(2, 0))
	write := func(name string, text []byte) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			b.Fatal(err)
		}
		size += int64(len(text))
		files = append(files, name)
	}
	for n := 0; size < mixedBytes; n++ {
		threads := 1 << (n % 10)
		stem := filepath.Join(dir, []string{"base", "pgo"}[n/10%2], fmt.Sprintf("9.%d.0", n/20%3), fmt.Sprintf("run%d_Tier32G_RW_%dth.", n/60, threads))
		for _, of := range []struct {
			suffix string
			text   func(w *bufio.Writer)
		}{
			{"sysbench.txt", func(w *bufio.Writer) { mixedLog(w, rng, n%4, threads) }},
			{"innodb.txt", func(w *bufio.Writer) { innodbMetrics(w, rng, 120) }},
			{"iostat.txt", func(w *bufio.Writer) { iostat(w, rng, 100) }},
			{"vmstat.txt", func(w *bufio.Writer) { vmstat(w, rng, 120) }},
			{"mpstat.txt", func(w *bufio.Writer) { mpstat(w, rng, 60) }},
		} {
			var text bytes.Buffer
			w := bufio.NewWriter(&text)
			of.text(w)
			w.Flush()
			write(stem+of.suffix, text.Bytes())
		}
	}
	return size, files
}

// mixedLog writes a log of 1500 report lines in one of four forms.
func mixedLog(w *bufio.Writer, rng *rand.Rand, form, threads int) {
	var text bytes.Buffer
	log := bufio.NewWriter(&text)
	makeLog(log, rng, threads, 1500)
	log.Flush()
	for line := range strings.Lines(text.String()) {
		switch {
		case form == 1 && strings.HasPrefix(line, "[ "): // 0.5
			var t, thds int
			var tps, qps, reads, writes, other, latency float64
			fmt.Sscanf(line, "[ %ds ] thds: %d tps: %f qps: %f (r/w/o: %f/%f/%f) lat (ms,95%%): %f", &t, &thds, &tps, &qps, &reads, &writes, &other, &latency)
			line = fmt.Sprintf("[%4ds] threads: %d, tps: %.2f, reads: %.2f, writes: %.2f, response time: %.2fms (95%%), errors: 0.00, reconnects:  0.00\n", t, thds, tps, reads, writes, latency)
		case form == 1:
			line = strings.NewReplacer("1.0.20", "0.5", "SQL statistics:", "OLTP test statistics:").Replace(line)
		case form == 2: // 1.1
			line = strings.NewReplacer("1.0.20", "1.1.0", "General statistics:", "Throughput:", "total time:    ", "time elapsed:  ").Replace(line)
		case form == 3: // tpcc
			line = strings.Replace(line, "err/s: 0.00", fmt.Sprintf("err/s %.2f", float64(rng.IntN(900))/100), 1)
		}
		w.WriteString(line)
	}
}

// innodbMetrics writes a row of 250 counts every second.
func innodbMetrics(w *bufio.Writer, rng *rand.Rand, seconds int) {
	names := strings.Fields(`dml_reads dml_inserts dml_updates dml_deletes buffer_pool_reads buffer_data_reads buffer_data_written os_log_bytes_written log_writes log_lsn_checkpoint_age
		buffer_pool_pages_dirty trx_rw_commits trx_rseg_history_len lock_row_lock_waits index_page_splits adaptive_hash_searches`)
	for len(names) < 250 {
		names = append(names, fmt.Sprintf("module_count_%03d", len(names)))
	}
	fmt.Fprintf(w, "timestamp,%s\n", strings.Join(names, ","))
	counts := make([]int, len(names))
	for s := range seconds {
		fmt.Fprintf(w, "%.3f", 1778858574.529+1.05*float64(s))
		for k := range counts {
			if k%3 > 0 { // the others stand still
				counts[k] += rng.IntN(100_000)
			}
			fmt.Fprintf(w, ",%d", counts[k])
		}
		w.WriteByte('\n')
	}
}

const hostBanner = "Linux 6.8.0-60-generic (bench1) \t05/18/2026 \t_x86_64_\t(80 CPU)\n\n"

func iostat(w *bufio.Writer, rng *rand.Rand, reports int) {
	w.WriteString(hostBanner)
	for range reports {
		w.WriteString("Device            r/s     rMB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wMB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dMB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\n")
		for _, device := range []string{"loop0", "nvme0n1", "sda"} {
			fmt.Fprintf(w, "%-10s", device)
			for range 22 {
				x := 0.0
				if device == "nvme0n1" {
					x = 1000 * rng.Float64()
				}
				fmt.Fprintf(w, " %9.2f", x)
			}
			w.WriteByte('\n')
		}
		w.WriteString("\n\n")
	}
}

func vmstat(w *bufio.Writer, rng *rand.Rand, rows int) {
	w.WriteString("procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu-------\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu\n")
	for range rows {
		fmt.Fprintf(w, "%3d  0   5120 %d 2624816 126010928    0    0     0 %d %d %d 97  1  2  0  0  0\n", rng.IntN(140), 46_000_000+rng.IntN(900_000), rng.IntN(400_000), rng.IntN(200_000), rng.IntN(90_000))
	}
}

func mpstat(w *bufio.Writer, rng *rand.Rand, rows int) {
	w.WriteString(hostBanner)
	for i := range rows {
		at := func(i int) string { return fmt.Sprintf("15:%02d:%02d", i*15/60, i*15%60) }
		fmt.Fprintf(w, "%s     CPU    %%usr   %%nice    %%sys %%iowait    %%irq   %%soft  %%steal  %%guest  %%gnice   %%idle\n", at(i))
		fmt.Fprintf(w, "%s     all   %5.2f    0.00   %5.2f    0.10    0.00    0.50    0.00    0.00    0.00   %5.2f\n\n", at(i+1), 60+10*rng.Float64(), 5+rng.Float64(), 20+5*rng.Float64())
	}
}
