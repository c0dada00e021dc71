package ensemble

import (
	"sort"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// knownName is a word of a name that was found: whose, and how sure we are.
type knownName struct {
	who  phi.Type
	firm bool
}

// learn remembers a word of a name that was found, for [nameFinder.propagate].
func (f *nameFinder) learn(i int, t phi.Type, how trust) {
	if f.known == nil {
		f.known = map[string]knownName{}
	}
	key := lexicon.Fold(f.str(i))
	if k, ok := f.known[key]; !ok || how == firm && !k.firm {
		f.known[key] = knownName{who: t, firm: how == firm}
	}
}

// propagate finds the further occurrences of names that a cue gave away: a name
// is a name in all of the note, unless the word is an ordinary one there.
func (f *nameFinder) propagate() {
	if len(f.known) == 0 {
		return
	}
	phi.SortSpans(f.spans)
	found := f.spans[:len(f.spans):len(f.spans)]
	for i, t := range f.tokens {
		if t.Kind != Word || t.End-t.Start < 3 || !f.mayRecur(i) || covered(found, t) {
			continue
		}
		name, ok := f.recurs(i)
		if !ok || t.Case == Lower && !name.firm && f.entry(i).Surname|f.entry(i).First == 0 {
			continue
		}
		if end := f.hyphens(i + 1); !f.is(end, cueEponymNoun) && f.wholeWord(i) && !(f.number(end) && f.is(end+1, cueDose)) {
			f.spans = append(f.spans, f.span(i, i+1, name.who))
		}
	}
}

// wholeWord reports whether no hyphen ties word i to one that is not known: the
// Parker of "Bard-Parker" is not the patient.
func (f *nameFinder) wholeWord(i int) bool {
	for _, j := range [2]int{i - 2, i + 2} {
		hyphen := (i + j) / 2
		if !f.punct(hyphen, '-') || !f.word(j) || !f.glued(max(hyphen, i)) || !f.glued(max(j, hyphen)) {
			continue
		}
		if _, ok := f.recurs(j); !ok {
			return false
		}
	}
	return true
}

func (f *nameFinder) recurs(i int) (knownName, bool) {
	s := f.str(i)
	var buf [32]byte
	if key, ok := lexicon.LowerASCII(buf[:], s); ok {
		name, ok := f.known[string(key)]
		return name, ok
	}
	name, ok := f.known[lexicon.Fold(s)]
	return name, ok
}

// mayRecur reports whether word i can be a name without a cue beside it.
func (f *nameFinder) mayRecur(i int) bool {
	if f.is(i, cueStop|cueFacility) {
		return false
	}
	e, odds := f.entry(i), f.odds(i)
	switch f.caseOf(i) {
	case Lower:
		return e.Common == 0 && (e.Surname|e.First != 0 && odds > 0 || f.unknown(i)) && !e.Is(lexicon.Clinical)
	case Title, Mixed:
		if f.title(i-1) && f.entry(i-1).First >= 60 && f.odds(i-1) > 24 {
			return true
		}
		if f.begins(i) && e.Common > 0 && !f.is(i+1, cueSubjectVerb) && !f.apostrophe(i+1) {
			return odds > 60
		}
		return odds > 30 || f.unknown(i) || e.Common < 100 && !f.begins(i)
	default:
		return odds > 0 || f.unknown(i)
	}
}

// covered reports whether a token lies in one of the sorted spans.
func covered(spans []phi.Span, t Token) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Start > t.Start })
	return i > 0 && spans[i-1].End > t.Start
}
