package datasets

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The layout on disk that this package reads and writes.
const (
	schemaFamily  = "noisefloor/"
	schemaVersion = 1
	manifestFile  = "dataset.json"
)

var (
	// ErrNotDataset says that a folder holds no data set.
	ErrNotDataset = errors.New("not a noisefloor data set")
	// ErrNewerSchema says that a data set needs a newer noisefloor.
	ErrNewerSchema = errors.New("written by a newer noisefloor")
	// ErrLocked says that another process writes to the data set.
	ErrLocked = errors.New("another noisefloor is writing to this data set")
)

// manifest is dataset.json: the list of parts is the only truth about what
// belongs to the data set. It holds nothing that changes from one write of the
// same rows to the next, such as the time.
type manifest struct {
	Schema  string               `json:"schema"`
	Tables  map[string]partsList `json:"tables"`
	Sources []Source             `json:"sources"`
}

// partsList is one table: its parts in row order.
type partsList struct {
	Rows  int64  `json:"rows"`
	Parts []part `json:"parts"`
}

// part is one immutable file of a table. Its hash is to find damage, not forgery,
// and XXH3 takes a twentieth of the time of SHA-256, which parts had before.
type part struct {
	File   string `json:"file"` // relative to the data set, "/" between
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	XXH3   string `json:"xxh3,omitempty"`   // of 128 bits
	SHA256 string `json:"sha256,omitempty"` // of older parts
}

// appendEntry writes a source as encoding/json does, in a tenth
// of the time: a folder may have a hundred thousand, and each commit writes them all.
func (s *Source) appendEntry(b []byte) []byte {
	text := func(name, value string) {
		b = appendText(append(append(b, name...), ' '), value)
	}
	text("{\n   \"path\":", s.Path)
	text(",\n   \"sha256\":", s.SHA256)
	b = strconv.AppendInt(append(b, ",\n   \"size\": "...), s.Size, 10)
	text(",\n   \"kind\":", s.Kind)
	if s.Tool != "" {
		text(",\n   \"tool\":", s.Tool)
	}
	if s.Version != "" {
		text(",\n   \"version\":", s.Version)
	}
	b = strconv.AppendInt(append(b, ",\n   \"runs\": "...), int64(s.Runs), 10)
	return append(b, "\n  }"...)
}

// appendText writes a text as JSON.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] >= utf8.RuneSelf {
			var quoted bytes.Buffer
			enc := json.NewEncoder(&quoted)
			enc.SetEscapeHTML(false)
			_ = enc.Encode(s) // a string and memory
			return append(b, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// newManifest is the data set without rows.
func newManifest() *manifest {
	m := &manifest{
		Schema:  schemaFamily + strconv.Itoa(schemaVersion),
		Tables:  map[string]partsList{},
		Sources: []Source{},
	}
	for _, name := range tableNames {
		m.setParts(name, nil)
	}
	return m
}

// setParts replaces the parts of one table.
func (m *manifest) setParts(table string, parts []part) {
	list := partsList{Parts: append([]part{}, parts...)}
	for _, p := range parts {
		list.Rows += p.Rows
	}
	m.Tables[table] = list
}

// clone copies the manifest as deep as setParts changes it.
func (m *manifest) clone() *manifest {
	c := *m
	c.Tables = make(map[string]partsList, len(m.Tables))
	for name, list := range m.Tables {
		c.Tables[name] = list
	}
	return &c
}

// files lists every part that belongs to the data set.
func (m *manifest) files() map[string]bool {
	files := map[string]bool{}
	for _, list := range m.Tables {
		for _, p := range list.Parts {
			files[p.File] = true
		}
	}
	return files
}

// write writes dataset.json with these sources, one by one: as one text they are
// more than all that is known of them.
func (m *manifest) write(to io.Writer, sources []*Source) error {
	head := *m
	head.Sources = []Source{}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // paths are read by people
	enc.SetIndent("", " ")
	if err := enc.Encode(head); err != nil {
		return err
	}
	const end = "]\n}\n"
	out := bufio.NewWriterSize(to, 1<<16)
	out.Write(bytes.TrimSuffix(b.Bytes(), []byte(end)))
	var entry []byte
	separator, last := "\n  ", ""
	for _, s := range sources {
		entry = s.appendEntry(append(entry[:0], separator...))
		out.Write(entry)
		separator, last = ",\n  ", "\n "
	}
	out.WriteString(last + end)
	return out.Flush()
}

// readManifest reads dataset.json of a folder and its bytes.
func readManifest(dir string) (*manifest, []byte, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: %w: it is a file", dir, ErrNotDataset)
	}
	raw, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, statErr := os.Stat(dir); statErr != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrNotDataset, statErr)
		}
		return nil, nil, fmt.Errorf("%s: %w: it has no %s", dir, ErrNotDataset, manifestFile)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the data set: %w", err)
	}
	// The schema is looked at before the rest: a newer version may have
	// changed what the other keys mean.
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, nil, fmt.Errorf("%s: %w: %s is not the JSON it should be: %v", dir, ErrNotDataset, manifestFile, err)
	}
	if err := checkSchema(dir, head.Schema); err != nil {
		return nil, nil, err
	}
	m := newManifest()
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, nil, fmt.Errorf("%s: %s is damaged: %w", dir, manifestFile, err)
	}
	m.shareWords()
	for file := range m.files() {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return nil, nil, fmt.Errorf("%s: %s names a part outside the folder: %q", dir, manifestFile, file)
		}
	}
	return m, raw, nil
}

// shareWords keeps the few words of the sources once.
func (m *manifest) shareWords() {
	once := map[string]string{}
	for i := range m.Sources {
		s := &m.Sources[i]
		for _, word := range []*string{&s.Kind, &s.Tool, &s.Version} {
			if _, known := once[*word]; !known {
				once[*word] = *word
			}
			*word = once[*word]
		}
	}
}

func checkSchema(dir, schema string) error {
	version, ours := strings.CutPrefix(schema, schemaFamily)
	if !ours {
		return fmt.Errorf("%s: %w: the schema of its %s is %q", dir, ErrNotDataset, manifestFile, schema)
	}
	if n, err := strconv.Atoi(version); err != nil || n > schemaVersion {
		return fmt.Errorf("%s: %w: its schema is %q, this one knows up to %s%d; update noisefloor, or ingest the logs into another folder",
			dir, ErrNewerSchema, schema, schemaFamily, schemaVersion)
	}
	return nil
}
