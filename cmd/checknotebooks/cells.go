package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// programs writes each code cell as the program that gonb makes of it: its
// imports and declarations and those of the cells before it, a later one of the
// same name in place of an earlier, and what stands below %% as main.
func programs(n *notebook) ([]string, error) {
	known := &declarations{imports: map[string]string{}, texts: map[string]string{}}
	var all []string
	for i := range n.Cells {
		if !n.Cells[i].isCode() {
			continue
		}
		source, err := known.program(string(n.Cells[i].Source))
		if err != nil {
			return nil, fmt.Errorf("%s, cell %d: %w", n.name, i+1, err)
		}
		all = append(all, source)
	}
	return all, nil
}

// declarations is what cells have declared so far.
type declarations struct {
	imports map[string]string // import line by the name it is used by
	order   []string
	texts   map[string]string // source by what is declared
}

func (d *declarations) program(source string) (string, error) {
	above, main, split := strings.Cut("\n"+source, "\n%%")
	if !split {
		above, main = source, ""
	} else if rest, ok := strings.CutPrefix(main, "\n"); ok || main == "" {
		main = rest
	} else {
		return "", fmt.Errorf("only %%%% alone on its line begins what is run, not %q", "%%"+strings.SplitN(main, "\n", 2)[0])
	}
	for _, line := range strings.Split(source, "\n") {
		if line = strings.TrimSpace(line); line != "%%" && (strings.HasPrefix(line, "!") || strings.HasPrefix(line, "%")) {
			return "", fmt.Errorf("a shipped notebook has no %q: the line is no Go", line)
		}
	}
	if err := d.learn(above); err != nil {
		return "", err
	}
	return d.write(main)
}

// majorVersion ends the path of a package and is no part of its name.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// learn takes in what a cell declares.
func (d *declarations) learn(source string) error {
	files := token.NewFileSet()
	source = "package main\n" + source
	f, err := parser.ParseFile(files, "cell", source, parser.ParseComments)
	if err != nil {
		return err
	}
	at := func(n ast.Node) string { return source[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset] }
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		name := pathpkg.Base(majorVersion.ReplaceAllString(path, ""))
		if i.Name != nil {
			name = i.Name.Name
		}
		d.imports[name] = "import " + at(i)
	}
	for _, decl := range f.Decls {
		var key string
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			key = decl.Name.Name
			if decl.Recv != nil {
				key = at(decl.Recv) + key
			}
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				continue
			}
			var names []string
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
			key = strings.Join(names, ",")
		}
		if _, known := d.texts[key]; !known {
			d.order = append(d.order, key)
		}
		d.texts[key] = at(decl)
	}
	return nil
}

// write puts a program together, with the imports that it uses.
func (d *declarations) write(main string) (string, error) {
	var body strings.Builder
	for _, key := range d.order {
		body.WriteString(d.texts[key] + "\n\n")
	}
	body.WriteString("func main() {\n" + main + "\n}\n")
	f, err := parser.ParseFile(token.NewFileSet(), "cell", "package main\n"+body.String(), 0)
	if err != nil {
		return "", err
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	var imports []string
	for name, line := range d.imports {
		if used[name] {
			imports = append(imports, line)
		}
	}
	slices.Sort(imports)
	source, err := format.Source([]byte("package main\n\n" + strings.Join(imports, "\n") + "\n\n" + body.String()))
	return string(source), err
}

// compile type-checks the cells of notebooks against the checkout, all at once
// and without linking: seconds, where the kernel takes minutes.
func compile(ctx context.Context, checkout string, notebooks []*notebook) error {
	dir, err := os.MkdirTemp("", "noisefloor-cells-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := map[string]string{"go.mod": "module cells\n\ngo 1.26.0\n", "go.work": fmt.Sprintf("go 1.26.0\n\nuse (\n\t.\n\t%s\n)\n", strconv.Quote(checkout))}
	for _, n := range notebooks {
		cells, err := programs(n)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(n.name), ".ipynb")
		for i, source := range cells {
			files[fmt.Sprintf("n%s/code%d/main.go", name, i+1)] = source
		}
	}
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			return err
		}
	}
	c := exec.CommandContext(ctx, "go", "vet", "./...")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w:\n%s", err, bytes.TrimSpace(out))
	}
	return nil
}
