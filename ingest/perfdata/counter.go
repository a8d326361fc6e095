package perfdata

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/stacks"
)

// counter turns the samples of a recording into stacks. It reads the records twice:
// first what was mapped where, by whom and when, because the records of one CPU
// come before those of another, then the samples.
type counter struct {
	r        *recording
	p        *stacks.Profile
	where    *Machine
	problems *lines.Problems

	spaces  map[int32]*space
	comms   map[int32][]titled // by thread
	parents map[int32]int32    // threads
	ids     map[string]string  // build IDs by path
	images  map[string]*image
	own     bool // recorded on this machine
	anchor  struct {
		name    string
		address uint64
	}
	maps int

	kernel      *symbols
	kernelShift uint64
	kernelFrame map[uint64][]stacks.Name
	events      map[*attr]stacks.Name
	names       map[int32]stacks.Name // of threads with one name
	leaf, root  []stacks.Name
	firstTime   uint64
}

// space is what a process has mapped.
type space struct {
	pid    int32
	maps   []mapping
	parent int32 // the process it was forked from, or -1
	forked uint64
	sorted bool // by address; without overlaps
	frames map[uint64][]stacks.Name
}

type mapping struct {
	from, to, offset uint64
	time             uint64
	image            *image
}

// image is a mapped file.
type image struct {
	path    string
	symbols *symbols // nil: not at hand
	looked  bool
}

type titled struct {
	time uint64
	text string
}

// maxMaps is how many mappings are kept of one process: Linux allows 65530
// (vm.max_map_count). All of them together have another bound.
const (
	maxMaps    = 65530
	maxAllMaps = 4 << 20
)

func newCounter(r *recording, p *stacks.Profile, where *Machine, problems *lines.Problems) *counter {
	return &counter{r: r, p: p, where: where, problems: problems,
		spaces: map[int32]*space{}, comms: map[int32][]titled{}, parents: map[int32]int32{}, ids: map[string]string{}, images: map[string]*image{},
		kernelFrame: map[uint64][]stacks.Name{}, events: map[*attr]stacks.Name{}, names: map[int32]stacks.Name{}}
}

func (c *counter) count() error {
	err := c.r.each(c.note)
	if err != nil && !isEnd(err) {
		if _, wrong := err.(broken); !wrong {
			return err
		}
	}
	c.prepare()
	end := c.r.each(func(rec record) error {
		if rec.kind == recordSample {
			c.sample(rec)
		}
		return nil
	})
	if end != nil {
		return end
	}
	return err
}

// note takes what is not a sample.
func (c *counter) note(rec record) error {
	d := decoder{rec.body, c.r.order, false}
	switch rec.kind {
	case recordMmap, recordMmap2:
		c.mapped(rec)
	case recordComm:
		d.u32()
		tid := int32(d.u32())
		if !d.short {
			c.comms[tid] = append(c.comms[tid], titled{c.r.timeOf(rec), clean(cString(d.b))})
		}
	case recordFork:
		pid, parent, tid, parentThread := int32(d.u32()), int32(d.u32()), int32(d.u32()), int32(d.u32())
		time := d.u64()
		if d.short {
			return nil
		}
		c.parents[tid] = parentThread
		if s := c.space(pid); pid != parent && len(s.maps) == 0 {
			s.parent, s.forked = parent, time
		}
	case recordLost:
		d.u64()
		c.p.Lost += float64(d.u64())
	case recordLostSamples:
		c.p.Lost += float64(d.u64())
	case recordAttr: // in a pipe
		if len(rec.body) >= attrV0 {
			size := int(c.r.order.Uint32(rec.body[4:]))
			if size == 0 {
				size = attrV0
			}
			if size >= attrV0 && size <= len(rec.body) {
				c.r.addAttr(rec.body[:size], rec.body[size:])
			}
		}
	case recordFeature:
		if which := d.u64(); which < features {
			c.r.feature(int(which), d.b)
		}
	case recordEventUpdate:
		const name = 2
		if kind, id := d.u64(), d.u64(); kind == name && !d.short {
			if i, ok := c.r.byID[id]; ok {
				c.r.attrs[i].name = cString(d.b)
			}
		}
	case recordBuildID:
		if len(rec.body) > 28 {
			c.r.addBuildID(rec.misc, rec.body[4:28], rec.body[28:])
		}
	}
	return nil
}

func (c *counter) space(pid int32) *space {
	s := c.spaces[pid]
	if s == nil {
		s = &space{pid: pid, parent: -1, frames: map[uint64][]stacks.Name{}}
		c.spaces[pid] = s
	}
	return s
}

// Bits of misc of a mapping.
const (
	mmapData    = 1 << 13
	mmapBuildID = 1 << 14
)

// mapped takes a mapping of code.
func (c *counter) mapped(rec record) {
	d := decoder{rec.body, c.r.order, false}
	pid := int32(d.u32())
	d.u32()
	from, size, offset := d.u64(), d.u64(), d.u64()
	id := ""
	if rec.kind == recordMmap2 {
		where := d.take(24)
		if rec.misc&mmapBuildID != 0 && len(where) == 24 {
			id = hexOf(where[4 : 4+min(int(where[0]), 20)])
		}
		const exec = 4 // PROT_EXEC
		if protection := d.u32(); protection&exec == 0 && !d.short && pid >= 0 {
			return
		}
		d.u32()
	}
	name := cString(d.b)
	if d.short || rec.misc&mmapData != 0 || from+size < from {
		return
	}
	if pid < 0 { // the kernel and its modules
		for _, anchor := range []string{"_text", "_stext"} {
			if strings.HasPrefix(name, "[kernel.kallsyms]") && strings.HasSuffix(name, anchor) {
				c.anchor.name, c.anchor.address = anchor, offset
			}
		}
		return
	}
	s := c.space(pid)
	if c.maps++; len(s.maps) >= maxMaps || c.maps > maxAllMaps {
		c.problems.Add("too-many-mappings", 0, fmt.Appendf(nil, "process %d", pid))
		return
	}
	img := c.images[name]
	if img == nil {
		img = &image{path: name}
		c.images[name] = img
	}
	if id != "" {
		c.ids[name] = id
	}
	s.maps = append(s.maps, mapping{from, from + size, offset, c.r.timeOf(rec), img})
}

// prepare makes ready for the samples.
func (c *counter) prepare() {
	for _, b := range c.r.buildIDs {
		if c.ids[b.path] == "" {
			c.ids[b.path] = b.id
		}
	}
	c.own = c.where != nil && c.where.Host != "" && c.r.meta["hostname"] == c.where.Host
	if k := c.where.running(); k != nil {
		id := c.ids["[kernel.kallsyms]"]
		if id != "" && id == k.id || id == "" && c.own && c.r.meta["os release"] == k.release {
			if here, ok := k.anchors[c.anchor.name]; ok {
				c.kernel, c.kernelShift = k.symbols, c.anchor.address-here
			}
		}
	}
	for _, s := range c.spaces {
		slices.SortStableFunc(s.maps, func(a, b mapping) int { return cmp.Compare(a.from, b.from) })
		s.sorted = true
		for i := 1; i < len(s.maps); i++ {
			if s.maps[i].from < s.maps[i-1].to {
				s.sorted = false
			}
		}
	}
	for tid, list := range c.comms {
		slices.SortStableFunc(list, func(a, b titled) int { return cmp.Compare(a.time, b.time) })
		if len(list) == 1 {
			c.names[tid] = c.p.NameOf(list[0].text)
		}
	}
}

// Markers in a call chain say whose addresses follow: PERF_CONTEXT_* in
// include/uapi/linux/perf_event.h.
const (
	firstMarker   = ^uint64(4095) + 1
	markerKernel  = ^uint64(128) + 1
	markerUser    = ^uint64(512) + 1
	modeMask      = 7
	modeKernel    = 1
	modeUser      = 2
	modeElsewhere = 0
)

func (c *counter) sample(rec record) {
	s, ok := c.r.sample(rec)
	if !ok {
		c.problems.Add("broken-sample", 0, fmt.Appendf(nil, "%d bytes", len(rec.body)))
		return
	}
	if s.attr.sampleType&sampleStackUser != 0 {
		c.problems.Add("stacks-not-unwound", 0, []byte("recorded with --call-graph dwarf: only the innermost user frame is known here; perf script unwinds them"))
	}
	event, known := c.events[s.attr]
	if !known {
		event = c.p.NameOf(clean(s.attr.name))
		c.events[s.attr] = event
	}
	if c.p.Len() == 0 || s.time < c.firstTime { // perf script sorts by time
		c.p.First, c.firstTime = c.p.Text(event), s.time
	}
	mode := uint64(rec.misc & modeMask)
	process := c.spaces[s.pid]
	c.leaf = c.leaf[:0]
	for chain := s.chain; len(chain) >= 8; chain = chain[8:] {
		ip := c.r.order.Uint64(chain)
		if ip >= firstMarker {
			switch ip {
			case markerKernel:
				mode = modeKernel
			case markerUser:
				mode = modeUser
			default:
				mode = modeElsewhere
			}
			continue
		}
		c.leaf = append(c.leaf, c.frame(mode, process, ip, s.time)...)
	}
	c.root = append(c.root[:0], c.leaf...)
	slices.Reverse(c.root)
	weight := float64(s.period)
	if weight == 0 {
		weight = 1
	}
	c.p.Add(event, c.comm(s), c.root, weight, 1)
}

// comm is what the thread was called at the time.
func (c *counter) comm(s sample) stacks.Name {
	if name, ok := c.names[s.tid]; ok {
		return name
	}
	tid := s.tid
	for range 64 { // as deep as threads that were never named are forked from each other
		if list := c.comms[tid]; len(list) > 0 {
			text := list[0].text
			for _, t := range list {
				if t.time <= s.time || s.time == 0 {
					text = t.text
				}
			}
			return c.p.NameOf(text)
		}
		parent, ok := c.parents[tid]
		if !ok || parent == tid {
			break
		}
		tid = parent
	}
	if s.tid == 0 {
		return c.p.NameOf("swapper")
	}
	return c.p.NameOf(fmt.Sprintf(":%d", s.tid))
}

// frame names the functions at an address, the leaf first.
func (c *counter) frame(mode uint64, process *space, ip, time uint64) []stacks.Name {
	switch {
	case mode == modeKernel:
		names, known := c.kernelFrame[ip]
		if !known {
			names = c.kernelNames(ip)
			c.kernelFrame[ip] = names
		}
		return names
	case mode != modeUser || process == nil:
		return []stacks.Name{c.p.NameOf(stacks.Unknown)}
	}
	if names, known := process.frames[ip]; known {
		return names
	}
	m, lasting := c.find(process, ip, time)
	names := c.userNames(process, m, ip)
	if lasting {
		process.frames[ip] = names
	}
	return names
}

// find gives what was mapped at an address; lasting tells that it was so all the
// time.
func (c *counter) find(s *space, ip, time uint64) (m *mapping, lasting bool) {
	lasting = true
	for range 64 {
		if s.sorted {
			i, exact := slices.BinarySearchFunc(s.maps, ip, func(m mapping, a uint64) int {
				switch {
				case m.from < a:
					return -1
				case m.from > a:
					return 1
				}
				return 0
			})
			if !exact {
				i--
			}
			if i >= 0 && ip < s.maps[i].to {
				return &s.maps[i], lasting
			}
		} else {
			lasting = false
			var best *mapping
			for i := range s.maps {
				m := &s.maps[i]
				if ip >= m.from && ip < m.to && (best == nil || m.time >= best.time && (m.time <= time || time == 0) || best.time > time) {
					best = m
				}
			}
			if best != nil {
				return best, false
			}
		}
		parent := c.spaces[s.parent]
		if s.parent < 0 || parent == nil || parent == s {
			break
		}
		s, time = parent, s.forked
	}
	return nil, lasting
}

func (c *counter) userNames(process *space, m *mapping, ip uint64) []stacks.Name {
	if m == nil {
		return []stacks.Name{c.p.NameOf(stacks.Unknown)}
	}
	if c.own && isAnonymous(m.image.path) {
		if name, ok := c.where.compiled(process.pid).find(ip); ok {
			return c.functions(name, stacks.Unknown)
		}
	}
	img := m.image
	id := c.ids[img.path]
	if !img.looked {
		img.looked = true
		img.symbols = c.where.symbols(img.path, id, c.own)
	}
	offset := ip - m.from + m.offset
	if img.symbols == nil {
		if !strings.HasPrefix(img.path, "/") || id == "" || strings.HasPrefix(img.path, "//anon") {
			return c.functions(stacks.Unknown, libraryName(img.path))
		}
		const shortID = 12 // digits: enough to tell builds apart
		return []stacks.Name{c.p.NameOf(fmt.Sprintf("%s+0x%x@%s", clean(path.Base(img.path)), offset, id[:min(len(id), shortID)]))}
	}
	name, ok := img.symbols.find(img.symbols.address(offset))
	if !ok {
		return c.functions(stacks.Unknown, img.path)
	}
	return c.functions(demangle.Filter(name, demangle.NoParams), img.path)
}

// isAnonymous tells mappings that compilers in virtual machines write code into.
func isAnonymous(path string) bool {
	return path == "" || strings.HasPrefix(path, "//anon") || strings.HasPrefix(path, "[anon") || strings.HasPrefix(path, "/memfd:") || strings.HasPrefix(path, "/dev/zero")
}

// libraryName is how perf script shows a mapping without a file.
func libraryName(path string) string {
	if path == "//anon" || path == "" {
		return "//anon"
	}
	return path
}

func (c *counter) kernelNames(ip uint64) []stacks.Name {
	if c.kernel != nil {
		if name, ok := c.kernel.find(ip - c.kernelShift); ok {
			return c.functions(name, "[kernel.kallsyms]")
		}
	}
	return c.functions(stacks.Unknown, "[kernel.kallsyms]")
}

// functions gives the names of a symbol as other scanners do, the leaf first.
func (c *counter) functions(symbol, library string) []stacks.Name {
	var names []stacks.Name
	for _, name := range stacks.Functions([]byte(clean(symbol)), []byte(clean(library)), false) {
		names = append(names, c.p.Name(name))
	}
	slices.Reverse(names)
	return names
}
