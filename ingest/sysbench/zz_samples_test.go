package sysbench

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	for _, f := range strings.Fields(os.Getenv("ZZ")) {
		b, err := os.ReadFile(f)
		if err != nil { t.Fatal(err) }
		got := scanText(t, string(b))
		iv, bk, tr, foreign := 0, 0, 0, 0
		rates := ""
		for _, r := range got.runs {
			iv += len(r.Intervals); bk += len(r.Buckets)
			if v, ok := r.Metrics["tps"]; ok { tr++; rates += fmt.Sprintf(" %.2f", v) }
		}
		for _, p := range got.problems { if p.Kind == KindForeign { foreign = p.Count } }
		fmt.Printf("%s %d %d %d%s # %d\n", f, iv, bk, tr, rates, foreign)
	}
}
