package redaction

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is a package as "go list" describes it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// list asks the go command for packages and all that they import, compiled.
func list(t *testing.T, patterns ...string) []listed {
	t.Helper()
	args := []string{"list", "-e", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,DepOnly"}
	cmd := exec.Command("go", append(args, patterns...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// check reads and checks the packages that were asked for, unexported types included.
func check(t *testing.T, all []listed) []*types.Package {
	t.Helper()
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	var checked []*types.Package
	for _, p := range all {
		if p.DepOnly {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		pkg, err := config.Check(p.ImportPath, fset, files, nil)
		if err != nil {
			t.Fatal(err)
		}
		checked = append(checked, pkg)
	}
	return checked
}

// holder decides what of a type is printed.
type holder struct{ seen map[types.Type]bool }

// carries reports whether what is printed of a value of type t has texts. Pointers within a
// value are printed as addresses, but encoders follow those to texts.
func (h *holder) carries(t types.Type) bool {
	if h.seen[t] {
		return false
	}
	h.seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		_, named := types.Unalias(t).(*types.Named) // a string type of its own is a closed set of words
		return u.Kind() == types.String && !named
	case *types.Slice:
		return isByte(u.Elem()) || h.carries(u.Elem())
	case *types.Array:
		return h.carries(u.Elem())
	case *types.Map:
		return h.carries(u.Key()) || h.carries(u.Elem())
	case *types.Pointer:
		return isString(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if h.carries(f.Type()) {
				return true
			}
		}
	}
	return false
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// lacks returns what a type that carries texts lacks to print itself redacted, or "".
// Methods of the pointer count: such types are not passed by value.
func lacks(t types.Type) string {
	p := types.NewPointer(t)
	switch {
	case !hasMethod(p, "Format") && !(hasMethod(p, "String") && hasMethod(p, "GoString")):
		return "does not print itself redacted (fmt.Formatter)"
	case !hasMethod(p, "LogValue") && showsFields(t):
		return "has exported fields with texts, which a log in JSON shows (slog.LogValuer)"
	default:
		return ""
	}
}

// showsFields reports whether encoders see texts of t.
func showsFields(t types.Type) bool {
	for f := range t.Underlying().(*types.Struct).Fields() {
		h := &holder{seen: map[types.Type]bool{}}
		if f.Exported() && h.carries(f.Type()) {
			return true
		}
	}
	return false
}

func hasMethod(t types.Type, name string) bool {
	set := types.NewMethodSet(t)
	for m := range set.Methods() {
		if m.Obj().Name() == name {
			return true
		}
	}
	return false
}

const module = "github.com/pgdeid/pgdeid/"

var walked = []string{"ensemble/...", "surrogate/...", "replicator/...", "internal/plain", "internal/value", "internal/statement"}

func TestTypesPrintThemselvesRedacted(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles what it reads")
	}
	exempt := readExempt(t)
	var patterns []string
	for _, p := range walked {
		patterns = append(patterns, module+p)
	}
	for _, pkg := range check(t, list(t, patterns...)) {
		path := strings.TrimPrefix(pkg.Path(), module)
		for _, name := range pkg.Scope().Names() {
			named, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || named.IsAlias() {
				continue
			}
			if _, ok := named.Type().Underlying().(*types.Struct); !ok {
				continue
			}
			h := &holder{seen: map[types.Type]bool{}}
			if !h.carries(named.Type()) {
				continue
			}
			if what := lacks(named.Type()); what != "" && !exempt.has(path, name) {
				t.Errorf("%s.%s %s, or belongs into exempt.txt", path, name, what)
			}
		}
	}
	for _, l := range exempt {
		for _, name := range l.types {
			if !l.used[name] && !strings.HasSuffix(l.path, "/...") {
				t.Errorf("exempt.txt: %s: %s is no type that needs it", l.path, name)
			}
		}
	}
}

// line is one of exempt.txt.
type line struct {
	path  string
	types []string
	used  map[string]bool
}

type exemptions []line

func readExempt(t *testing.T) exemptions {
	t.Helper()
	data, err := os.ReadFile("exempt.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all exemptions
	for text := range strings.Lines(string(data)) {
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		parts := strings.SplitN(text, ": ", 3)
		if len(parts) != 3 {
			t.Fatalf("exempt.txt: %q is not package: types: reason", text)
		}
		all = append(all, line{path: parts[0], types: strings.Fields(parts[1]), used: map[string]bool{}})
	}
	return all
}

// has reports whether a type is exempt.
func (e exemptions) has(path, name string) bool {
	for _, l := range e {
		below, open := strings.CutSuffix(l.path, "/...")
		if path != l.path && !(open && (path == below || strings.HasPrefix(path, below+"/"))) {
			continue
		}
		for _, n := range l.types {
			if n == "*" || n == name || open && strings.EqualFold(n, name) {
				l.used[n] = true
				return true
			}
		}
	}
	return false
}

// The walk itself has to find what is raw before its silence means anything.
func TestFindsWhatIsRaw(t *testing.T) {
	t.Parallel()
	const code = `package p
		import ("fmt"; "log/slog")
		type word string
		type raw struct{ text string }
		type deep struct{ list [][2]raw }
		type keyed struct{ m map[string]int }
		type bytes struct{ b []byte }
		type far struct{ s *string }
		type behind struct{ r *raw }
		type closed struct{ w word; n int }
		type unlogged struct{ Text string }
		func (unlogged) Format(fmt.State, rune) {}
		type shy struct{ text string }
		func (*shy) Format(fmt.State, rune) {}
		type marker struct{}
		func (marker) Format(fmt.State, rune) {}
		func (marker) LogValue() slog.Value { return slog.Value{} }
		type other struct{}
		func (other) Format(fmt.State, rune) {}
		type embedded struct { marker; Text string }
		type outer struct { marker; embedded; raw raw }
		type ambiguous struct { marker; other; Text string }
		type done struct{ Text string }
		func (done) Format(fmt.State, rune) {}
		func (done) LogValue() slog.Value { return slog.Value{} }
		type named struct{ Format, Text string }
		func (named) String() string { return "" }
		func (named) GoString() string { return "" }
		func (named) LogValue() slog.Value { return slog.Value{} }`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"raw": true, "deep": true, "keyed": true, "bytes": true, "far": true, "unlogged": true, "ambiguous": true}
	for _, name := range pkg.Scope().Names() {
		typ := pkg.Scope().Lookup(name).Type()
		if _, ok := typ.Underlying().(*types.Struct); !ok {
			continue
		}
		h := &holder{seen: map[types.Type]bool{}}
		if got := h.carries(typ) && lacks(typ) != ""; got != want[name] {
			t.Errorf("%s: found %v, want %v", name, got, want[name])
		}
	}
}
