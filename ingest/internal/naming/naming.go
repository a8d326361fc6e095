// Package naming reads what the names of folders and files say about runs, without
// any configuration, and says what it took for what.
//
//  1. dates.go, shortdates.go, extra.go and foreign.go settle first what only all
//     paths together tell: which number of a date is the month, whether mar10 is a
//     day, what is a warm-up or was run again.
//  2. token.go cuts each name into tokens by their shapes; words.go has the words
//     that names are recognised by.
//  3. align.go lines the tokens of all names up, level by level of the paths
//     (parts.go, holes.go and crossed.go where they do not all have the same,
//     builds.go where several words are one name), and gives what varies.
//  4. guess.go names that, and tells the files.
package naming

import (
	"fmt"
	"maps"
	"slices"

	"noisefloor/datasets"
)

// A File is one whose name is read, with what else is known of it.
type File interface {
	Source() string                                               // where it is, for problems
	Segments() []string                                           // its folders and its name, nil if it holds no runs
	Folder() string                                               // where it lies
	IsSettled() bool                                              // the user has said what its path means
	Threads() int                                                 // that its log has, 0 = unknown
	Together() int                                                // threads of all the processes that it is one of, 0 = it is none
	Said(key string) string                                       // what the metadata beside it says
	Forget(key string)                                            // its name says more than the metadata
	WasOn(month, day string, known []string) (dated, agrees bool) // see shortdates.go

	Join(threads int) // it is one of several processes with so many threads together
}

// Names are what is to be read, and who is to hear of it.
type Names struct {
	Rename  func(name string) string                                     // the name that the user wants for a factor, "" leaves it out
	Tell    func(f File, name string, value datasets.Value, from string) // what is guessed of a file, and how it was found
	Say     func(guess string)                                           // a sentence about a guess
	Problem func(datasets.Problem)                                       // what contradicts a log, or cannot be told
}

func (n *Names) say(format string, args ...any) { n.Say(fmt.Sprintf(format, args...)) }

// Paths cuts the paths of all that is measured into segments, as they are to be
// guessed from: what they say together is settled first.
func (n *Names) Paths(files []File) map[File][]string {
	paths := onAll(files, func(f File) []string {
		p := f.Segments()
		for k, segment := range p {
			if k == len(p)-1 {
				segment = Stem(segment)
			}
			p[k] = plainWords(segment)
		}
		return p
	})
	n.readDates(files, paths)
	n.readPhases(files, paths)
	n.readAttempts(files, paths)
	of := make(map[File][]string, len(files))
	for i, f := range files {
		of[f] = paths[i]
	}
	return of
}

// Read guesses what varies in the paths of a group of files, which Paths gave, and
// tells the files. prefix is the name of each file's PATH, if there are several
// PATHs; keys are those of the metadata beside the files.
func (n *Names) Read(files []File, paths map[File][]string, prefix, keys []string) {
	g := guesser{Names: n, files: files, paths: paths, prefix: prefix, keys: keys}
	g.guess()
}

// Client is what a path calls the number of one of several load generators.
const Client = "client"

// Counting tells 0, 1, 2 and 1, 2, 3 from numbers such as 1, 8, 64.
func Counting(numbers map[string]bool) bool {
	from := 1
	if numbers["0"] {
		from = 0
	}
	for i := range len(numbers) {
		if !numbers[fmt.Sprint(from+i)] {
			return false
		}
	}
	return true
}

// sorted gives the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
