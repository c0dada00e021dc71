package synth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// scene is the situation that a note is written in: who, where, when, and how.
type scene struct {
	*writer
	h       *Hospital
	grammar grammar
	pt      *Patient
	author  *Provider
	other   *Provider // a second provider who keeps turning up
	site    *Site
	today   time.Time
	kind    Kind
	dates   string // the layout that this note prefers
	depth   int
}

// maxDepth stops a grammar that refers to itself without end.
const maxDepth = 40

// write expands a production or a slot.
func (s *scene) write(name string) {
	if slot, ok := slots[name]; ok {
		slot(s)
		return
	}
	alternatives, ok := s.grammar[name]
	if !ok || s.depth > maxDepth {
		return // TestGrammarIsClosed shows that neither happens
	}
	s.depth++
	if name == "copied" && !oneIn(s.rng, 3) {
		s.copied(alternatives)
	} else {
		s.sequence(alternatives[s.rng.IntN(len(alternatives))])
	}
	s.depth--
}

// copied writes a passage that stands word for word in other notes of the patient:
// its chance, its day, its people and its layout of dates come from the patient alone.
func (s *scene) copied(alternatives []sequence) {
	rng := rand.New(rand.NewPCG(s.h.seed^uint64(s.pt.ID), streamCopied+s.rng.Uint64N(2)))
	now, own, ownManner := *s, s.writer.rng, s.manner
	s.writer.rng, s.dates = rng, either(rng, dateLayouts...)
	s.typo, s.nameTypo, s.noStop = 0, 0, 0
	s.today = s.h.day(rng, s.pt)
	s.author, s.other = &s.h.Providers[s.pt.Primary], &s.h.Providers[rng.IntN(len(s.h.Providers))]
	s.sequence(alternatives[rng.IntN(len(alternatives))])
	s.dates, s.today, s.author, s.other = now.dates, now.today, now.author, now.other
	s.writer.rng, s.manner = own, ownManner
}

func (s *scene) sequence(seq sequence) {
	for _, n := range seq {
		switch {
		case n.ref != nil && n.ref.list == 0:
			s.write(n.ref.name)
		case n.ref != nil:
			s.list(n.ref)
		case n.choice != nil:
			s.sequence(n.choice[s.rng.IntN(len(n.choice))])
		case n.marked:
			s.mark(n.typ, n.text)
		default:
			s.put(n.text)
		}
	}
}

// list writes some alternatives of a production, none twice.
func (s *scene) list(ref *reference) {
	alternatives := s.grammar[ref.name]
	count := min(ref.lo+s.rng.IntN(ref.hi-ref.lo+1), len(alternatives))
	order := s.rng.Perm(len(alternatives))
	mark := []string{"- ", "* ", "• ", "", "  - ", "-"}[s.rng.IntN(6)]
	dot := []string{". ", ") ", ".  ", ".) "}[s.rng.IntN(4)]
	if s.depth > maxDepth {
		return
	}
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
		s.sequence(alternatives[at])
		if i < count-1 && (ref.list == '#' || ref.list == '%') {
			s.raw("\n")
		}
	}
	s.depth--
}

// either returns one of the strings.
func either(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

// oneIn is true once in n times.
func oneIn(rng *rand.Rand, n int) bool { return rng.IntN(n) == 0 }

// upperFirst makes the first letter of an ASCII word a capital.
func upperFirst(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
