// Package sums computes SHA-256 of two texts at a time. A processor with SHA
// instructions waits for each of them to end before the next of the same text can
// begin; those of another text fill the gaps, so that two take as long as one.
package sums

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"hash"
	"sync"
)

// least is how many bytes are worth waiting for a second text.
const least = 16 << 10

// A Group is goroutines that hash now and then, each a text of its own: whoever comes
// first waits until the next comes, and that one does the work of both. So of n
// goroutines n-1 are at work. The zero value is empty, and nil hashes alone.
type Group struct {
	mu      sync.Mutex
	busy    int // that have entered and do not wait
	waiting *text
}

// text is one whose bytes wait to be hashed.
type text struct {
	hash hash.Hash
	all  []byte // hash as it marshals itself, with state in the place of its own
	state
	rest []byte
	done chan struct{} // ends its waiting
}

// state is the hash of the blocks so far.
type state [8]uint32

const blockSize = 64

// Enter says that the caller is going to hash.
func (g *Group) Enter() {
	g.mu.Lock()
	g.busy++
	g.mu.Unlock()
}

// Leave says that the caller is not going to for a while: nobody is to wait for it.
func (g *Group) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy--; g.busy == 0 && g.waiting != nil {
		g.release(g.waiting)
		g.waiting = nil
	}
}

// Write is h.Write(b) of a SHA-256 from crypto/sha256. The caller has entered.
func (g *Group) Write(h hash.Hash, b []byte) {
	if g == nil || !InPairs || !known || len(b) < least {
		h.Write(b)
		return
	}
	t := begin(h, b)
	g.pair(t)
	t.end()
}

// pair hashes with others for as long as there are any.
func (g *Group) pair(t *text) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(t.rest) >= least {
		other := g.waiting
		switch {
		case other != nil:
			g.waiting = nil
			g.mu.Unlock()
			together(t, other)
			g.mu.Lock()
			if len(other.rest) >= least && g.waiting == nil {
				g.waiting = other
			} else {
				g.release(other)
			}
		case g.busy > 1:
			g.waiting = t
			g.busy--
			g.mu.Unlock()
			<-t.done
			g.mu.Lock()
		default:
			return
		}
	}
}

func (g *Group) release(t *text) {
	g.busy++
	t.done <- struct{}{}
}

func begin(h hash.Hash, b []byte) *text {
	t := &text{hash: h, rest: b, done: make(chan struct{}, 1)}
	for {
		t.all, _ = h.(encoding.BinaryAppender).AppendBinary(t.all[:0]) // never fails
		if open := t.size() % blockSize; open > 0 {
			h.Write(t.rest[:blockSize-open])
			t.rest = t.rest[blockSize-open:]
			continue
		}
		for i := range t.state {
			t.state[i] = binary.BigEndian.Uint32(t.all[len(magic)+4*i:])
		}
		return t
	}
}

// A SHA-256 marshals itself as magic, its state, a block that is not full and the
// number of bytes.
const (
	magic     = "sha\x03"
	marshaled = len(magic) + 4*len(state{}) + blockSize + 8
)

// known tells whether it does so with this version of Go.
var known = func() bool {
	all, err := sha256.New().(encoding.BinaryAppender).AppendBinary(nil)
	return err == nil && len(all) == marshaled && string(all[:len(magic)]) == magic
}()

func (t *text) size() uint64 { return binary.BigEndian.Uint64(t.all[marshaled-8:]) }

// together hashes as much as both texts have.
func together(a, b *text) {
	n := min(len(a.rest), len(b.rest)) / blockSize
	two(&a.state, &b.state, &a.rest[0], &b.rest[0], n)
	for _, t := range []*text{a, b} {
		t.rest = t.rest[n*blockSize:]
		binary.BigEndian.PutUint64(t.all[marshaled-8:], t.size()+uint64(n*blockSize))
	}
}

// end hands the hash back, with the bytes that have found no company.
func (t *text) end() {
	for i, s := range t.state {
		binary.BigEndian.PutUint32(t.all[len(magic)+4*i:], s)
	}
	if err := t.hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(t.all); err != nil {
		panic("sums: " + err.Error())
	}
	t.hash.Write(t.rest)
}
