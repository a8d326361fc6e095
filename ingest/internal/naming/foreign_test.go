package naming

import "testing"

func TestPlainWords(t *testing.T) {
	for segment, want := range map[string]string{
		"3月2日":            "mar02",
		"12月31号":          "dec31",
		"2026年3月2日":       "2026-03-02",
		"测试2026年3月2日下午":   "测试_2026-03-02_下午",
		"13月2日":           "13月2日",
		"优化前_8线程_读写":      "优化前_8threads_read_write",
		"第2次只读32并发":       "rep2_read_only_32threads",
		"Größe 8 Threads": "Größe 8 Threads",
		"base_8":          "base_8",
		"a__b":            "a__b",
	} {
		if got := plainWords(segment); got != want {
			t.Errorf("%q gave %q, want %q", segment, got, want)
		}
	}
}
