package synth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// scene is the setting in which text is written: who, where, when, and how.
type scene struct {
	*writer
	*engine
	h       *Hospital
	grammar map[string]*production // whose names count in what is being written
	pt      *Patient
	visited *Site
	author  *Provider
	other   *Provider // a second provider, the same in all of a note
	today   time.Time
	layout  string // of dates, mostly
	now     setting
	depth   int
}

// setting is who and what is being written about.
type setting struct {
	who  person
	site *Site
	at   Address
	day  time.Time
}

// maxDepth stops a grammar that refers to itself without end.
const maxDepth = 60

// copiedPassage is the production whose texts recur word for word in a patient's
// notes.
const copiedPassage = "copied"

// write writes a field, a production of the grammar at hand or a slot.
func (s *scene) write(name string) {
	if s.depth > maxDepth {
		return
	}
	if field := s.fields[name]; field != nil {
		s.put(field(s))
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	p := s.grammar[name]
	switch {
	case p == nil && s.slots[name]:
		outer := s.grammar
		s.grammar = s.productions
		s.sequence(s.pick(s.productions[name]))
		s.grammar = outer
	case p == nil:
	case name == copiedPassage && !oneIn(s.rng, 3):
		s.copied(p)
	default:
		s.sequence(s.pick(p))
	}
}

// pick draws an alternative whose conditions hold, nil if there is none.
func (s *scene) pick(p *production) sequence {
	if p.plain {
		return p.alternatives[s.rng.IntN(len(p.alternatives))].seq
	}
	total := 0
	for _, a := range p.alternatives {
		if s.holds(a.when) {
			total += a.weight
		}
	}
	if total == 0 {
		return nil
	}
	n := s.rng.IntN(total)
	for _, a := range p.alternatives {
		if !s.holds(a.when) {
			continue
		}
		n -= a.weight
		if n < 0 {
			return a.seq
		}
	}
	return nil
}

func (s *scene) holds(all []condition) bool {
	for _, c := range all {
		test := s.conditions[c.name]
		if test == nil || test(s) == c.not {
			return false
		}
	}
	return true
}

// copied writes a passage that recurs word for word in notes of the patient: its
// chance, its day, its people and its layout of dates come from the patient alone.
func (s *scene) copied(p *production) {
	outer, rng, manner := *s, s.rng, s.manner
	s.writer.rng = rand.New(rand.NewPCG(s.h.seed^uint64(s.pt.ID), streamCopied+rng.Uint64N(2)))
	s.manner.typo, s.manner.nameTypo, s.manner.noStop = 0, 0, 0
	s.layout = s.value("date.layout")
	s.today = s.h.day(s.rng, s.pt)
	s.now.day = s.today
	s.author, s.other = &s.h.Providers[s.pt.Primary], &s.h.Providers[s.rng.IntN(len(s.h.Providers))]
	s.sequence(s.pick(p))
	s.layout, s.today, s.now, s.author, s.other = outer.layout, outer.today, outer.now, outer.author, outer.other
	s.writer.rng, s.manner = rng, manner
}

func (s *scene) sequence(seq sequence) {
	for i := range seq {
		n := &seq[i]
		switch {
		case n.ref != nil && n.ref.list == 0:
			s.write(n.ref.name)
		case n.ref != nil:
			s.list(n.ref)
		case n.choice != nil:
			s.sequence(s.pick(n.choice))
		case n.call != nil:
			s.call(n.call)
		case n.about != nil:
			s.about(n.about)
		case n.span != nil:
			s.markBare(n.span)
		default:
			s.put(n.text)
		}
	}
}

// call writes what a function makes of its argument.
func (s *scene) call(c *call) {
	fold := folds[c.name]
	if c.name == drawnCase {
		if drawn := folds[s.value("case.drawn")]; drawn != nil {
			fold = drawn
		}
	}
	if fold == nil {
		if f, ok := s.functions[c.name]; ok {
			s.put(f.eval(s, s.plain(c.arg)))
		}
		return
	}
	outer := s.fold
	s.fold = func(text string) string {
		text = fold(text)
		if outer != nil {
			text = outer(text)
		}
		return text
	}
	s.sequence(c.arg)
	s.fold = outer
}

// about writes a sequence about one of the subjects.
func (s *scene) about(a *about) {
	one := a.subjects[0]
	if len(a.subjects) > 1 {
		one = a.subjects[s.rng.IntN(len(a.subjects))]
	}
	outer := s.now
	if bind := s.subjects[one.name]; bind != nil {
		bind(s, one)
	}
	s.sequence(a.seq)
	s.now = outer
}

// markBare marks PHI, without an article in front of it.
func (s *scene) markBare(sp *span) {
	text := s.plain(sp.seq)
	if bare, ok := strings.CutPrefix(text, "the "); ok {
		s.put("the ")
		text = bare
	}
	if text != "" {
		s.mark(sp.typ, text)
	}
}

// plain returns what a sequence writes, without spans and slips.
func (s *scene) plain(seq sequence) string {
	if len(seq) == 1 && seq[0].text != "" {
		return seq[0].text
	}
	outer := s.writer
	inner := writer{rng: outer.rng}
	s.writer = &inner
	s.sequence(seq)
	s.writer = outer
	return inner.buf.String()
}

// value returns what one of the hospital's own productions writes.
func (s *scene) value(name string) string {
	p := s.productions[name]
	if p == nil {
		return ""
	}
	outer := s.grammar
	s.grammar = s.productions
	text := s.plain(s.pick(p))
	s.grammar = outer
	return text
}

// list writes some alternatives of a production, none twice.
func (s *scene) list(ref *reference) {
	p := s.grammar[ref.name]
	if s.depth > maxDepth || p == nil {
		return
	}
	count := min(ref.lo+s.rng.IntN(ref.hi-ref.lo+1), len(p.alternatives))
	order := s.rng.Perm(len(p.alternatives))
	mark, dot := s.value("list.mark"), s.value("list.dot")
	s.depth++
	for i, at := range order[:count] {
		switch {
		case ref.list == '#':
			s.raw(fmt.Sprint(i+1) + dot)
		case ref.list == '%':
			s.raw(mark)
		case i > 0 && ref.list == ',':
			s.raw(", ")
		case i > 0:
			s.raw(" ")
		}
		s.sequence(p.alternatives[at].seq)
		if i < count-1 && (ref.list == '#' || ref.list == '%') {
			s.raw("\n")
		}
	}
	s.depth--
}

// oneIn is true once in n times.
func oneIn(rng *rand.Rand, n int) bool { return rng.IntN(n) == 0 }
