package record

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// mostSpoken bounds how many pieces an identifier may be said in.
const mostSpoken = 40

// spoken finds identifiers that are said digit by digit, "five five five, oh one two",
// letter by letter, "Z K seven seven", and digits that a line's end parts from letters.
func (r *oddReader) spoken() {
	if len(r.g.idents) == 0 {
		return
	}
	words := r.numberWords()
	for i := 0; i < len(r.toks); i++ {
		if _, next := r.piece(words, i); next == i || !r.apart(words, i) && !r.apart(words, next) {
			continue
		}
		if end := r.spokenAt(words, i); end > i {
			i = end - 1
		}
	}
}

// numberWords reads the tokens for numbers in words.
func (m *matcher) numberWords() spelled.Words {
	return func(i int) string {
		switch {
		case m.punct(i) == '-':
			return "-"
		case !m.isWord(i):
			return ""
		}
		return strings.ToLower(m.tok(i))
	}
}

// apart reports whether a piece of an identifier begins at token i that is no number in
// digits: a number in words or a single letter.
func (r *oddReader) apart(words spelled.Words, i int) bool {
	_, next := r.piece(words, i)
	return next > i && r.isWord(i)
}

// piece returns the digits or the letter that token i begins, and the token behind, or i.
func (r *oddReader) piece(words spelled.Words, i int) (string, int) {
	if !r.has(i) || r.toks[i].Kind == text.Punct {
		return "", i
	}
	if r.toks[i].Kind == text.Number {
		return r.tok(i), i + 1
	}
	if text.MarkOf(r.tok(i)).Classes&text.IsSaidDigit != 0 {
		if digits, end := words.Digits(i); end > i {
			return digits, end
		}
	}
	if firstRune(r.tok(i)) == len(r.tok(i)) {
		return r.tok(i), i + 1
	}
	return "", i
}

// spokenAt finds the longest identifier that begins at token i, and returns the token
// after it, or i.
func (r *oddReader) spokenAt(words spelled.Words, i int) int {
	var said strings.Builder
	h := newIdentHash()
	end, typ, reading := i, phi.None, ""
	for j, n := i, 0; n < mostSpoken; n++ {
		r.steps++
		piece, next := r.piece(words, j)
		if next == j {
			break
		}
		h.write(piece)
		said.WriteString(piece)
		if x, ok := r.g.idents[h.hash]; ok && int(x.n) == min(h.n, 255) && n > 0 && r.saidWhole(x, h.all) {
			end, typ, reading = next, x.typ, said.String()
		}
		j = r.pastMark(next)
	}
	if end > i {
		r.hits = append(r.hits, oddHit{phi.Span{Start: r.toks[i].Start, End: r.toks[end-1].End, Type: typ, Sure: true}, strings.ToUpper(reading)})
	}
	return end
}

// saidWhole reports whether an identifier of so many letters and digits counts when it is said:
// those that others may share only if they are long, and ZIP codes.
func (r *oddReader) saidWhole(x gazIdent, length int) bool {
	if x.must {
		return length > leastIdent
	}
	return !r.mustOnly && (length > leastIdent || x.typ == phi.Zip)
}

// pastMark returns the token after one mark that may be between the pieces of an
// identifier.
func (r *oddReader) pastMark(j int) int {
	switch r.punct(j) {
	case '-', ',', '.', '/', '(', ')':
		return j + 1
	}
	return j
}
