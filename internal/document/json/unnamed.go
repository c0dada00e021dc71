package json

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// unusualKey is written for the name of a member that may be text of a person, or a number of one.
const unusualKey = "[unusual key]"

// Names with more digits in a row than a schema has may be keys of rows.
var (
	identifierStep = regexp.MustCompile(`^\.[A-Za-z_][A-Za-z0-9_]{0,62}$`)
	keyDigits      = regexp.MustCompile(`[0-9]{3}`)
)

// Unnamed returns the paths of a document's values that no path of the selection names, without those beneath them. It
// returns nil for what is no JSON.
func (s *Selection) Unnamed(data []byte) []string {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil {
		return nil
	}
	found := map[string]struct{}{}
	unnamed(doc, s.root, "$", found)
	paths := make([]string, 0, len(found))
	for p := range found {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// unnamed adds the paths of what is in v, of which n says something.
func unnamed(v any, n *selected, path string, found map[string]struct{}) {
	if n != nil && n.types != nil {
		object, _ := v.(map[string]any)
		name, _ := object[resourceType].(string)
		if n = n.types[name]; n != nil {
			path += "(" + name + ")"
		}
	}
	if n == nil {
		found[path] = struct{}{}
		return
	}
	switch v.(type) {
	case map[string]any, []any:
		if n.single() {
			found[path] = struct{}{}
		}
	}
	if n.path != nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			unnamed(v[name], n.member(name), path+pathName(name), found)
		}
	case []any:
		for i := range v {
			unnamed(v[i], n.element(), path+"[*]", found)
		}
	case nil:
	default:
		found[path] = struct{}{}
	}
}

// pathName returns the step to a member, whose name is shown only if it looks like an identifier.
func pathName(name string) string {
	step := "." + name
	if !identifierStep.MatchString(step) || keyDigits.MatchString(step) {
		return unusualKey
	}
	return step
}
