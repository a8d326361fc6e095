package table

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// told reads the tables of a text as ingest does.
func told(text io.Reader) (list []scantest.Record, err error) {
	data, err := io.ReadAll(text)
	if err != nil {
		return nil, err
	}
	d, ok := Sniff(data, true)
	if !ok {
		return []scantest.Record{{Line: 1, Text: "no table"}}, nil
	}
	all, err := Study(bytes.NewReader(data), d, nil)
	if err != nil {
		return []scantest.Record{{Line: 1, Text: err.Error()}}, nil
	}
	var problems []scantest.Record
	err = all.Read(bytes.NewReader(data), time.UTC, func(r *datasets.Run, number int, _ *Inside) error {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%d: %s", number, inShort([]*datasets.Run{r}))})
		return nil
	}, func(p datasets.Problem) { problems = append(problems, scantest.Problem(p)) })
	return append(list, problems...), err
}

// certain is told without the row of which nobody knows whether it was cut, which its
// problem says.
func certain(text io.Reader) ([]scantest.Record, error) {
	list, err := told(text)
	for i, r := range list {
		if strings.HasPrefix(r.Text, "no-line-end") {
			last := slices.IndexFunc(list, func(r scantest.Record) bool { return r.Line > 0 }) - 1
			if i > 0 && last >= 0 {
				list = slices.Delete(list, last, last+1)
			}
			break
		}
	}
	return list, err
}

// Numbers of a fixed number of decimals, a bar, a quote or a brace at the end tell a
// row that was cut; where there is none of these, nobody can tell.
func TestCut(t *testing.T) {
	const rows = "build,threads,tps\nbase,8,3120.25\nbase,16,953.10\npatched,8,921.43\npatched,16,1001.50\n"
	scantest.Cut(t, certain, scantest.Partly, rows, strings.ReplaceAll(rows, ",", "\t"), strings.ReplaceAll(strings.ReplaceAll(rows, ",", ";"), ".", ","), strings.ReplaceAll(rows, "\n", "\r\n"),
		"build,tps,note\nbase,3120,\"a, b\"\nbase,953,\"c\"\npatched,921,\"d\"\n",
		"| build | threads | tps |\n|---|---|---|\n| base | 8 | 3120 |\n| base | 16 | 953 |\n| patched | 8 | **921** |\n\nThat is all.\n",
		"+---------+------+\n| build   | tps  |\n+---------+------+\n| base    | 3120 |\n| patched |  921 |\n+---------+------+\n",
		"{\"build\": \"base\", \"threads\": 8, \"tps\": 3120}\n{\"build\": \"base\", \"threads\": 16, \"tps\": 953}\n{\"build\": \"patched\", \"threads\": 8, \"tps\": 921.43}\n",
		"[\n  {\"build\": \"base\", \"threads\": 8, \"tps\": 3120},\n  {\"build\": \"base\", \"threads\": 16, \"tps\": 953},\n  {\"build\": \"patched\",\n   \"threads\": 8, \"tps\": 921.43}\n]\n")
	for _, end := range []string{"", ",", "\n", ",\n"} {
		scantest.Finds(t, told, `[{"build": "base", "tps": 312}, {"build": "new", "tps": 921}`+end, "1: build=base tps=312", "2: build=new tps=921", "@1 broken-row 1: the list has no end: the file may have been cut")
	}
	scantest.Finds(t, told, "threads=1 tps=1007.5\nthreads=2 tps=1014.5\nthreads=4 tps=10", "1: threads=1 tps=1007.5", "2: threads=2 tps=1014.5", "@3 cut-line 1: the last line has no end, and of its last cell digits are missing: 10", "@3 row-without-number 1: no metric has a value in this row")
	scantest.Finds(t, told, "build,tps\nbase,312\nnew,921", "1: build=base tps=312", "2: build=new tps=921", "@3 no-line-end 1: the last line has no end: if the file was cut, there may have been more of its last cell, 921")
	scantest.Finds(t, told, "build,tps\nbase,3.25\nold,4.75\nnew,9.2", "1: build=base tps=3.25", "2: build=old tps=4.75", "@4 cut-line 1: the last line has no end, and of its last cell digits are missing: 9.2", "@4 row-without-number 1: no metric has a value in this row")
	scantest.Finds(t, told, "build,tps\nbase,3.25\nold,4.75\nnew,9.25", "1: build=base tps=3.25", "2: build=old tps=4.75", "3: build=new tps=9.25")
}
