package agreement

import (
	"fmt"
	"iter"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Agreement counts words by the marks of two annotators: the cells a, b, c and d of Supplementary
// Table 5 of Murugadoss et al., Patterns 2 (2021).
type Agreement struct {
	Both    int `json:"both"`
	OnlyA   int `json:"only_a"`
	OnlyB   int `json:"only_b"`
	Neither int `json:"neither"`
}

func (a Agreement) words() int { return a.Both + a.OnlyA + a.OnlyB + a.Neither }

// Observed is the share of words marked the same; 1 without words.
func (a Agreement) Observed() float64 { return score.Ratio(a.Both+a.Neither, a.words()) }

// Expected is the agreement expected by chance at each annotator's rate of marking.
func (a Agreement) Expected() float64 {
	n := a.words()
	yes := score.Ratio(a.Both+a.OnlyA, n) * score.Ratio(a.Both+a.OnlyB, n)
	no := score.Ratio(a.OnlyB+a.Neither, n) * score.Ratio(a.OnlyA+a.Neither, n)
	return yes + no
}

// Kappa is Cohen's kappa: agreement beyond chance, at most 1. It is 1 if both mark nothing or
// everything.
func (a Agreement) Kappa() float64 {
	if a.OnlyA+a.OnlyB == 0 {
		return 1
	}
	expected := a.Expected()
	return (a.Observed() - expected) / (1 - expected)
}

// Marked is the agreement on what either marks: 2a / (2a + b + c), the F1 of one annotator against
// the other. Unlike kappa it does not depend on the share of marked text.
func (a Agreement) Marked() float64 { return score.Ratio(2*a.Both, 2*a.Both+a.OnlyA+a.OnlyB) }

func (a *Agreement) count(inA, inB bool) {
	switch {
	case inA && inB:
		a.Both++
	case inA:
		a.OnlyA++
	case inB:
		a.OnlyB++
	default:
		a.Neither++
	}
}

// Report compares two annotators' marks of the same documents.
type Report struct {
	Docs  int       `json:"docs"`
	Words Agreement `json:"words"` // PHI or not
	// Types counts words by main type: marked with this type or not.
	Types map[string]Agreement `json:"types"`
}

// Agree compares two sets of the same documents in the same order, word by word (delimited by
// white space; marked if one of its letters or digits is). Words that one set has only under an
// ignored label are left out. It fails at the first document that differs.
func Agree(a, b iter.Seq2[score.Document, error]) (Report, error) {
	r := &agreement{types: map[phi.Type]*Agreement{}}
	next, stop := iter.Pull2(b)
	defer stop()
	for docA, err := range a {
		if err != nil {
			return Report{}, err
		}
		docB, err, ok := next()
		switch {
		case err != nil:
			return Report{}, err
		case !ok:
			return Report{}, fmt.Errorf("the second set ends after %d documents, the first goes on", r.docs)
		case docA.Text != docB.Text:
			return Report{}, fmt.Errorf("document number %d (%s in the first set, %s in the second) has two texts: want the "+
				"same documents in the same order",
				r.docs+1, docA.ID, docB.ID)
		}
		r.add(&docA, &docB)
	}
	if _, err, ok := next(); ok || err != nil {
		return Report{}, fmt.Errorf("the first set ends after %d documents, the second goes on", r.docs)
	}
	return r.report(), nil
}

// agreement adds up documents. A type's Neither is computed at the end, when the number of words
// is known.
type agreement struct {
	docs  int
	words Agreement
	types map[phi.Type]*Agreement
}

func (r *agreement) add(a, b *score.Document) {
	r.docs++
	marksA, marksB := score.NewMarks(a), score.NewMarks(b)
	typesA, typesB := typesAt(a), typesAt(b)
	for _, w := range score.Words(a.Text, 0, len(a.Text)) {
		if marksA.Ignored(a.Text, w) || marksB.Ignored(b.Text, w) {
			continue
		}
		inA, inB := typesA.of(a.Text, w), typesB.of(b.Text, w)
		r.words.count(inA != 0, inB != 0)
		for _, t := range (inA | inB).Types() {
			if r.types[t] == nil {
				r.types[t] = &Agreement{}
			}
			r.types[t].count(inA.Has(t), inB.Has(t))
		}
	}
}

func (r *agreement) report() Report {
	out := Report{Docs: r.docs, Words: r.words, Types: map[string]Agreement{}}
	for t, a := range r.types {
		row := *a
		row.Neither = r.words.words() - row.words()
		out.Types[t.String()] = row
	}
	return out
}

// markedTypes holds, for each byte of a text, the main types of its marks.
type markedTypes []corpus.TypeSet

func typesAt(doc *score.Document) markedTypes {
	out := make(markedTypes, len(doc.Text))
	for _, s := range doc.Spans {
		if s.Ignored() {
			continue
		}
		for i := s.Start; i < s.End; i++ {
			out[i] |= corpus.SetOf(s.Main)
		}
	}
	return out
}

// of returns the types at the letters and digits of a word.
func (m markedTypes) of(text string, w phi.Range) corpus.TypeSet {
	var set corpus.TypeSet
	score.EachWord(text, w.Start, w.End, func(part phi.Range) {
		for i := part.Start; i < part.End; i++ {
			set |= m[i]
		}
	})
	return set
}
