package record

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	// leastSpelt and leastBroken are how long a word of the record must be to be recognized in separate
	// letters, and in pieces of several letters.
	leastSpelt  = 4
	leastBroken = 5
	// longestName is the length in bytes up to which a name is recognized in pieces.
	longestName = 48
	// leastSaid is how many digits and letters must follow one another to be read as a number.
	leastSaid = 4
	// mostSaidLetters is how many letters may precede the digits; more of them are a name.
	mostSaidLetters = 3
	// mostSaid bounds how many tokens an identifier may be said in.
	mostSaid = 60
)

// pieces joins the longest word of the record that begins with the piece at token i: "Zor-" at a
// line's end and "vakian" on the next, or, of single letters, "Z o r v a k i a n".
func (r *reader) pieces(i int, singles bool) int {
	begins := r.g.begins()
	if !begins.get(r.keys[i]) {
		return 0
	}
	var b strings.Builder
	end, like := 0, asWritten
	unknown, hyphen, title := false, false, false
	for j := i; ; {
		r.steps++
		b.WriteString(lexicon.Fold(r.tok(j)))
		unknown = unknown || !r.known(j)
		title = title || j > i && r.toks[j].Case == text.Title
		hash := text.FoldedKey(b.String())
		if w := r.g.words.get(hash); j > i && w.bits&(wName|placeBits) != 0 && (r.mode != exact || w.bits&wNick == 0) {
			switch onLine := r.toks[j].Line; {
			case singles:
				if b.Len() >= leastSpelt {
					end, like = j+1, inPieces
				}
			case b.Len() < leastBroken && !(onLine && hyphen && b.Len() >= leastSpelt && w.level < ordinary):
			case unknown && w.level < ordinary, onLine && hyphen && !title:
				end, like = j+1, inPieces
			case onLine && r.mode != exact:
				end, like = j+1, doubtful
			}
		}
		next := r.nextPiece(j, singles)
		if next == 0 || !begins.get(hash) || b.Len() > longestName {
			break
		}
		hyphen = next == j+2 && r.punct(j+1) == '-'
		j = next
	}
	if end == 0 {
		return 0
	}
	return r.join(i, end, text.Word, r.joined(i, end), like)
}

// joined returns the words of tokens [i, end) in one.
func (r *reader) joined(i, end int) string {
	var b strings.Builder
	for ; i < end; i++ {
		if r.isWord(i) {
			b.WriteString(r.tok(i))
		}
	}
	return b.String()
}

// nextPiece returns the word after token j over what may divide a word, or 0: marks or blanks, a
// line's end with or without a hyphen, and both between single letters.
func (r *reader) nextPiece(j int, singles bool) int {
	const mostMarks = 3
	k := j + 1
	for k <= j+mostMarks && r.has(k) && r.toks[k].Kind == text.Punct && divides(r.tok(k)) && (singles && !r.toks[k].Line || !r.toks[k].Space) {
		k++
	}
	marks := k - j - 1
	switch {
	case !r.isWord(k), singles && !r.single(k):
		return 0
	case singles:
	case r.toks[k].Line:
		if marks > 1 || marks == 1 && r.punct(j+1) != '-' || !r.nextLine(k) {
			return 0
		}
	case r.toks[k].Space && marks > 0:
		return 0
	}
	return k
}

// divides reports whether a mark may be inside a word that is written oddly.
func divides(mark string) bool {
	return len(mark) > 1 || strings.Contains(".-_*|/\\~+=:()[]{}'\"`^,", mark)
}

// newBeginnings returns the hashes of what names begin with, of those that may be in pieces.
func newBeginnings(names []string) *index[bool] {
	x := newIndex[bool](0)
	for _, name := range names {
		if len(name) < leastSpelt || len(name) > longestName {
			continue
		}
		for i := range name[1:] {
			if utf8.RuneStart(name[1+i]) {
				x.values[text.FoldedKey(name[:1+i])] = true
			}
		}
	}
	x.finish()
	return &x
}

// saidPiece is a part of an identifier that is said: digits, or letters.
type saidPiece struct {
	phi.Redacted

	from, end int
	kind      text.TokenKind
	as        string
}

// said reads an identifier that is said digit by digit from token i on, if it is long enough.
func (r *reader) said(i int) int {
	var pieces []saidPiece
	digits, spoken, end := 0, false, i
	for j := i; j < len(r.toks) && j < i+mostSaid; {
		r.steps++
		p := r.saidAt(j, len(pieces) == 0 || pieces[len(pieces)-1].kind == text.Word && len(pieces[0].as) < mostSaidLetters)
		if p.end == j {
			break
		}
		end = p.end
		if n := len(pieces); p.kind == text.Word && n > 0 {
			pieces[n-1].end, pieces[n-1].as = p.end, pieces[n-1].as+p.as
		} else {
			pieces = append(pieces, p)
			digits += len(p.as)
			spoken = spoken || p.kind == text.Number && r.isWord(j)
		}
		j = r.past(p.end, "-,./()")
		if r.has(j) && r.toks[j].Line && r.toks[j].Kind != text.Number {
			break
		}
	}
	if digits < leastSaid || len(pieces) < 2 || !spoken && len(pieces[0].as) < 2 {
		return 0
	}
	for n, p := range pieces {
		letter := n == 0 && p.kind == text.Word && r.g.words.get(text.KeyOf(p.as)).bits&wIdent == 0
		if !letter && r.toks[p.from].Kind != text.Number {
			r.join(p.from, p.end, p.kind, p.as, inPieces)
		}
	}
	return end
}

// saidAt returns the digits or, where they may be, the letter of an identifier at token j.
func (r *reader) saidAt(j int, letters bool) saidPiece {
	p := saidPiece{from: j, end: j}
	switch {
	case r.toks[j].Kind == text.Number:
		p.end, p.kind, p.as = j+1, text.Number, r.tok(j)
	case letters && r.single(j):
		p.end, p.kind, p.as = j+1, text.Word, r.tok(j)
	case r.toks[j].Case == text.Upper && r.zip(j+1): // "OH 44107" is a state's
	case r.class(j)&isSaidDigit != 0 && !(r.single(j) && r.nextPiece(j, true) > 0):
		p.as, p.end = r.numberWords().Digits(j)
		p.kind = text.Number
	}
	return p
}

// numberWords reads the tokens for numbers in words.
func (r *reader) numberWords() spelled.Words {
	return func(i int) string {
		switch {
		case r.punct(i) == '-':
			return "-"
		case !r.isWord(i):
			return ""
		}
		return strings.ToLower(r.tok(i))
	}
}
