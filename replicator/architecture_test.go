package replicator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The way of a note in ARCHITECTURE.md names functions and their files. A reader finds them there.
func TestArchitectureNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| ([^|]+\\.go[^|]*) \\| ([^|]+) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 5 {
		t.Fatalf("the way of a note has %d steps", len(rows))
	}
	names, files := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`[a-z_/]+\.go`)
	for _, row := range rows {
		there := map[string]bool{}
		for _, file := range files.FindAllString(row[2]+" "+row[3], -1) {
			addFunctions(t, file, there)
		}
		for _, name := range names.FindAllStringSubmatch(row[1], -1) {
			if !there[name[1]] {
				t.Errorf("%s is in none of the files that ARCHITECTURE.md names: %s", name[1], row[2])
			}
		}
	}
}

// addFunctions adds the functions of a file, methods as "Type.Name".
func addFunctions(t *testing.T, path string, to map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Error(err)
		return
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			typ := f.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			name = typ.(*ast.Ident).Name + "." + name
		}
		to[name] = true
	}
}

// All files that ARCHITECTURE.md and the documentation of this package name are there.
func TestDocumentsNameFilesThatAreThere(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\b(?:[a-z_]+/)*[a-z_]+\.go\b`)
	for _, document := range []string{"../ARCHITECTURE.md", "doc.go"} {
		text, err := os.ReadFile(filepath.FromSlash(document))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range name.FindAllString(string(text), -1) {
			_, here := os.Stat(filepath.FromSlash(path))
			_, root := os.Stat(filepath.Join("..", filepath.FromSlash(path)))
			if here != nil && root != nil {
				t.Errorf("%s names %s, which is not there", document, strings.TrimSpace(path))
			}
		}
	}
}
