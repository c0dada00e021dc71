package synth

import (
	"fmt"
	"math/rand/v2"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Template is a text with slots, made of a grammar's alternative or of a note
// whose PHI was taken out. The zero value is an empty text.
type Template struct{ sequence sequence }

// Text appends text as it is.
func (t *Template) Text(text string) {
	if text != "" {
		t.sequence = append(t.sequence, node{text: text})
	}
}

// Slot appends a slot, or a production of the grammar that the template is
// filled with.
func (t *Template) Slot(name string) {
	t.sequence = append(t.sequence, node{ref: &reference{name: name, lo: 1, hi: 1}})
}

// Mark appends PHI as it is. The type [phi.None] marks a range of which it is not
// known whether it is PHI.
func (t *Template) Mark(typ phi.Type, text string) {
	if text != "" {
		t.sequence = append(t.sequence, node{span: &span{typ, sequence{{text: text}}}})
	}
}

// Append appends another template.
func (t *Template) Append(other Template) { t.sequence = append(t.sequence, other.sequence...) }

// ParseTemplate reads a text in the notation of the grammar: slots and productions
// in braces, choices in brackets.
func ParseTemplate(text string) (Template, error) {
	a, err := parseAlternative(text)
	return Template{a.seq}, err
}

// Template returns an alternative of a production.
func (g *Grammar) Template(name string, alternative int) (Template, error) {
	p := g.productions[name]
	if p == nil || alternative < 0 || alternative >= len(p.alternatives) {
		return Template{}, fmt.Errorf("production %q has no alternative %d", name, alternative)
	}
	return Template{p.alternatives[alternative].seq}, nil
}

// Snippet is a piece of a made-up note. Spans are in order and free of overlap.
type Snippet struct {
	Text  string
	Spans []phi.Span
	Group lexicon.Group // of the patient's name
}

// Setting says how a snippet is to be written.
type Setting struct {
	Sex   Sex  // of the patient; AnySex draws one
	Plain bool // typed without slips, in the case of the template, not wrapped
}

// Sex chooses a patient.
type Sex uint8

// The sexes that templates speak of.
const (
	AnySex Sex = iota
	Female
	Male
)

// Fill writes templates one after the other as one text with the people, places
// and days of one visit drawn with rng. References lead into g, which may be nil
// for templates that have slots only.
func (h *Hospital) Fill(rng *rand.Rand, g *Grammar, set Setting, templates ...Template) Snippet {
	s := h.visit(rng, set)
	s.grammar = nil
	if g != nil {
		s.grammar = g.productions
	}
	for _, t := range templates {
		s.sequence(t.sequence)
	}
	text, spans := s.finish()
	return Snippet{Text: text, Spans: spans, Group: s.pt.Group}
}

// visit makes the scene of a snippet.
func (h *Hospital) visit(rng *rand.Rand, set Setting) *scene {
	e := &h.Encounters[rng.IntN(len(h.Encounters))]
	for range 20 {
		if set.Sex == AnySex || h.Patients[e.Patient].Female == (set.Sex == Female) {
			break
		}
		e = &h.Encounters[rng.IntN(len(h.Encounters))]
	}
	s := h.newScene(rng, e, &h.Providers[rng.IntN(len(h.Providers))])
	if set.Plain {
		s.manner = manner{}
	} else {
		s.manner = drawHaste(rng)
	}
	return s
}
