package vault

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// A reason that is not listed has no metrics until it comes up.
func TestAllReasonsAreListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Reason" {
			return true
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			n++
			if !slices.Contains(Reasons, Reason(text)) {
				t.Errorf("%s is not among the reasons", text)
			}
		}
		return true
	})
	if n == 0 || n != len(Reasons) {
		t.Errorf("%d constants, %d listed", n, len(Reasons))
	}
}
