package tbed

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// truth is the gold for a token. What it leaves open counts neither for a rule nor against it.
type truth struct {
	// cost is set for each tag that is known to be wrong.
	cost [256]bool
	// want is the only right tag, if there is one to learn from.
	want Tag
	// given is set if want is.
	given bool
	// open is set if any tag would do.
	open bool
}

// unknownTruth returns the truth of a token about which nothing is known.
func unknownTruth() truth { return truth{want: edge, open: true} }

// truthOf parses a gold tag: BIO with types, BIO with a class (NAME, if a source does not
// distinguish whose), or * for an unannotated token. marked reports whether the source marks a
// type completely; otherwise a token that is O may still be PHI of this type. ok is false for an
// unknown tag.
func truthOf(tag string, marked func(phi.Type) bool) (t truth, ok bool) {
	t = unknownTruth()
	if tag == "*" {
		return t, true
	}
	if known, err := ParseTag(tag); err == nil {
		t.want, t.given, t.open = known, true, false
		for c := range tagCount {
			t.cost[c] = Tag(c) != known && (known != Outside || marked(Tag(c).Type()))
		}
		return t, true
	}
	prefix, class, _ := strings.Cut(tag, "-")
	if prefix != "B" && prefix != "I" || !knownClass(class) {
		return t, false
	}
	t.open = false
	for c := range tagCount {
		t.cost[c] = Tag(c) == Outside || !inClass(Tag(c).Type(), class)
	}
	return t, true
}

func knownClass(name string) bool {
	return slices.ContainsFunc(phi.Types(), func(t phi.Type) bool { return inClass(t, name) })
}

// classOrg is the class of facilities and organisations, which package ensemble counts as
// locations.
const classOrg = "ORG"

// inClass reports whether a type belongs to a class as sources name it: the classes of package
// ensemble, and ORG. A source's LOCATION may be a facility.
func inClass(t phi.Type, class string) bool {
	if class == classOrg {
		return t == phi.Hospital || t == phi.Organization
	}
	return t.Class().String() == class
}
