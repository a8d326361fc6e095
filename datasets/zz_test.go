package datasets
import "testing"
func TestZZ(t *testing.T) { c := readAll(t, "mariadb-allocators"); t.Log(len(c.Runs), len(c.Intervals), len(c.Buckets), len(c.Settings), len(c.Problems), len(c.Sources), c.Columns); t.Logf("%+v", c.Runs[0]) }
