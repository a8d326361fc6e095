package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"noisefloor/datasets"
)

// The files that explain an export: one for programs, one for people.
const (
	packageFile = "datapackage.json"
	readmeFile  = "README.md"
	schemaName  = "noisefloor/export/1"
)

// pack is datapackage.json, a Frictionless Data Package with keys of our own.
type pack struct {
	Profile     string         `json:"profile"`
	Schema      string         `json:"noisefloor"`
	CreatedBy   string         `json:"created_by"`
	Format      string         `json:"format"`
	PartitionBy []string       `json:"partition_by,omitempty"`
	Done        []string       `json:"cleaned"`
	Resources   []resource     `json:"resources"`
	Sources     []packedSource `json:"sources"`
}

type resource struct {
	Name   string       `json:"name"`
	Format string       `json:"format"`
	Rows   int64        `json:"rows"`
	Path   []string     `json:"path"`
	Files  []packedFile `json:"files"`
	Schema fieldList    `json:"schema"`
}

type packedFile struct {
	Path  string `json:"path"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
	Hash  string `json:"hash"` // "sha256:..."
}

type fieldList struct {
	Fields  []packedField `json:"fields"`
	Missing []string      `json:"missingValues"`
}

// packedField is a column. In is "path" for one that stands in the names of
// folders.
type packedField struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // of Table Schema
	Description string `json:"description,omitempty"`
	Unit        string `json:"unit,omitempty"`
	Better      string `json:"better,omitempty"`
	Role        string `json:"role,omitempty"`
	Guess       string `json:"guess,omitempty"`
	In          string `json:"in,omitempty"`
}

type packedSource struct {
	Path    string `json:"path"`
	Hash    string `json:"hash"`
	Bytes   int64  `json:"bytes"`
	Kind    string `json:"kind"`
	Tool    string `json:"tool,omitempty"`
	Version string `json:"version,omitempty"`
	Runs    int    `json:"runs"`
}

// describe writes both files.
func (e *export) describe() error {
	p := e.pack()
	raw, err := encode(p)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{packageFile: raw, readmeFile: p.readme()} {
		f, err := e.folder.create(name)
		if err != nil {
			return err
		}
		if _, err := f.Write(content); err != nil {
			return err
		}
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // paths are read by people
	enc.SetIndent("", " ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

func (e *export) pack() *pack {
	p := &pack{Profile: "data-package", Schema: schemaName, CreatedBy: strings.TrimSpace("noisefloor " + e.opt.Version), Format: e.opt.Format,
		PartitionBy: e.opt.PartitionBy, Done: append([]string{}, e.opt.Done...), Resources: []resource{}, Sources: []packedSource{}}
	for _, t := range e.done {
		if len(t.parts) == 0 { // the runs have no rows there
			continue
		}
		r := resource{Name: t.name, Format: e.opt.Format, Path: []string{}, Files: []packedFile{}, Schema: fieldList{Fields: []packedField{}, Missing: []string{""}}}
		for _, place := range slices.Sorted(maps.Keys(t.parts)) {
			part := t.parts[place]
			r.Path = append(r.Path, part.out.path)
			r.Files = append(r.Files, packedFile{part.out.path, part.rows, part.out.size, "sha256:" + part.out.sha256()})
			r.Rows += part.rows
		}
		inFile := map[string]bool{}
		for _, f := range t.schema.Fields() {
			inFile[f.Name] = true
			r.Schema.Fields = append(r.Schema.Fields, packField(t.name, f))
		}
		if inFile["run_id"] {
			for _, name := range t.at.by {
				f := packedField{Name: name, Type: "string", Description: describe(runsTable, name), In: "path", Role: "factor"}
				for _, c := range e.opt.Columns {
					if c.Name == name {
						f.Type, f.Role, f.Guess = tableTypes[c.Kind], string(c.Role), c.Guess
					}
				}
				if b, ok := datasets.Builtin(name); ok {
					f.Type, f.Role = tableTypes[b.Kind], string(b.Role)
				}
				r.Schema.Fields = append(r.Schema.Fields, f)
			}
		}
		p.Resources = append(p.Resources, r)
	}
	exported := map[string]bool{}
	for i := range e.opt.Runs {
		exported[e.opt.Runs[i].Source] = true
	}
	for _, s := range e.r.Sources() {
		if s.Runs > 0 && !exported[s.Path] {
			continue
		}
		p.Sources = append(p.Sources, packedSource{s.Path, "sha256:" + s.SHA256, s.Size, s.Kind, s.Tool, s.Version, s.Runs})
	}
	return p
}

// tableTypes are the types of Table Schema.
var tableTypes = map[datasets.Kind]string{datasets.TextKind: "string", datasets.IntKind: "integer", datasets.FloatKind: "number", datasets.BoolKind: "boolean", datasets.Null: "string"}

func packField(table string, f arrow.Field) packedField {
	get := func(key string) string {
		v, _ := f.Metadata.GetValue(key)
		return v
	}
	p := packedField{Name: f.Name, Type: "string", Description: describe(table, f.Name), Unit: get("unit"), Better: get("better"), Role: get("role"), Guess: get("guess")}
	switch f.Type.ID() {
	case arrow.INT64:
		p.Type = "integer"
	case arrow.FLOAT64:
		p.Type = "number"
	case arrow.BOOL:
		p.Type = "boolean"
	case arrow.TIMESTAMP:
		p.Type = "datetime"
	case arrow.LIST:
		p.Type = "array"
	}
	return p
}

// written is the summary for the caller.
func (e *export) written() Written {
	var w Written
	for _, r := range e.pack().Resources {
		t := Table{Name: r.Name, Rows: r.Rows, Files: len(r.Files)}
		for _, f := range r.Files {
			w.Bytes += f.Bytes
		}
		w.Tables = append(w.Tables, t)
	}
	return w
}

// Table is one table of an export.
type Table struct {
	Name  string
	Rows  int64
	Files int
}

// readme says to people what datapackage.json says to programs.
func (p *pack) readme() []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Data exported by noisefloor\n")
	line("Written by %s as %s. `%s` says the same to programs.\n", markdown(p.CreatedBy), p.Format, packageFile)
	if len(p.PartitionBy) > 0 {
		line("The folders are partitions by %s, named as Hive does; their columns are in the names of the folders. A table with a column of that name keeps it in its files instead, and one that knows no runs has no partitions.\n", markdown(strings.Join(p.PartitionBy, ", ")))
	}
	line("## What was done to the data\n")
	if len(p.Done) == 0 {
		line("Nothing: these are the rows of the data set as they were read.\n")
	}
	for _, done := range p.Done {
		line("- %s", markdown(done))
	}
	if len(p.Done) > 0 {
		line("")
	}
	for _, r := range p.Resources {
		line("## %s\n\n%d rows.\n", r.Name, r.Rows)
		if len(r.Schema.Fields) > 0 {
			line("| column | type | unit | better | role | what it is |\n|---|---|---|---|---|---|")
		}
		for _, f := range r.Schema.Fields {
			what := f.Description
			if f.Guess != "" {
				what = strings.TrimSpace(what + " (from: " + f.Guess + ")")
			}
			if f.In == "path" {
				what = strings.TrimSpace(what + " (in the folder's name)")
			}
			line("| %s | %s | %s | %s | %s | %s |", markdown(f.Name), f.Type, markdown(f.Unit), f.Better, f.Role, markdown(what))
		}
		line("\n| file | rows | bytes | SHA-256 |\n|---|---:|---:|---|")
		for _, f := range r.Files {
			line("| %s | %d | %d | %s |", markdown(f.Path), f.Rows, f.Bytes, strings.TrimPrefix(f.Hash, "sha256:"))
		}
		line("")
	}
	line("## Where the data come from\n\n| source | tool | runs | bytes | SHA-256 |\n|---|---|---:|---:|---|")
	for _, s := range p.Sources {
		line("| %s | %s | %d | %d | %s |", markdown(s.Path), markdown(strings.TrimSpace(s.Tool+" "+s.Version)), s.Runs, s.Bytes, strings.TrimPrefix(s.Hash, "sha256:"))
	}
	return b.Bytes()
}

// markdown escapes what a name could mean in a table of Markdown.
func markdown(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "*", `\*`, "`", "\\`", "[", `\[`).Replace(s)
}
