package ingest

import (
	"fmt"
	"strings"
)

// Some harnesses number what they try: config.07 and my.cnf.07 say what the runs in
// the folder res07 beside them were made with.

// numberedLogs are logs by the number of a folder above them.
type numberedLogs map[string]*numberedFolder

type numberedFolder struct {
	name string
	twin bool // another folder there has the number too
	logs []*file
}

func numberKey(root int, folder, number string) string {
	return fmt.Sprint(root, "/", folder, "/", strings.TrimLeft(number, "0"))
}

// onlyNumber gives the number in the name of a folder that has one.
func onlyNumber(folder string) string {
	if all := numbers.FindAllString(folder, 2); len(all) == 1 {
		return all[0]
	}
	return ""
}

// kindOf spells the path of a file without its numbers: files of one kind are made
// by the same program for different runs.
func kindOf(f *file) string {
	return fmt.Sprint(f.root, "/", f.folder(), "/", strings.Trim(numbers.ReplaceAllString(f.name(), "0"), "0"))
}

// withNumber gives the logs of the folder that has the last number of the file's
// name; nil if there is none, or several.
func (in *ingest) withNumber(f *file) []*file {
	if in.numbered == nil {
		in.numbered = numberedLogs{}
		for _, l := range in.files {
			if !l.isRun() {
				continue
			}
			for at := l.folder(); at != ""; at = parent(at) {
				number := onlyNumber(base(at))
				if number == "" {
					continue
				}
				key := numberKey(l.root, parent(at), number)
				n := in.numbered[key]
				if n == nil {
					n = &numberedFolder{name: base(at)}
					in.numbered[key] = n
				}
				n.twin = n.twin || n.name != base(at)
				n.logs = append(n.logs, l)
			}
		}
	}
	all := numbers.FindAllString(f.name(), -1)
	if len(all) == 0 {
		return nil
	}
	if n := in.numbered[numberKey(f.root, f.folder(), all[len(all)-1])]; n != nil && !n.twin {
		return n.logs
	}
	return nil
}

// bookNumbered counts the files that found their logs by a number.
func (in *ingest) bookNumbered(f *file, logs int) {
	if logs == 0 {
		return
	}
	if in.byNumber == nil {
		in.byNumber = map[string]*joint{}
	}
	key := kindOf(f)
	j := in.byNumber[key]
	if j == nil {
		j = &joint{first: f.source}
		in.byNumber[key] = j
	}
	j.files++
	j.logs += logs
}

// sayNumbered says what was joined by numbers.
func (in *ingest) sayNumbered() {
	for _, key := range sortedKeys(in.byNumber) {
		j := in.byNumber[key]
		in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s and the files like it: %s for %s in folders with their numbers", j.first, counted(j.files, "file"), counted(j.logs, "log")))
	}
}
