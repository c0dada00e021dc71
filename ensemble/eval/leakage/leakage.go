package leakage

import (
	"errors"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Replacer replaces the finds (sorted, without overlap) in a document, as production does. It is
// called from one goroutine, in the order of the documents. It returns ErrWithheld if the document
// would not be published.
type Replacer func(doc *score.Document, found []phi.Span) (Replaced, error)

// ErrWithheld is returned if the check after replacement withholds a document.
var ErrWithheld = errors.New("the document would not be published")

// Replaced is a text with surrogates.
type Replaced struct {
	Text       string
	Surrogates []Surrogate // in order
}

// Surrogate is at [Start, End) of the new text, in code points, and replaces Was, in bytes of the
// old one.
type Surrogate struct {
	Start, End int
	Was        phi.Range
}

// Report is what of the gold's text remains after replacement.
type Report struct {
	Docs     int              `json:"docs"`
	Withheld int              `json:"withheld"` // by the check after replacement; counted as nothing left
	Leaking  int              `json:"leaking"`  // documents with a word of group C left
	Groups   map[string]Leaks `json:"groups"`   // A, B and C; what All adds is kept on purpose
	Types    map[string]Leaks `json:"types"`    // of group C, by gold label
}

// Leaks are the gold words and entities of a group or a label. A word survives if a letter or
// digit of it is still at its place in the new text and not in a surrogate. A replaced word may
// still be readable elsewhere by coincidence: in a surrogate (the "Street" of a street), or in
// other text (the verb "may" where a Dr. May was replaced).
type Leaks struct {
	Words       int `json:"words"`
	Survived    int `json:"survived"`
	AsSurrogate int `json:"as_surrogate"`
	Elsewhere   int `json:"elsewhere"`
	// Entities are whole gold spans: how many survive whole, how many in part, and how many have all
	// words replaced but readable elsewhere.
	Entities int `json:"entities"`
	Whole    int `json:"entities_whole"`
	Partly   int `json:"entities_partly"`
	Read     int `json:"entities_elsewhere"`
}

// Rate is Survived of Words; 0 without words.
func (l Leaks) Rate() float64 { return 1 - score.Ratio(l.Words-l.Survived, l.Words) }

func (l *Leaks) add(o Leaks) {
	l.Words += o.Words
	l.Survived += o.Survived
	l.AsSurrogate += o.AsSurrogate
	l.Elsewhere += o.Elsewhere
	l.Entities += o.Entities
	l.Whole += o.Whole
	l.Partly += o.Partly
	l.Read += o.Read
}

// Sums adds up documents.
type Sums struct {
	replace Replacer
	Report  Report
}

// NewSums returns sums of what is left after replace, or nil without it.
func NewSums(replace Replacer) *Sums {
	if replace == nil {
		return nil
	}
	return &Sums{replace, Report{Groups: map[string]Leaks{score.A.String(): {}, score.B.String(): {}, score.C.String(): {}}, Types: map[string]Leaks{}}}
}

// Add replaces the finds in a document and searches the result for its gold.
func (s *Sums) Add(doc *score.Document, found []phi.Span) error {
	if s == nil {
		return nil
	}
	s.Report.Docs++
	out, err := s.replace(doc, found)
	if errors.Is(err, ErrWithheld) {
		s.Report.Withheld++
		out, err = Replaced{Surrogates: []Surrogate{{Was: phi.Range{Start: 0, End: len(doc.Text)}}}}, nil
	}
	if err != nil {
		return err
	}
	survived := false
	text := readOutput(out)
	for _, gold := range doc.Spans {
		if gold.Ignored() {
			continue
		}
		n := text.leaks(doc.Text, gold, coveredBy(out, found, gold))
		for g := score.A; g <= score.C; g++ {
			if g.Within(gold.Types, doc.Text[gold.Start:gold.End]) {
				sum := s.Report.Groups[g.String()]
				sum.add(n)
				s.Report.Groups[g.String()] = sum
			}
		}
		if score.C.Within(gold.Types, doc.Text[gold.Start:gold.End]) {
			sum := s.Report.Types[gold.Label]
			sum.add(n)
			s.Report.Types[gold.Label] = sum
			survived = survived || n.Survived > 0
		}
	}
	if survived {
		s.Report.Leaking++
	}
	return nil
}

// coveredBy returns the replaced ranges of the old text, sorted. For gold that may be a time of
// day it includes the times found, which are kept on purpose.
func coveredBy(out Replaced, found []phi.Span, gold score.GoldSpan) []phi.Span {
	spans := make([]phi.Span, 0, len(out.Surrogates))
	for _, s := range out.Surrogates {
		spans = append(spans, phi.Span{Start: s.Was.Start, End: s.Was.End, Type: phi.Patient})
	}
	if !gold.Types.Has(phi.Time) {
		return spans
	}
	for _, s := range found {
		if s.Type == phi.Time {
			spans = append(spans, s)
		}
	}
	phi.SortSpans(spans)
	return spans
}

// outputText is a new text as a list of words.
type outputText struct {
	words       []string // folded
	asSurrogate []bool
	at          map[string][]int // positions in words
}

func readOutput(out Replaced) outputText {
	t := outputText{at: map[string][]int{}}
	points, next := corpus.NewCodePoints(out.Text), 0
	score.EachWord(out.Text, 0, len(out.Text), func(w phi.Range) {
		start, end := points.Of(w.Start), points.Of(w.End)
		for next < len(out.Surrogates) && out.Surrogates[next].End <= start {
			next++
		}
		word := strings.ToLower(out.Text[w.Start:w.End])
		t.at[word] = append(t.at[word], len(t.words))
		t.words = append(t.words, word)
		t.asSurrogate = append(t.asSurrogate, next < len(out.Surrogates) && out.Surrogates[next].Start < end)
	})
	return t
}

// leaks counts what is left of a gold span.
func (t outputText) leaks(old string, gold score.GoldSpan, replaced []phi.Span) Leaks {
	n := Leaks{Entities: 1}
	for _, w := range score.Words(old, gold.Start, gold.End) {
		n.Words++
		if covered, _ := score.Coverage(old, w, replaced, score.All, corpus.SetOf(phi.Time)); !covered {
			n.Survived++
			continue
		}
		as, elsewhere := t.find(old[w.Start:w.End])
		if as {
			n.AsSurrogate++
		}
		if elsewhere {
			n.Elsewhere++
		}
	}
	switch {
	case n.Words == 0:
		return Leaks{}
	case n.Survived == n.Words:
		n.Whole = 1
	case n.Survived > 0:
		n.Partly = 1
	default:
		if as, elsewhere := t.find(old[gold.Start:gold.End]); as || elsewhere {
			n.Read = 1
		}
	}
	return n
}

// find reports whether the words of a phrase occur consecutively in the new text, in surrogates
// (at least partly) or elsewhere.
func (t outputText) find(phrase string) (asSurrogate, elsewhere bool) {
	var parts []string
	score.EachWord(phrase, 0, len(phrase), func(w phi.Range) { parts = append(parts, strings.ToLower(phrase[w.Start:w.End])) })
	if len(parts) == 0 {
		return false, false
	}
	for _, at := range t.at[parts[0]] {
		if at+len(parts) > len(t.words) || !slices.Equal(t.words[at:at+len(parts)], parts) {
			continue
		}
		if slices.Contains(t.asSurrogate[at:at+len(parts)], true) {
			asSurrogate = true
		} else {
			elsewhere = true
		}
	}
	return asSurrogate, elsewhere
}
