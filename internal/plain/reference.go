package plain

import (
	_ "embed"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Reference is what a reference of FHIR leads to. The zero value is none.
type Reference struct {
	phi.Redacted

	Type string // of the resource: "Patient"; "" if the reference does not say
	ID   string
	Kind ReferenceKind
}

// ReferenceKind says how a reference is written.
type ReferenceKind uint8

// The ways to write a reference.
const (
	Relative  ReferenceKind = iota // Patient/17, also where a server or a version was said
	UUID                           // urn:uuid:0b8cae0e-0000-4000-8000-00000000000a
	Contained                      // #p1: a resource within the same one
	Absolute                       // https://ehr.example.org/fhir/Patient/17, where that makes a difference
)

var (
	// restful matches what leads to a resource, on whichever server, in whichever version.
	restful = regexp.MustCompile(`^(?:https?://[^\s?#]+/)?([A-Za-z]+)/([A-Za-z0-9.-]{1,64})(?:/_history/[A-Za-z0-9.-]{1,64})?$`)
	byUUID  = regexp.MustCompile(`^urn:uuid:([0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12})$`)
	within  = regexp.MustCompile(`^#([A-Za-z0-9.-]{1,64})$`)
)

//go:embed fhirtypes.txt
var resourceTypes string

// isResource has the types of resources.
var isResource = wordsOf(resourceTypes)

// wordsOf returns the words of a list, whose lines of remarks begin with #.
func wordsOf(list string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				words[w] = true
			}
		}
	}
	return words
}

// IsResourceType reports whether a name is one of a type of resource.
func IsResourceType(name string) bool { return isResource[name] }

// ParseReference reads a reference of FHIR. One that asks a question (Patient?identifier=17) names no resource.
func ParseReference(text string) (Reference, error) {
	if m := restful.FindStringSubmatch(text); m != nil && isResource[m[1]] {
		return Reference{Type: m[1], ID: m[2]}, nil
	}
	if m := byUUID.FindStringSubmatch(text); m != nil {
		return Reference{ID: strings.ToLower(m[1]), Kind: UUID}, nil
	}
	if m := within.FindStringSubmatch(text); m != nil {
		return Reference{ID: m[1], Kind: Contained}, nil
	}
	return Reference{}, ErrValue
}

// server is what is written for the server of a resource, whichever it was.
const server = "https://example.org/fhir/"

// unidentified matches where resources of a type are, or one that is asked for.
var unidentified = regexp.MustCompile(`^(?:https?://[^\s?#]+/)?([A-Za-z]+)(?:\?.*)?$`)

// ParseURL reads where a resource is, or is to be: a reference that keeps that it names a server, or resources of one type.
func ParseURL(text string) (Reference, error) {
	r, err := ParseReference(text)
	switch {
	case err == nil && r.Kind == Relative && strings.Contains(text, "://"):
		r.Kind = Absolute
	case err == nil:
	default:
		if m := unidentified.FindStringSubmatch(text); m != nil && isResource[m[1]] {
			return Reference{Type: m[1]}, nil
		}
	}
	return r, err
}

// Write writes the reference with another identity.
func (r Reference) Write(id string) string {
	switch {
	case r.ID == "":
		return r.Type
	case r.Kind == Absolute:
		return server + r.Type + "/" + id
	}
	switch r.Kind {
	case UUID:
		return "urn:uuid:" + id
	case Contained:
		return "#" + id
	default:
		return r.Type + "/" + id
	}
}
