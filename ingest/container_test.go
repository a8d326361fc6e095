package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"noisefloor/datasets"
)

// pack writes members, name and text in turn, as a tar.
func pack(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		h := &tar.Header{Name: members[i], Mode: 0o644, Size: int64(len(members[i+1])), ModTime: time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// squeeze compresses as the ending of the name says.
func squeeze(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch {
	case strings.HasSuffix(name, "gz"):
		w = gzip.NewWriter(&b)
	case strings.HasSuffix(name, "zst"):
		w, err = zstd.NewWriter(&b)
	case strings.HasSuffix(name, "xz"):
		w, err = xz.NewWriter(&b)
	default:
		return data
	}
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestContainers(t *testing.T) {
	log := logText(8, 5, 1)
	plain, _ := ingestTree(t, Options{}, tree(t, map[string]string{"a.log": log}))
	want := plain.batch.Runs[0]
	inside := pack(t, "./s/a.log", log, "s/b.json", `{"x": 1}`)
	for name, data := range map[string][]byte{
		"a.log.gz":       squeeze(t, "gz", []byte(log)),
		"a.log.zst":      squeeze(t, "zst", []byte(log)),
		"a.log.xz":       squeeze(t, "xz", []byte(log)),
		"misnamed.txt":   squeeze(t, "gz", []byte(log)),
		"two.gz":         append(squeeze(t, "gz", []byte(log[:500])), squeeze(t, "gz", []byte(log[500:]))...),
		"twice.gz.xz":    squeeze(t, "xz", squeeze(t, "gz", []byte(log))),
		"s.tar":          inside,
		"s.tgz":          squeeze(t, "gz", inside),
		"s.tar.xz":       squeeze(t, "xz", inside),
		"s.tar.zst":      squeeze(t, "zst", inside),
		"o.tar":          pack(t, "in/s.tar.gz", string(squeeze(t, "gz", inside))),
		"p.tar":          pack(t, "a.log.gz", string(squeeze(t, "gz", []byte(log)))),
		"s.zip":          zipped(t, "s/a.log", log),
		"z.tar.gz":       squeeze(t, "gz", pack(t, "in/s.zip", string(zipped(t, "s/a.log", log)))),
		"z.zip":          zipped(t, "in/s.zip", string(zipped(t, "s/a.log", log))),
		"no-ending-at-a": squeeze(t, "xz", inside),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, s := ingestTree(t, Options{}, dir)
		if len(m.batch.Runs) != 1 {
			t.Errorf("%s: %d runs; %v, %q", name, len(m.batch.Runs), m.batch.Problems, s.Nothing)
			continue
		}
		got := m.batch.Runs[0]
		if got.ID != want.ID || got.SHA256 != want.SHA256 || got.Metrics["tps"] != want.Metrics["tps"] || m.batch.Intervals.Len() != 5 {
			t.Errorf("%s: run %s of file %s, want %s of %s", name, got.ID, got.SHA256, want.ID, want.SHA256)
		}
		source := map[string]string{"s.tar": "s.tar!s/a.log", "o.tar": "o.tar!in/s.tar.gz!s/a.log", "p.tar": "p.tar!a.log.gz", "s.zip": "s.zip!s/a.log", "z.tar.gz": "z.tar.gz!in/s.zip!s/a.log", "z.zip": "z.zip!in/s.zip!s/a.log", "a.log.xz": "a.log.xz"}[name]
		if source != "" && got.Source != source {
			t.Errorf("%s: source %s, want %s", name, got.Source, source)
		}
		if strings.HasPrefix(source, "s.tar!") && got.Factors["x"] != datasets.Int(1) {
			t.Errorf("%s: the metadata inside is not used: %v", name, got.Factors)
		}
	}
}

func zipped(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The beginning of a log with 3 threads, by bzip2 1.0.8; Go cannot write the format.
const bz2Log = `QlpoOTFBWSZTWV+/VysAAJbfgAAQYmf+MAA1FAo/7/6wMADsbQ1T9KYjU08mpoBkaaD1AeoyEU0ZNNHqGQAAAAANNJpJ6mEGmmmgPUNGhppoXsat67DM6RE46EXXIB3kdb
JB6kjmJoSGCLi+BVHhrR81c61hd4ciUniRjfoDg8pCZQSikFAYNEMFLwFKxVSO7pJmjQB7KbbYiXIotIWzHgl4qbBZ4i6yEpWhOkhgBKL+blGEJZGqcGQHB6XFBH9pyKzO
FIFCQcKpcIgi4QY5CrAxKBzkMismg6QuGSlK/omIKzaisbpkUty67MIWnVpGInGVLXT3pU3ew1lewgEGqhP1OOVsio2gEBD8XckU4UJBfv1crA==`

func TestBzip2(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(bz2Log, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.bz2"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	m, _ := ingestTree(t, Options{}, dir)
	if r := m.run(t, "a.bz2"); r.Threads != 3 {
		t.Errorf("threads %d", r.Threads)
	}
}

func TestStdin(t *testing.T) {
	log := logText(8, 5, 1)
	m, _ := ingestTree(t, Options{Stdin: strings.NewReader(log)}, "-")
	m.run(t, "stdin")
	inside := squeeze(t, "gz", pack(t, "results/run1/a.log", log, "results/run2/a.log", logText(8, 5, 2)))
	m, _ = ingestTree(t, Options{Stdin: bytes.NewReader(inside)}, "-")
	if got := m.factors(m.run(t, "stdin!results/run2/a.log")); got != "threads=8 rep=2" {
		t.Errorf("got %s", got)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "noisefloor-stdin-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestArchiveOfOneSession(t *testing.T) {
	dir := t.TempDir()
	for _, session := range []string{"2026-11-30a", "2026-12-02a"} {
		data := squeeze(t, "xz", pack(t, session+"/launch01-x/001_oltp_read_only_1th.log", logText(1, 5, len(session)+int(session[9])),
			session+"/launch02-y/002_oltp_read_only_8th.log", logText(8, 5, 3*int(session[9])), session+"/variables.tsv", "Variable_name\tValue\nautocommit\tON\n"))
		if err := os.WriteFile(filepath.Join(dir, session+".tar.xz"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, s := ingestTree(t, Options{}, dir)
	if got := m.factors(m.run(t, "2026-12-02a.tar.xz!2026-12-02a/launch02-y/002_oltp_read_only_8th.log")); got != "threads=8 workload=oltp_read_only day=2026-12-02 session=2026-12-02a launch=02 path1=y path2=2 settings_from=2026-12-02a.tar.xz!2026-12-02a/variables.tsv" {
		t.Errorf("got %s\n%s", got, strings.Join(s.Guesses, "\n"))
	}
	if len(m.batch.Settings) != 2 {
		t.Errorf("settings %v", m.batch.Settings)
	}
	// A layout is written for the folder that was packed.
	m, _ = ingestTree(t, Options{Layout: []string{"{session}/{_}-{arm}/*"}}, dir)
	if got := m.factors(m.run(t, "2026-12-02a.tar.xz!2026-12-02a/launch02-y/002_oltp_read_only_8th.log")); got != "threads=8 session=2026-12-02a arm=y settings_from=2026-12-02a.tar.xz!2026-12-02a/variables.tsv" {
		t.Errorf("with a layout: %s", got)
	}
}

func TestDamagedAndHostileArchives(t *testing.T) {
	log := logText(8, 5, 1)
	tarred := pack(t, "../../etc/a.log", log, "/abs/b.log", logText(8, 5, 2), `c\d.log`, logText(8, 5, 3), "e\xffl.log", logText(8, 5, 4))
	check := func(name string, data []byte, opt Options, runs int, kind string) *memory {
		t.Helper()
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, _ := ingestTree(t, opt, dir)
		if runs >= 0 && len(m.batch.Runs) != runs {
			t.Errorf("%s: %d runs, want %d", name, len(m.batch.Runs), runs)
		}
		if _, ok := m.problem(kind); kind != "" && !ok {
			t.Errorf("%s: no problem %q in %v", name, kind, m.batch.Problems)
		}
		return m
	}
	m := check("up.tar", tarred, Options{}, 4, "")
	m.run(t, "up.tar!etc/a.log")
	m.run(t, "up.tar!abs/b.log")
	m.run(t, "up.tar!c/d.log")
	m.run(t, "up.tar!e%FFl.log")
	check("cut.tar", tarred[:len(tarred)/2], Options{}, -1, "damaged-archive")
	gz := squeeze(t, "gz", []byte(log))
	check("cut.gz", gz[:len(gz)*2/3], Options{}, 1, "damaged-archive")
	check("bad.gz", append(gz[:20:20], make([]byte, 50)...), Options{}, 0, "")
	check("bad.xz", []byte("\xfd7zXZ\x00and so on, and so on"), Options{}, 0, "damaged-archive")
	check("big.gz", squeeze(t, "gz", []byte(strings.Repeat(log, 100))), Options{MaxSize: 10000}, -1, "refused")
	bomb := squeeze(t, "gz", append([]byte(log), make([]byte, 100<<20)...))
	check("bomb.gz", bomb, Options{MaxRatio: 100}, 1, "refused")
	nested := []byte(log)
	for range 7 {
		nested = squeeze(t, "gz", nested)
	}
	check("deep.gz", nested, Options{}, 0, "refused")
	inner := zipped(t, "a.log", log)
	check("cut.tar", pack(t, "s.zip", string(inner[:len(inner)-30])), Options{}, 0, "damaged-archive")
	for range 6 {
		inner = zipped(t, "in.zip", string(inner))
	}
	check("deep.zip", inner, Options{}, 0, "refused")
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "noisefloor-zip-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	for _, form := range []string{"gz", "xz", "zst"} {
		packed := squeeze(t, form, []byte(log))
		check("cut."+form, packed[:len(packed)*2/3], Options{}, -1, "damaged-archive")
		m := check("behind."+form, append(packed, strings.Repeat("something else", 10)...), Options{}, 1, "damaged-archive")
		if p, _ := m.problem("damaged-archive"); !strings.Contains(p.Text, "stands behind") {
			t.Errorf("%s: %s", form, p.Text)
		}
	}
	bz, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(bz2Log, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	check("cut.bz2", bz[:len(bz)/2], Options{}, 0, "damaged-archive")
	var locked bytes.Buffer
	z := zip.NewWriter(&locked)
	secret, err := z.CreateRaw(&zip.FileHeader{Name: "a.log", Flags: 1, Method: zip.Store, CompressedSize64: 20, UncompressedSize64: 8})
	if err == nil {
		_, err = secret.Write(make([]byte, 20))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := check("locked.zip", locked.Bytes(), Options{}, 0, "refused").problem("refused"); !strings.Contains(p.Text, "encrypted") {
		t.Errorf("an encrypted zip: %v", p)
	}
	check("empty.tar", pack(t, "no.log", "", "a.log", log), Options{}, 1, "not-read")
	one := pack(t, "a.log", log)
	huge := append(sized(one[:512], 1<<42), one[512:]...)
	check("huge.tar", huge, Options{}, 1, "damaged-archive")
	check("negative.tar", append(sized(one[:512], -1), one[512:]...), Options{}, 0, "damaged-archive")
	var links bytes.Buffer
	w := tar.NewWriter(&links)
	for _, h := range []*tar.Header{{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, {Name: "h", Typeflag: tar.TypeLink, Linkname: "l"}, {Name: "d", Typeflag: tar.TypeChar}, {Name: "p", Typeflag: tar.TypeFifo}} {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(check("links.tar", links.Bytes(), Options{}, 0, "not-a-file").batch.Problems); n != 4 {
		t.Errorf("%d problems of four links and devices", n)
	}
}

// sized writes another size into the header of a member of a tar.
func sized(header []byte, size int64) []byte {
	b := bytes.Clone(header)
	binary.BigEndian.PutUint64(b[128:136], uint64(size))
	b[124] = 0x80
	if size < 0 {
		copy(b[124:128], "\xff\xff\xff\xff")
	} else {
		clear(b[125:128])
	}
	copy(b[148:156], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

// An archive of the folder that lies in the folder adds nothing, and its name is no
// factor.
func TestArchiveOfItsOwnFolder(t *testing.T) {
	files := map[string]string{}
	var members []string
	for i, name := range []string{"2026-01-31/9.6.0/run1.log", "2026-01-31/9.7.0/run1.log", "2026-02-01/9.6.0/run1.log", "2026-02-01/9.7.0/run1.log"} {
		files[name] = logText(8, 300, i+1)
		members = append(members, "./results/"+name, files[name])
	}
	dir := tree(t, files)
	alone, s := ingestTree(t, Options{}, dir)
	want := alone.factors(alone.run(t, "2026-02-01/9.7.0/run1.log"))
	if want != "threads=8 day=2026-02-01 version=9.7.0" {
		t.Fatalf("%s\n%s", want, strings.Join(s.Guesses, "\n"))
	}
	plant(t, dir, map[string]string{"all.tar": string(pack(t, members...)), "old/backup.tgz": string(squeeze(t, "gz", pack(t, members...)))})
	m, s := ingestTree(t, Options{}, dir)
	for _, source := range []string{"2026-02-01/9.7.0/run1.log", "all.tar!results/2026-02-01/9.7.0/run1.log", "old/backup.tgz!results/2026-02-01/9.7.0/run1.log"} {
		if got := m.factors(m.run(t, source)); got != want {
			t.Errorf("%s: %s\n%s", source, got, strings.Join(s.Guesses, "\n"))
		}
	}
}

// What lies unpacked beside its archive, whole or in part, is one of the two.
func TestPackedCopies(t *testing.T) {
	log := func(rel string, begins uint64) *file {
		return &file{rel: rel, begins: begins, content: &noContent, around: &noAround}
	}
	for _, c := range []struct {
		name, want string // those that names are guessed from
		files      []*file
	}{
		{"all of it", "new/1.log new/2.log", []*file{log("a.tar!new/1.log", 1), log("a.tar!new/2.log", 2), log("new/1.log", 1), log("new/2.log", 2)}},
		{"some, to look at", "a.tar!new/1.log a.tar!new/2.log", []*file{log("a.tar!new/1.log", 1), log("a.tar!new/2.log", 2), log("check/1.log", 1)}},
		{"some, beside others", "a.tar!new/2.log check/1.log check/3.log", []*file{log("a.tar!new/1.log", 1), log("a.tar!new/2.log", 2), log("check/1.log", 1), log("check/3.log", 3)}},
	} {
		rest, _ := packedCopies(c.files)
		var got []string
		for _, f := range rest {
			got = append(got, f.rel)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}
