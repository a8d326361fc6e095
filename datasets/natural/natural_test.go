package natural

import (
	"slices"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, sorted := range []string{"day-9 day-10", "9.6.0 9.10.0", "2G 12G", "9.7.0-er 9.7.0", "mysql-9.7.0-er mysql-9.7.0-rc mysql-9.7.0 mysql-9.7.0-2 mysql-9.7.0.1", "2 2m 2mib", "dev dev-er", "1 01", "a a1", "2G 8 008 12G 32G a a9 a10", "2026-05-09 2026-05-10 2026-06-01"} {
		names := strings.Fields(sorted)
		slices.Reverse(names)
		slices.SortFunc(names, Compare)
		if got := strings.Join(names, " "); got != sorted {
			t.Errorf("%s, want %s", got, sorted)
		}
	}
}
