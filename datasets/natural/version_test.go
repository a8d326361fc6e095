package natural

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestVersions(t *testing.T) {
	check := func(ordered string) {
		t.Helper()
		want := strings.Fields(ordered)
		got := slices.Clone(want)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, Versions)
		if !slices.Equal(got, want) {
			t.Errorf("sorted %v, want %v", got, want)
		}
		for i := range want { // a strict order, whichever way it is asked
			for j := range want {
				if c := Versions(want[i], want[j]); (c < 0) != (i < j) || (c > 0) != (i > j) {
					t.Errorf("%s against %s: %d", want[i], want[j], c)
				}
			}
		}
	}
	check("5.6.51 5.7.44 8.0.9 8.0.11 8.0.42 9.7.0-er")
	check("10.1.8 10.1.13 10.1.23 10.2.11 10.11.5 11.4.5")
	check("9.6.0 9.7.0-er 9.7.0-rc1 9.7.0 9.7.0-2 9.7.1")            // what comes before a release, and what is packed after it
	check("8.0.0-dmr 8.0.1-dmr 8.0.3-rc 8.0.4-rc 8.0.11")            // MySQL's own way to 8.0
	check("10.0.0-alpha 10.0.0-beta 10.0.0-rc 10.0.0")               //
	check("5.6 5.7 8 8.0 8.0.1 8.4")                                 // shorter first
	check("v8.0.9 v8.0.10 v8.0.10-3-gabc1234 v8.0.11")               // git describe
	check("mysql-8.0.9 8.0.11 mariadb-10.2.0")                       // words before the number do not count
	check("8.0.42 main trunk")                                       // branches are newer than all numbers
	check("8.0.36-28.1 8.0.36-28.2 8.0.36-100.1")                    // Percona's second number
	check("1.0.99999999999999999999998 1.0.99999999999999999999999") // longer than any integer
}

func TestIsVersion(t *testing.T) {
	for s, want := range map[string]bool{"8.0.42": true, "v8.0": true, "mysql-8.0.42": true, "9.7.0-er": true, "8": false, "main": false, "": false, "32G": false} {
		if IsVersion(s) != want {
			t.Errorf("IsVersion(%q) = %v", s, !want)
		}
	}
}
