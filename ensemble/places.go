package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// placeDetector finds towns, counties, states and countries, the names of
// hospitals and other facilities, rooms, employers, schools and companies. What
// says nothing of where ("the hospital", "primary care clinic") is left alone.
type placeDetector struct{}

// NewPlaces returns the detector "places".
func NewPlaces() Detector { return placeDetector{} }

func (placeDetector) Name() string { return "places" }

func (placeDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	f := placeFinder{reading: read(note)}
	for i := range f.tokens {
		if i&0xfff == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		if f.tokens[i].Kind == Word {
			f.at(i)
		}
	}
	if f.regime() != bothCases {
		f.done = 0
		for i, t := range f.tokens {
			if t.Kind == Word {
				f.oneCase(i)
			}
		}
	}
	f.propagate()
	return appendDisjoint(dst, f.spans), ctx.Err()
}

// placeFinder collects the places of one note.
type placeFinder struct {
	*reading
	spans []phi.Span
	done  int // tokens before it are spoken for
	// own are the distinctive words of facilities that were found.
	own map[string]bool
}

func (f *placeFinder) at(i int) {
	c := f.roles(i)
	if c&cueFacility != 0 {
		f.facility(i)
	}
	if f.tokens[i].Line && f.punct(i+1, ':') && (c&cueFacility != 0 || f.equal(i, "facility")) {
		f.labelledFacility(i + 2)
	}
	if c&cueCompany != 0 {
		f.company(i)
	}
	if c&cueRoom != 0 {
		f.room(i)
	}
	if c&cueWork != 0 {
		f.employer(i)
	}
	if c&cueGroupNoun != 0 {
		f.namedGroup(i)
	}
	if c&cueCare != 0 {
		f.agency(i)
	}
	if c&cueSex != 0 {
		f.nationality(i)
	}
	if c&(cuePlacePrep|cueFrom|cueDwell) != 0 {
		f.filledAt(i)
		f.sights(i)
		f.afterPreposition(i)
	}
	if c&cueAttend != 0 && f.caseOf(i) != Upper {
		j := i + 1
		if f.equal(j, "at") || f.equal(j, "with") || f.equal(j, "the") {
			j++
		}
		f.named(j, true)
	}
	if c&cueLetter != 0 && f.caseOf(i) != Upper {
		f.letterTo(i)
	}
	if c&cueEmployer != 0 && f.punct(i+1, ':') {
		f.named(i+2, true)
	}
	if c&cueGeo != 0 && f.title(i) {
		f.landscape(i)
	}
	if f.equal(i, "county") {
		f.county(i)
	} else if f.equal(i, "floor") {
		f.floor(i)
	}
	if i >= f.done && f.caseOf(i) != Lower {
		f.capitalPlace(i)
	}
}

func (f *placeFinder) add(from, to int, t phi.Type) {
	for t == phi.City && f.title(to) && f.is(to, cueGeo) && f.follows(to) {
		to++ // "Grandview Heights"
	}
	if t == phi.State && f.title(to) && f.is(to, cueGeo) && f.follows(to) {
		t, to = phi.LocationOther, to+1 // "Mississippi River"
	}
	if from < to {
		f.spans = append(f.spans, f.span(from, to, t))
		f.done = max(f.done, to)
	}
}

// capitalPlace finds what is a place by itself: a state, a country, "Flint, MI",
// a word that ends like a town.
func (f *placeFinder) capitalPlace(i int) {
	e := f.entry(i)
	if f.glued(i) && f.punct(i-1, '-') {
		return // "X-Ray, PA"
	}
	switch {
	case e.Is(lexicon.State|lexicon.Country|lexicon.PlaceTop) && f.region(i):
	case e.Is(lexicon.City|lexicon.PlaceTop) || f.unknown(i) || e.Surname > 0:
		f.cityState(i)
	}
	if i >= f.done {
		f.knownTown(i)
	}
	if i >= f.done && f.caseOf(i) == Upper {
		f.initials(i)
		f.bracketed(i)
	}
	if i >= f.done {
		f.saint(i)
	}
	if i >= f.done && f.title(i) && f.townLike(i) {
		start := i
		if f.is(i-1, cuePlaceTop) && f.title(i-1) && f.follows(i) {
			start--
		}
		f.add(start, i+1, phi.City)
	}
}

// region finds the full name of a state or country.
func (f *placeFinder) region(i int) bool {
	if f.caseOf(i) == Upper && len(f.str(i)) < 4 {
		return false
	}
	for n := 3; n >= 1; n-- {
		if !f.run(i, n) {
			continue
		}
		e, ok := f.phrase(i, i+n)
		if !ok || !e.Is(lexicon.State|lexicon.Country) {
			continue
		}
		if f.notRegion(i, n, e) || f.equal(i, "united") && !f.dwelling(i) {
			return false
		}
		t := phi.Country
		if e.Is(lexicon.State) && !(e.Is(lexicon.Country) && f.is(i-1, cueFrom)) {
			t = phi.State
			if e.Is(lexicon.City) && f.punct(i+n, ',') {
				t = phi.City // "New York, NY"
			}
		}
		f.add(i, i+n, t)
		return true
	}
	return false
}

// dwelling reports whether what stands before a place, "came to the United
// States", or that it has a line to itself, tells where somebody is: as the
// country that all is about it identifies nobody.
func (f *placeFinder) dwelling(i int) bool {
	if f.opensLine(i) {
		return true
	}
	for k := i - 1; k >= max(0, i-7) && f.follows(k+1); k-- {
		if f.is(k, cueDwell) || f.equal(k, "came") {
			return true
		}
	}
	return false
}

// run reports whether tokens [i, i+n) are words with capitals, blanks between.
func (f *placeFinder) run(i, n int) bool {
	for j := i; j < i+n; j++ {
		if !f.capital(j) || j > i && (!f.follows(j) || f.glued(j)) {
			return false
		}
	}
	return true
}

// notRegion tells adjectives ("American"), first names ("Virginia was seen") and
// words that mean something else ("Turkey", "Cuban heel").
func (f *placeFinder) notRegion(i, n int, e lexicon.Entry) bool {
	if n > 1 {
		return false
	}
	if len(f.str(i)) < 4 && !f.equal(i, "usa") || e.Is(lexicon.Month) {
		return true
	}
	if f.opensLine(i) && (i+1 == len(f.tokens) || f.opensLine(i+1) || f.number(i+1)) && e.First < 60 {
		return false // a line of an address
	}
	if e.First > 90 || e.Surname > 100 || e.Common > 20 || e.Capital > 64 {
		return !f.is(i-1, cuePlacePrep|cueFrom|cueDwell) && !f.punct(i-1, ',')
	}
	return demonym(f.str(i))
}

// demonym tells "Haitian" from "Haiti".
func demonym(s string) bool {
	for _, end := range [...]string{"an", "ese", "ish", "ian", "i", "ch", "ean", "ino", "ina", "sh", "ic", "no", "us", "ss", "ek", "ot", "ak", "hu"} {
		if len(s) > len(end)+2 && s[len(s)-len(end):] == end {
			switch s {
			case "Japan", "Iran", "Sudan", "Pakistan", "Afghanistan", "Bhutan", "Jordan", "Oman", "Taiwan", "Azerbaijan", "Kazakhstan",
				"Uzbekistan", "Turkmenistan", "Kyrgyzstan", "Tajikistan", "Argentina", "China", "Cyprus", "Belarus", "Haiti", "Fiji",
				"Brunei", "Malawi", "Djibouti", "Burundi", "Mauritius", "Michigan", "Saipan", "Missouri", "Mississippi", "Hawaii", "Bosnia":
				return false
			}
			return true
		}
	}
	return false
}
