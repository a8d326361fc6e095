package naming

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
)

// processWords number the processes of one measurement, each of which writes a log.
var processWords = strings.Fields("proc process loadgen lg injector")

// together finds the logs of parallel clients by the threads, which their names say of
// all of them: base-1024.p1 to base-1024.p4 are of 256 threads each. The number of the
// process is taken out of the names, and the threads of each are those of all.
func (g *guesser) together() {
	type team struct {
		files   []File
		numbers map[string]bool
		threads int
	}
	teams := map[string]*team{}
	names := map[File]string{} // without the process
	number := map[File]int64{}
	word := ""
	for _, f := range g.files {
		p := g.paths[f]
		if f.Threads() == 0 || len(p) == 0 || !saysMultiple(p[len(p)-1], f.Threads()) {
			return
		}
		name := p[len(p)-1]
		ts := tokens(name)
		k := len(ts) - 1
		for k >= 0 && (ts[k].name == "" || !NumberWord.MatchString(ts[k].value)) {
			k--
		}
		if k < 0 || word != "" && ts[k].name != word {
			return
		}
		word = ts[k].name
		number[f], _ = strconv.ParseInt(ts[k].value, 10, 64)
		if number[f] > mostProcesses {
			return
		}
		names[f] = strings.TrimRightFunc(name[:ts[k].from], isSeparator) + name[ts[k].to():]
		key := f.Folder() + "/" + names[f]
		if teams[key] == nil {
			teams[key] = &team{numbers: map[string]bool{}}
		}
		t := teams[key]
		t.files = append(t.files, f)
		t.numbers[strconv.FormatInt(number[f], 10)] = true
		t.threads += f.Threads()
	}
	several := false
	for _, t := range teams {
		if !slices.Contains(numbersIn(names[t.files[0]]), t.threads) || len(t.numbers) != len(t.files) || !Counting(t.numbers) {
			return
		}
		several = several || len(t.files) > 1
	}
	if !several {
		return
	}
	g.paths = maps.Clone(g.paths)
	for _, t := range teams {
		for _, f := range t.files {
			f.Join(t.threads)
		}
	}
	for _, f := range g.files {
		p := slices.Clone(g.paths[f])
		p[len(p)-1] = names[f]
		g.paths[f] = p
		if f.Together() > f.Threads() {
			g.Tell(f, Client, datasets.Int(number[f]), "path: "+fileName)
		}
	}
	g.say("%s in the file names numbers the processes of one measurement: the threads in the name are those of all", word)
}

// saysMultiple tells whether a name has the threads of a log, or of some like it.
func saysMultiple(name string, threads int) bool {
	return slices.ContainsFunc(numbersIn(name), func(n int) bool { return n >= threads && n%threads == 0 && n/threads <= mostProcesses })
}

const mostProcesses = 64

func numbersIn(name string) (list []int) {
	for _, digits := range strings.FieldsFunc(name, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 {
			list = append(list, n)
		}
	}
	return list
}

// threadsOf are the threads of a file's log, or of all the processes it is one of.
func threadsOf(f File) int { return cmp.Or(f.Together(), f.Threads()) }
