//go:build !amd64

package sums

// InPairs: two of them are no faster here, or it has not been tried.
const InPairs = false

func two(a, b *state, p, q *byte, n int) { panic("sums: not here") }
