package record

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/fold"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// placeBits mark words of places and employers, and months of birth.
const placeBits = wPhrase | wStreet | wInside | wPiece | wBirth

// damaged finds values of which a word is misspelt, divided by the end of a line or read wrongly
// by a scanner: each such word is replaced by the record's word that it stands for, and the text
// around it is searched again.
func (r *oddReader) damaged() {
	if r.mustOnly {
		return
	}
	edits := r.repairs()
	if len(edits) == 0 {
		return
	}
	plain := fold.Rewrite(r.text, edits)
	m := newMatcher(r.g, text.NewView(plain.S), false)
	m.cases = r.cases
	m.run()
	r.steps += m.steps
	for _, s := range m.out {
		words := strings.Count(plain.S[s.Start:s.End], " ")
		s.Start, s.End = plain.Range(s.Start, s.End)
		if !meetsEdit(edits, s) {
			continue
		}
		if words == 0 && s.Type.Class() == phi.ClassName {
			s.Sure = false // the likeness of one word is no proof
		}
		r.hits = append(r.hits, oddHit{Span: s})
	}
}

// meetsEdit reports whether a span overlaps an edit; edits are in order.
func meetsEdit(edits []fold.Edit, s phi.Span) bool {
	i, _ := slices.BinarySearchFunc(edits, s.Start, func(e fold.Edit, start int) int {
		if e.To <= start {
			return -1
		}
		return 1
	})
	return i < len(edits) && edits[i].From < s.End
}

// repairs returns the damaged words of the text and what they stand for, in order.
func (r *oddReader) repairs() []fold.Edit {
	edits := slices.Clone(r.joined)
	for i := 0; i < len(r.toks); i++ {
		r.steps++
		from := i
		as := ""
		if end := r.mixedRun(i); end > i+1 {
			run := r.text[r.toks[i].Start:r.toks[end-1].End]
			as = r.cutRun(run)
			if as == "" {
				as = r.scanned(run)
			}
			i = end - 1
		} else if r.isWord(i) {
			as, i = r.repairWord(i)
		}
		if as != "" {
			edits = append(edits, fold.Edit{From: r.toks[from].Start, To: r.toks[i].End, As: as})
		}
	}
	slices.SortStableFunc(edits, func(a, b fold.Edit) int { return a.From - b.From })
	end := 0
	return slices.DeleteFunc(edits, func(e fold.Edit) bool {
		overlaps := e.From < end
		end = max(end, e.To)
		return overlaps
	})
}

// repairWord returns the word of the record that word i, alone or with its rest on the next line,
// stands for, or "", and the last token of it.
func (r *oddReader) repairWord(i int) (as string, last int) {
	if word, last := r.brokenWord(i); word != "" {
		return word, last
	}
	if r.aloneAmongNumbers(i) {
		return lookAlikeDigits(r.tok(i)), i
	}
	if len(r.tok(i)) < leastScanned || r.wordAt(i).bits&(wName|placeBits) != 0 {
		return "", i
	}
	for _, word := range r.slips(i) {
		r.steps++
		if r.typo(i, &word) {
			return r.writtenAs(i, word.word), i
		}
	}
	if r.toks[i].Case == text.Mixed {
		if cut := r.cutRun(r.tok(i)); cut != "" {
			return cut, i
		}
	}
	return r.splitWord(i), i
}

// cutRun returns a run of letters and digits with blanks where letters meet digits and between the
// words of camel case, if one of the parts is a word of the record, or "": "6460EBlairAve".
func (r *oddReader) cutRun(run string) string {
	var b strings.Builder
	digit := false
	for i, c := range run {
		if i > 0 && unicode.IsDigit(c) != digit {
			b.WriteByte(' ')
		}
		digit = unicode.IsDigit(c)
		b.WriteRune(c)
	}
	cut := fold.CamelCase(b.String())
	if cut.S == run {
		return ""
	}
	for part := range strings.FieldsSeq(cut.S) {
		if w := r.g.words[text.KeyOf(part).Hash]; len(part) >= leastScanned && w.bits&(wName|placeBits) != 0 {
			return cut.S
		}
	}
	return ""
}

// splitWord returns the unknown word i with a blank between a word of the record and a frequent word
// that it glues together, or "": "Zorvakianwas".
func (r *oddReader) splitWord(i int) string {
	word := r.tok(i)
	var buf [mostGlued]byte
	low, ok := lexicon.LowerASCII(buf[:], word)
	if !ok || len(low) <= leastGluedName || isWord(low) {
		return ""
	}
	head := uint64(fnv64Offset)
	for k := 1; k < len(low); k++ {
		r.steps++
		head = (head ^ uint64(low[k-1])) * fnv64Prime
		first := k >= leastGluedName && r.g.mayHold(head) && r.g.distinctive(head) && isFrequent(low[k:])
		if first || len(low)-k >= leastGluedName && r.g.distinctive(bytesKey(low[k:])) && isFrequent(low[:k]) {
			return word[:k] + " " + word[k:]
		}
	}
	return ""
}

// distinctive reports whether a key is that of a word of a place, or of a name that is no ordinary
// word.
func (g *Gazetteer) distinctive(key uint64) bool {
	w := g.words[key]
	return w.bits&placeBits != 0 || w.bits&wName != 0 && w.bits&wNick == 0 && w.level < ordinary
}

// writtenAs writes a word of the record in the case of token i.
func (r *oddReader) writtenAs(i int, word string) string {
	switch r.toks[i].Case {
	case text.Upper:
		return strings.ToUpper(word)
	case text.Lower:
		return word
	}
	n := firstRune(word)
	return strings.ToUpper(word[:n]) + word[n:]
}

// brokenWord returns the word of the record that begins with word i at the end of a line, with a
// hyphen or without, and goes on in the next line. Without a hyphen one of the pieces must be
// unknown, or the first begin with a capital.
func (r *oddReader) brokenWord(i int) (word string, last int) {
	k := i + 1
	hyphen := r.punct(k) == '-' && r.glued(k)
	if hyphen {
		k++
	}
	if !r.isWord(k) || !r.toks[k].Line || r.toks[k].Case == text.Title || len(r.tok(i))+len(r.tok(k)) < leastBroken {
		return "", i
	}
	if strings.Count(r.text[r.toks[k-1].End:r.toks[k].Start], "\n") != 1 {
		return "", i
	}
	joined := r.tok(i) + r.tok(k)
	w, ok := r.g.words[text.KeyOf(joined).Hash]
	if !ok || w.bits&(wName|placeBits) == 0 {
		return "", i
	}
	if !hyphen && r.toks[i].Case == text.Lower && r.known(i) && r.known(k) {
		return "", i
	}
	return joined, k
}

// mixedRun returns the token after the run of words and numbers without blanks or marks that
// begins at token i, if it has both, else i.
func (m *matcher) mixedRun(i int) int {
	kinds := [3]bool{}
	end := i
	for end < len(m.toks) && m.toks[end].Kind != text.Punct && (end == i || m.glued(end)) {
		kinds[m.toks[end].Kind] = true
		end++
	}
	if !kinds[text.Word] || !kinds[text.Number] {
		return i
	}
	return end
}

// aloneAmongNumbers reports whether token i is a single letter that looks like a digit, in a
// number that marks divide: "4/G/58".
func (m *matcher) aloneAmongNumbers(i int) bool {
	if !m.single(i) || lookAlikeDigits(m.tok(i)) == m.tok(i) {
		return false
	}
	number := func(mark, i int) bool {
		c := m.punct(mark)
		return (c == '/' || c == '-' || c == '.') && m.has(i) && m.toks[i].Kind == text.Number
	}
	if m.punct(i-1) == '+' && m.has(i+1) && m.toks[i+1].Kind == text.Number { // a country's code
		return true
	}
	return m.glued(i) && number(i-1, i-2) || m.glued(i+1) && m.glued(i+2) && number(i+1, i+2)
}

// scanned returns what a run of letters and digits stands for if a scanner took some for others,
// or "": a word of the record or of the language, else a number.
func (r *oddReader) scanned(run string) string {
	letters, digits := 0, 0
	for _, c := range run {
		if unicode.IsDigit(c) {
			digits++
		} else {
			letters++
		}
	}
	if letters > digits && letters+digits >= leastScanned {
		for _, one := range []string{"l", "i"} {
			if word := r.readableWord(lookAlikeLetters(run, one)); word != "" {
				return word
			}
		}
	}
	if number := lookAlikeDigits(run); number != run {
		return number
	}
	return ""
}

// leastScanned is the length from which a word with a digit for a letter is read as the word.
const leastScanned = 3

// readableWord returns a word if the record or the lexicon has it, the record's word if it is a slip
// of the pen of that, or "".
func (r *oddReader) readableWord(word string) string {
	folded := lexicon.Fold(word)
	if strings.ContainsFunc(folded, unicode.IsDigit) {
		return ""
	}
	if w := r.g.words[text.FoldedKey(folded).Hash]; w.bits&(wName|placeBits) != 0 {
		return word
	}
	if near := r.g.near([]byte(folded)); len(near) > 0 {
		right := near[0].word
		if word == strings.ToUpper(word) {
			return strings.ToUpper(right)
		}
		return word[:firstRune(word)] + right[firstRune(right):]
	}
	if e, ok := lexicon.LookupFolded(folded); ok && e.Common > 0 {
		return word
	}
	return ""
}

// near returns the words that a folded word is a slip of the pen of, or that a scanner took for it.
func (g *Gazetteer) near(word []byte) []longWord {
	var found []longWord
	if w, ok := g.confused[bytesKey(word)]; ok {
		found = append(found, w)
	}
	for _, n := range g.slips.Near(word) {
		found = append(found, g.long[n])
	}
	return found
}

// lookAlikeDigits reads letters that look like digits as those.
func lookAlikeDigits(run string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'o', 'O':
			return '0'
		case 'l', 'I', 'i':
			return '1'
		case 's', 'S':
			return '5'
		case 'B', 'b':
			return '8'
		case 'z', 'Z':
			return '2'
		case 'G':
			return '6'
		}
		return r
	}, run)
}

// lookAlikeLetters reads digits that look like letters as those, in capitals if all letters of
// the run are; one is what 1 is read as.
func lookAlikeLetters(run, one string) string {
	word := strings.NewReplacer("0", "o", "1", one, "5", "s", "8", "b", "2", "z", "6", "g").Replace(run)
	if run == strings.ToUpper(run) {
		return strings.ToUpper(word)
	}
	n := firstRune(word)
	if c := run[0]; c >= '0' && c <= '9' {
		return strings.ToUpper(word[:n]) + word[n:]
	}
	return word
}

// confusions are pairs of letters that scanners take for one another.
var confusions = sync.OnceValue(func() [][2]string {
	var pairs [][2]string
	for _, line := range lexicon.Words("confusions") {
		a, b, _ := strings.Cut(line, " ")
		pairs = append(pairs, [2]string{a, b}, [2]string{b, a})
	}
	return pairs
})

// eachConfusion yields a word with one of its letters, or two, taken for others.
func eachConfusion(word string, yield func(confused string)) {
	for _, pair := range confusions() {
		for at := 0; at < len(word); {
			n := strings.Index(word[at:], pair[0])
			if n < 0 {
				break
			}
			yield(word[:at+n] + pair[1] + word[at+n+len(pair[0]):])
			at += n + len(pair[0])
		}
	}
}
