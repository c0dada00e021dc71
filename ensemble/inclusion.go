package ensemble

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Inclusion is the list of sentences that a person has verified to hold no PHI (main
// paper, "Sentence-based inclusion list"). They stand in it as [AppendSentence]
// writes them. It is immutable and safe for concurrent use; a nil list is empty.
type Inclusion struct {
	sentences map[string]struct{}
	digest    string
}

// NewInclusion makes a list of sentences. Those that say nothing are left out.
func NewInclusion(sentences iter.Seq[string]) *Inclusion {
	l := &Inclusion{sentences: map[string]struct{}{}}
	var key []byte
	for s := range sentences {
		if key = AppendSentence(key[:0], s); len(key) > 0 {
			l.sentences[string(key)] = struct{}{}
		}
	}
	if len(l.sentences) == 0 {
		return l
	}
	h := sha256.New()
	for _, s := range slices.Sorted(maps.Keys(l.sentences)) {
		_, _ = h.Write(append([]byte(s), 0)) // a hash takes everything
	}
	l.digest = hex.EncodeToString(h.Sum(nil)[:16])
	return l
}

// Len returns how many sentences are on the list.
func (l *Inclusion) Len() int {
	if l == nil {
		return 0
	}
	return len(l.sentences)
}

// Digest returns 32 hexadecimal digits that two lists share only if they hold the
// same sentences; "" for an empty list.
func (l *Inclusion) Digest() string {
	if l == nil {
		return ""
	}
	return l.digest
}

// Holds reports whether a sentence is on the list.
func (l *Inclusion) Holds(sentence string) bool {
	if l.Len() == 0 {
		return false
	}
	var buf [512]byte
	_, ok := l.sentences[string(AppendSentence(buf[:0], sentence))]
	return ok
}

// WithInclusion returns the same ensemble with another list; nil means none.
func (e *Ensemble) WithInclusion(l *Inclusion) *Ensemble {
	with := *e
	with.inclusion = l
	return &with
}

// HasInclusion reports whether the ensemble has a list with sentences on it.
func (e *Ensemble) HasInclusion() bool { return e.inclusion.Len() > 0 }

// passing takes back what the members found in sentences of the list. It gives up
// nothing that they could be right about all the same:
//
//   - Where the patient's record matches anywhere in the sentence, or the directory is
//     sure, the sentence is no longer the one that was verified.
//   - What a member is sure of stays, and what reaches beyond the sentence.
//   - A name that stands elsewhere in the note, outside of such sentences, is a name
//     here too: a list may hold "Brown.", and the patient be Mr. Brown.
func (b *Ballot) passing(spans []phi.Span) []phi.Span {
	p := passage{list: b.of.inclusion, note: b.note, hits: b.hits}
	if p.list.Len() == 0 || len(spans) == 0 {
		return spans
	}
	passed := make([]bool, len(spans))
	var names map[string]bool
	for i, s := range spans {
		passed[i] = !s.Sure && p.holds(s)
		if !passed[i] && s.Type.Class() == phi.ClassName {
			names = addWords(names, b.note.Text[s.Start:s.End])
		}
	}
	out := spans[:0]
	for i, s := range spans {
		if !passed[i] || hasWord(names, b.note.Text[s.Start:s.End]) {
			out = append(out, s)
		}
	}
	return out
}

// passage goes through a note's sentences beside its spans.
type passage struct {
	list *Inclusion
	note *Note
	hits []phi.Range // of the records
	at   int         // sentence
	seen int         // 1 + the sentence that verdict is of
	ok   bool        // the verdict
}

// holds reports whether a span lies within a sentence that passes. Spans come in
// order.
func (p *passage) holds(s phi.Span) bool {
	sentences := p.note.View().Sentences()
	for p.at < len(sentences) && sentences[p.at].End <= s.Start {
		p.at++
	}
	if p.at == len(sentences) || s.Start < sentences[p.at].Start || s.End > sentences[p.at].End {
		return false
	}
	if p.seen != p.at+1 {
		p.seen, p.ok = p.at+1, p.verdict(sentences[p.at])
	}
	return p.ok
}

func (p *passage) verdict(r phi.Range) bool {
	for _, hit := range p.hits {
		if hit.Start < r.End && r.Start < hit.End {
			return false
		}
	}
	return p.list.Holds(p.note.Text[r.Start:r.End])
}
