package ensemble

import (
	"context"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// nameDetector finds the names of people: where a title, a credential, a kinship
// or a label says that one stands there, where first name and surname follow each
// other, and wherever else in the note such a name comes again.
type nameDetector struct{}

// NewNames returns the detector "names".
func NewNames() Detector { return nameDetector{} }

func (nameDetector) Name() string { return "names" }

func (nameDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	f := nameFinder{reading: read(note)}
	for i := range f.tokens {
		if i&0xfff == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		f.at(i)
	}
	if f.regime() != bothCases {
		f.done = 0
		for i, t := range f.tokens {
			if t.Kind == Word {
				f.oneCase(i)
			}
		}
	}
	f.otherScript()
	f.propagate()
	return appendDisjoint(dst, f.spans), ctx.Err()
}

// trust says how sure a cue makes us that a name stands beside it.
type trust uint8

const (
	// guess: nothing but the words themselves.
	guess trust = iota
	// hint: a word that often has a name beside it, such as "wife" or "called".
	hint
	// firm: a word that has hardly anything else beside it, such as "Mr.".
	firm
)

// nameFinder collects the names of one note.
type nameFinder struct {
	*reading
	spans []phi.Span
	known map[string]knownName // by folded word
	done  int                  // tokens before it are spoken for
}

// at looks for names whose cue is token i.
func (f *nameFinder) at(i int) {
	t := f.tokens[i]
	if t.Kind == Punct {
		f.atPunct(i, f.text[t.Start])
		return
	}
	if t.Kind != Word {
		return
	}
	if c := f.roles(i); c != 0 {
		f.atCue(i, c)
	}
	if t.End-t.Start <= 3 && (f.endsLine(i+1) || f.number(i+1)) {
		f.signOff(i)
	}
	if t.Case != Lower {
		if f.letter(i) {
			f.demographics(i)
		}
		f.bracketed(i)
		f.atCapital(i)
		if i >= f.done {
			f.headline(i)
		}
	} else if f.number(i+1) && f.glued(i+1) {
		f.login(i)
	} else if f.entry(i).First >= 84 {
		f.lowerPair(i)
	}
}

func (f *nameFinder) atCue(i int, c cue) {
	switch {
	case c&(cueDoctorTitle|cuePersonTitle) != 0:
		f.titled(i)
	case c&cueBy != 0:
		f.by(i)
	case c&cueWith != 0:
		f.with(i)
	case c&cueNamed != 0:
		f.named(i)
	}
	if c&cueStaffTitle != 0 {
		f.staffTitle(i)
	}
	if c&(cueCredential|cueWeakCred) != 0 {
		f.credential(i)
	}
	if c&cueBaby != 0 {
		f.baby(i)
	}
	if c&cueKin != 0 {
		f.kin(i)
	}
	if c&cueReach != 0 {
		f.object(i)
	}
	if c&cueGreeting != 0 {
		f.greeting(i)
	}
	if c&cueSigning != 0 {
		f.initialsAfter(i)
	}
	if c&cueIs != 0 {
		f.introduced(i)
	}
}

func (f *nameFinder) atPunct(i int, mark byte) {
	switch mark {
	case ':':
		f.label(i)
	case '/':
		f.slash(i)
	case '.':
		f.dottedCredential(i)
	}
}

// add takes tokens [from, to) for a name.
func (f *nameFinder) add(from, to int, t phi.Type, how trust) {
	if from >= to {
		return
	}
	f.spans = append(f.spans, f.span(from, to, t))
	f.done = max(f.done, to)
	if how < hint {
		return
	}
	for i := from; i < to; i++ {
		if f.word(i) && len(f.str(i)) > 2 && !f.is(i, cueParticle|cueSuffix) {
			f.learn(i, t, how)
		}
	}
}

// appendDisjoint sorts spans, makes one of those that overlap and appends them.
func appendDisjoint(dst, spans []phi.Span) []phi.Span {
	phi.SortSpans(spans)
	first := len(dst)
	for _, s := range spans {
		if n := len(dst); n > first && s.Start < dst[n-1].End {
			dst[n-1].End = max(dst[n-1].End, s.End)
			continue
		}
		dst = append(dst, s)
	}
	return dst
}
