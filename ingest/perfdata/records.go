package perfdata

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Types of records: include/uapi/linux/perf_event.h, and from 64 on
// tools/lib/perf/include/perf/event.h.
const (
	recordMmap        = 1
	recordLost        = 2
	recordComm        = 3
	recordFork        = 7
	recordSample      = 9
	recordMmap2       = 10
	recordLostSamples = 13

	recordAttr        = 64
	recordTracingData = 66
	recordBuildID     = 67
	recordAuxtrace    = 71
	recordEventUpdate = 78
	recordFeature     = 80
	recordCompressed  = 81
	recordCompressed2 = 83
)

// record is one record, good until the next.
type record struct {
	kind uint32
	misc uint16
	body []byte
}

const recordHeader = 8

// reader reads records one behind the other.
type reader struct {
	r     *recording
	in    *bufio.Reader
	taken int // of the buffer, by the last record
}

func (r *recording) reader(in io.Reader) *reader {
	return &reader{r: r, in: bufio.NewReaderSize(in, 256<<10)} // a record has less than 64 kB
}

// next gives the next record, io.EOF at the end, io.ErrUnexpectedEOF in the middle
// of one.
func (s *reader) next() (record, error) {
	if s.taken > 0 {
		s.in.Discard(s.taken)
		s.taken = 0
	}
	head, err := s.in.Peek(recordHeader)
	if err != nil {
		if len(head) > 0 && err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return record{}, err
	}
	order := s.r.order
	rec := record{kind: order.Uint32(head), misc: order.Uint16(head[4:])}
	size := int(order.Uint16(head[6:]))
	if size < recordHeader {
		return record{}, broken("a record shorter than its header")
	}
	whole, err := s.in.Peek(size)
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return record{}, err
	}
	rec.body, s.taken = whole[recordHeader:], size
	return rec, nil
}

// follow skips what lies behind a record and is no record.
func (s *reader) follow(rec record) error {
	d := decoder{rec.body, s.r.order, false}
	n := int64(0)
	switch rec.kind {
	case recordAuxtrace:
		n = int64(d.u64())
	case recordTracingData:
		n = (int64(d.u32()) + 7) / 8 * 8
	}
	if n <= 0 {
		return nil
	}
	s.in.Discard(s.taken)
	s.taken = 0
	_, err := io.CopyN(io.Discard, s.in, n)
	return err
}

// each calls use for every record of the recording: first those that are not
// compressed, in their order, then the compressed ones. Mappings and names of the
// processes that ran already are not compressed.
func (r *recording) each(use func(record) error) error {
	packed := false
	err := r.eachOf(r.dataReader(), func(s *reader, rec record) error {
		if rec.kind == recordCompressed || rec.kind == recordCompressed2 {
			packed = true
			return nil
		}
		return use(rec)
	})
	if err != nil && !isEnd(err) || !packed {
		return err
	}
	packets := &packedReader{r: r, from: r.reader(r.dataReader())}
	z, zerr := zstd.NewReader(packets, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderMaxWindow(maxWindow))
	if zerr != nil {
		return broken("compressed records: " + zerr.Error())
	}
	defer z.Close()
	var used error // what use says
	zerr = r.eachOf(z, func(_ *reader, rec record) error {
		used = use(rec)
		return used
	})
	switch {
	case used != nil:
		return used
	case packets.err != nil:
		return packets.err
	case zerr == nil, isEnd(zerr): // perf does not end the frame
		return err
	}
	return broken("compressed records: " + zerr.Error())
}

// maxWindow bounds the memory of the decoder; perf's highest level uses 8 MB at a
// time.
const maxWindow = 128 << 20

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func (r *recording) dataReader() io.Reader {
	return io.NewSectionReader(r.in, r.data.offset, r.data.size)
}

func (r *recording) eachOf(in io.Reader, use func(*reader, record) error) error {
	s := r.reader(in)
	for {
		rec, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = use(s, rec)
		}
		if err == nil {
			err = s.follow(rec)
		}
		if err != nil {
			return err
		}
	}
}

// packedReader gives the contents of the compressed records, which are one stream.
type packedReader struct {
	r    *recording
	from *reader
	rest []byte
	err  error // of the recording, not of the compression
}

func (p *packedReader) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		rec, err := p.from.next()
		if err != nil {
			if isEnd(err) {
				return 0, io.EOF
			}
			p.err = err
			return 0, err
		}
		switch rec.kind {
		case recordCompressed:
			p.rest = rec.body
		case recordCompressed2:
			d := decoder{rec.body, p.r.order, false}
			n := d.u64()
			p.rest = d.b[:min(n, uint64(len(d.b)))]
		default:
			if err := p.from.follow(rec); err != nil && !isEnd(err) {
				p.err = err
				return 0, err
			}
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
