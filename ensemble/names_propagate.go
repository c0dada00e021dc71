package ensemble

import (
	"sort"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// learn remembers a word of a name that was found, for [nameFinder.propagate].
func (f *nameFinder) learn(i int, t Type) {
	if f.known == nil {
		f.known = map[string]Type{}
	}
	key := lexicon.Fold(f.str(i))
	if _, ok := f.known[key]; !ok {
		f.known[key] = t
	}
}

// propagate finds the further occurrences of names that a cue gave away: a name
// is a name in all of the note, unless the word is an ordinary one there.
func (f *nameFinder) propagate() {
	if len(f.known) == 0 {
		return
	}
	SortSpans(f.spans)
	found := f.spans[:len(f.spans):len(f.spans)]
	for i, t := range f.tokens {
		if t.Kind != Word || t.End-t.Start < 3 || !f.mayRecur(i) || covered(found, t) {
			continue
		}
		if who, ok := f.recurs(i); ok {
			f.spans = append(f.spans, f.span(i, i+1, who))
		}
	}
}

func (f *nameFinder) recurs(i int) (Type, bool) {
	s := f.str(i)
	var buf [32]byte
	if key, ok := lowerASCII(buf[:], s); ok {
		who, known := f.known[string(key)]
		return who, known
	}
	who, known := f.known[lexicon.Fold(s)]
	return who, known
}

// mayRecur reports whether word i can be a name without a cue beside it.
func (f *nameFinder) mayRecur(i int) bool {
	if f.is(i, cueStop|cueFacility) {
		return false
	}
	e, odds := f.entries[i], f.odds(i)
	switch f.tokens[i].Case {
	case Lower:
		return e.Common == 0 && (e.Surname|e.First != 0 && odds > 0 || f.unknown(i)) && !e.Is(lexicon.Clinical)
	case Title, Mixed:
		return odds > 0 || f.unknown(i) || e.Common < 100 && !f.begins(i)
	default:
		return odds > 0 || f.unknown(i)
	}
}

// covered reports whether a token lies in one of the sorted spans.
func covered(spans []Span, t Token) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Start > t.Start })
	return i > 0 && spans[i-1].End > t.Start
}
