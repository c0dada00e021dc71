package record

import (
	"slices"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

var roleTypes = map[Role]phi.Type{
	Phone: phi.Phone, Fax: phi.Fax, MRN: phi.MedicalRecord, SSN: phi.SSN, Account: phi.Account, Plan: phi.HealthPlan,
	License: phi.License, Vehicle: phi.Vehicle, Device: phi.Device, ID: phi.IDNum, Zip: phi.Zip, Username: phi.Username,
}

// leastIdent is how many letters and digits an identifier must have to be looked
// for without a word that announces it, and to be looked for by the leak check.
const leastIdent = 5

// identifier enters a number, or a code of letters and digits.
func (b *builder) identifier(role Role, value string) {
	t := roleTypes[role]
	b.ident(value, t, t != phi.Zip)
	digits := onlyDigits(value)
	switch {
	case (role == Phone || role == Fax) && len(digits) >= 10:
		b.ident(digits[len(digits)-10:], t, true)
		b.ident("1"+digits[len(digits)-10:], t, true) // with the country's code, as in +14155550142
		b.ident(digits[len(digits)-7:], t, false)
	case role == SSN && len(digits) == 9:
		b.ident(digits[5:], t, false)
	case role == Zip && len(digits) == 9:
		b.ident(digits[:5], t, false)
	case role == MRN && len(digits) >= leastIdent && len(digits) < len(value):
		b.ident(digits, t, true)
	}
}

func (b *builder) ident(value string, t phi.Type, must bool) {
	h := newIdentHash()
	h.write(value)
	if h.n < 3 || h.all < 4 {
		return
	}
	if old, ok := b.g.idents[h.hash]; ok && (old.must || !must) {
		return
	}
	b.g.idents[h.hash] = gazIdent{typ: t, n: uint8(min(h.n, 255)), must: must && h.all >= leastIdent}
	b.g.longestIdent = max(b.g.longestIdent, h.n)
	for i, tok := range text.Tokenize(value) {
		if i == 0 && tok.Kind == text.Word {
			b.mark(lexicon.Fold(value[tok.Start:tok.End]), wIdent)
		}
	}
}

// mark enters what a folded word is part of.
func (b *builder) mark(word string, bits wordBits) {
	k := text.FoldedKey(word)
	w := b.g.words.values[k]
	w.bits |= bits
	b.g.words.values[k] = w
	if bits&placeBits != 0 {
		b.g.inside.add(word)
	}
}

func onlyDigits(value string) string {
	var out []byte
	for _, r := range value {
		if d, ok := text.DigitValue(r); ok {
			out = append(out, byte('0'+d))
		}
	}
	return string(out)
}

// email enters an address and, where it is more than the name, its user part.
func (b *builder) email(value string) {
	h := newIdentHash()
	h.write(value)
	if h.n < leastIdent {
		return
	}
	b.g.idents[h.hash] = gazIdent{typ: phi.Email, n: uint8(min(h.n, 255)), must: true}
	b.g.mails.add(lettersAndDigits(value), 0)
	user, _, _ := strings.Cut(value, "@")
	if len(onlyDigits(user)) > 0 && len(user) >= leastIdent {
		b.ident(user, phi.Email, false)
	}
}

// phrase enters a name of one or several words.
func (b *builder) phrase(value string, t phi.Type) {
	words := phraseWords(value)
	if len(words) > 0 && words[0] == "the" {
		words = words[1:]
	}
	if len(words) == 0 || len(words) == 1 && len(words[0]) < 2 || len(words) > 12 {
		return
	}
	h := uint64(fnv64Offset)
	for i, w := range words {
		k := text.FoldedKey(w)
		h = pairKey(h, k)
		b.placeWord(w)
		if i == 0 {
			b.mark(w, wPhrase)
		}
	}
	p := gazPhrase{typ: t}
	if len(words) == 1 {
		e, _ := lexicon.LookupFolded(words[0])
		p.level = levelOf(words[0], e)
		p.short = (t == phi.State || t == phi.Country) && len(words[0]) <= 3
	}
	b.g.phrases[h] = p
	b.g.longest = max(b.g.longest, len(words))
}

// placeWord enters a word of a place or an employer that is recognized in pieces and with a typing
// error.
func (b *builder) placeWord(w string) {
	if isDigit(w[0]) {
		return
	}
	b.names = append(b.names, w)
	k := text.FoldedKey(w)
	b.g.near.add(w, k)
	b.mark(w, wPiece)
}

// phraseWords returns the folded words and numbers of a phrase.
func phraseWords(value string) []string {
	var out []string
	for _, tok := range text.Tokenize(value) {
		if tok.Kind == text.Punct {
			continue
		}
		if w := lexicon.Fold(value[tok.Start:tok.End]); w != "" { // a lone accent folds to nothing
			out = append(out, w)
		}
	}
	return out
}

// street enters a street address: its number, the words of its name and type,
// and the unit.
func (b *builder) street(value string) {
	value, front := cutFrontUnit(value)
	value = strings.TrimLeft(value, "# ")
	at := houseNumber(value)
	number := value[:at]
	words, unit := cutUnit(value[at:], at > 0)
	s := gazStreet{unit: unit}
	if len(front) > 0 {
		s.unit, s.front = front[len(front)-1], text.FoldedKey(front[0])
		b.placeWord(front[0])
	}
	for i, w := range words {
		c := classOf(w)
		if i > 0 && c&isApartment != 0 {
			if i+1 < len(words) {
				s.unit = words[len(words)-1]
				b.placeWord(w)
			}
			break
		}
		if c&isCompass != 0 && len(words) > 1 {
			if len(w) >= leastSpelt {
				b.placeWord(w)
			}
			s.compass = len(s.words) > 0
			continue
		}
		if i > 0 && c&isInDate != 0 && isDigit(words[i-1][0]) && i+1 < len(words) {
			continue // "5th Ave"
		}
		k := text.FoldedKey(w)
		s.words = append(s.words, k)
		b.placeWord(w)
		if len(s.words) == 1 {
			b.mark(w, wStreet)
		}
	}
	if len(s.words) == 0 {
		return
	}
	b.enterStreet(number, s)
}

// cutFrontUnit cuts the unit off that an address begins with, "Unit #5, 77 Alder St", and returns its words.
func cutFrontUnit(value string) (rest string, unit []string) {
	head, tail, _ := strings.Cut(value, ",")
	unit = phraseWords(head)
	if len(unit) < 2 || houseNumber(head) > 0 || houseNumber(strings.TrimSpace(tail)) == 0 {
		return value, nil
	}
	if last := unit[len(unit)-1]; firstRune(last) < len(last) && !isDigit(last[0]) {
		return value, nil // "Rose Cottage"
	}
	return strings.TrimSpace(tail), unit
}

// houseNumber returns where the number ends that an address begins with, "4/118-A" or "220 1/2", or 0. The
// number of a street is no part of it, "5th Ave", nor is a point of the compass.
func houseNumber(value string) (end int) {
	toks := text.Tokenize(value)
	for i, t := range toks {
		next, glued := class(0), false
		if i+1 < len(toks) && toks[i+1].Kind == text.Word {
			next, glued = classOf(value[toks[i+1].Start:toks[i+1].End]), !toks[i+1].Space
		}
		switch t.Kind {
		case text.Punct:
			if i == 0 || !strings.Contains("/-", value[t.Start:t.End]) {
				return end
			}
			continue
		case text.Number:
			if glued && next&isInDate != 0 || i > 0 && next&isStreetType != 0 {
				return end
			}
		case text.Word:
			if i == 0 || t.End-t.Start > 1 || next&isStreetType != 0 || classOf(value[t.Start:t.End])&isCompass != 0 {
				return end
			}
		}
		end = t.End
	}
	return end
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// cutUnit returns the words of an address without the one that ends it behind a "#", and that one. Before it
// are a name and a type, if the address has a number, else three words.
func cutUnit(value string, numbered bool) (words []string, unit string) {
	least := 3
	if numbered {
		least--
	}
	head, tail, _ := strings.Cut(value, "#")
	words, behind := phraseWords(head), phraseWords(tail)
	if len(words) < least || len(behind) != 1 {
		return phraseWords(value), ""
	}
	return words, behind[0]
}

// enterStreet enters a street by its first word, and by its number and first word.
func (b *builder) enterStreet(number string, s gazStreet) {
	b.g.addStreet(s.words[0], s, func(o gazStreet) bool { return slices.Equal(o.words, s.words) })
	if number != "" {
		b.g.addStreet(numberedStreet(number, s.words[0]), s, func(o gazStreet) bool { return slices.Equal(o.words, s.words) && o.unit == s.unit })
	}
}

// mostStreets is how many streets with the same first word, or number and first word,
// are kept.
const mostStreets = 32

func (g *Gazetteer) addStreet(key uint64, s gazStreet, same func(gazStreet) bool) {
	if at := g.streets[key]; len(at) < mostStreets && !slices.ContainsFunc(at, same) {
		g.streets[key] = append(at, s)
	}
}

// numberedStreet is the key of a street that begins with number and word.
func numberedStreet(number string, word uint64) uint64 { return pairKey(identKey(number), word) }

// birth enters a date of birth: as a date, and written in one piece.
func (b *builder) birth(value string) {
	if len(value) < len(time.DateOnly) {
		return
	}
	t, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)])
	if err != nil {
		return
	}
	for _, year := range []string{"2006", "06"} {
		for _, layout := range []string{"0102", "0201", "12", "21", "Jan02", "Jan2", "02Jan", "2Jan", "January2", "2January"} {
			b.ident(t.Format(layout+year), phi.Date, false)
		}
		b.ident(t.Format(year+"0102"), phi.Date, false)
	}
	for _, year := range []int{t.Year(), t.Year() % 100} {
		b.g.births[birth{year, int(t.Month()), t.Day()}] = struct{}{}
	}
	for name, month := range monthNames() {
		if month == int(t.Month()) {
			b.mark(name, wBirth|wIdent)
		}
	}
	name := strings.ToLower(t.Month().String())
	b.names = append(b.names, name)
	for _, w := range []string{name, name[:3]} {
		b.g.near.add(w, text.KeyOf(w))
	}
}
