package net

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// url returns the URL whose scheme, or whose "www", is token i.
func (f *finder) url(i int) found {
	if f.Equal(i, "www") {
		if f.Mark(i+1) != '.' || !f.Tight(i+1) {
			return found{}
		}
	} else if f.Mark(i+1) != ':' || !f.Glued(i+1) || f.Mark(i+2) != '/' || !f.Tight(i+2) {
		return found{}
	}
	return found{i, f.runEnd(i), phi.URL}
}

// domain returns the domain with its path around the dot i: what is behind the last dot is
// no word, and in small letters as what is before it, or all is in capitals.
func (f *finder) domain(i int) found {
	if !f.Tight(i) || !f.part(i-1) || !f.In(i+1, bare) || f.Glued(i+2) && f.part(i+2) {
		return found{}
	}
	if f.Case(i+1) == text.Title || f.Case(i+1) == text.Mixed || len(f.Str(i-1)) < 2 && !f.Glued(i-1) {
		return found{}
	}
	from := f.localPart(i)
	if f.Mark(from-1) == '@' || from < f.last {
		return found{}
	}
	return found{from, f.runEnd(i), phi.URL}
}
