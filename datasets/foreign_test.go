package datasets

import (
	"bytes"
	"errors"
	"os"
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
		for at := 0; at < len(whole); at += 29 {
			for _, data := range [][]byte{whole[:at], slices.Concat(whole[:at], []byte{whole[at] ^ 0xff}, whole[at+1:])} {
				if rows := countForeign(data); rows > 10000 {
					t.Fatalf("%s damaged at %d: rows without end", name, at)
				}
			}
		}
	}
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
