package inclusion

import (
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Apply returns spans, which are sorted and disjoint, without those in sentences of the list.
// It reuses their slice. It keeps
//
//   - spans of a sentence in which the records match, whose ranges are hits: then it is no
//     longer the sentence that was verified;
//   - spans that are sure, and those that reach beyond the sentence;
//   - a name that is found elsewhere in the text, outside of such sentences: a list may hold
//     "Brown.", and the patient be Mr. Brown.
func (l *List) Apply(v *text.View, spans []phi.Span, hits []phi.Range) []phi.Span {
	if l.Len() == 0 || len(spans) == 0 {
		return spans
	}
	w := walk{list: l, text: v.Text, sentences: v.Sentences(), hits: sorted(hits)}
	return Drop(v.Text, spans, func(s phi.Span) bool { return !s.Sure && w.holds(s) })
}

// Drop returns the spans of a text without those that are listed, which it asks of each in order: all but those whose
// name is found elsewhere in the text, in a span that is not listed. It reuses their slice.
func Drop(text string, spans []phi.Span, isListed func(phi.Span) bool) []phi.Span {
	listed := make([]bool, len(spans))
	names := map[string]bool{}
	for i, s := range spans {
		listed[i] = isListed(s)
		if !listed[i] && s.Type.Class() == phi.ClassName {
			for _, word := range words(text[s.Start:s.End]) {
				names[word] = true
			}
		}
	}
	out := spans[:0]
	for i, s := range spans {
		if !listed[i] || hasWord(names, text[s.Start:s.End]) {
			out = append(out, s)
		}
	}
	return out
}

// walk looks up the sentences of spans, which come in order.
type walk struct {
	phi.Redacted

	list      *List
	text      string
	sentences []phi.Range
	hits      []phi.Range // by start, those from the sentence at hand on
	at        int         // the sentence at hand
	checked   int         // sentences that were looked up
	listed    bool        // whether the last of these is on the list
}

// holds reports whether a span lies within a sentence of the list.
func (w *walk) holds(s phi.Span) bool {
	for w.at < len(w.sentences) && w.sentences[w.at].End <= s.Start {
		w.at++
	}
	if w.at == len(w.sentences) || s.Start < w.sentences[w.at].Start || s.End > w.sentences[w.at].End {
		return false
	}
	if w.checked != w.at+1 {
		w.checked, w.listed = w.at+1, w.lookUp(w.sentences[w.at])
	}
	return w.listed
}

func (w *walk) lookUp(r phi.Range) bool {
	for len(w.hits) > 0 && w.hits[0].End <= r.Start {
		w.hits = w.hits[1:]
	}
	if len(w.hits) > 0 && w.hits[0].Start < r.End {
		return false
	}
	return w.list.Holds(w.text[r.Start:r.End])
}

func sorted(ranges []phi.Range) []phi.Range {
	return slices.SortedFunc(slices.Values(ranges), func(a, b phi.Range) int { return a.Start - b.Start })
}

// hasWord reports whether a word of a name is among words.
func hasWord(among map[string]bool, name string) bool {
	if len(among) == 0 {
		return false
	}
	for _, word := range words(name) {
		if among[word] {
			return true
		}
	}
	return false
}

// words returns the folded words of a name without initials, which identify nothing.
func words(name string) []string {
	var out []string
	for _, t := range text.Tokenize(name) {
		word := name[t.Start:t.End]
		if t.Kind == text.Word && utf8.RuneCountInString(word) > 1 {
			out = append(out, lexicon.Fold(word))
		}
	}
	return out
}
