package ingest

import (
	"slices"
	"testing"
)

// Logs whose names only count, and a list of what they are.
func TestListsOfLogs(t *testing.T) {
	logs := func(more map[string]string, names ...string) map[string]string { return with(more, "log 8", names...) }
	for _, c := range []struct {
		name  string
		files map[string]string
		want  map[string]string
		said  string
	}{
		{"arms and days", logs(map[string]string{"index.csv": "file,build,day,seed_size\n001.log,base,2026-03-01,5\n002.log,new,2026-03-02,5\n"}, "001.log", "002.log"),
			map[string]string{"001.log": "threads=8 day=2026-03-01 build=base path1=1 seed_size=5", "002.log": "threads=8 day=2026-03-02 build=new path1=2 seed_size=5"}, "index.csv: its rows describe 2 logs that they name"},
		{"paths of another machine, packed since", logs(map[string]string{"runs.tsv": "log\tarm\nC:\\bench\\a\\1.txt\tx\nC:\\bench\\b\\1.txt\ty\nC:\\bench\\b\\2.txt\ty\n"}, "a/1.txt", "b/1.txt", "b/2.txt.log"),
			map[string]string{"a/1.txt": "threads=8 path1=a path2=1", "b/2.txt.log": "threads=8 arm=y path1=b path2=2"}, "runs.tsv: its rows describe 1 log that they name"},
		{"paths below", logs(map[string]string{"runs.csv": "path,arm\na/1.log,x\nb/1.log,y\n"}, "a/1.log", "b/1.log"),
			map[string]string{"a/1.log": "threads=8 arm=x path1=a", "b/1.log": "threads=8 arm=y path1=b"}, "runs.csv: its rows describe 2 logs that they name"},
		{"two rows of one log say nothing", logs(map[string]string{"runs.csv": "file,arm\n1.log,x\n1.log,y\n2.log,y\n"}, "1.log", "2.log"),
			map[string]string{"1.log": "threads=8 path1=1", "2.log": "threads=8 arm=y path1=2"}, "runs.csv: its rows describe 1 log that they name"},
		{"results with arms beside the logs", logs(map[string]string{"runs.csv": "file,arm,tps\n1.log,x,10.5\n2.log,y,11.5\n"}, "1.log", "2.log"),
			map[string]string{"1.log": "threads=8 arm=x path1=1"}, "runs.csv: its rows describe 2 logs that they name"},
		{"what is nearer counts", logs(map[string]string{"runs.csv": "file,arm\n1.log,x\n2.log,y\n", "meta.json": `{"arm": "z", "disk": "nvme"}`}, "1.log", "2.log"),
			map[string]string{"1.log": "threads=8 arm=x disk=nvme path1=1"}, "runs.csv: its rows describe 2 logs that they name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := checkFactors(t, c.files, Options{}, c.want)
			if !mentions(s.Joined, c.said) {
				t.Errorf("joined: %q", s.Joined)
			}
		})
	}
	_, s := ingestTree(t, Options{}, tree(t, logs(map[string]string{"index.csv": "file,build\n7.log,base\n8.log,new\n"}, "1.log")))
	if !slices.ContainsFunc(s.Skipped, func(k Skipped) bool {
		return k.Kind == "list of files" && k.Note == "no log that it names is there"
	}) {
		t.Errorf("%+v", s.Skipped)
	}
}
