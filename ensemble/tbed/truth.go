package tbed

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// truth is what the gold says of a token. Where it leaves something open it counts
// neither for a rule nor against one.
type truth struct {
	// cost tells of each tag whether it is known to be wrong.
	cost [256]bool
	// want is the one right tag, if there is one that a rule could be learned from.
	want Tag
	// told says that there is one.
	told bool
	// open says that any tag would do.
	open bool
}

// unknownTruth is that of a token of which nothing is known.
func unknownTruth() truth { return truth{want: edge, open: true} }

// truthOf reads a gold tag: BIO over types, BIO over a class (NAME, where a source does
// not say whose), or * for a token that nobody looked at. marked tells of each type
// whether the source marks it everywhere; a token that is O there may still be PHI of
// another type. ok is false for a tag that nobody knows.
func truthOf(tag string, marked func(phi.Type) bool) (t truth, ok bool) {
	t = unknownTruth()
	if tag == "*" {
		return t, true
	}
	if known, err := ParseTag(tag); err == nil {
		t.want, t.told, t.open = known, true, false
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

// classOrg is the class of facilities and organisations, which package ensemble counts
// among the locations.
const classOrg = "ORG"

// inClass reports whether a type belongs to a class as sources name it: the classes of
// package ensemble, and ORG. A source that says
// LOCATION may mean a facility.
func inClass(t phi.Type, class string) bool {
	if class == classOrg {
		return t == phi.Hospital || t == phi.Organization
	}
	return t.Class().String() == class
}
