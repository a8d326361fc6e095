package ingest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/naming"
)

// A measurement with more clients than one process can be has a log for each of
// them: 20260131120000_64_300_1_out, ..._2_out; run1_client1.log, run1_client2.log.
// Their runs are added up, see load.Sum.
type teamwork struct {
	files []*file // in the order of the walk
	mu    sync.Mutex
	runs  map[*file][]load.Run
	done  map[*file]chan struct{}
}

// teams finds the logs of parallel clients: the same folder, the same description
// but for the client, numbered from 0 or 1 without a gap.
func (in *ingest) teams() {
	groups := map[string][]*file{}
	var order []string
	for _, f := range in.files {
		if f.tool == nil || in.clientOf(f) == "" {
			continue
		}
		key := fmt.Sprint(f.Folder(), "\x00", f.together)
		for _, c := range f.told {
			if c.name != naming.Client && c.builtin != "clients" {
				key += fmt.Sprintf("\x00%s=%s", c.name, c.value)
			}
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], f)
	}
	summed := 0
	for _, files := range in.byThreads(groups, order) {
		if numbers := in.clientsOf(files); len(files) < 2 || len(numbers) != len(files) || !naming.Counting(numbers) {
			continue
		}
		t := &teamwork{files: files, runs: map[*file][]load.Run{}, done: map[*file]chan struct{}{}}
		for _, f := range files {
			f.surroundings().team = t
			t.done[f] = make(chan struct{})
			f.told = slices.DeleteFunc(f.told, func(c claim) bool { return c.name == naming.Client })
		}
		summed += len(files)
	}
	if summed > 0 {
		in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s of parallel clients: the runs of each measurement are added up; --map 'client_log=client' keeps them apart", counted(summed, "log")))
	}
}

// byThreads parts the groups in which a client comes twice by the threads of the logs,
// which are no factor: 16_client1, 16_client2, 64_client1, 64_client2.
func (in *ingest) byThreads(groups map[string][]*file, order []string) (parted [][]*file) {
	for _, key := range order {
		files := groups[key]
		if len(in.clientsOf(files)) == len(files) {
			parted = append(parted, files)
			continue
		}
		of := map[int32][]*file{}
		for _, f := range files {
			of[f.threads] = append(of[f.threads], f)
		}
		for _, threads := range slices.Sorted(maps.Keys(of)) {
			parted = append(parted, of[threads])
		}
	}
	return parted
}

func (in *ingest) clientsOf(files []*file) map[string]bool {
	numbers := map[string]bool{}
	for _, f := range files {
		numbers[in.clientOf(f)] = true
	}
	return numbers
}

func (in *ingest) clientOf(f *file) string {
	for _, c := range f.told {
		if c.name == naming.Client {
			return c.value.String()
		}
	}
	return ""
}

// take keeps a run of one client until the others are read.
func (t *teamwork) take(f *file, r *load.Run) {
	kept := *r
	kept.Options, kept.Metrics, kept.Factors = maps.Clone(r.Options), maps.Clone(r.Metrics), maps.Clone(r.Factors)
	kept.Intervals, kept.Buckets = r.Intervals.Clone(), slices.Clone(r.Buckets)
	t.mu.Lock()
	t.runs[f] = append(t.runs[f], kept)
	t.mu.Unlock()
}

// isLast tells whether a file is the last in order, with which the work ends.
func (t *teamwork) isLast(f *file) bool { return f == t.files[len(t.files)-1] }

// wait lets the last file wait for the others, which were begun before it.
func (t *teamwork) wait(ctx context.Context, f *file) error {
	if !t.isLast(f) {
		return nil
	}
	for _, other := range t.files {
		select {
		case <-t.done[other]:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// finish gives the sums once the last file has been waited for.
func (t *teamwork) finish(f *file, give func(first *file, sum *load.Run) error, problem func(datasets.Problem)) error {
	if !t.isLast(f) {
		return nil
	}
	most := 0
	for _, other := range t.files {
		most = max(most, len(t.runs[other]))
	}
	for n := range most {
		var parts []load.Run
		for _, other := range t.files {
			if runs := t.runs[other]; n < len(runs) {
				parts = append(parts, runs[n])
			}
		}
		first := t.files[0]
		if len(parts) < len(t.files) {
			problem(datasets.Problem{Source: first.source, Kind: "clients-missing", Count: 1,
				Text: fmt.Sprintf("run %d is in the logs of %d of %d clients: not added up", n+1, len(parts), len(t.files))})
			continue
		}
		sum := load.Sum(parts)
		sum.Part = n + 1
		h := sha256.New()
		for _, p := range parts {
			h.Write(p.Hash[:])
		}
		h.Sum(sum.Hash[:0])
		if err := give(first, &sum); err != nil {
			return err
		}
	}
	return nil
}
