package rules

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// ssn finds a social security number at its first number.
func (s *scan) ssn(i int) int {
	if s.marks[i].Digits == 9 && s.labelBefore(i) == text.LabelSSN {
		return s.emit(i, i+1, phi.SSN)
	}
	if s.marks[i].Digits == 4 && (s.isWord(i-1, "four") ||
		s.numAt(i-1) && s.marks[i-1].Value == 4) && s.isWord(i-2, "last") && !s.measured(i+1) {
		return s.emit(i, i+1, phi.SSN)
	}
	if s.marks[i].Digits != 3 {
		return 0
	}
	b, c := s.nextGroup(i), 0
	if b > 0 {
		c = s.nextGroup(b)
	}
	if c == 0 || s.marks[b].Digits != 2 || s.marks[c].Digits != 4 || s.nextGroup(c) > 0 && s.glued(c+1) || s.groupBefore(i) {
		return 0
	}
	if s.c(i+1) == '/' || s.toks[b].Space && s.c(b-1) == 0 && s.measured(c+1) {
		return 0
	}
	if s.wordAt(c+1) && s.glued(c+1) && len(s.tok(c+1)) <= 2 && s.toks[c+1].Case == text.Upper {
		return s.emit(i, c+2, phi.HealthPlan) // a Medicare number of the old form
	}
	return s.emit(i, c+1, phi.SSN)
}

// nextGroup returns the number after number i and one mark or blank, or 0.
func (s *scan) nextGroup(i int) int {
	j := i + 1
	if c := s.c(j); c == '-' || c == '.' || c == '/' {
		j++
	}
	if s.numAt(j) && s.sameLine(j) {
		return j
	}
	return 0
}

func (s *scan) groupBefore(i int) bool {
	return s.glued(i) && (s.c(i-1) == '-' || s.c(i-1) == '.') && s.numAt(i-2) || i > 0 && s.numAt(i-1) && s.sameLine(i)
}

// maskedSSN finds "***-**-6789", "xxx-xx-6789" and "###-##-6789" at the first
// mark.
func (s *scan) maskedSSN(i int) int {
	if i > 0 && s.glued(i) && s.c(i-1) == s.c(i) {
		return 0
	}
	j, masks := i, 0
	for j < i+10 && (s.c(j) == '*' || s.c(j) == '#' || s.c(j) == '-') && (j == i || s.glued(j)) {
		if s.c(j) != '-' {
			masks++
		}
		j++
	}
	if masks < 5 || !s.numAt(j) || s.marks[j].Digits != 4 || !s.glued(j) {
		return 0
	}
	return s.emit(i, j+1, phi.SSN)
}

// cardNumber finds numbers of payment cards, bank accounts (IBAN) and identity
// cards in groups of four.
func (s *scan) cardNumber(i int) int {
	if s.glued(i) && i > 0 && s.c(i-1) != '(' && s.c(i-1) != ':' && s.c(i-1) != '#' && s.c(i-1) != '=' {
		return 0
	}
	if s.wordAt(i) {
		return s.iban(i)
	}
	m := &s.marks[i]
	if m.Digits >= 13 && m.Digits <= 19 {
		if l := s.labelBefore(i); l == text.NoLabel || l == text.LabelAccount {
			if luhn(s.plainDigits(i)) || l == text.LabelAccount {
				return s.emit(i, i+1, phi.Account)
			}
		}
		return 0
	}
	if m.Digits != 4 {
		return 0
	}
	all, end, n := s.plainDigits(i), i+1, 1
	for g := s.nextGroup(i); g > 0 && n < 5; g = s.nextGroup(g) {
		if s.marks[g].Digits > 6 || s.marks[g].Digits < 3 {
			break
		}
		all, end, n = all+s.plainDigits(g), g+1, n+1
	}
	switch {
	case len(all) == 16 && n == 4 || len(all) == 15 && n == 3:
		return s.emit(i, end, phi.Account)
	case len(all) == 12 && n == 3 && s.marks[i+1].Punct == 0:
		return s.emit(i, end, phi.IDNum)
	case len(all) == 12 && n == 3 && !s.isYear4(i):
		return s.emit(i, end, phi.IDNum)
	}
	return 0
}

// luhn checks the last digit of a payment card or a device number.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// iban finds an international bank account number at its country code.
func (s *scan) iban(i int) int {
	if len(s.tok(i)) != 2 || !s.numAt(i+1) || s.marks[i+1].Digits < 2 {
		return 0
	}
	var b strings.Builder
	for j := i; j < len(s.toks) && j < i+16 && (j == i || s.sameLine(j)); j++ {
		if s.toks[j].Kind == text.Punct {
			break
		}
		b.WriteString(strings.ToUpper(s.tok(j)))
		if b.Len() > 34 {
			break
		}
		if b.Len() >= 15 && s.runEnds(j+1) && ibanValid(b.String()) {
			return s.emit(i, j+1, phi.Account)
		}
	}
	return 0
}

// ibanValid checks an IBAN's remainder by 97 (ISO 13616).
func ibanValid(t string) bool {
	t = t[4:] + t[:4]
	rest := 0
	for i := range len(t) {
		switch c := t[i]; {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

// uuid finds a universally unique identifier at its first token.
func (s *scan) uuid(i int) int {
	from := s.toks[i].Start
	if s.glued(i) && i > 0 && s.toks[i-1].Kind != text.Punct || len(s.text) < from+36 || s.text[from+8] != '-' {
		return 0
	}
	t := s.text[from : from+36]
	for k := range len(t) {
		dash := k == 8 || k == 13 || k == 18 || k == 23
		if dash != (t[k] == '-') || !dash && strings.IndexByte("0123456789abcdefABCDEF", t[k]) < 0 {
			return 0
		}
	}
	end := i
	for end < len(s.toks) && s.toks[end].End <= from+36 {
		end++
	}
	return s.emitRange(from, from+36, end, phi.IDNum)
}
