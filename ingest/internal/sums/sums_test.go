package sums

import (
	"crypto/sha256"
	"math/rand/v2"
	"sync"
	"testing"
)

// Texts of random lengths, written by several goroutines in random pieces, have the
// sums that crypto/sha256 gives for the whole.
func TestWrite(t *testing.T) {
	if !InPairs {
		t.Log("one text at a time on this processor")
	}
	var g Group
	var wait sync.WaitGroup
	for worker := range uint64(5) {
		wait.Go(func() {
			g.Enter()
			defer g.Leave()
			rng := rand.New(rand.NewPCG(worker, 1))
			h := sha256.New()
			for n := range 100 {
				text := make([]byte, rng.IntN(12*least))
				for i := range text {
					text[i] = byte(rng.Uint32())
				}
				h.Reset()
				for rest := text; len(rest) > 0; {
					piece := 1 + rng.IntN(len(rest))
					g.Write(h, rest[:piece])
					rest = rest[piece:]
				}
				if want := sha256.Sum256(text); [sha256.Size]byte(h.Sum(nil)) != want {
					t.Errorf("worker %d, text %d of %d bytes: not the sum of crypto/sha256", worker, n, len(text))
				}
				if rng.IntN(8) == 0 { // as to hand on what was read
					g.Leave()
					g.Enter()
				}
			}
		})
	}
	wait.Wait()
}

// A text without company is hashed all the same: the second has left, or there never
// was one.
func TestWriteAlone(t *testing.T) {
	text := make([]byte, 3*least+5)
	for _, g := range []*Group{nil, {}} {
		h := sha256.New()
		g.Write(h, text)
		if [sha256.Size]byte(h.Sum(nil)) != sha256.Sum256(text) {
			t.Error("not the sum of crypto/sha256")
		}
	}
	var g Group
	g.Enter()
	g.Enter()
	done := make(chan struct{})
	go func() {
		defer close(done)
		h := sha256.New()
		g.Write(h, text)
		if [sha256.Size]byte(h.Sum(nil)) != sha256.Sum256(text) {
			t.Error("not the sum of crypto/sha256")
		}
	}()
	g.Leave()
	<-done
}

// BenchmarkTwo sets two texts at a time against one after the other.
func BenchmarkTwo(b *testing.B) {
	const size = 512 << 10
	texts := [2][]byte{make([]byte, size), make([]byte, size)}
	b.Run("together", func(b *testing.B) {
		if !InPairs {
			b.Skip("not on this processor")
		}
		b.SetBytes(2 * size)
		x, y := begin(sha256.New(), texts[0]), begin(sha256.New(), texts[1])
		for b.Loop() {
			x.rest, y.rest = texts[0], texts[1]
			together(x, y)
		}
	})
	b.Run("in turn", func(b *testing.B) {
		b.SetBytes(2 * size)
		h := sha256.New()
		for b.Loop() {
			h.Write(texts[0])
			h.Write(texts[1])
		}
	})
}
