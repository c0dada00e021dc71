package peers

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// marked converts a tool's spans to ours. Each must lie within its text, which must equal the
// gold's.
func (p *Peer) marked(doc *score.Document, pred prediction) ([]phi.Span, error) {
	if pred.text != "" && trimEnd(pred.text) != trimEnd(doc.Text) {
		return nil, errors.New("the prediction's text is not the gold's, so that its offsets do not fit")
	}
	var at []int // byte offsets by code point, computed on first use
	spans := make([]phi.Span, 0, len(pred.marks))
	for i, m := range pred.marks {
		if m.points {
			if at == nil {
				at = pointOffsets(doc.Text)
			}
			if m.Start < 0 || m.Start > m.End || m.End >= len(at) {
				return nil, fmt.Errorf("span %d: %d to %d is not within the text of %d code points", i+1, m.Start, m.End, len(at)-1)
			}
			m.Start, m.End = at[m.Start], at[m.End]
		} else if m.Start < 0 || m.Start > m.End || m.End > len(doc.Text) {
			return nil, fmt.Errorf("span %d is not within the text", i+1)
		}
		if m.quoted != nil && *m.quoted != doc.Text[m.Start:m.End] {
			return nil, fmt.Errorf("span %d: its text differs from the text at its offsets, which count code points", i+1)
		}
		if m.Start == m.End {
			return nil, fmt.Errorf("span %d is empty", i+1)
		}
		meaning := corpus.Meaning{}
		if m.Label != "" {
			var err error
			if meaning, err = p.labels.Resolve(m.Mark); err != nil {
				return nil, fmt.Errorf("span %d: %w", i+1, err)
			}
			if meaning.Types == 0 {
				continue // an ignored label
			}
		}
		spans = append(spans, phi.Span{Start: m.Start, End: m.End, Type: typeOf(doc, m.Start, m.End, meaning)})
	}
	return spans, nil
}

func trimEnd(s string) string { return strings.TrimRight(s, "\r\n \t") }

// pointOffsets returns the byte offset of each code point, and of the end.
func pointOffsets(text string) []int {
	out := make([]int, 0, len(text)+1)
	for at := range text {
		out = append(out, at)
	}
	return append(out, len(text))
}

// typeOf chooses the type of a prediction: among the types of its label the one of the gold there,
// otherwise the label's main type. Without a label any type is accepted; without gold too it is
// IDNUM, which every group contains.
func typeOf(doc *score.Document, start, end int, meaning corpus.Meaning) phi.Type {
	for _, g := range doc.Spans {
		if g.Ignored() || g.End <= start || end <= g.Start {
			continue
		}
		if meaning.Types == 0 || meaning.Types.Has(g.Main) {
			return g.Main
		}
		for _, t := range meaning.Types.Types() {
			if g.Types.Has(t) {
				return t
			}
		}
	}
	if meaning.Types == 0 {
		return phi.IDNum
	}
	return meaning.Main
}

// WithoutOverlap sorts spans and cuts from each what an earlier one covers.
func WithoutOverlap(spans []phi.Span) []phi.Span {
	phi.SortSpans(spans)
	out := spans[:0]
	end := 0
	for _, s := range spans {
		s.Start = max(s.Start, end)
		if s.Start < s.End {
			out = append(out, s)
			end = s.End
		}
	}
	return out
}

// masks are the characters by which tools replace every character of PHI.
const masks = "*Xx#_•█■"

// masked finds spans if a text has the same length as the gold's and differs from it only in mask
// characters; otherwise ok is false.
func masked(gold, text string) (ranges []phi.Range, ok bool) {
	if utf8.RuneCountInString(gold) != utf8.RuneCountInString(text) {
		return nil, false
	}
	at := pointOffsets(gold)
	runes, other := []rune(gold), []rune(text)
	for i := 0; i < len(runes); i++ {
		if runes[i] == other[i] {
			continue
		}
		mask := other[i]
		if !strings.ContainsRune(masks, mask) {
			return nil, false
		}
		from, to := i, i+1
		for from > 0 && other[from-1] == mask { // a character of the gold that equals the mask
			from--
		}
		for to < len(other) && other[to] == mask {
			to++
		}
		ranges = append(ranges, phi.Range{Start: at[from], End: at[to]})
		i = to - 1
	}
	return ranges, true
}
