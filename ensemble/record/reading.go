package record

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// likeness says how a token of a reading was found to be a word of the record.
type likeness uint8

const (
	asWritten likeness = iota
	inPieces           // its letters are apart, or glued to other words
	misspelt           // and it is no other word
	doubtful           // it may be another word: only what is next to it makes it the record's
	isLogin            // it is made of the patient's names as logins are
)

// reading is a text as tokens. Some of them are read as words of the record that damage has
// changed: misspelt, taken for others by a scanner, in pieces, glued to other words or in words
// instead of digits.
type reading struct {
	phi.Redacted

	text string
	toks []text.Token
	keys []uint64
	as   []string   // by token: what it is written as in one piece; "": as it is
	like []likeness // by token
}

// asIs returns the reading of a text as it is written.
func asIs(v *text.View) reading { return reading{text: v.Text, toks: v.Tokens, keys: v.Keys()} }

func (r *reading) likeness(i int) likeness {
	if uint(i) >= uint(len(r.like)) {
		return asWritten
	}
	return r.like[i]
}

func (r *reading) has(i int) bool { return uint(i) < uint(len(r.toks)) }

func (r *reading) isWord(i int) bool { return r.has(i) && r.toks[i].Kind == text.Word }

func (r *reading) isNumber(i int) bool { return r.has(i) && r.toks[i].Kind == text.Number }

// tok returns what token i is read as.
func (r *reading) tok(i int) string {
	if r.as != nil && r.as[i] != "" {
		return r.as[i]
	}
	return r.text[r.toks[i].Start:r.toks[i].End]
}

// punct returns the ASCII form of the mark at token i, or 0.
func (r *reading) punct(i int) byte {
	if !r.has(i) || r.toks[i].Kind != text.Punct {
		return 0
	}
	return text.PlainPunct(r.tok(i))
}

// past returns the token after i if token i is one of the marks, else i.
func (r *reading) past(i int, marks string) int {
	if c := r.punct(i); c != 0 && strings.IndexByte(marks, c) >= 0 {
		return i + 1
	}
	return i
}

// before returns the token before i, over one of the marks.
func (r *reading) before(i int, marks string) int {
	if c := r.punct(i - 1); c != 0 && strings.IndexByte(marks, c) >= 0 {
		return i - 2
	}
	return i - 1
}

// glued reports whether there is no blank before token i.
func (r *reading) glued(i int) bool { return r.has(i) && !r.toks[i].Space }

func (r *reading) sameLine(i int) bool { return r.has(i) && !r.toks[i].Line }

// nextLine reports whether one line's end is before token i.
func (r *reading) nextLine(i int) bool {
	return i > 0 && r.has(i) && r.toks[i].Line && strings.Count(r.text[r.toks[i-1].End:r.toks[i].Start], "\n") == 1
}

// near reports whether token i goes on in the line of the one before it, or in the next line.
func (r *reading) near(i int) bool { return r.sameLine(i) || r.nextLine(i) }

// zip reports whether token i is a number of five digits.
func (r *reading) zip(i int) bool { return r.isNumber(i) && r.toks[i].End-r.toks[i].Start == 5 }

// single reports whether token i is one letter, of either case.
func (r *reading) single(i int) bool {
	return r.isWord(i) && runeLen(r.text[r.toks[i].Start:]) == r.toks[i].End-r.toks[i].Start
}

func (r *reading) class(i int) class {
	if !r.isWord(i) {
		return 0
	}
	return classes().get(r.keys[i])
}

func (r *reading) plays(i int, roles text.Roles) bool {
	return r.isWord(i) && text.RolesOf(r.tok(i))&roles != 0
}

// known reports whether token i is a word of its own, of any kind.
func (r *reading) known(i int) bool {
	e, _ := lexicon.Lookup(r.tok(i))
	return isKnown(e)
}

func isKnown(e lexicon.Entry) bool {
	return e.Common > 0 || e.Capital > 0 || e.Is(lexicon.Clinical|lexicon.State)
}

// runeLen returns the length of the first character of s.
func runeLen(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// reader makes the reading of a text in which the words of a record are whole.
type reader struct {
	phi.Redacted

	reading // of the text as it is written
	view    *text.View
	g       *Gazetteer
	cases   text.Casing
	mode    mode
	out     reading // so far; no tokens as long as none differs
	kept    int     // tokens up to here are in out
	mixed   int     // up to here runs of letters and digits were looked at
	glue    gluedWord
	entries []lexicon.Entry // what the lexicon knows of the tokens, if others have asked for it anyway; else nil
	steps   int             // what was looked at, for tests that hold it in proportion to the text
}

// read returns the reading of a text.
func (g *Gazetteer) readingOf(v *text.View, mode mode) (reading, int) {
	r := &reader{reading: asIs(v), view: v, g: g, mode: mode, cases: v.Casing()}
	if mode == everything {
		r.entries = v.Entries()
	}
	for i := 0; i < len(r.toks); {
		r.steps++
		i = max(i+1, r.at(i))
	}
	if r.out.toks == nil {
		return r.reading, r.steps
	}
	r.keepTo(len(r.toks))
	return r.out, r.steps
}

// at puts the word of the record that begins at token i into the reading, and returns the token
// after it, or 0.
func (r *reader) at(i int) int {
	t := &r.toks[i]
	if t.Kind == text.Punct {
		return 0
	}
	end := r.apostrophe(i)
	if r.mode == staff {
		return end
	}
	if end == 0 {
		end = r.run(i)
	}
	if end == 0 && r.mode == everything && t.Kind == text.Word {
		end = r.gluedToNumber(i)
	}
	if t.Kind == text.Number {
		return end
	}
	if end == 0 && r.single(i) {
		end = r.pieces(i, true)
	}
	if end == 0 {
		end = r.pieces(i, false)
	}
	if end == 0 && (r.single(i) || r.class(i)&isSaidDigit != 0) {
		end = r.said(i)
	}
	if end > 0 {
		return end
	}
	if t.End-t.Start <= leastNear || r.holds(i) {
		return 0
	}
	if r.login(i) || r.mode != exact && r.view.Roles(i) == 0 && r.nearWord(i) { // "SSN" is no misspelt "Son"
		return i + 1
	}
	return r.cut(i)
}

// holds reports whether the word i is one of the record's names and places as it is written.
func (r *reader) holds(i int) bool {
	return r.g.words.get(r.keys[i]).bits&(wName|placeBits) != 0
}

// keepTo takes the tokens before token i into the reading as they are written.
func (r *reader) keepTo(i int) {
	o := &r.out
	if o.toks == nil {
		o.text = r.text
		o.toks = make([]text.Token, 0, len(r.toks)+8)
		o.keys = make([]uint64, 0, len(r.toks)+8)
		o.as = make([]string, 0, len(r.toks)+8)
		o.like = make([]likeness, 0, len(r.toks)+8)
	}
	o.toks = append(o.toks, r.toks[r.kept:i]...)
	o.keys = append(o.keys, r.keys[r.kept:i]...)
	o.as = append(o.as, make([]string, i-r.kept)...)
	o.like = append(o.like, make([]likeness, i-r.kept)...)
	r.kept = i
}

// put reads the tokens [i, end) as one.
func (r *reader) put(i, end int, t text.Token, key uint64, as string, like likeness) int {
	r.keepTo(i)
	o := &r.out
	o.toks = append(o.toks, t)
	o.keys = append(o.keys, key)
	o.as = append(o.as, as)
	o.like = append(o.like, like)
	r.kept = end
	return end
}

// join reads tokens [i, end) as one word or number.
func (r *reader) join(i, end int, kind text.TokenKind, as string, like likeness) int {
	t := r.toks[i]
	t.End, t.Kind = r.toks[end-1].End, kind
	if kind == text.Word {
		t.Case = r.caseOf(i, end)
	}
	return r.put(i, end, t, text.KeyOf(as), as, like)
}

// caseOf returns the case of the letters of tokens [i, end) as one word.
func (r *reader) caseOf(i, end int) text.Case {
	first, lower := r.toks[i].Case, false
	for ; i < end; i++ {
		if r.toks[i].Kind == text.Word {
			lower = lower || r.toks[i].Case != text.Upper
		}
	}
	switch {
	case first == text.Lower || !lower:
		return first
	}
	return text.Title
}

// apostrophe joins "O'Brien", which the record holds in one word, also where a part of it is
// misspelt.
func (r *reader) apostrophe(i int) int {
	const longestHead, leastTail = 3, 3
	if r.punct(i+1) != '\'' || !r.glued(i+1) || !r.glued(i+2) || r.toks[i].End-r.toks[i].Start > longestHead {
		return 0
	}
	end := i + 2
	for end < len(r.toks) && r.toks[end].Kind != text.Punct && r.glued(end) { // "O'Burrel1"
		end++
	}
	if end == i+2 || r.toks[end-1].End-r.toks[i+2].Start < leastTail {
		return 0
	}
	as := r.tok(i) + r.text[r.toks[i+2].Start:r.toks[end-1].End]
	if r.g.words.get(text.KeyOf(as)).bits&wName != 0 {
		return r.join(i, end, text.Word, as, asWritten)
	}
	if r.mode != everything {
		return 0
	}
	w, distance := r.g.near.nearest([]byte(lexicon.Fold(as)))
	if w == nil || distance > 0 && len(w.word) < leastEdit+2 || r.g.words.get(w.hash).bits&wName == 0 {
		return 0
	}
	t := r.toks[i]
	t.End, t.Case = r.toks[end-1].End, r.caseOf(i, end)
	return r.put(i, end, t, w.hash, "", misspelt)
}

// run reads letters and digits without blanks or marks between them: as a word of the record if its
// digits look like letters, or as a number if its letters look like digits.
func (r *reader) run(i int) int {
	if i < r.mixed || r.mode == exact {
		return 0
	}
	end, letters, digits, held := i, 0, 0, false
	for end < len(r.toks) && r.toks[end].Kind != text.Punct && (end == i || r.glued(end)) {
		n := r.toks[end].End - r.toks[end].Start
		if r.toks[end].Kind == text.Word {
			letters += n
			inNumber := n == 1 && end > i && r.toks[end-1].Kind == text.Number // the O of "7O55", also where the record has a "P.O. Box"
			held = held || !inNumber && r.g.words.get(r.keys[end]).bits&^(wIdent|wLogin) != 0
		} else {
			digits += n
		}
		end++
	}
	r.mixed = max(end, i+1)
	if end > i+1 && r.class(end-1)&isInDate != 0 && alike().digits(r.text[r.toks[i].Start:r.toks[end-1].Start]) != "" { // "i6th"
		end--
		letters -= r.toks[end].End - r.toks[end].Start
	}
	if as := r.ordinal(i, end); as != "" {
		return r.join(i, end, text.Number, as, asWritten)
	}
	street := r.toks[i].Kind == text.Number && r.class(end-1)&isCompass != 0 && r.punct(end) == '.' // "12S.Main"
	if letters == 0 || digits == 0 && !r.isPartOfNumber(i) || street {
		return 0
	}
	run := r.text[r.toks[i].Start:r.toks[end-1].End]
	w, distance := r.g.near.nearest([]byte(lexicon.Fold(run)))
	as := alike().digits(run)
	day := as != "" && r.class(end)&isMonth != 0 // "O5 May"
	if w != nil && !day && (letters >= digits && !held || distance == 0 && (end > i+2 || r.class(i)&isMonth == 0)) {
		like := misspelt
		if distance > 0 && len(w.word) < leastEdit+2 || len(w.word) < leastEdit || r.g.words.get(w.hash).level == ordinary {
			like = doubtful
		}
		t := r.toks[i]
		t.End, t.Kind, t.Case = r.toks[end-1].End, text.Word, r.caseOf(i, end)
		return r.put(i, end, t, w.hash, "", like)
	}
	if as != "" && !held {
		return r.join(i, end, text.Number, as, asWritten)
	}
	return 0
}

// isPartOfNumber reports whether token i is a single letter next to numbers that marks divide, "4/G/58", between a
// plus sign and a number, "+l 617", or the day of a date, "l May 1988", "Nov G, 1965".
func (r *reading) isPartOfNumber(i int) bool {
	mark := func(i int) bool { return r.past(i, "/-.+") > i }
	before := r.glued(i) && mark(i-1) && r.glued(i-1) && r.isNumber(i-2)
	country := r.glued(i) && r.punct(i-1) == '+' && r.sameLine(i+1) && r.isNumber(r.past(i+1, "-.("))
	day := r.class(i+1)&isMonth != 0 && r.sameLine(i+2) && r.isNumber(i+2) ||
		r.class(r.before(i, "."))&isMonth != 0 && r.sameLine(i) && r.isNumber(r.past(i+1, ","))
	return r.single(i) && (before || country || day || r.glued(i+1) && mark(i+1) && r.glued(i+2) && r.isNumber(i+2))
}

// ordinal returns the digits of a number with a letter that looks like one and "st" behind it, "2lst", or "".
func (r *reader) ordinal(i, end int) string {
	const ending = 2 // letters
	last := r.toks[end-1]
	if end != i+2 || last.End-last.Start != ending+1 || classOf(r.text[last.End-ending:last.End])&isInDate == 0 {
		return ""
	}
	return alike().digits(r.text[r.toks[i].Start : last.End-ending])
}

// nearWord reads the unknown word i as the word of the record that it looks like.
func (r *reader) nearWord(i int) bool {
	if r.mode == exact {
		return false
	}
	r.steps++
	var buf [longestNear]byte
	low, ok := lexicon.LowerASCII(buf[:], r.tok(i))
	if !ok {
		low = []byte(lexicon.Fold(r.tok(i)))
	}
	w, distance := r.g.near.nearest(low)
	if w == nil {
		return false
	}
	// What may be another word is the record's only if what is next to it says so.
	like := misspelt
	held := r.g.words.get(w.hash)
	e, _ := lexicon.Lookup(r.tok(i))
	switch {
	case len(w.word) <= leastEdit, held.bits&wNick != 0, held.level == ordinary:
		like = doubtful
	case e.Common > 0, e.Capital >= ownCapital, e.Is(lexicon.Clinical | lexicon.Eponym), distance > 0 && max(e.Surname, e.First) >= frequentWord:
		like = doubtful
	}
	r.put(i, i+1, r.toks[i], w.hash, "", like)
	return true
}

// ownCapital is how often a word is met with a capital, on the lexicon's scale, that is a word of
// its own.
const ownCapital = 30
