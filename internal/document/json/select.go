package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// Selection says which values of JSON documents are published, by their paths. What no path names is left out: a member of
// an object goes, with its name; an element of an array becomes null, so that the others keep their places.
type Selection struct {
	root   *selected
	masked string
}

// Treatment says what is done with the values that a path names.
type Treatment uint8

// Treatments.
const (
	Show     Treatment = iota // every string in them is text, and every long number
	Keep                      // they stay as they are
	LeaveOut                  // they are left out, as what no path names
	Convert                   // each of them is a string or a number, which a [Converter] writes anew
	Open                      // each of them is a string that holds a document of its own
)

// Path names values of JSON documents: $.name[*].family, or $["a name"] where a name has other characters.
type Path struct {
	Path     string
	Do       Treatment
	Rule     int               // what a [Converter] is told
	Known    Known             // nil, or which strings stay: others are text where the path shows, and are left out where it keeps
	Format   parts.Format      // of documents that are opened
	Encoding encoding.Encoding // likewise
}

// Converter writes a string, or a number, of a path's rule anew. member returns another member of the object that has the value, if
// it is a string or a number, else "". A converter returns false for what is left out.
type Converter func(rule int, value string, member func(name string) string) (string, bool)

// Opener reads the document that a string of a path holds, and says how it was encoded. member returns another member of the
// object that has the string, as for a [Converter]. It returns false for what is not read, which is left out.
type Opener func(path *Path, text []byte, member func(string) string) (doc *parts.Document, coding encoding.Coding, ok bool, err error)

// Reasons for which paths are refused.
var (
	errPath     = errors.New(`want a path such as $.text.div, $.name[*].family or $["a name"]`)
	errPathInto = errors.New("a path leads into another")
)

// selected is what paths say of a value.
type selected struct {
	path     *Path // that names the value; nil if the path of something in it goes on
	some     bool  // whether something in it is published
	members  map[string]*selected
	elements *selected
	types    map[string]*selected // of a resource of FHIR, by its resourceType
}

// everything is what is said of a value where no path says anything.
var everything = &selected{path: &Path{}, some: true}

// pathStep is a step of a path: a name, a name in quotes, or all elements.
var pathStep = regexp.MustCompile(`^(?:\.([A-Za-z_][A-Za-z0-9_-]*)|\[("(?:[^"\\]|\\.)*")\]|\[\*\]|\(([A-Z][A-Za-z]{1,63})\))`)

// Member splits a path that ends with the member of an object: $.address[*].city is "city" of $.address[*].
func Member(path string) (object, name string, ok bool) {
	rest, ok := strings.CutPrefix(path, "$")
	var last []string
	for ok && rest != "" {
		if last = pathStep.FindStringSubmatch(rest); last == nil {
			return "", "", false
		}
		rest = rest[len(last[0]):]
	}
	switch {
	case last == nil || last[1] == "" && last[2] == "":
		return "", "", false
	case last[2] != "" && json.Unmarshal([]byte(last[2]), &name) != nil:
		return "", "", false
	case last[2] == "":
		name = last[1]
	}
	return strings.TrimSuffix(path, last[0]), name, true
}

// Select returns the selection of paths. None may lead through another.
func Select(paths []Path) (*Selection, error) {
	s := &Selection{root: &selected{}} // of no paths, it publishes nothing
	for _, p := range paths {
		if err := s.Add(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add adds a path to a selection, which may be new. After an error it is not to be used.
func (s *Selection) Add(p Path) error {
	if s.root == nil {
		s.root = &selected{}
	}
	rest, ok := strings.CutPrefix(p.Path, "$")
	at := s.root
	at.some = at.some || p.Do != LeaveOut
	for ok && rest != "" {
		step := pathStep.FindStringSubmatch(rest)
		if ok = step != nil; !ok {
			break
		}
		if at.path != nil || step[3] != "" && (at.members != nil || at.elements != nil) || step[3] == "" && at.types != nil {
			return errPathInto
		}
		rest = rest[len(step[0]):]
		if at, ok = at.step(step); !ok {
			break
		}
		at.some = at.some || p.Do != LeaveOut
	}
	switch {
	case !ok:
		return errPath
	case at.path != nil || at.members != nil || at.elements != nil || at.types != nil:
		return errPathInto
	}
	at.path = &p
	return nil
}

// Mask has members, as JSON, written into objects of which nothing is published, in formats where an object may not be empty.
func (s *Selection) Mask(members string) { s.masked = members }

// step returns what a step leads to, and makes it where it is not there.
func (n *selected) step(step []string) (*selected, bool) {
	name := step[1]
	switch {
	case step[3] != "":
		if n.types == nil {
			n.types = map[string]*selected{}
		}
		if n.types[step[3]] == nil {
			n.types[step[3]] = &selected{}
		}
		return n.types[step[3]], true
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

// Read reads a JSON document of which the selection is published. Without convert, what a converter would write anew stays
// as it is; openDocument opens the documents in strings.
func (s *Selection) Read(b *parts.Builder, convert Converter, openDocument Opener) error {
	r := &reader{Builder: b, root: s.root, masked: s.masked, convert: convert, openDocument: openDocument}
	return r.whole()
}

// member returns what is said of a member of an object; nil if nothing is.
func (n *selected) member(name string) *selected {
	switch {
	case n == nil:
		return nil
	case n.path != nil:
		return n.inside()
	}
	return n.members[name]
}

// element returns what is said of the elements of an array; nil if nothing is.
func (n *selected) element() *selected {
	switch {
	case n == nil:
		return nil
	case n.path != nil:
		return n.inside()
	}
	return n.elements
}

// inside returns what is said of what is in a value that a path names.
func (n *selected) inside() *selected {
	if n.single() {
		return nil
	}
	return n
}

// single reports whether the path names a string or a number, and nothing in which others could be.
func (n *selected) single() bool {
	return n != nil && n.path != nil && (n.path.Do >= Convert || n.path.Do == Keep && n.path.Known != nil)
}

// takes reports whether something of a value that begins with c may be published.
func (n *selected) takes(c byte) bool {
	switch {
	case n == nil || !n.some:
		return false
	case n.single():
		return c == 'n' // null
	case n.path != nil:
		return true
	}
	return c == '{' && n.members != nil || c == '[' && n.elements != nil
}

// isText reports whether the current value is text.
func (r *reader) isText() bool {
	return r.muted == 0 && r.here.path != nil && r.here.path.Do == Show
}

// find finds out what is said of the value that begins here.
func (r *reader) find() {
	switch top := len(r.open) - 1; {
	case top < 0:
		r.here = r.root
	case r.open[top].keys == nil:
		r.here = r.open[top].here.element()
	}
	if r.muted == 0 && r.here != nil && r.here.types != nil {
		r.here = r.here.types[textMember(r.Input()[r.pos:], resourceType)]
	}
}

// resourceType is the name of the member that says of which type a resource is.
const resourceType = "resourceType"

// choose decides about the value that begins with c, and hands over what is before it.
func (r *reader) choose(c byte) {
	if r.muted > 0 {
		return
	}
	r.value = r.pos
	if !r.here.takes(c) {
		if r.here.single() {
			r.Withhold()
		}
		r.mute()
		return
	}
	r.admit()
}

// mute leaves out the value that begins at r.value.
func (r *reader) mute() { r.muted = len(r.open) + 1 }

// admit hands over what is before the value that begins at r.value.
func (r *reader) admit() {
	if top := len(r.open) - 1; top >= 0 && r.open[top].keys != nil {
		if level := &r.open[top]; !level.written {
			level.written = true
			if bytes.IndexByte(r.Input()[r.At():r.item], ',') >= 0 { // behind members that are left out
				r.Drop(r.Input()[r.At():r.item])
			}
		}
	}
	r.Keep(r.Input()[r.At():r.value])
}

// finish hands over what ends here: it is kept, or left out with the value that nothing is published of.
func (r *reader) finish() {
	switch r.muted {
	case 0:
		r.Keep(r.Input()[r.At():r.pos])
		return
	case len(r.open) + 1:
	default: // it is in a value that is left out
		return
	}
	r.muted = 0
	if top := len(r.open) - 1; top >= 0 && r.open[top].keys != nil {
		r.Drop(r.Input()[r.At():r.pos])
		return
	}
	r.Keep(r.Input()[r.At():r.value])
	r.Drop(r.Input()[r.value:r.pos])
	r.Put([]byte("null"))
}
