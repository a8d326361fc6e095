package ingest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/naming"
)

// dropRepeats forgets metadata keys that say the threads of the log in other words,
// user_threads or concurrency, and those that repeat a number of the log or of the
// path wherever they stand: cachesize=4 in res.BP4.
func (in *ingest) dropRepeats() {
	for _, key := range metaKeys(in.files) {
		if _, builtin := column.Builtin(key); builtin {
			continue
		}
		last := key[strings.LastIndexByte(key, '_')+1:]
		enough := someSame
		if key == "concurrency" || slices.Contains(naming.ThreadWords[2:], last) {
			enough = 1
		}
		if in.repeats(key, enough, func(f *file) string {
			if f.threads == 0 {
				return ""
			}
			return strconv.Itoa(int(f.threads))
		}) {
			in.dropKey(key, "threads: %s in the metadata always equals the threads in the log; not a factor of its own")
			continue
		}
		for _, name := range in.pathNames() {
			if name != key && in.repeats(key, someSame, func(f *file) string { return in.inPath(f, name) }) {
				in.dropKey(key, name+": %s in the metadata always equals it; not a factor of its own")
				break
			}
		}
	}
}

// someSame is how many different numbers must be the same in two places before
// the one repeats the other; one or two may be by chance.
const someSame = 3

// repeats tells whether a metadata key is the same number as another, wherever it
// stands and that is known, with enough different numbers.
func (in *ingest) repeats(key string, enough int, other func(*file) string) bool {
	seen := map[string]bool{}
	for _, f := range in.files {
		said := f.Said(key)
		if said == "" {
			continue
		}
		was := other(f)
		switch _, err := strconv.ParseFloat(said, 64); {
		case was == "" && enough == 1:
			continue // words that mean threads mean them also where the log is cut
		case was != said || err != nil:
			return false
		}
		seen[said] = true
	}
	return len(seen) >= enough
}

func (in *ingest) dropKey(key, why string) {
	in.dropped = append(in.dropped, key)
	in.summary.Guesses = append(in.summary.Guesses, fmt.Sprintf(why, key))
}

// pathNames lists what was found in the paths, by guess or by a layout.
func (in *ingest) pathNames() []string {
	names := map[string]bool{}
	for _, f := range in.files {
		for _, c := range f.told { // nothing but guesses yet
			names[c.name] = true
		}
		for _, n := range f.laidOut {
			names[in.rename(n.name)] = true
		}
	}
	delete(names, "")
	return sortedKeys(names)
}

// inPath gives what the path of a file says under a name.
func (in *ingest) inPath(f *file, name string) string {
	for _, n := range f.laidOut {
		if in.rename(n.name) == name {
			return n.value.String()
		}
	}
	for _, c := range f.told {
		if c.name == name {
			return c.value.String()
		}
	}
	return ""
}
