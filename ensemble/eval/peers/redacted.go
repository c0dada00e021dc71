package peers

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// placeholder matches what tools put in place of PHI: [**Name**], [NAME], <PHI>, {{NAME}}, ***,
// ___, ###, XXXX, black boxes.
var placeholder = regexp.MustCompile(`\[\*\*[^\]\n]{0,80}?\*\*\]|\[[A-Za-z][\w /.:-]{0,40}\]|</?[A-Za-z][\w :-]{0,40}/?>|` +
	`\{\{?[A-Za-z][\w :-]{0,40}\}?\}|\*{2,}|_{3,}|#{2,}|\bX{3,}\b|[█■•]{2,}`)

// maxUnaligned is the share of words that may fail to align before a text is considered a
// different one.
const maxUnaligned = 0.25

// maxCovered is how many tokens a placeholder may cover: an address has a dozen. If it would cover
// more, text was removed without a placeholder.
const maxCovered = 24

// aligned returns the spans that the placeholders of a redacted text cover.
func (p *Peer) aligned(doc *score.Document, redacted string) ([]phi.Span, error) {
	p.redacted.Add(1)
	if ranges, ok := masked(doc.Text, redacted); ok {
		spans := make([]phi.Span, 0, len(ranges))
		for _, r := range ranges {
			spans = append(spans, phi.Span{Start: r.Start, End: r.End, Type: typeOf(doc, r.Start, r.End, corpus.Meaning{})})
		}
		return spans, nil
	}
	gold, other := tokensOf(doc.Text), tokensOf(redacted)
	a, err := align(gold, other)
	if err != nil {
		return nil, err
	}
	var spans []phi.Span
	for _, c := range a.covers {
		switch {
		case c.from == c.to:
			p.emptied.Add(1)
		case c.to-c.from > maxCovered:
			a.lost += c.to - c.from
		default:
			start, end := gold[c.from].start, gold[c.to-1].end
			spans = append(spans, phi.Span{Start: start, End: end, Type: typeOf(doc, start, end, p.meaningOf(other[c.at].text))})
		}
	}
	if a.lost+a.inserted > 0 {
		p.odd.Add(1)
		p.lost.Add(int64(a.lost))
		p.inserted.Add(int64(a.inserted))
	}
	if most := max(len(gold), len(other)); float64(max(a.lost, a.inserted)) > maxUnaligned*float64(most) && max(a.lost, a.inserted) > 3 {
		return nil, fmt.Errorf("the redacted text is not this document's: %d of its %d words and marks are not in the other (a tool "+
			"that writes surrogates has to give spans)", max(a.lost, a.inserted), most)
	}
	return spans, nil
}

// meaningOf resolves a placeholder's label; an absent or unknown label may mean any type.
func (p *Peer) meaningOf(text string) corpus.Meaning {
	label := strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	label, _, _ = strings.Cut(label, ":")
	meaning, _ := p.labels.Meaning(strings.TrimSpace(label))
	return meaning
}

// alignToken is a run of letters, a run of digits, a placeholder or one other character.
type alignToken struct {
	start, end int
	text       string // in lower case
	holds      bool   // a placeholder, which may cover other tokens
}

// tokensOf splits a text; white space is left out.
func tokensOf(text string) []alignToken {
	var out []alignToken
	at := 0
	for _, m := range placeholder.FindAllStringIndex(text, -1) {
		out = plainTokens(out, text, at, m[0])
		out = append(out, alignToken{m[0], m[1], strings.ToLower(text[m[0]:m[1]]), true})
		at = m[1]
	}
	return plainTokens(out, text, at, len(text))
}

// plainTokens adds the tokens of text[start:end], in which there is no placeholder.
func plainTokens(out []alignToken, text string, start, end int) []alignToken {
	last, first := space, len(out)
	for at := start; at < end; {
		r, size := utf8.DecodeRuneInString(text[at:end])
		kind := kindOf(r)
		switch {
		case kind == space:
		case kind == last && kind != single:
			out[len(out)-1].end = at + size
		default:
			out = append(out, alignToken{start: at, end: at + size})
		}
		last = kind
		at += size
	}
	for i := range out[first:] {
		t := &out[first+i]
		t.text = strings.ToLower(text[t.start:t.end])
	}
	return out
}

// The kinds of characters: letters and digits make runs.
const (
	space = iota
	single
	letters
	digits
)

func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letters
	case unicode.IsDigit(r):
		return digits
	}
	return single
}
