package perfscript

import (
	"strings"
	"testing"
)

func BenchmarkScan(b *testing.B) {
	text := long("\n", 20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Scan(strings.NewReader(text), nil); err != nil {
			b.Fatal(err)
		}
	}
}
