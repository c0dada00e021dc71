package ensemble

import (
	"context"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// recordHits returns where the patient's record matches, and where the site's is sure
// to. An ensemble without these members asks them all the same: what they know must
// beat the inclusion list.
func (e *Ensemble) recordHits(ctx context.Context, note *Note, votes []phi.Span) ([]phi.Range, error) {
	if e.inclusion.Len() == 0 {
		return nil, nil
	}
	var hits []phi.Range
	for _, d := range []Detector{NewRecord(), NewDirectory()} {
		found := e.votesOf(d.Name(), votes)
		if found == nil {
			var err error
			if found, err = d.Detect(ctx, note, nil); err != nil {
				return nil, err
			}
		}
		for _, s := range found {
			if s.Sure || d.Name() == "record" {
				hits = append(hits, phi.Range{Start: s.Start, End: s.End})
			}
		}
	}
	return hits, nil
}

// votesOf returns the votes of a member, never nil, or nil if it is none.
func (e *Ensemble) votesOf(name string, votes []phi.Span) []phi.Span {
	for i, m := range e.members {
		if m.Name() != name {
			continue
		}
		own := []phi.Span{}
		for _, s := range votes {
			if s.By&(1<<i) != 0 {
				own = append(own, s)
			}
		}
		return own
	}
	return nil
}

// VotesOf returns what one member found, before anything was settled; nil if it found
// nothing or is no member.
func (b *Ballot) VotesOf(name string) []phi.Span {
	if own := b.of.votesOf(name, b.votes); len(own) > 0 {
		return own
	}
	return nil
}

// SpansWithoutList returns what all members find together if no sentence is on the
// inclusion list.
func (b *Ballot) SpansWithoutList() []phi.Span {
	plain := Ballot{of: b.of.WithInclusion(nil), note: b.note, votes: b.votes, learned: b.learned}
	return plain.Spans(b.of.Members())
}

// addWords adds the words of a name, folded; initials decide nothing.
func addWords(words map[string]bool, name string) map[string]bool {
	eachNameWord(name, func(w string) bool {
		if words == nil {
			words = map[string]bool{}
		}
		words[w] = true
		return true
	})
	return words
}

// hasWord reports whether a word of name is among words.
func hasWord(words map[string]bool, name string) bool {
	found := false
	if len(words) > 0 {
		eachNameWord(name, func(w string) bool {
			found = words[w]
			return !found
		})
	}
	return found
}

func eachNameWord(name string, do func(folded string) bool) {
	for _, t := range text.Tokenize(name) {
		word := name[t.Start:t.End]
		if t.Kind == text.Word && utf8.RuneCountInString(word) > 1 && !do(lexicon.Fold(word)) {
			return
		}
	}
}
