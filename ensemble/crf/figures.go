package crf

import (
	"context"
	"iter"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Counts are numbers of words, without punctuation marks.
type Counts struct {
	Gold   int // words that are PHI
	Right  int // of these, those found
	Marked int // words found as PHI
}

// Recall is the share of PHI that was found.
func (c Counts) Recall() float64 { return float64(c.Right) / float64(max(c.Gold, 1)) }

// Precision is the share of found words that are PHI.
func (c Counts) Precision() float64 { return float64(c.Right) / float64(max(c.Marked, 1)) }

// F1 is the harmonic mean of both.
func (c Counts) F1() float64 { return 2 * float64(c.Right) / float64(max(c.Gold+c.Marked, 1)) }

// AnyClass is the class under which a word counts as found with any class.
const AnyClass = "ANY"

// Score counts the words of annotated notes that a detector finds, by class: NAME, LOCATION, ORG,
// AGE, DATE, ID, CONTACT, PROFESSION. Times of day are left out, and words of which the source
// leaves open whether they are PHI or of what class.
func Score(ctx context.Context, d ensemble.Detector, data iter.Seq2[corpus.Labelled, error]) (map[string]Counts, error) {
	counts := map[string]Counts{}
	for l, err := range data {
		if err != nil {
			return nil, err
		}
		covers, err := corpus.CoverTypes(l.Covers)
		if err != nil {
			return nil, err
		}
		spans, err := d.Detect(ctx, l.Note, nil)
		if err != nil {
			return nil, err
		}
		scoreNote(&l, covers, spans, counts)
	}
	return counts, nil
}

func scoreNote(l *corpus.Labelled, covers corpus.TypeSet, spans []phi.Span, counts map[string]Counts) {
	next := 0
	for i, tok := range l.Note.View().Tokens {
		for next < len(spans) && spans[next].End <= tok.Start {
			next++
		}
		if tok.Kind == text.Punct {
			continue
		}
		found := ""
		if next < len(spans) && spans[next].Start < tok.End && covers.Has(spans[next].Type) {
			found = className(spans[next].Type)
		}
		types, _, known := corpus.TagTypes(l.Tags[i])
		if known && types&^covers == 0 {
			scoreWord(types, found, counts)
		}
	}
}

// scoreWord counts a word of the given types (none: not PHI) that was found as a class.
func scoreWord(types corpus.TypeSet, found string, counts map[string]Counts) {
	gold := ""
	if types != 0 {
		if gold = className(types.Types()[0]); gold == "" {
			return // a time
		}
	}
	add := func(class string, isGold, isFound bool) {
		c := counts[class]
		if isGold {
			c.Gold++
		}
		if isFound {
			c.Marked++
		}
		if isGold && isFound {
			c.Right++
		}
		counts[class] = c
	}
	add(AnyClass, gold != "", found != "")
	if gold != "" {
		add(gold, true, found == gold)
	}
	if found != "" && found != gold {
		add(found, false, true)
	}
}

// className returns the class of a type as in cards, "" for times.
func className(t phi.Type) string {
	switch {
	case t == phi.Hospital || t == phi.Organization:
		return "ORG"
	case t == phi.Username:
		return phi.ClassID.String()
	case t.Class() == phi.ClassTime || t.Class() == phi.ClassNone:
		return ""
	}
	return t.Class().String()
}
