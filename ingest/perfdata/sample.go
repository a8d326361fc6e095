package perfdata

// Bits of sample_type: perf_event_sample_format in include/uapi/linux/perf_event.h,
// in the order of the fields.
const (
	sampleIP         = 1 << 0
	sampleTID        = 1 << 1
	sampleTime       = 1 << 2
	sampleAddr       = 1 << 3
	sampleRead       = 1 << 4
	sampleCallchain  = 1 << 5
	sampleID         = 1 << 6
	sampleCPU        = 1 << 7
	samplePeriod     = 1 << 8
	sampleStreamID   = 1 << 9
	sampleStackUser  = 1 << 13
	sampleIdentifier = 1 << 16

	sampleIDAll = 1 << 18 // in flags of perf_event_attr
)

// Bits of read_format.
const (
	readTotalTime = 1<<0 | 1<<1
	readID        = 1 << 2
	readGroup     = 1 << 3
	readLost      = 1 << 4
)

// sample is what is used of a sample.
type sample struct {
	attr     *attr
	pid, tid int32
	time     uint64
	period   uint64 // 0 if it is unknown
	chain    []byte // of eight bytes each, the leaf first
}

// sample reads a record; ok is false for one that is too short.
func (r *recording) sample(rec record) (s sample, ok bool) {
	s.attr = r.attrOf(rec)
	if s.attr == nil {
		return s, false
	}
	t := s.attr.sampleType
	s.period = s.attr.period
	d := decoder{rec.body, r.order, false}
	if t&sampleIdentifier != 0 {
		d.skip(8)
	}
	ip := d.b
	if t&sampleIP != 0 {
		d.skip(8)
	}
	if t&sampleTID != 0 {
		s.pid, s.tid = int32(d.u32()), int32(d.u32())
	}
	if t&sampleTime != 0 {
		s.time = d.u64()
	}
	for _, field := range []uint64{sampleAddr, sampleID, sampleStreamID, sampleCPU} {
		if t&field != 0 {
			d.skip(8)
		}
	}
	if t&samplePeriod != 0 {
		s.period = d.u64()
	}
	if t&sampleRead != 0 {
		skipRead(&d, s.attr.readFormat)
	}
	switch {
	case t&sampleCallchain != 0:
		n := d.u64()
		if n > uint64(len(d.b)/8) {
			return s, false
		}
		s.chain = d.take(int(8 * n))
	case t&sampleIP != 0 && len(ip) >= 8:
		s.chain = ip[:8]
	}
	return s, !d.short
}

// skipRead skips the values of a group of events.
func skipRead(d *decoder, format uint64) {
	per := 1
	for _, bit := range []uint64{readID, readLost} {
		if format&bit != 0 {
			per++
		}
	}
	times := 0
	for bit := uint64(1); bit <= 2; bit <<= 1 {
		if format&readTotalTime&bit != 0 {
			times++
		}
	}
	if format&readGroup != 0 {
		n := d.u64()
		if n > uint64(len(d.b)/8) {
			d.short = true
			return
		}
		d.skip(8 * (times + per*int(n)))
		return
	}
	d.skip(8 * (times + per))
}

// attrOf finds the event of a sample: by its ID, which all events have at the same
// place.
func (r *recording) attrOf(rec record) *attr {
	if len(r.attrs) == 0 {
		return nil
	}
	first := &r.attrs[0]
	if len(r.attrs) == 1 {
		return first
	}
	at := 0
	if t := first.sampleType; t&sampleIdentifier == 0 {
		if t&sampleID == 0 {
			return first
		}
		for _, field := range []uint64{sampleIP, sampleTID, sampleTime, sampleAddr} {
			if t&field != 0 {
				at += 8
			}
		}
	}
	if len(rec.body) < at+8 {
		return nil
	}
	if i, ok := r.byID[r.order.Uint64(rec.body[at:])]; ok {
		return &r.attrs[i]
	}
	return nil
}

// timeOf is the time of a record that is no sample: the fields of sample_id stand
// at its end.
func (r *recording) timeOf(rec record) uint64 {
	if len(r.attrs) == 0 {
		return 0
	}
	a := &r.attrs[0]
	if a.flags&sampleIDAll == 0 || a.sampleType&sampleTime == 0 {
		return 0
	}
	behind := 8
	for _, field := range []uint64{sampleID, sampleStreamID, sampleCPU, sampleIdentifier} {
		if a.sampleType&field != 0 {
			behind += 8
		}
	}
	if len(rec.body) < behind {
		return 0
	}
	return r.order.Uint64(rec.body[len(rec.body)-behind:])
}
