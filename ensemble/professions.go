package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// professionDetector finds occupations where the text says that they are one:
// "works as a", "occupation:", "retired", "a 40-year-old", or in a social history.
type professionDetector struct{}

// NewProfessions returns the detector "professions".
func NewProfessions() Detector { return professionDetector{} }

func (professionDetector) Name() string { return "professions" }

func (professionDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
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
	spans  []phi.Span
	social int // the token up to which a social history is taken to last
}

// socialWords bounds how far behind its heading a social history is believed.
const socialWords = 40

func (f *jobFinder) at(i int) {
	switch {
	case f.is(i, cueSocial) && f.punct(i+1, ':'):
		f.listAfter(i + 2)
	case f.is(i, cueRetired) || f.equal(i, "previously") && f.is(i+1, cueArticle):
		f.retired(i)
	case f.is(i, cueWork):
		f.workedAs(i)
	case f.equal(i, "social") && (f.equal(i+1, "history") || f.equal(i+1, "hx")), f.equal(i, "social") && f.punct(i+1, ':'), f.equal(i, "sh") && f.punct(i+1, ':'):
		f.social = i + socialWords
	case f.equal(i, "years") && f.equal(i+1, "as"):
		f.phraseAfter(i + 2)
	case f.equal(i, "old") || f.equal(i, "yo") || f.equal(i, "y"):
		f.aged(i)
	case f.is(i, cueArticle) && f.isA(i):
		f.phraseAfter(i + 1)
	case i < f.social:
		f.listed(i)
	}
}

// workedAs finds the occupation in "works as a", "works for Brinker & Sons as a",
// "works part time in".
func (f *jobFinder) workedAs(i int) {
	for j := i + 1; j <= i+9 && f.has(j) && f.follows(j); j++ {
		switch {
		case f.equal(j, "as"), j <= i+4 && f.equal(j, "in") && f.word(j+1) && !f.capital(j+1):
			f.phraseAfter(j + 1)
			return
		case f.equal(j, "up"), f.equal(j, "out"), f.punct(j, ';'), f.punct(j, ':'), f.punct(j, ','), f.punct(j, '.') && !f.glued(j+1) && !f.capital(j+1):
			return
		case f.is(j, cueWith|cueIs|cueSubjectVerb):
			return
		}
	}
}

// phraseAfter takes the words from i to the noun of an occupation and returns the
// token after it, or i.
func (f *jobFinder) phraseAfter(i int) int {
	if f.is(i, cueArticle) {
		i++
	}
	last := f.lastJob(i, 6)
	if last < i {
		return i
	}
	end := f.field(last + 1)
	f.spans = append(f.spans, f.span(i, end, phi.Profession))
	return end
}

// field extends an occupation over what it is done in: "professor of chemistry",
// "tool and die maker".
func (f *jobFinder) field(end int) int {
	if f.equal(end, "of") && f.word(end+1) && f.follows(end+1) && f.roles(end+1) == 0 && !f.is(end+2, cueStop) {
		return end + 2
	}
	if f.is(end, cueAnd) && f.word(end+1) && f.job(end+2) && f.follows(end+1) && !f.job(end+1) && f.roles(end+1) == 0 {
		return end + 3
	}
	return end
}

// listAfter takes the occupations that a comma, a slash or "and" strings together
// behind "Occupation:".
func (f *jobFinder) listAfter(i int) {
	for range 4 {
		if f.is(i, cueRetired) {
			i++
		}
		end := f.phraseAfter(i)
		if end == i || !f.punct(end, ',') && !f.punct(end, '/') && !f.is(end, cueAnd) {
			return
		}
		i = end + 1
	}
}

// lastJob returns the last noun of an occupation among up to n words from i that
// no punctuation parts, or i-1.
func (f *jobFinder) lastJob(i, n int) int {
	last := i - 1
	for j := i; j < i+n && (f.word(j) || f.apostrophe(j) || f.punct(j, '-')) && (j == i || f.follows(j)); j++ {
		if f.is(j, cueBy|cueWith|cueFrom|cuePlacePrep|cueIs|cueAnd|cueSubjectVerb) || f.equal(j, "for") || f.equal(j, "who") || f.equal(j, "but") {
			if f.is(j, cueAnd) && last < i && f.word(j+1) && f.job(j+2) {
				continue // "tool and die maker"
			}
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
	if !f.word(i) {
		return false
	}
	switch {
	case f.equal(i, "cpa"), f.equal(i, "veteran"), f.equal(i, "securities"), f.equal(i, "homemaker"), f.equal(i, "housewife"), f.str(i) == "Marine":
		return true
	}
	return f.entry(i).Is(lexicon.Job) && !f.is(i, cueKin|cueStop|cueNotJob|cueSex|cueHome|cueCompany|cueRetired) && len(f.str(i)) > 3 && f.entry(i).Common < 100
}

// plainJob tells an occupation that needs little beside it to be one.
func (f *jobFinder) plainJob(i int) bool {
	return f.job(i) && f.entry(i).Common < 72 && !f.entry(i).Is(lexicon.Clinical)
}

// retired takes the occupation after "retired" or "former".
func (f *jobFinder) retired(i int) {
	j := i + 1
	for f.is(j, cueArticle) {
		j++
	}
	last := f.lastJob(j, 5)
	if last < j || f.is(last, cueNotJob) || f.equal(last, "patient") {
		return
	}
	end := f.field(last + 1)
	f.spans = append(f.spans, f.span(j, end, phi.Profession))
	for f.punct(end, ',') && f.job(end+1) && f.follows(end+1) {
		f.spans = append(f.spans, f.span(end+1, end+2, phi.Profession))
		end += 2
	}
}

// aged finds the occupation in "a 40-year-old right handed truck driver from".
func (f *jobFinder) aged(i int) {
	if !f.equal(i, "old") && !f.number(i-1) && !f.number(i-2) {
		return
	}
	j := i + 1
	for f.equal(j, "o") || f.punct(j, '/') || f.is(j, cueRace) || f.handed(j) || f.equal(j, "handed") || f.punct(j, '-') {
		j++
	}
	last := f.lastJob(j, 4)
	if last < j || !f.plainJob(last) {
		return
	}
	if end := f.field(last + 1); f.is(end, cueFrom|cueWith|cuePlacePrep) || f.equal(end, "who") || f.punct(end, ',') || f.punct(end, '.') {
		f.spans = append(f.spans, f.span(j, end, phi.Profession))
	}
}

func (f *jobFinder) handed(j int) bool {
	return (f.equal(j, "right") || f.equal(j, "left")) && (f.equal(j+1, "handed") || f.punct(j+1, '-') && f.equal(j+2, "handed"))
}

// isA reports whether an article with an occupation speaks of a person, as in
// "She is a teacher" or "Ann Hart, a nurse,", and not of staff, as in "is a nurse
// at our clinic".
func (f *jobFinder) isA(i int) bool {
	if f.equal(i, "the") {
		return false
	}
	last := f.lastJob(i+1, 4)
	if last <= i || !f.plainJob(last) {
		return false
	}
	if f.is(i-1, cueIs) {
		return f.equal(i-2, "he") || f.equal(i-2, "she") || f.equal(i-2, "patient") || f.equal(i-2, "pt") || f.is(i-2, cueKin) || f.title(i-2) && f.odds(i-2) > 16
	}
	end := last + 1
	closed := f.punct(end, ',') || f.punct(end, '.') || f.punct(end, ';') || !f.has(end) || f.equal(end, "who")
	return closed && f.punct(i-1, ',') && (f.is(i-2, cueKin) || f.capital(i-2) && (f.odds(i-2) > 16 || f.unknown(i-2)))
}

// listed finds an occupation that stands alone between commas of a social
// history: "Married, truck driver, 3 children".
func (f *jobFinder) listed(i int) {
	if !f.punct(i-1, ',') && !f.punct(i-1, ':') || f.is(i, cueRetired) {
		return
	}
	last := f.lastJob(i, 4)
	if last < i || !f.plainJob(last) || f.entry(last).Common >= 64 || len(f.str(last)) <= 3 {
		return
	}
	switch end := last + 1; {
	case f.punct(end, ','), f.punct(end, '.'), f.punct(end, '('), f.punct(end, ';'), !f.has(end), f.equal(end, "before"):
		f.spans = append(f.spans, f.span(i, end, phi.Profession))
	}
}
