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
	return fmt.Sprint(f.root, "/", f.Folder(), "/", strings.Trim(numbers.ReplaceAllString(f.name(), "0"), "0"))
}

// withNumber gives the logs of the folder that has the last number of the file's
// name; nil if there is none, or several. A file that is alone of its kind must have
// a number that only counts things: 07.
func (in *ingest) withNumber(f *file, alone bool) []*file {
	if in.numbered == nil {
		in.numbered = numberedLogs{}
		for _, l := range in.files {
			if !l.isRun() {
				continue
			}
			for at := l.Folder(); at != ""; at = parent(at) {
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
	number := all[len(all)-1]
	n := in.numbered[numberKey(f.root, f.Folder(), number)]
	if n == nil || n.twin || alone && (number[0] != '0' || onlyNumber(n.name) != number) {
		return nil
	}
	return n.logs
}

// noteByNumber gives a note to the logs in the folder of its number; alike is how many
// there are of its kind. Of several without a folder nobody knows whose they are.
func (in *ingest) noteByNumber(f *file, alike int) (done bool) {
	logs := in.withNumber(f, alike == 1)
	for _, l := range logs {
		own := l.surroundings()
		own.metas = append(own.metas, &scoped{file: f, numbered: true})
	}
	in.bookNumbered(f, len(logs))
	if logs == nil && alike > 1 {
		in.skip("metadata without a run", oneOfSeveral, f.source)
	}
	return logs != nil || alike > 1
}

// bookNumbered counts the files that found their logs by a number.
func (in *ingest) bookNumbered(f *file, logs int) {
	if logs == 0 {
		return
	}
	if in.byNumber == nil {
		in.byNumber = map[string]*joint{}
	}
	key := strings.Trim(numbers.ReplaceAllString(f.name(), "0"), "0")
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
