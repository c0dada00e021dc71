package config

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxFile bounds the size of a configuration file, and maxDepth how deep its
// values may nest: the parser is recursive.
const (
	maxFile  = 4 << 20
	maxDepth = 64
)

// Problem is something wrong in the file, at a line. Its text names keys, never
// values that could be secret.
type Problem struct {
	Line int    // from 1; 0 if it belongs to no line
	Key  string // "tables.ehr.patient.columns.zip"; "" for the file
	Text string
}

// Error returns "line 12: tables.ehr.patient.columns.zip: what is wrong".
func (p Problem) Error() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	return b.String() + p.Text
}

// Problems is everything wrong in a file, in the order of its lines.
type Problems []Problem

// Error returns a line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// node is a value of the file with the keys that lead to it. Its methods note
// what is wrong and go on, so that one run shows all problems.
type node struct {
	ast  ast.Node
	key  string
	line int
	out  *Problems
}

// parse returns the root of a file, or what the parser says is wrong with it.
func parse(data []byte, out *Problems) (node, bool) {
	if len(data) > maxFile {
		*out = append(*out, Problem{Text: fmt.Sprintf("the file is larger than %d MiB", maxFile>>20)})
		return node{}, false
	}
	if line := tooDeep(data); line > 0 {
		*out = append(*out, Problem{Line: line, Text: fmt.Sprintf("values nest deeper than %d", maxDepth)})
		return node{}, false
	}
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		*out = append(*out, syntaxProblem(err))
		return node{}, false
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		*out = append(*out, Problem{Text: "want one YAML document that is not empty"})
		return node{}, false
	}
	return node{file.Docs[0].Body, "", lineOf(file.Docs[0].Body), out}, true
}

// tooDeep returns the line where brackets or indentation nest too deeply, or 0.
func tooDeep(data []byte) int {
	depth := 0
	for i, line := range strings.Split(string(data), "\n") {
		if len(line)-len(strings.TrimLeft(line, " -?\t")) > 8*maxDepth {
			return i + 1
		}
		depth += strings.Count(line, "[") + strings.Count(line, "{") - strings.Count(line, "]") - strings.Count(line, "}")
		if depth > maxDepth || strings.Count(line, "[")+strings.Count(line, "{") > maxDepth {
			return i + 1
		}
	}
	return 0
}

// syntaxProblem keeps the parser's message and line and leaves its quotation of
// the file out.
func syntaxProblem(err error) Problem {
	var y yaml.Error
	if !errors.As(err, &y) {
		return Problem{Text: "not valid YAML"}
	}
	p := Problem{Text: "not valid YAML: " + firstLine(y.GetMessage())}
	if tk := y.GetToken(); tk != nil && tk.Position != nil {
		p.Line = tk.Position.Line
	}
	return p
}

// firstLine also leaves out what parsers quote of the file: all but marks.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	parts := strings.Split(strings.NewReplacer("\"", "'", "`", "'").Replace(s), "'")
	for i := 1; i < len(parts); i += 2 {
		switch {
		case parts[i] == "\t":
			parts[i] = "tab"
		case strings.ContainsFunc(parts[i], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
			return strings.TrimRight(strings.Join(parts[:i], "'"), " :(")
		}
	}
	return strings.Join(parts, "'")
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

func (n node) fail(format string, args ...any) {
	*n.out = append(*n.out, Problem{n.line, n.key, fmt.Sprintf(format, args...)})
}

// field is a key of a mapping with its value.
type field struct {
	name  string
	value node
}

// fields returns the keys of a mapping in the order of the file.
func (n node) fields() []field {
	var values []*ast.MappingValueNode
	switch v := n.ast.(type) {
	case *ast.MappingNode:
		values = v.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{v}
	case *ast.NullNode, nil:
		return nil
	default:
		n.fail("want keys and values")
		return nil
	}
	fields := make([]field, 0, len(values))
	seen := make(map[string]int, len(values))
	for _, v := range values {
		key := node{v.Key, n.key, lineOf(v.Key), n.out}
		name, ok := key.scalar()
		if !ok {
			continue
		}
		if first, dup := seen[name]; dup {
			key.fail("%s stands here twice (first on line %d): remove one", name, first)
			continue
		}
		seen[name] = key.line
		fields = append(fields, field{name, node{v.Value, join(n.key, name), key.line, n.out}})
	}
	return fields
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// items returns the elements of a list.
func (n node) items() []node {
	switch v := n.ast.(type) {
	case *ast.SequenceNode:
		nodes := make([]node, len(v.Values))
		for i, item := range v.Values {
			nodes[i] = node{item, fmt.Sprintf("%s[%d]", n.key, i), lineOf(item), n.out}
		}
		return nodes
	case *ast.NullNode, nil:
		return nil
	}
	n.fail("want a list")
	return nil
}

// scalar returns a single value as it is written.
func (n node) scalar() (string, bool) {
	switch v := n.ast.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.ast.GetToken().Value, true
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode, *ast.MergeKeyNode:
		n.fail("anchors, aliases, merge keys and tags are not used in this file: write the value out")
		return "", false
	}
	n.fail("want a single value")
	return "", false
}

func (n node) isMapping() bool {
	switch n.ast.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

func (n node) isList() bool {
	_, ok := n.ast.(*ast.SequenceNode)
	return ok
}

// setters reads a mapping whose keys are known: each key has a function that
// takes its value. Unknown keys are problems that list the known ones.
func (n node) setters(known map[string]func(node)) {
	for _, f := range n.fields() {
		set, ok := known[f.name]
		if !ok {
			f.value.fail("unknown key (one of %s)", strings.Join(keys(known), ", "))
			continue
		}
		set(f.value)
	}
}

func keys[V any](m map[string]V) []string {
	ks := make([]string, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	return ks
}
