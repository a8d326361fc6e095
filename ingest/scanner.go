package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"sync"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/archive"
	"noisefloor/ingest/internal/sums"
	"noisefloor/ingest/table"
)

// scanner reads the disk files of one task.
type scanner struct {
	in    *ingest
	task  int
	q     *queue
	file  *diskFile // the one at hand
	part  *part
	packs bool // there are others like this one: a single one is overtaken by the sink
	// Columns declared in this part.
	declared map[string]bool
}

var errUnwanted = errors.New("stopped")

func (s *scanner) fresh() {
	s.part = s.q.fresh()
	if s.declared == nil {
		s.declared = map[string]bool{}
	}
	clear(s.declared)
}

func (s *scanner) flush() error {
	if err := s.handOn(); err != nil {
		return err
	}
	s.fresh()
	return nil
}

// handOn gives the part to the sink, with what of its work need not be done there.
func (s *scanner) handOn() error {
	tidy(&s.part.Batch, nil)
	if s.packs {
		s.part.Intervals.Pack()
	}
	s.in.hashing.Leave() // nobody is to wait for it while it waits
	defer s.in.hashing.Enter()
	if !s.q.push(s.task, s.part) {
		return errUnwanted
	}
	return nil
}

func (s *scanner) run(ctx context.Context, files []*diskFile) error {
	s.fresh()
	var err error
	for _, s.file = range files {
		if !s.file.container && len(s.file.files) == 1 {
			err = s.plain(ctx, s.file.files[0])
		} else {
			err = s.members(ctx)
		}
		if err == nil {
			err = s.teams(ctx)
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = s.handOn()
	}
	if errors.Is(err, errUnwanted) {
		return ctx.Err()
	}
	return err
}

func (s *scanner) problem(p datasets.Problem) { s.part.Problems = append(s.part.Problems, p) }

// broken notes what cannot be read of a file.
func (s *scanner) broken(rel string, err error) {
	kind, text := archive.Fault(err)
	s.problem(datasets.Problem{Source: s.in.source(s.file.root, rel), Kind: kind, Text: text, Count: 1})
}

// plain reads a file that lies on the disk as it is.
func (s *scanner) plain(ctx context.Context, f *file) error {
	r, err := os.Open(s.file.Path)
	if err != nil {
		s.broken(s.file.Rel, err)
		return nil
	}
	defer r.Close()
	counted := &archive.Counter{In: r, Total: &s.in.onDisk}
	defer counted.Fill(s.file.Size)
	if f.kind == perfData { // read at many places
		return s.read(ctx, f, r)
	}
	return s.read(ctx, f, counted)
}

// members reads the files of use in a container.
func (s *scanner) members(ctx context.Context) error {
	place, next := 0, 0
	quiet := func(_, _, _ string) {} // what is wrong with the container has been said while looking
	return s.in.opener(quiet).Open(ctx, s.file.Disk, func(it *archive.File) error {
		here := place
		place++
		if next == len(s.file.files) {
			return archive.ErrStop
		}
		f := s.file.files[next]
		if int(f.place) != here {
			return nil
		}
		next++
		if f.passed {
			return nil
		}
		if f.rel != it.Rel {
			return s.changed(f)
		}
		if err := s.read(ctx, f, it.Body); err != nil {
			return err
		}
		if s.part.rows() >= partRows {
			return s.flush()
		}
		return nil
	})
}

func (s *scanner) changed(f *file) error {
	s.problem(datasets.Problem{Source: f.source, Kind: "changed", Text: "the file changed while it was read; ingest it again", Count: 1})
	return archive.ErrStop
}

// read reads one file of use. Errors of the file are problems; the error is that
// of the context or of the queue.
func (s *scanner) read(ctx context.Context, f *file, r io.Reader) error {
	if f.ahead != nil {
		r = io.LimitReader(r, f.size) // what has come since is for the next ingest
	}
	h := &hashingReader{in: r, known: f.sha, ctx: ctx, others: &s.in.hashing}
	if f.sha == "" && f.tool == nil { // the scanner hashes logs
		h.sum = sha256.New()
	}
	from := len(s.part.Runs)
	source := datasets.Source{Path: f.source, Kind: string(f.kind)}
	var err error
	switch {
	case f.tool != nil:
		err = s.log(f, h, &source)
	case f.kind == runTable:
		err = s.table(f, h, &source)
	case f.isMap():
		return nil // read while looking
	case f.kind == variables:
		err = readVariables(h, s.setting(f), func(line int) { // it may be a secret
			s.problem(datasets.Problem{Source: f.source, Line: line, Kind: "cut-line", Text: "the last line has no end, and its value is left out", Count: 1})
		})
	case f.kind == serverSummary:
		err = s.serverSummary(f, h)
	case f.kind == optionFile:
		err = readOptions(h, s.setting(f))
	case f.kind.isBeside() && !f.passedBy:
		err = s.beside(f, h, &source)
	case f.isDump():
		err = s.beside(f, h, &source)
	case f.kind == hostFile && len(f.hosts) > 0 && readsSeries(f.host.Kind):
		source.Tool = string(f.host.Kind)
		err = s.series(f, h)
	default:
		source.Kind, source.Tool = string(f.kind), string(f.host.Kind)
	}
	if stop := ctx.Err(); stop != nil {
		return stop
	}
	if errors.Is(err, errUnwanted) {
		return err
	}
	if err == nil {
		_, err = io.Copy(io.Discard, h)
	}
	if err != nil {
		s.broken(f.rel, err)
	}
	source.SHA256, source.Size = h.hex(), h.n
	for i := from; i < len(s.part.Runs); i++ {
		if s.part.Runs[i].SHA256 == "" {
			s.part.Runs[i].SHA256 = source.SHA256
		}
	}
	s.in.mark(f, &source)
	s.part.Sources = append(s.part.Sources, source)
	s.part.bytes += h.n
	return nil
}

func (s *scanner) setting(f *file) func(name, value string) {
	return func(name, value string) {
		s.part.Settings = append(s.part.Settings, datasets.Setting{Source: f.source, Name: name, Value: value})
	}
}

func (s *scanner) declare(c datasets.Column, isMetric bool) {
	if s.declared[c.Name] {
		return
	}
	s.declared[c.Name] = true
	if isMetric {
		c.Unit = unitOf(c.Name)
	}
	s.part.Columns = append(s.part.Columns, c)
}

var unitsByName sync.Map

func unitOf(name string) unit.Unit {
	if u, ok := unitsByName.Load(name); ok {
		return u.(unit.Unit)
	}
	u := unit.Of(name)
	unitsByName.Store(name, u)
	return u
}

func (s *scanner) table(f *file, h *hashingReader, source *datasets.Source) error {
	sum, err := hex.DecodeString(f.sha)
	if err != nil {
		return err
	}
	declared := f.tables.Declared()
	s.part.Columns = append(s.part.Columns, declared...)
	add := func(r *datasets.Run, number int, rows *table.Inside) error {
		if r.ID == "" {
			r.ID = rowID(sum, number)
		}
		r.Source, r.Part, r.SHA256 = f.source, number, f.sha
		s.in.apply(f, r, s.problem)
		if log := f.cells[r.Factors[f.pathColumn].String()]; log != nil {
			s.in.apply(log, r, s.problem)
		}
		s.part.Runs = append(s.part.Runs, *r)
		if rows != nil {
			addInside(&s.part.Batch, r.ID, rows)
		}
		source.Runs++
		if s.part.rows() >= partRows {
			if err := s.flush(); err != nil {
				return err
			}
			s.part.Columns = append(s.part.Columns, declared...)
		}
		return nil
	}
	tell := func(p datasets.Problem) {
		p.Source = f.source
		s.problem(p)
	}
	return f.tables.Read(h, s.in.tz, add, tell)
}

// rowID tells a row by the file and its number, so that two equal rows stay two
// measurements.
func rowID(file []byte, number int) string {
	h := sha256.New()
	h.Write(file)
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(number))
	h.Write(n[:])
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// hashingReader hashes what is read through it, unless the hash is known.
type hashingReader struct {
	in     io.Reader
	ctx    context.Context
	sum    hash.Hash
	others *sums.Group // hash together with it
	known  string
	n      int64
}

func (h *hashingReader) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := h.in.Read(p)
	if h.sum != nil {
		h.others.Write(h.sum, p[:n])
	}
	h.n += int64(n)
	return n, err
}

func (h *hashingReader) hex() string {
	if h.known != "" {
		return h.known
	}
	return hex.EncodeToString(h.sum.Sum(nil))
}
