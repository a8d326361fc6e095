package column

import (
	"regexp"
	"slices"
	"strings"
)

// products name a database server, in any part of a word; productNames only as
// the whole word before its digits (ps80, ms84).
var (
	products     = []string{"mysql", "maria", "percona", "postgres", "pgsql", "rocksdb", "tidb", "aurora", "galera", "mongo", "oceanbase", "seekdb", "vitess", "alisql", "polardb"}
	productNames = []string{"ps", "ms", "md", "pxc", "pg", "my", "ma"}
	allocators   = []string{"glibc", "jemalloc", "tcmalloc", "mimalloc", "ptmalloc", "snmalloc"}
	// sides are what people call the two of a comparison.
	sides = strings.Fields("base baseline control before after old new main master patched unpatched candidate contender on off default tuned enabled disabled with without a b")
)

// IsProduct tells words that name a database server.
func IsProduct(word string) bool {
	lower := strings.ToLower(word)
	return slices.ContainsFunc(products, func(p string) bool { return strings.Contains(lower, p) }) ||
		slices.Contains(productNames, strings.TrimRight(lower, "0123456789"))
}

// IsAllocator tells levels that name a memory allocator.
func IsAllocator(level string) bool {
	lower := strings.ToLower(level)
	return slices.ContainsFunc(allocators, func(a string) bool { return strings.Contains(lower, a) })
}

var version = regexp.MustCompile(`^v?\d{1,2}\.\d{1,2}(?:\.\d{1,3}){0,2}(?:-[\w.]+)?$`)

// IsVersion tells 8.0.42, 10.11 and 9.7.0-er.
func IsVersion(level string) bool { return version.MatchString(level) }

// IsSide tells before, after, base, patched, on, off.
func IsSide(level string) bool { return slices.Contains(sides, strings.ToLower(level)) }
