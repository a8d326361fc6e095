// Package perfdata reads what perf record writes, perf.data: samples with their call
// chains, in files and in pipes (perf record -o -), compressed or not. It counts the
// same stacks that perf script prints, without running perf.
//
// A frame is named by the symbol of its ELF file, if a file with the recorded build
// ID is where the recording says or in /usr/lib/debug; kernel frames by
// /proc/kallsyms, if this kernel is the recorded one. A file that is there but knows
// no symbol for the address gives [mariadbd], as everywhere. What is not there is
// named by library, offset and build ID, mariadbd+0x8a71f0@1a2b3c4d5e6f, which a
// later reader can still look up.
//
// perf's own library for Go, go-perf/perffile, knows neither pipes nor compression
// nor the attributes of today's perf, and trusts lengths; the tests compare the
// addresses of the samples with those that it reads.
package perfdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/stacks"
)

// Scan reads a recording of so many bytes. The error is that of the reader; what is
// wrong with the recording goes to problem. where is the machine to look for
// symbols on; nil looks for none.
func Scan(in io.ReaderAt, size int64, where *Machine, problem func(datasets.Problem)) (*stacks.Profile, error) {
	var problems lines.Problems
	r := &recording{in: in, size: size}
	p, err := r.profile(where, &problems)
	if problem != nil {
		problems.Each(problem)
	}
	return p, err
}

// recording is an open perf.data.
type recording struct {
	in    io.ReaderAt
	size  int64
	order binary.ByteOrder
	pipe  bool
	data  section

	attrs    []attr
	byID     map[uint64]int // index of attrs
	buildIDs []buildID
	meta     map[string]string
}

type section struct{ offset, size int64 }

// attr is what the recording says about an event.
type attr struct {
	kind, config uint64
	sampleType   uint64
	readFormat   uint64
	flags        uint64
	period       uint64 // of every sample, 0 if it varies
	name         string
}

// buildID says which file stood at a path.
type buildID struct {
	path, id string
}

// broken is what is wrong with a recording, and no error of the reader.
type broken string

func (b broken) Error() string { return string(b) }

func (r *recording) profile(where *Machine, problems *lines.Problems) (*stacks.Profile, error) {
	p := &stacks.Profile{}
	err := r.open()
	if err == nil {
		err = newCounter(r, p, where, problems).count()
	}
	r.said()
	p.Meta = r.meta
	var wrong broken
	switch {
	case errors.As(err, &wrong):
		problems.Add("broken-perf-data", 0, []byte(wrong))
		err = nil
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		problems.Add("truncated", 0, []byte("the recording ends in the middle"))
		err = nil
	}
	if p.Lost > 0 {
		problems.Add("lost-samples", 0, fmt.Appendf(nil, "perf lost %.0f samples while recording", p.Lost))
	}
	return p, err
}

// Numbers of perf's format: tools/perf/Documentation/perf.data-file-format.txt and
// include/uapi/linux/perf_event.h.
const (
	fileHeader = 104
	pipeHeader = 16
	attrV0     = 64 // the shortest perf_event_attr

	featureBuildID   = 2
	featureHostname  = 3
	featureOSRelease = 4
	featureVersion   = 5
	featureArch      = 6
	featureCmdline   = 11
	featureEvents    = 12
	features         = 256
)

// maxSection is more than any section of features has, but for the events of
// machines with hundreds of CPUs.
const maxSection = 64 << 20

// open reads the head of a recording, and the features behind its data.
func (r *recording) open() error {
	var head [fileHeader]byte
	n, err := r.in.ReadAt(head[:], 0)
	if n < pipeHeader {
		if err == io.EOF {
			return broken("shorter than its header")
		}
		return err
	}
	switch string(head[:8]) {
	case "PERFILE2":
		r.order = binary.LittleEndian
	case "2ELIFREP":
		r.order = binary.BigEndian
	default:
		return broken("no perf.data of version 2")
	}
	r.byID = map[uint64]int{}
	if r.order.Uint64(head[8:]) == pipeHeader {
		r.pipe, r.data = true, section{pipeHeader, r.size - pipeHeader}
		return nil
	}
	if n < fileHeader {
		if err == io.EOF {
			return broken("shorter than its header")
		}
		return err
	}
	entry := int64(r.order.Uint64(head[16:]))
	attrs, data := r.section(head[24:]), r.section(head[40:])
	r.data = data
	if data.size == 0 && data.offset > 0 && data.offset < r.size {
		// perf writes the size last: it was killed. What is there can be read.
		r.data.size = r.size - data.offset
	}
	if err := r.readAttrs(attrs, entry); err != nil {
		return err
	}
	if data.size == 0 {
		return nil
	}
	return r.readFeatures(head[72:104], data.offset+data.size)
}

func (r *recording) section(b []byte) section {
	s := section{int64(r.order.Uint64(b)), int64(r.order.Uint64(b[8:]))}
	if s.offset < 0 || s.size < 0 || s.offset > r.size {
		return section{}
	}
	s.size = min(s.size, r.size-s.offset)
	return s
}

// bytes reads a section, which must not be longer than most.
func (r *recording) bytes(s section, most int64) ([]byte, error) {
	if s.size > most {
		return nil, broken(fmt.Sprintf("a section of %d bytes", s.size))
	}
	b := make([]byte, s.size)
	if _, err := r.in.ReadAt(b, s.offset); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// readAttrs reads the events of a file: a perf_event_attr each, and where its IDs
// are.
func (r *recording) readAttrs(s section, entry int64) error {
	if entry < attrV0+16 || entry > 4096 {
		return broken(fmt.Sprintf("events of %d bytes", entry))
	}
	b, err := r.bytes(s, maxSection)
	if err != nil {
		return err
	}
	for ; int64(len(b)) >= entry; b = b[entry:] {
		one := b[:entry]
		ids, err := r.bytes(r.section(one[entry-16:]), maxSection)
		if err != nil {
			return err
		}
		r.addAttr(one[:entry-16], ids)
	}
	if len(r.attrs) == 0 {
		return broken("no events")
	}
	return nil
}

// addAttr takes an event in; ids has eight bytes for each.
func (r *recording) addAttr(b, ids []byte) {
	if len(b) < 48 {
		return
	}
	a := attr{kind: uint64(r.order.Uint32(b)), config: r.order.Uint64(b[8:]), sampleType: r.order.Uint64(b[24:]), readFormat: r.order.Uint64(b[32:]), flags: r.order.Uint64(b[40:])}
	const byFrequency = 1 << 10
	if a.flags&byFrequency == 0 {
		a.period = r.order.Uint64(b[16:])
	}
	a.name = defaultName(a.kind, a.config)
	for ; len(ids) >= 8; ids = ids[8:] {
		r.byID[r.order.Uint64(ids)] = len(r.attrs)
	}
	r.attrs = append(r.attrs, a)
}

// defaultName is what an event is called where the recording does not say.
func defaultName(kind, config uint64) string {
	names := map[uint64][]string{
		0: {"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"},
		1: {"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations", "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy"},
	}[kind]
	if config < uint64(len(names)) {
		return names[config]
	}
	return fmt.Sprintf("event-%d-0x%x", kind, config)
}

// readFeatures reads the sections behind the data, of which a table says where they
// are, one entry for each feature in the bitmap.
func (r *recording) readFeatures(bitmap []byte, at int64) error {
	for feature := range features {
		word := r.order.Uint64(bitmap[feature/64*8:])
		if word>>(feature%64)&1 == 0 {
			continue
		}
		var entry [16]byte
		if _, err := r.in.ReadAt(entry[:], at); err != nil {
			if err == io.EOF {
				return nil // cut off: samples do not need them
			}
			return err
		}
		at += 16
		if s := r.section(entry[:]); s.size > 0 && s.size <= maxSection {
			b, err := r.bytes(s, maxSection)
			if err != nil {
				return err
			}
			r.feature(feature, b)
		}
	}
	return nil
}

// feature reads one of the features.
func (r *recording) feature(which int, b []byte) {
	if r.meta == nil {
		r.meta = map[string]string{}
	}
	d := decoder{b, r.order, false}
	switch which {
	case featureBuildID:
		r.readBuildIDs(b)
	case featureHostname:
		r.meta["hostname"] = d.text()
	case featureOSRelease:
		r.meta["os release"] = d.text()
	case featureVersion:
		r.meta["perf version"] = d.text()
	case featureArch:
		r.meta["arch"] = d.text()
	case featureCmdline:
		line := ""
		for n := d.u32(); n > 0 && !d.short; n-- {
			line += d.text() + " "
		}
		r.meta["cmdline"] = line
	case featureEvents:
		r.readNames(&d)
	}
}

// readNames reads what the events are called.
func (r *recording) readNames(d *decoder) {
	n, size := d.u32(), d.u32()
	for ; n > 0 && !d.short; n-- {
		d.skip(int(size))
		ids := d.u32()
		name := d.text()
		for ; ids > 0 && !d.short; ids-- {
			if i, ok := r.byID[d.u64()]; ok && name != "" {
				r.attrs[i].name = name
			}
		}
		if len(r.attrs) == 1 && name != "" {
			r.attrs[0].name = name
		}
	}
}

// readBuildIDs reads records of a header, a process, 20 or fewer bytes of ID in 24,
// and a path.
func (r *recording) readBuildIDs(b []byte) {
	for len(b) > 36 {
		misc, size := r.order.Uint16(b[4:]), int(r.order.Uint16(b[6:]))
		if size < 37 || size > len(b) {
			return
		}
		r.addBuildID(misc, b[12:36], b[36:size])
		b = b[size:]
	}
}

// buildIDSize says in misc that the byte behind the 20 is the ID's length.
const buildIDSize = 1 << 15

func (r *recording) addBuildID(misc uint16, id, path []byte) {
	n := 20
	if misc&buildIDSize != 0 {
		n = min(int(id[20]), 20)
	}
	r.buildIDs = append(r.buildIDs, buildID{cString(path), hexOf(id[:n])})
}

// said completes what is known about the recording.
func (r *recording) said() {
	for name, value := range r.meta {
		r.meta[name] = clean(value)
	}
}
