package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// professionDetector finds occupations where the text says that they are one:
// "works as a", "occupation:", "retired", "former", or in a social history.
type professionDetector struct{}

// NewProfessions returns the detector "professions".
func NewProfessions() Detector { return professionDetector{} }

func (professionDetector) Name() string { return "professions" }

func (professionDetector) Detect(ctx context.Context, note *Note, dst []Span) ([]Span, error) {
	f := jobFinder{reading: read(note)}
	for i := range f.tokens {
		if i&0xfff == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		if f.tokens[i].Kind == Word {
			f.at(i)
		}
	}
	return appendDisjoint(dst, f.spans), ctx.Err()
}

type jobFinder struct {
	*reading
	spans  []Span
	social int // the token up to which a social history is taken to last
}

// socialWords bounds how far behind its heading a social history is believed.
const socialWords = 40

func (f *jobFinder) at(i int) {
	switch {
	case f.is(i, cueSocial) && f.punct(i+1, ':'):
		f.phraseAfter(i + 2)
	case f.is(i, cueRetired) || f.equal(i, "previously") && f.is(i+1, cueArticle):
		f.retired(i)
	case f.is(i, cueWork):
		f.workedAs(i)
	case f.equal(i, "social") && (f.equal(i+1, "history") || f.equal(i+1, "hx")):
		f.social = i + socialWords
	case f.is(i, cueArticle) && f.isA(i):
		f.phraseAfter(i + 1)
	case i < f.social && f.listedJob(i):
		f.spans = append(f.spans, f.span(i, i+1, Profession))
	}
}

// workedAs finds the occupation in "works as a", "works part time in".
func (f *jobFinder) workedAs(i int) {
	for j := i + 1; j <= i+4 && f.inLower(j) && f.follows(j); j++ {
		switch {
		case f.equal(j, "as"), f.equal(j, "in") && f.inLower(j+1):
			f.phraseAfter(j + 1)
			return
		case f.is(j, cueBy|cueWith|cueAnd), f.equal(j, "at"), f.equal(j, "for"), f.equal(j, "up"), f.equal(j, "out"):
			return
		}
	}
}

// phraseAfter takes the words from i to the noun of an occupation.
func (f *jobFinder) phraseAfter(i int) {
	if f.is(i, cueArticle) {
		i++
	}
	last := f.lastJob(i, 6)
	if last < i {
		return
	}
	f.spans = append(f.spans, f.span(i, last+1, Profession))
}

// lastJob returns the last noun of an occupation among up to n words from i that
// no punctuation parts, or i-1.
func (f *jobFinder) lastJob(i, n int) int {
	last := i - 1
	for j := i; j < i+n && f.word(j) && (j == i || f.follows(j)); j++ {
		if f.is(j, cueBy|cueWith|cueFrom|cuePlacePrep|cueIs|cueAnd) || f.equal(j, "for") || f.equal(j, "who") || f.equal(j, "but") {
			break
		}
		if f.job(j) {
			last = j
		}
	}
	return last
}

// job tells a noun of occupations that clinical text does not use for other
// things.
func (f *jobFinder) job(i int) bool {
	if f.equal(i, "cpa") || f.equal(i, "veteran") || f.equal(i, "securities") || f.equal(i, "homemaker") || f.equal(i, "housewife") {
		return true
	}
	return f.entries[i].Is(lexicon.Job) && !f.is(i, cueKin|cueStop|cueNotJob) && len(f.str(i)) > 3 && f.entries[i].Common < 100
}

// retired takes the occupation after "retired" or "former".
func (f *jobFinder) retired(i int) {
	j := i + 1
	for f.is(j, cueArticle) {
		j++
	}
	last := f.lastJob(j, 5)
	if last < j || f.equal(last, "smoker") || f.equal(last, "user") || f.equal(last, "drinker") || f.equal(last, "patient") {
		return
	}
	f.spans = append(f.spans, f.span(j, last+1, Profession))
	for f.punct(last+1, ',') && f.job(last+2) && f.follows(last+2) {
		f.spans = append(f.spans, f.span(last+2, last+3, Profession))
		last += 2
	}
}

// isA reports whether "is a" or "was a" with an occupation speaks of a person, as
// in "She is a teacher", and not of staff, as in "is a nurse at our clinic".
func (f *jobFinder) isA(i int) bool {
	if f.equal(i, "the") || !f.is(i-1, cueIs) || !(f.equal(i-2, "he") || f.equal(i-2, "she") || f.equal(i-2, "patient") || f.equal(i-2, "pt") || f.is(i-2, cueKin)) {
		return false
	}
	last := f.lastJob(i+1, 4)
	return last > i && f.entries[last].Common < 72 && !f.entries[last].Is(lexicon.Clinical)
}

// listedJob tells an occupation that stands alone between commas of a social
// history: "Married, glazier, 3 children".
func (f *jobFinder) listedJob(i int) bool {
	return f.job(i) && f.entries[i].Common < 56 && !f.entries[i].Is(lexicon.Clinical) && len(f.str(i)) > 4 &&
		(f.punct(i-1, ',') || f.punct(i-1, ':')) && (f.punct(i+1, ',') || f.punct(i+1, '.') || !f.has(i+1))
}
