package record

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// How long a word of the record must be to be recognized in separate letters, and in pieces of
// several letters.
const (
	leastSpelt  = 4
	leastBroken = 5
)

// leastSaid is how many digits and letters must follow one another to be read as a number.
const leastSaid = 4

// mostSaid bounds how many tokens an identifier may be said in.
const mostSaid = 60

// spelledOut reads what is said letter by letter or digit by digit from token i on.
func (r *reader) spelledOut(i int) int {
	words := r.numberWords()
	var letters []int // tokens
	for j := i; r.single(j) && len(letters) < longestName; {
		letters = append(letters, j)
		if j = r.nextPiece(j, true); j == 0 || r.punct(j-1) == '\'' && (r.tok(j) == "s" || r.tok(j) == "S") {
			break
		}
	}
	if len(letters) >= leastSpelt {
		if end := r.spelledWords(letters); end > 0 {
			return end
		}
	}
	said, end := r.said(words, i)
	if said == nil {
		return 0
	}
	for _, p := range said {
		if p.kind == text.Number && r.toks[p.from].Kind == text.Number {
			continue // in digits already
		}
		r.join(p.from, p.end, p.kind, p.as, inPieces)
	}
	return end
}

// saidPiece is a part of an identifier that is said: digits, or letters.
type saidPiece struct {
	from, end int
	kind      text.TokenKind
	as        string
}

// said returns the pieces of an identifier that is said from token i on, if it is long enough.
func (r *reader) said(words spelled.Words, i int) (pieces []saidPiece, end int) {
	digits, spoken := 0, 0
	for j := i; j < len(r.toks) && j < i+mostSaid; {
		r.steps++
		p := saidPiece{from: j, end: j}
		switch {
		case r.toks[j].Kind == text.Number:
			p.end, p.kind, p.as = j+1, text.Number, r.tok(j)
		case r.single(j) && (len(pieces) == 0 || pieces[len(pieces)-1].kind == text.Word):
			p.end, p.kind, p.as = j+1, text.Word, r.tok(j)
		case r.class(j)&isSaidDigit != 0 && !(r.single(j) && r.nextPiece(j, true) > 0):
			p.as, p.end = words.Digits(j)
			p.kind = text.Number
			spoken++
		default:
			p.as, p.end = r.saidGlued(j)
			p.kind = text.Number
		}
		if p.end == j {
			break
		}
		end = p.end
		if n := len(pieces); p.kind == text.Word && n > 0 {
			pieces[n-1].end, pieces[n-1].as = p.end, pieces[n-1].as+p.as
		} else {
			pieces = append(pieces, p)
			digits += len(p.as)
		}
		j = r.pastMark(p.end)
		if r.has(j) && r.toks[j].Line && r.toks[j].Kind != text.Number {
			break
		}
	}
	if digits < leastSaid || len(pieces) < 2 || spoken == 0 && len(pieces[0].as) < 2 {
		return nil, i
	}
	if p := pieces[0]; p.kind == text.Word && r.g.words.get(text.KeyOf(p.as).Hash).bits&wIdent == 0 {
		pieces = pieces[1:] // a letter before the number
	}
	return pieces, end
}

// saidGlued reads the digit in words that is glued to the word after it: "oneVisit".
func (r *reader) saidGlued(j int) (string, int) {
	if !r.isWord(j) {
		return "", j
	}
	word := strings.ToLower(r.tok(j))
	for n := len("one"); n <= len("seven") && n < len(word); n++ {
		if classOf(word[:n])&isSaidDigit == 0 || !isHump(r.tok(j), n) && !isInTexts([]byte(word[n:])) {
			continue
		}
		if digits, end := numberWord(word[:n]).Digits(0); end > 0 {
			return digits, j + 1
		}
	}
	return "", j
}

// numberWord is a text of one word.
func numberWord(word string) spelled.Words {
	return func(i int) string {
		if i != 0 {
			return ""
		}
		return word
	}
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

// pastMark returns the token after one mark that may be between the pieces of an identifier.
func (r *reader) pastMark(j int) int {
	switch r.punct(j) {
	case '-', ',', '.', '/', '(', ')':
		return j + 1
	}
	return j
}

// spelledWords reads single letters as the words of the record that they spell, and returns the
// token after them, or 0 if they spell none.
func (r *reader) spelledWords(letters []int) int {
	end := 0
	for k := 0; k < len(letters); {
		as, n, like := r.spelledWord(letters[k:])
		if n == 0 {
			k++
			continue
		}
		end = r.join(letters[k], letters[k+n-1]+1, text.Word, as, like)
		k += n
	}
	return end
}

// spelledWord returns the word of the record that letters begin with, and how many they are: the
// longest one, or one that the letters up to a capital look like.
func (r *reader) spelledWord(letters []int) (word string, n int, like likeness) {
	begins := r.g.begins()
	var b strings.Builder
	for k, i := range letters {
		r.steps++
		b.WriteString(lexicon.Fold(r.tok(i)))
		hash := keyOf(b.String())
		if w := r.g.words.get(hash); w.bits&(wName|placeBits) != 0 && k+1 >= leastSpelt && (r.mode != exact || w.bits&wNick == 0) {
			word, n, like = r.letters(letters[:k+1]), k+1, inPieces
		}
		if !begins.get(hash) || b.Len() > longestName {
			break
		}
	}
	if n > 0 || r.mode == exact {
		return word, n, like
	}
	chunk := 1
	for chunk < len(letters) && (r.toks[letters[chunk]].Case != text.Upper || r.toks[letters[0]].Case != text.Upper ||
		r.toks[letters[1]].Case == text.Upper) {
		chunk++
	}
	if chunk < leastSpelt || chunk > longestNear {
		return "", 0, 0
	}
	if w, _ := r.g.near.nearest([]byte(lexicon.Fold(r.letters(letters[:chunk])))); w != nil {
		return w.word, chunk, misspelt
	}
	return "", 0, 0
}

// letters returns the letters of single tokens as a word.
func (r *reader) letters(tokens []int) string {
	var b strings.Builder
	for _, i := range tokens {
		b.WriteString(r.tok(i))
	}
	return b.String()
}

// pieces joins the longest word of the record that begins with the piece at token i: "Zor-" at a
// line's end and "vakian" on the next.
func (r *reader) pieces(i int) int {
	begins := r.g.begins()
	if !begins.get(r.keys[i].Hash) {
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
		hash := keyOf(b.String())
		if w := r.g.words.get(hash); j > i && b.Len() >= leastBroken && w.bits&(wName|placeBits) != 0 && (r.mode != exact || w.bits&wNick == 0) {
			switch onLine := r.toks[j].Line; {
			case unknown && w.level < ordinary, onLine && hyphen && !title:
				end, like = j+1, inPieces
			case onLine && r.mode != exact:
				end, like = j+1, doubtful
			}
		}
		next := r.nextPiece(j, false)
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
	if !r.isWord(k) {
		return 0
	}
	marks := k - j - 1
	switch {
	case singles:
		if !r.single(k) {
			return 0
		}
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

// longestName is the length in bytes up to which a name is recognized in pieces.
const longestName = 48

// newBeginnings returns the hashes of what names begin with, of those that may be in pieces.
func newBeginnings(names []string) *index[bool] {
	x := newIndex[bool](0)
	for _, name := range names {
		if len(name) < leastSpelt || len(name) > longestName {
			continue
		}
		for i := range name[1:] {
			if utf8.RuneStart(name[1+i]) {
				x.values[keyOf(name[:1+i])] = true
			}
		}
	}
	x.finish()
	return &x
}
