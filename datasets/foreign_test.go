package datasets

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func foreignOf(t *testing.T, name string) (*Foreign, []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenForeign(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	err = f.Each(func(row []Value) error {
		var cells []string
		for _, v := range row {
			cells = append(cells, v.String())
		}
		rows = append(rows, strings.Join(cells, "|"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f, rows
}

// The files come from pyarrow, see testdata/foreign.py.
func TestForeign(t *testing.T) {
	want := []string{
		"base|a|8|1|953.1|0.10000000149011612|true|2026-01-31T12:00:01.25Z|2026-01-31|x",
		"patched||16|2|0.3333333333333333|0.25|false|2026-01-31T12:00:01.25Z|2026-01-31|",
		"|ü|8|3||||2026-01-31T12:00:01.25Z|2026-01-31|",
		"base|||9007199254740993|1e+300|2.5|true|||y;z",
	}
	for _, name := range []string{"foreign.arrow", "foreign.parquet"} {
		f, rows := foreignOf(t, name)
		if !slices.Equal(rows, want) || len(f.Columns) != 10 {
			t.Errorf("%s: %q %+v", name, rows, f.Columns)
		}
	}
}

// A file cut or damaged anywhere is an error, or fewer rows, and never a panic or
// a gigabyte.
func TestDamagedForeign(t *testing.T) {
	for _, name := range []string{"foreign.arrow", "foreign.parquet"} {
		whole, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(whole); at += 7 {
			for _, data := range [][]byte{whole[:at], flipped(whole, at, 0xff), flipped(whole, at, 0x40)} {
				if rows := countForeign(data); rows > 10000 {
					t.Fatalf("%s damaged at %d: rows without end", name, at)
				}
			}
		}
	}
}

// What these bytes did to Arrow's reader: pages with more values than they hold, read
// without end (47, 121, 184, 277, 382), and lists of names as long as the memory of
// the machine, asked for in one piece (3427 and its neighbours).
func TestForeignPagesAndLists(t *testing.T) {
	whole, err := os.ReadFile("testdata/foreign.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{47, 121, 184, 277, 382} {
		f, err := OpenForeign(bytes.NewReader(flipped(whole, at, 0x40)))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Each(func([]Value) error { return nil }); !errors.Is(err, errPage) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for at := 3370; at < 3440; at++ {
		countForeign(flipped(whole, at, 0x10))
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<30 {
		t.Errorf("%d MB for 70 files of 4 kB", (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

func flipped(data []byte, at int, by byte) []byte {
	return slices.Concat(data[:at], []byte{data[at] ^ by}, data[at+1:])
}

func FuzzForeign(f *testing.F) {
	for _, name := range []string{"foreign.arrow", "foreign.parquet"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		countForeign(data)
	})
}

// countForeign reads a table up to its end, its damage, or 20 000 rows.
func countForeign(data []byte) (rows int) {
	f, err := OpenForeign(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	defer f.Close()
	_ = f.Each(func([]Value) error { // an error is as good as an end here
		if rows++; rows > 20000 {
			return errors.New("enough")
		}
		return nil
	})
	return rows
}
