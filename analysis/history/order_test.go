package history

import (
	"slices"
	"strings"
	"testing"
)

func TestReadOrder(t *testing.T) {
	check := func(what, text, want, why string) {
		t.Helper()
		o, err := ReadOrder(text)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		if got := strings.Join(o.Names, " "); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
		if !strings.Contains(o.Why, why) {
			t.Errorf("%s: because %q, want %q", what, o.Why, why)
		}
	}
	check("rev-list --reverse", "1111111\n2222222\n3333333\n", "1111111 2222222 3333333", "as listed")
	check("log", "commit 3333333333333333333333333333333333333333 (HEAD -> main)\nAuthor: A <a@example.org>\nDate:   Tue Dec 1 10:00:00 2026 +0100\n\n    c\n\n"+
		"commit 1111111111111111111111111111111111111111\nAuthor: A <a@example.org>\nDate:   Mon Nov 30 10:00:00 2026 +0100\n\n    a commit 2222222\n",
		"1111111111111111111111111111111111111111 3333333333333333333333333333333333333333", "dates")
	check("log --reverse", "commit 1111111111111111111111111111111111111111\nDate:   Mon Nov 30 10:00:00 2026 +0100\n\ncommit 3333333333333333333333333333333333333333\nDate:   Tue Dec 1 10:00:00 2026 +0100\n",
		"1111111111111111111111111111111111111111 3333333333333333333333333333333333333333", "dates")
	check("log without dates", "commit 3333333\n\ncommit 1111111\n", "1111111 3333333", "newest first")
	check("log --oneline with HEAD", "3333333 (HEAD -> main) c\n1111111 a\n", "1111111 3333333", "HEAD")
	check("log --oneline --reverse", "1111111 a\n3333333 (HEAD -> main) c\n", "1111111 3333333", "HEAD")
	check("log --format='%h %cI'", "3333333 2026-12-01T10:00:00+01:00\n1111111 2026-11-30T10:00:00+01:00\n", "1111111 3333333", "dates")
	check("log --format='%h %ct'", "1111111 1796032800\n3333333 1796119200\n", "1111111 3333333", "dates")
	check("log --oneline in a file", "3333333 c\n1111111 a 7 times\n", "1111111 3333333", "newest first")
	check("log --graph", "* 3333333 2026-12-01 c\n|\\  \n| * 1111111 2026-11-30 a\n", "1111111 3333333", "dates")
	check("any names, Windows ends, remarks", "# releases\r\nalpha\r\n\r\nbeta\r\n", "alpha beta", "as listed")
	if _, err := ReadOrder("\n# nothing\n"); err == nil {
		t.Error("an empty list is no order")
	}
}

func TestPlace(t *testing.T) {
	o, err := ReadOrder("abcdef0123456789\nabcdef9999999999\nfeedbee\n8.0.11\n")
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, want int) {
		t.Helper()
		got, ok := o.Place(name)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("Place(%q) = %d, want %d", name, got, want)
		}
	}
	check("abcdef0123456789", 0)
	check("abcdef0", 0)              // a beginning
	check("ABCDEF0", 0)              // git takes either case
	check("abcdef", -1)              // shorter than git prints
	check("abcdef01234567890000", 0) // the list has the shorter hash
	check("v8.0-12-gabcdef9", 1)     // git describe
	check("feedbeef", 2)             // longer than the list's
	check("8.0.11", 3)               // names need not be hashes
	check("8.0.1", -1)               // and have no beginnings
	check("1234567", -1)
	twice, _ := ReadOrder("abcdef00\nabcdef01\n")
	if _, ok := twice.Place("abcdef0"); ok {
		t.Error("a beginning of two commits is neither")
	}
}

func TestCompareDates(t *testing.T) {
	want := []string{"2026-01-31", "20260201", "2026-02-02 10:00", "2026-02-02T11:00:00Z", "someday"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareDates)
	if !slices.Equal(got, want) {
		t.Errorf("sorted %v", got)
	}
	if _, ok := ParseDate("8.0.42"); ok {
		t.Error("a version is no date")
	}
}
