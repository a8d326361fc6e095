package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary is also the child process of the tests in this file: what
// the child has to do stands in childEnv, as "word:folder".
const childEnv = "NOISEFLOOR_DATASETS_TEST_CHILD"

func TestMain(m *testing.M) {
	task, dir, isChild := strings.Cut(os.Getenv(childEnv), ":")
	if !isChild {
		os.Exit(m.Run())
	}
	var err error
	switch task {
	case "append":
		err = appendForever(dir)
	default:
		err = appendAsWriter(dir, task)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(task, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+task+":"+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// killBatch is the n-th batch of appendForever: two new runs, and a log that
// has grown by one line since the last, so that every commit also rewrites.
func killBatch(n int) *Batch {
	b := testBatch(fmt.Sprintf("%04d.log", n), 2)
	live := testRun(fmt.Sprintf("live#%d", n), "live.log", 1)
	live.Status, live.Duration = Truncated, float64(n+1)
	b.Runs = append(b.Runs, live)
	b.Intervals.Add(testIntervals(live.ID, n+1)...)
	return b
}

// appendForever adds one batch per commit, from where the data set stands.
func appendForever(dir string) error {
	w, err := OpenWriter(dir)
	if err != nil {
		return err
	}
	n := 0
	for w.HasRun(fmt.Sprintf("%04d.log#1", n)) {
		n++
	}
	fmt.Println("ready")
	for ; ; n++ {
		if err := w.Add(killBatch(n)); err != nil {
			return err
		}
		if err := w.Commit(); err != nil {
			return err
		}
	}
}

// commitsIn checks that the data set is exactly what some number of whole
// batches makes of it, and gives that number.
func commitsIn(t *testing.T, dir string) int {
	t.Helper()
	got := readAll(t, dir)
	n := len(got.Sources)
	var want content
	for i := range n {
		b := killBatch(i)
		want.Sources = append(want.Sources, b.Sources...)
		want.Problems = append(want.Problems, b.Problems...)
		want.Settings = append(want.Settings, b.Settings...)
		want.Buckets = append(want.Buckets, b.Buckets...)
	}
	wantSame(t, "sources", got.Sources, want.Sources)
	wantSame(t, "problems", got.Problems, want.Problems)
	wantSame(t, "settings", len(got.Settings), len(want.Settings))
	wantSame(t, "buckets", len(got.Buckets), len(want.Buckets))
	runs, lines := map[string]int{}, 0
	for _, r := range got.Runs {
		runs[r.ID]++
	}
	perRun := map[string]float64{}
	for _, iv := range got.Intervals {
		lines++
		perRun[iv.RunID]++
		if iv.T != perRun[iv.RunID] || iv.TPS != 1000+iv.T || !math.IsNaN(iv.QueueLength) {
			t.Fatalf("wrong interval %+v", iv)
		}
	}
	if n == 0 {
		return 0
	}
	wantSame(t, "runs", len(got.Runs), 2*n+1)
	wantSame(t, "intervals", lines, 10*n+n)
	wantSame(t, "lines of the live log", perRun[fmt.Sprintf("live#%d", n-1)], float64(n))
	for i := range n {
		for part := 1; part <= 2; part++ {
			id := fmt.Sprintf("%04d.log#%d", i, part)
			if runs[id] != 1 || perRun[id] != 5 {
				t.Fatalf("run %s: %d rows, %v intervals", id, runs[id], perRun[id])
			}
		}
	}
	return n
}

// A writer that is killed at any time leaves a data set that opens and is what
// it was after some commit. 200 kills, each within a few commits of the
// child's first.
func TestKilledWriter(t *testing.T) {
	const kills, killsPerDir = 200, 20 // a new folder now and then, or reading gets slow
	rng := rand.New(rand.NewPCG(1, 2))
	var dir string
	lifetime := commitTime(t)
	commits, before, partial := 0, 0, 0
	for i := range kills {
		if i%killsPerDir == 0 {
			var remove func()
			dir, remove = fastDir(t)
			defer remove()
			addTo(t, dir)
			commits, before = commits+before, 0
		}
		cmd := child("append", dir)
		ready := must(cmd.StdoutPipe())(t)
		noError(t, cmd.Start())
		ready.Read(make([]byte, 1))
		time.Sleep(time.Duration(rng.Int64N(int64(lifetime))))
		cmd.Process.Kill()
		cmd.Wait()
		if slices.ContainsFunc(filesOf(t, dir), func(name string) bool { return strings.HasSuffix(name, ".tmp") }) {
			partial++
		}
		after := commitsIn(t, dir)
		if after < before {
			t.Fatalf("kill %d: %d commits after, %d before", i, after, before)
		}
		before = after
	}
	commits += before
	t.Logf("%d kills after up to %v, %d commits in all; %d kills left a temporary file", kills, lifetime, commits, partial)
	if commits < kills/10 || partial < kills/20 {
		t.Errorf("the children were not killed while they wrote: %d commits, %d temporary files", commits, partial)
	}
	addTo(t, dir) // the next writer cleans up
	onlyListed(t, dir)
}

// commitTime measures how long a few commits of appendForever take here, which
// is how long a child may live: 5 to 40 ms on an idle machine, or as much as it
// takes on a busy one.
func commitTime(t *testing.T) time.Duration {
	dir, remove := fastDir(t)
	defer remove()
	w := must(OpenWriter(dir))(t)
	defer w.Close()
	start := time.Now()
	for n := range 6 {
		noError(t, w.Add(killBatch(n)))
		noError(t, w.Commit())
	}
	return time.Since(start)
}

// appendAsWriter adds ten batches of its own, one writer each, and waits for
// the other process when it has to.
func appendAsWriter(dir, name string) error {
	for i := range 10 {
		w, err := OpenWriter(dir)
		for errors.Is(err, ErrLocked) {
			w, err = OpenWriter(dir)
		}
		if err != nil {
			return err
		}
		if err := w.Add(testBatch(fmt.Sprintf("%s-%d.log", name, i), 2)); err != nil {
			return err
		}
		if err := w.Commit(); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Two processes that write to the same data set lose nothing of each other.
func TestTwoWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	var wg sync.WaitGroup
	names := []string{"left", "right"}
	for _, name := range names {
		cmd := child(name, dir)
		noError(t, cmd.Start())
		wg.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("writer %s: %v", name, err)
			}
		})
	}
	wg.Wait()
	got := readAll(t, dir)
	rows := map[string]int{}
	for _, r := range got.Runs {
		rows[r.ID]++
	}
	for _, iv := range got.Intervals {
		rows[iv.RunID]++
	}
	for _, name := range names {
		for i := range 10 {
			for part := 1; part <= 2; part++ {
				id := fmt.Sprintf("%s-%d.log#%d", name, i, part)
				wantSame(t, id, rows[id], 1+5)
				delete(rows, id)
			}
		}
	}
	wantSame(t, "other rows", len(rows), 0)
	onlyListed(t, dir)
}

// A reader that opens while a writer commits, merges and removes parts sees
// some commit, and keeps seeing it.
func TestReadWhileWriting(t *testing.T) {
	dir, remove := fastDir(t)
	defer remove()
	addTo(t, dir)
	cmd := child("append", dir)
	noError(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	kept := must(Open(dir))(t)
	defer kept.Close()
	first := contentOf(t, kept)
	last, opened := 0, 0
	for end := time.Now().Add(20 * time.Second); (last < maxParts+5 || opened < 20) && time.Now().Before(end); opened++ {
		n := commitsIn(t, dir)
		if n < last {
			t.Fatalf("%d commits after %d", n, last)
		}
		if last == 0 && n > 0 {
			kept.Close()
			kept = must(Open(dir))(t)
			first = contentOf(t, kept)
		}
		last = n
	}
	if last < maxParts+5 {
		t.Errorf("only %d commits: nothing was merged", last)
	}
	wantSame(t, "the first reader's rows", contentOf(t, kept), first)
	t.Logf("opened %d times during %d commits", opened, last)
}
