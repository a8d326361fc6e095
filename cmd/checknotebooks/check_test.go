package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"noisefloor/notebooks/lab"
)

// book writes a notebook of cells; a cell that begins with "#" is prose. outputs
// is the committed stdout of each code cell, nil for none.
func book(t *testing.T, name string, outputs []string, sources ...string) string {
	t.Helper()
	var cells []map[string]any
	code := 0
	for _, source := range sources {
		c := map[string]any{"cell_type": "code", "id": fmt.Sprintf("c%d", len(cells)), "metadata": map[string]any{}, "source": source}
		if strings.HasPrefix(source, "#") {
			c["cell_type"] = "markdown"
		} else {
			c["outputs"], c["execution_count"] = []any{}, nil
			if code < len(outputs) && outputs[code] != "" {
				c["outputs"] = []any{map[string]any{"output_type": "stream", "name": "stdout", "text": []string{outputs[code]}}}
			}
			code++
		}
		cells = append(cells, c)
	}
	raw, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{
		"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := lab.Checkout(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// labEnv says that a JupyterLab may be made and kernels be run, which CI does.
const labEnv = "NOISEFLOOR_LAB"

// Notebooks in a real kernel: those that must fail do, the one that must not does
// not, and so do all that are shipped.
func TestInKernel(t *testing.T) {
	if os.Getenv(labEnv) == "" {
		t.Logf("%s is not set: CI runs the notebooks in a kernel, here they are only compiled", labEnv)
		return
	}
	l, err := lab.Prepare(t.Context(), root(t), func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	const hello = "import \"fmt\"\n%%\nfmt.Println(40 + 2)"
	cases := []struct {
		name, want string
		file       string
	}{
		{"right", "", book(t, "right.ipynb", []string{"42\n"}, "# It is **42**.", hello)},
		{"panic", "panic: oops", book(t, "panic.ipynb", nil, "%%\npanic(\"oops\")")},
		{"exit", "exit status 3", book(t, "exit.ipynb", nil, "import \"os\"\n%%\nos.Exit(3)")},
		{"compile error", "exit status 1", book(t, "compile.ipynb", nil, "%%\nnowhere()")},
		{"wrong answer", "the committed answer is\n\t41\nand now it is\n\t42", book(t, "wrong.ipynb", []string{"41\n"}, hello)},
		{"wrong prose", "which no cell has produced", book(t, "prose.ipynb", []string{"42\n"}, "# It is **41**.", hello)},
		{"error as a sentence", "This cell stops here: nowhere: no such folder.", book(t, "must.ipynb", nil,
			"import (\n\"errors\"\n\"noisefloor/notebooks/nb\"\n)\n%%\nnb.Must(0, errors.New(\"nowhere: no such folder\"))")},
	}
	var files []string
	for _, c := range cases {
		files = append(files, c.file)
	}
	notebooks, err := shipped(l.Checkout)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = checkAll(t.Context(), &out, l, append(files, notebooks...), false)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d of %d", len(cases)-1, len(cases)+len(notebooks))) {
		t.Errorf("%v", err)
	}
	t.Log(out.String())
	for _, c := range cases {
		name := filepath.Base(c.file)
		if c.want == "" && !strings.Contains(out.String(), "ok "+name) {
			t.Errorf("%s: is not ok", c.name)
		}
		if c.want != "" && !(strings.Contains(out.String(), name+": ") && strings.Contains(out.String(), c.want)) {
			t.Errorf("%s: want a complaint with %q", c.name, c.want)
		}
	}
	for _, file := range notebooks {
		if !strings.Contains(out.String(), "ok "+filepath.Base(file)) {
			t.Errorf("%s does not hold", filepath.Base(file))
		}
	}
}

// A broken API shows in seconds, without a kernel.
func TestCellsCompile(t *testing.T) {
	files, err := shipped(root(t))
	if err != nil {
		t.Fatal(err)
	}
	var books []*notebook
	for _, file := range files {
		n, err := readNotebook(file)
		if err != nil {
			t.Fatal(err)
		}
		books = append(books, n)
	}
	if err := compile(t.Context(), root(t), books); err != nil {
		t.Error(err)
	}
}

func compiles(t *testing.T, want string, sources ...string) {
	t.Helper()
	n, err := readNotebook(book(t, "cells.ipynb", nil, sources...))
	if err == nil {
		err = compile(t.Context(), root(t), []*notebook{n})
	}
	switch {
	case want == "" && err != nil:
		t.Errorf("%q: %v", sources, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%q: want an error with %q, not %v", sources, want, err)
	}
}

func TestCompile(t *testing.T) {
	compiles(t, "", "import \"fmt\"\nfunc f() int { return 1 }\n%%\nfmt.Println(f())", "func f() string { return \"\" }", "%%\nfmt.Println(f() + \"x\")") // a declaration lives on, until it is replaced
	compiles(t, "undefined: datasets.Opn", "import \"noisefloor/datasets\"\n%%\ndatasets.Opn(\"x\")")
	compiles(t, "mismatched types", "func f() int { return 1 }", "%%\n_ = f() + \"x\"")
	compiles(t, "missing condition", "%%\nif {")
	compiles(t, "the line is no Go", "!ls")
	compiles(t, "only %% alone", "%%bash\nls")
}

// What each check sees, without a kernel.
func TestProblems(t *testing.T) {
	check := func(want string, committed, executed cell) {
		t.Helper()
		got := strings.Join(problems(&notebook{Cells: []cell{committed}}, &notebook{Cells: []cell{executed}}), "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	one := 1
	code := func(outputs ...output) cell { return cell{Type: "code", Source: "x", Count: &one, Outputs: outputs} }
	stream := func(name, s string) output { return output{Type: "stream", Name: name, Text: text(s)} }
	shown := func(kind, s string) output { return output{Type: "display_data", Data: map[string]text{kind: text(s)}} }
	check("", code(), code())
	check("was not run", code(), cell{Type: "code", Source: "x"})
	check("panic: oops", code(), code(stream("stderr", "panic: oops\n")))
	check("exit status 3", code(), code(stream("stderr", "exit status 3\n")))
	check("cell 1 failed: no", code(), code(output{Type: "error", Value: "no"}))
	check("0 outputs were committed, now there are 1", code(), code(stream("stdout", "1")))
	check("a stream stdout was committed, now it is a display_data", code(stream("stdout", "1")), code(shown("text/html", "1")))
	check("text/html: the committed answer is\n\t1\nand now it is\n\t2", code(shown("text/html", "0\n1")), code(shown("text/html", "0\n2")))
	check("text/plain", code(shown("text/html", "1")), code(output{Type: "display_data", Data: map[string]text{"text/html": "1", "text/plain": "1"}}))

	picture := func(size int, shade uint8) output {
		img := image.NewGray(image.Rect(0, 0, size, size))
		for x := range size {
			img.SetGray(x, 0, color.Gray{shade})
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return shown("image/png", base64.StdEncoding.EncodeToString(b.Bytes()))
	}
	check("", code(picture(100, 0)), code(picture(100, 40))) // one of a hundred rows, a shade lighter: .16 %
	check("the picture has changed", code(picture(100, 0)), code(picture(100, 255)))
	check("now it has (99,99) pixels", code(picture(100, 0)), code(picture(99, 0)))
	check("cannot be read", code(shown("image/png", "a")), code(shown("image/png", "b")))
}

func TestUnfounded(t *testing.T) {
	check := func(isFounded bool, prose, said string) {
		t.Helper()
		one := 1
		n := &notebook{Cells: []cell{{Type: "markdown", Source: text(prose)}, {Type: "code", Source: "x", Count: &one, Outputs: []output{{Type: "display_data", Data: map[string]text{"text/html": text(said)}}}}}}
		if got := unfounded(n); (len(got) == 0) != isFounded {
			t.Errorf("%q, %q: %v", prose, said, got)
		}
	}
	check(true, "**1.2 %** of it", "<td>1.2\u00a0%</td>")
	check(true, "**-1.2 %** of it", "−1.2 %")
	check(true, "**word** 5 **word**", "nothing") // only bold numbers are claims
	check(true, "**9 runs**", "there are **9 runs**.")
	check(false, "**1.2 %**", "11.2 %")
	check(false, "**1.2**", "1.25")
	check(true, "**1.2**", "it is 1.2. Then")
	check(false, "**9 runs**", "8 runs")
}

// A notebook is rewritten without what changes from one run to the next.
func TestTidied(t *testing.T) {
	raw := `{"nbformat":4,"cells":[{"metadata":{"execution":{"iopub.status.busy":"2026"}},"outputs":[{"output_type":"stream","name":"stdout","text":["a\n"]},{"output_type":"stream","name":"stdout","text":["b<\n"]}]}]}`
	want := "{\n \"cells\": [\n  {\n   \"metadata\": {},\n   \"outputs\": [\n    {\n     \"name\": \"stdout\",\n     \"output_type\": \"stream\",\n     \"text\": [\n      \"a\\n\",\n      \"b<\\n\"\n     ]\n    }\n   ]\n  }\n ],\n \"nbformat\": 4\n}\n"
	got, err := tidied([]byte(raw))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}
