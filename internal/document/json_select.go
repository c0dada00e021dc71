package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Selection says which values of JSON documents are published, by their paths. What no path names is left out: a member of
// an object goes, with its name; an element of an array becomes null, so that the others keep their places.
type Selection struct {
	root  *selected
	paths []Path
}

// Path names values of JSON documents: $.name[*].family, or $["a name"] where a name has other characters.
type Path struct {
	Path string
	Keep bool // the values stay as they are; otherwise they are text
}

// String returns "$.name:text".
func (p Path) String() string {
	if p.Keep {
		return p.Path + ":keep"
	}
	return p.Path + ":text"
}

// selected is what paths say of a value.
type selected struct {
	text, keep bool // of the value and all in it
	members    map[string]*selected
	elements   *selected
}

// everything is what is said of a value where no path says anything.
var everything = &selected{text: true}

// pathStep is a step of a path: a name, a name in quotes, or all elements.
var pathStep = regexp.MustCompile(`^(?:\.([A-Za-z_][A-Za-z0-9_-]*)|\[("(?:[^"\\]|\\.)*")\]|\[\*\])`)

// Select returns the selection of paths. None may lead through another.
func Select(paths []Path) (*Selection, error) {
	s := &Selection{root: &selected{}, paths: slices.Clone(paths)}
	slices.SortFunc(s.paths, func(a, b Path) int { return strings.Compare(a.Path, b.Path) })
	for _, p := range s.paths {
		if err := s.add(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Selection) add(p Path) error {
	rest, ok := strings.CutPrefix(p.Path, "$")
	at := s.root
	for ok && rest != "" {
		step := pathStep.FindStringSubmatch(rest)
		if ok = step != nil; !ok {
			break
		}
		if at.text || at.keep {
			return fmt.Errorf("a path leads into another")
		}
		rest = rest[len(step[0]):]
		if at, ok = at.step(step); !ok {
			break
		}
	}
	switch {
	case !ok:
		return fmt.Errorf(`want a path such as $.text.div, $.name[*].family or $["a name"]`)
	case at.text || at.keep || at.members != nil || at.elements != nil:
		return fmt.Errorf("a path leads into another")
	}
	at.text, at.keep = !p.Keep, p.Keep
	return nil
}

// step returns what a step leads to, and makes it where it is not there.
func (n *selected) step(step []string) (*selected, bool) {
	name := step[1]
	switch {
	case step[2] != "":
		if json.Unmarshal([]byte(step[2]), &name) != nil {
			return nil, false
		}
	case name == "":
		if n.elements == nil {
			n.elements = &selected{}
		}
		return n.elements, true
	}
	if n.members == nil {
		n.members = map[string]*selected{}
	}
	if n.members[name] == nil {
		n.members[name] = &selected{}
	}
	return n.members[name], true
}

// String returns the paths, in order.
func (s *Selection) String() string {
	words := make([]string, len(s.paths))
	for i, p := range s.paths {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

// MarshalText returns the paths, in order.
func (s *Selection) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Parse reads a JSON document of which the selection is published.
func (s *Selection) Parse(data []byte) (*Document, error) {
	return parseWith(JSON, data, func(b *builder) error { return parseSelected(b, s.root) })
}

// member returns what is said of a member of an object; nil if nothing is.
func (n *selected) member(name string) *selected {
	if n == nil || n.text || n.keep {
		return n
	}
	return n.members[name]
}

// element returns what is said of the elements of an array; nil if nothing is.
func (n *selected) element() *selected {
	if n == nil || n.text || n.keep {
		return n
	}
	return n.elements
}

// takes reports whether something of a value that begins with c may be published.
func (n *selected) takes(c byte) bool {
	switch {
	case n == nil:
		return false
	case n.text || n.keep:
		return true
	}
	return c == '{' && n.members != nil || c == '[' && n.elements != nil
}

// isText reports whether the current value is text.
func (r *jsonReader) isText() bool { return r.muted == 0 && r.here.text }

// choose decides about the value that begins with c, and hands over what is before it.
func (r *jsonReader) choose(c byte) {
	top := len(r.open) - 1
	switch {
	case top < 0:
		r.here = r.root
	case r.open[top].keys == nil:
		r.here = r.open[top].here.element()
	}
	if r.muted > 0 {
		return
	}
	r.value = r.pos
	if !r.here.takes(c) {
		r.muted = len(r.open) + 1
		return
	}
	if top >= 0 && r.open[top].keys != nil {
		if level := &r.open[top]; !level.written {
			level.written = true
			if bytes.IndexByte(r.input[r.at:r.item], ',') >= 0 { // behind members that are left out
				r.drop(r.input[r.at:r.item])
			}
		}
	}
	r.keep(r.input[r.at:r.pos])
}

// finish hands over what ends here: it is kept, or left out with the value that nothing is published of.
func (r *jsonReader) finish() {
	switch r.muted {
	case 0:
		r.keep(r.input[r.at:r.pos])
		return
	case len(r.open) + 1:
	default: // it is in a value that is left out
		return
	}
	r.muted = 0
	if top := len(r.open) - 1; top >= 0 && r.open[top].keys != nil {
		r.drop(r.input[r.at:r.pos])
		return
	}
	r.keep(r.input[r.at:r.value])
	r.drop(r.input[r.value:r.pos])
	r.put([]byte("null"))
}
