package perfscript

import (
	"bytes"
	"hash/maphash"
	"slices"

	"noisefloor/ingest/internal/digits"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/stacks"
)

// worker counts the samples of some pieces of a text.
type worker struct {
	set      stacks.Set
	cache    cache
	problems []oddity // by kind
	meta     map[string]string

	line int  // number of the line being read
	head bool // the piece being read begins the text

	// The sample being read.
	in     bool
	comm   stacks.Name
	event  stacks.Name
	java   bool
	period float64
	leaf   []stacks.Name // its frames so far, the leaf first
	root   []stacks.Name

	first     int // line of the first sample, 0 if there is none yet
	firstName string
	lost      float64
}

// oddity is a kind of thing that was not understood.
type oddity struct {
	kind  string
	line  int // first
	text  string
	count int
}

func (w *worker) problem(kind string, line int, text []byte) {
	for i := range w.problems {
		if p := &w.problems[i]; p.kind == kind {
			p.count++
			if line < p.line {
				p.line, p.text = line, lines.Presentable(string(text))
			}
			return
		}
	}
	w.problems = append(w.problems, oddity{kind, line, lines.Presentable(string(text)), 1})
}

// read reads a piece: whole samples, but for the last piece of a text, which may
// break off anywhere.
func (w *worker) read(p piece) {
	w.line, w.head = p.line-1, p.line == 1
	for text := p.text; len(text) > 0; {
		i := bytes.IndexByte(text, '\n')
		line := text
		if i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		w.line++
		if w.in && len(line) > 0 && w.known(line) {
			continue
		}
		if i < 0 && p.last && !w.cut(line) {
			continue
		}
		w.next(line)
	}
	w.end()
}

// cut tells whether the line that the end of the text cuts off is whole all the
// same: it ends in a library, which the arguments of a function, (int), are not. If
// not, the root of its stack is missing, or the name of its event, and the sample is
// left out.
func (w *worker) cut(line []byte) (whole bool) {
	text := bytes.Trim(line, space)
	if len(line) == 0 || line[0] == '#' || len(text) == 0 && !w.in {
		return true
	}
	frame := text
	if !w.in {
		h, _ := parseHeader(text)
		frame = payloadFrame(h.payload)
	}
	if f, ok := parseFrame(frame); ok && frame[len(frame)-1] == ')' && (bytes.IndexByte(f.library, '/') >= 0 || bytes.HasPrefix(f.library, []byte("[")) || string(f.library) == "inlined") {
		return true
	}
	w.problem("truncated", w.line, text)
	w.in = false
	return false
}

const space = " \t\r\v\f"

// known takes a line of a call chain that was seen before.
func (w *worker) known(line []byte) bool {
	if line[0] == '#' {
		return false
	}
	e := w.cache.find(line)
	if e == nil {
		return false
	}
	w.leaf = append(w.leaf, w.cache.names(e, w.java)...)
	return true
}

// next takes a line that is not in the cache.
func (w *worker) next(line []byte) {
	if len(line) > 0 && line[0] == '#' {
		w.comment(line)
		return
	}
	text := bytes.Trim(line, space)
	if len(text) == 0 {
		w.end()
		return
	}
	// A header may be indented as a frame is, and a frame may not be.
	indented := line[0] == ' ' || line[0] == '\t'
	if word, _ := cutWord(text); w.in && indented && isHex(word) && w.frame(line, text) {
		return
	}
	if h, ok := parseHeader(text); ok {
		w.end()
		w.sample(h, text)
		return
	}
	switch {
	case w.in && w.frame(line, text):
	case w.in && len(w.leaf) > 0 && isSourceLine(line):
	case w.in:
		w.problem("weird-frame", w.line, text)
	case indented:
		w.problem("frame-without-sample", w.line, text)
	default:
		w.problem("weird-sample", w.line, text)
	}
}

// isSourceLine tells what -F +srcline prints below each frame:
//
//	sql_select.cc:4511
//	mariadbd[8a71f0]
//	[kernel.kallsyms][ffffffff8103ce3b]
//	??:0
func isSourceLine(line []byte) bool {
	if len(line) < 5 || line[0] != ' ' || line[1] != ' ' || line[2] == ' ' || bytes.ContainsAny(line[2:], " \t") {
		return false
	}
	if i := bytes.LastIndexByte(line, ':'); i >= 0 && digits.Only(line[i+1:]) {
		return true
	}
	i := bytes.LastIndexByte(line, '[')
	return i >= 0 && line[len(line)-1] == ']' && isHex(line[i+1:len(line)-1])
}

// frame takes a line of a call chain and remembers it.
func (w *worker) frame(line, text []byte) bool {
	f, ok := parseFrame(valid(text))
	if !ok {
		return false
	}
	e := w.cache.add(line)
	for java, list := range [][][]byte{stacks.Functions(f.function, f.library, false), stacks.Functions(f.function, f.library, true)} {
		slices.Reverse(list)
		e.from[java] = len(w.cache.codes)
		for _, name := range list {
			w.cache.codes = append(w.cache.codes, w.set.Name(name))
		}
		e.n = len(list)
	}
	w.leaf = append(w.leaf, w.cache.names(e, w.java)...)
	return true
}

// sample begins a sample with its header.
func (w *worker) sample(h header, line []byte) {
	if h.record != nil {
		w.lostSamples(h)
		return
	}
	comm, event := valid(h.comm), valid(h.event)
	if w.first == 0 {
		w.first, w.firstName = w.line, string(event)
	}
	w.in, w.leaf = true, w.leaf[:0]
	w.comm, w.event, w.period = w.set.Name(comm), w.set.Name(event), h.period
	w.java = bytes.HasPrefix(comm, []byte("java"))
	if one := payloadFrame(h.payload); one != nil {
		if f, ok := parseFrame(valid(one)); ok {
			list := stacks.Functions(f.function, f.library, w.java)
			slices.Reverse(list)
			for _, name := range list {
				w.leaf = append(w.leaf, w.set.Name(name))
			}
			w.end()
		}
	}
}

// lostSamples adds up what perf says that it lost:
//
//	swapper     0  2371.025405: PERF_RECORD_LOST lost 47
//	swapper     0  2371.025405: PERF_RECORD_LOST_SAMPLES lost 12
//	swapper     0  2371.025405: PERF_RECORD_LOST lost 47, id 1806
func (w *worker) lostSamples(h header) {
	if !bytes.HasPrefix(h.record, []byte("PERF_RECORD_LOST")) {
		return
	}
	_, after, ok := bytes.Cut(h.payload, []byte("lost"))
	if !ok {
		return
	}
	n, _ := cutWord(after)
	if n = bytes.Trim(n, ":,"); digits.Only(n) {
		w.lost += number(n)
	}
}

// maxMeta is more than perf prints.
const maxMeta = 64

// comment reads what perf script --header prints:
//
//	# hostname : db7
//	# os release : 6.8.0-60-generic
//	# captured on    : Mon Nov 30 09:22:14 2026
func (w *worker) comment(line []byte) {
	if !w.head || w.first > 0 || len(w.meta) >= maxMeta {
		return
	}
	key, value, ok := bytes.Cut(line[1:], []byte(":"))
	if !ok {
		return
	}
	if w.meta == nil {
		w.meta = map[string]string{}
	}
	if name := string(bytes.TrimSpace(key)); w.meta[name] == "" {
		w.meta[name] = string(valid(bytes.TrimSpace(value)))
	}
}

// end counts the sample that was read last.
func (w *worker) end() {
	if !w.in {
		return
	}
	w.in = false
	w.root = append(w.root[:0], w.leaf...)
	slices.Reverse(w.root)
	weight := w.period
	if weight == 0 {
		weight = 1
	}
	w.set.Add(w.event, w.comm, w.root, weight, 1)
}

// cache remembers the lines of call chains: a frame comes again with the same
// address in thousands of stacks, and finding its line takes a tenth of reading it.
type cache struct {
	seed  maphash.Seed
	table []int32 // open addressing by hash: 1 + index in list
	list  []cached
	text  []byte
	codes []stacks.Name
}

type cached struct {
	hash   uint64
	at, to int    // in text
	from   [2]int // in codes: the functions, leaf first, in any command and in java
	n      int
}

// cacheText is how much text is remembered before everything is forgotten: more
// than the frames of a server are, less than those of a compiler that makes
// functions as it goes.
const cacheText = 16 << 20

// find gives the line's entry, nil if it is not there.
func (c *cache) find(line []byte) *cached {
	if len(c.table) == 0 {
		return nil
	}
	h := maphash.Bytes(c.seed, line)
	mask := uint64(len(c.table) - 1)
	for at := h & mask; c.table[at] != 0; at = (at + 1) & mask {
		if e := &c.list[c.table[at]-1]; e.hash == h && bytes.Equal(c.text[e.at:e.to], line) {
			return e
		}
	}
	return nil
}

// add makes an entry for a line that is not there.
func (c *cache) add(line []byte) *cached {
	if len(c.table) == 0 {
		c.seed = maphash.MakeSeed()
		c.table = make([]int32, 1<<12)
	}
	if len(c.text) > cacheText {
		clear(c.table)
		c.list, c.text, c.codes = c.list[:0], c.text[:0], c.codes[:0]
	}
	if 2*len(c.list) >= len(c.table) {
		c.table = make([]int32, 2*len(c.table))
		for i := range c.list {
			c.put(c.list[i].hash, i)
		}
	}
	e := cached{hash: maphash.Bytes(c.seed, line), at: len(c.text)}
	c.text = append(c.text, line...)
	e.to = len(c.text)
	c.list = append(c.list, e)
	c.put(e.hash, len(c.list)-1)
	return &c.list[len(c.list)-1]
}

func (c *cache) put(hash uint64, index int) {
	mask := uint64(len(c.table) - 1)
	at := hash & mask
	for c.table[at] != 0 {
		at = (at + 1) & mask
	}
	c.table[at] = int32(index + 1)
}

func (c *cache) names(e *cached, java bool) []stacks.Name {
	from := e.from[0]
	if java {
		from = e.from[1]
	}
	return c.codes[from : from+e.n]
}
