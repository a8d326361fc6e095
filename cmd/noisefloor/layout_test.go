package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The dependency rules of the layout, over direct imports, test files apart.
func TestImports(t *testing.T) {
	mathematics := []string{"steady", "noise", "compare", "scaling", "history", "profile", "internal"}
	for folder, imports := range packages(t) {
		room := strings.Split(folder, "/")
		isMathematics := room[0] == "analysis" && len(room) > 1 && slices.Contains(mathematics, room[1]) && !slices.Contains([]string{"calibrate", "changepoints", "confusion", "examples", "gallery"}, room[len(room)-1])
		for _, name := range imports {
			own, isOwn := strings.CutPrefix(name, "noisefloor/")
			refuse := func(rule string) { t.Errorf("%s imports %s: %s", folder, name, rule) }
			switch {
			case room[0] == "ingest" && strings.HasPrefix(own, "analysis"):
				refuse("ingest never imports analysis; datasets is the seam")
			case room[0] == "analysis" && strings.HasPrefix(own, "ingest"):
				refuse("analysis never imports ingest; datasets is the seam")
			case room[0] == "datasets" && isOwn && !strings.HasPrefix(own, "datasets"):
				refuse("datasets imports neither side")
			case folder == "datasets/unit" && isOwn:
				refuse("unit is a leaf")
			case strings.HasPrefix(name, "github.com/apache/arrow") && room[0] != "datasets" && folder != "analysis/frame":
				refuse("only datasets and analysis/frame name Arrow")
			case isMathematics && isOwn && strings.HasPrefix(own, "datasets") && own != "datasets/unit":
				refuse("the mathematics takes plain slices and small structs")
			case isMathematics && (name == "os" || name == "net" || name == "bufio" || strings.HasPrefix(name, "net/") || strings.HasPrefix(name, "encoding")):
				refuse("the mathematics reads and writes nothing")
			case isOwn && strings.HasPrefix(own, "cmd/") && !strings.HasPrefix(own, folder+"/"):
				refuse("nothing but a command imports what is in its folder")
			}
		}
		for _, bad := range []string{"util", "utils", "common", "helpers", "types"} {
			if room[len(room)-1] == bad {
				t.Errorf("%s: a package is named after what it is about", folder)
			}
		}
	}
}

// packages lists the folders of the module that hold Go files, and what these
// import.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := path.Dir(filepath.ToSlash(rel))
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			found[folder] = append(found[folder], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Fatalf("only %d packages found below %s: the rules would hold for want of code", len(found), root)
	}
	return found
}
