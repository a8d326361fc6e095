package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// frameOf packs src as a column is packed.
func frameOf(p *wordPacker, src []byte) []byte {
	frame := bytes.Clone(lz4Begin)
	for len(src) > 0 {
		n := min(len(src), lz4Block)
		frame = p.append(frame, src[:n])
		src = src[n:]
	}
	return append(frame, lz4End...)
}

// Every LZ4 reader gives back what was packed, whatever it is.
func TestWordPacker(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	round := func(x float64) float64 { return math.Round(x*100) / 100 }
	kinds := map[string]func(i int) float64{
		"constant":     func(int) float64 { return 95 },
		"null":         func(int) float64 { return math.NaN() },
		"seconds":      func(i int) float64 { return float64(i + 1) },
		"down":         func(i int) float64 { return float64(-i) },
		"two decimals": func(int) float64 { return round(1000 + 80*rng.NormFloat64()) },
		"milliseconds": func(int) float64 { return round(9+rng.NormFloat64()) / 1e3 },
		"few":          func(int) float64 { return float64(rng.IntN(3)) },
		"noise":        func(int) float64 { return math.Float64frombits(rng.Uint64()) },
		"half noise":   func(int) float64 { return math.Float64frombits(rng.Uint64() << 32) },
		"bursts":       func(i int) float64 { return float64(i / 7 % 5 * rng.IntN(2)) },
		"long period":  func(i int) float64 { return math.Sqrt(float64(i % 8190)) },
		"sparse":       func(int) float64 { return float64(rng.IntN(500) / 499) },
		"mixed": func(int) float64 {
			if rng.IntN(3) == 0 {
				return math.Float64frombits(rng.Uint64N(1<<40) << (8 * rng.IntN(4)))
			}
			return round(1000 + 80*rng.NormFloat64())
		},
	}
	p := new(wordPacker)
	for name, cell := range kinds {
		for _, rows := range []int{1, 2, 3, 4, 5, 17, 100, blockRows - 1, blockRows, blockRows + 1, 2*blockRows + 5} {
			var src []byte
			for i := range rows {
				src = binary.LittleEndian.AppendUint64(src, math.Float64bits(cell(i)))
			}
			frame := frameOf(p, src)
			got, err := io.ReadAll(lz4.NewReader(bytes.NewReader(frame)))
			if err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s, %d rows: does not come back: %v", name, rows, err)
			}
			if most := len(src) + 8*(1+rows/blockRows) + 16; len(frame) > most {
				t.Errorf("%s, %d rows: %d bytes, want at most %d", name, rows, len(frame), most)
			}
			if again := frameOf(new(wordPacker), src); !bytes.Equal(again, frame) {
				t.Errorf("%s, %d rows: not the same bytes again", name, rows)
			}
		}
	}
}

// A column that repeats has no matches that overlap themselves, but for short ones:
// the sequences of a block, as LZ4 has them.
func TestRepeatsDoNotOverlap(t *testing.T) {
	block := new(wordPacker).append(nil, bytes.Repeat([]byte("12345678"), blockRows))[4:]
	length := func(n int) int {
		if n == 15 {
			for n += int(block[0]); block[0] == 255; n += int(block[0]) {
				block = block[1:]
			}
			block = block[1:]
		}
		return n
	}
	size := 0
	for {
		token := block[0]
		block = block[1:]
		n := length(int(token >> 4))
		size += n
		if block = block[n:]; len(block) == 0 {
			break
		}
		offset := int(binary.LittleEndian.Uint16(block))
		block = block[2:]
		n = length(int(token&15)) + lz4Shortest
		if size += n; n >= offset && n > 16 {
			t.Errorf("a match of %d bytes stands %d bytes before", n, offset)
		}
	}
	if size != lz4Block {
		t.Errorf("%d bytes", size)
	}
}

// FuzzWordPacker: repeats in any pattern come back.
func FuzzWordPacker(f *testing.F) {
	f.Add([]byte("12345678abcdefgh12345678abcdefgh"), uint8(3))
	p := new(wordPacker)
	f.Fuzz(func(t *testing.T, seed []byte, times uint8) {
		src := bytes.Repeat(seed, int(times))
		src = src[:min(len(src), 3*lz4Block)/8*8]
		got, err := io.ReadAll(lz4.NewReader(bytes.NewReader(frameOf(p, src))))
		if err != nil || !bytes.Equal(got, src) {
			t.Fatalf("does not come back: %v", err)
		}
	})
}

func BenchmarkWordPacker(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	round := func(x float64) float64 { return math.Round(x*100) / 100 }
	for _, c := range []struct {
		name string
		cell func(i int) float64
	}{
		{"constant", func(int) float64 { return 95 }},
		{"seconds", func(i int) float64 { return float64(i + 1) }},
		{"tps", func(int) float64 { return round(1000 + 80*rng.NormFloat64()) }},
		{"qps", func(int) float64 { return round(20000 + 1600*rng.NormFloat64()) }},
		{"latency", func(int) float64 { return round(9+rng.NormFloat64()) / 1e3 }},
	} {
		var src []byte
		for i := range blockRows {
			src = binary.LittleEndian.AppendUint64(src, math.Float64bits(c.cell(i)))
		}
		b.Run(c.name, func(b *testing.B) {
			p := new(wordPacker)
			var dst []byte
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				dst = p.append(dst[:0], src)
			}
			b.ReportMetric(float64(len(dst))/float64(blockRows), "B/row")
		})
		b.Run(fmt.Sprintf("%s/lz4", c.name), func(b *testing.B) {
			var dst []byte
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				dst = appendBytes(dst[:0], src)
			}
			b.ReportMetric(float64(len(dst))/float64(blockRows), "B/row")
		})
	}
}
