package date

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// scanner finds the dates in one span's text. At each token the matchers are tried in turn. what
// none matches is kept if it is words or a time of day; otherwise its digits are scrambled.
type scanner struct {
	phi.Redacted

	text   string
	tok    []text.Token
	pieces []Piece
	timed  bool // the previous token belongs to a date or time, so a time may follow
}

// scan splits a span's text into pieces.
func scan(body string) []Piece {
	s := &scanner{text: body, tok: text.Tokenize(body)}
	for i := 0; i < len(s.tok); {
		i = s.step(i)
	}
	return s.pieces
}

// step handles the text at token i and returns the index of the next token to read.
func (s *scanner) step(i int) int {
	switch s.tok[i].Kind {
	case text.Number:
		return s.numberStep(i)
	case text.Word:
		return s.wordStep(i)
	}
	if s.isApostrophe(i) && s.digits(i+1) == 2 && !s.tok[i+1].Space {
		return s.apostropheYear(i + 1)
	}
	return i + 1
}

func (s *scanner) numberStep(i int) int {
	for _, match := range []func(int) int{
		s.timeOfDay, s.span, s.dayOfYear, s.compact, s.triple, s.romanMonth,
		s.dayMonth, s.yearMonthName, s.pair, s.ordinalDay, s.decade, s.yearAlone,
	} {
		if next := match(i); next > i {
			return next
		}
	}
	s.timed = false
	var p Piece
	p.Scrambled = true
	p.add(s.tok[i].Start, s.tok[i].End, scrambledField)
	s.pieces = append(s.pieces, p)
	return i + 1
}

func (s *scanner) wordStep(i int) int {
	for _, match := range []func(int) int{
		s.holidayName, s.monthFirst, s.dayOfYear, s.weekdayName, s.seasonName, s.spelledDayMonth, s.quarter,
	} {
		if next := match(i); next > i {
			return next
		}
	}
	return i + 1
}

// found appends a piece and returns next.
func (s *scanner) found(p Piece, next int) int {
	s.pieces = append(s.pieces, p)
	s.timed = true
	return next
}

// digits returns the length of the ASCII number at token i, or 0.
func (s *scanner) digits(i int) int {
	if i < 0 || i >= len(s.tok) || s.tok[i].Kind != text.Number || !letter.IsDigit(s.text[s.tok[i].Start]) {
		return 0
	}
	return s.tok[i].End - s.tok[i].Start
}

func (s *scanner) value(i int) int {
	n, _ := strconv.Atoi(s.text[s.tok[i].Start:s.tok[i].End]) // a number too long for an int is not a date
	return n
}

// word returns the lower-case word at token i, or "".
func (s *scanner) word(i int) string {
	if i < 0 || i >= len(s.tok) || s.tok[i].Kind != text.Word {
		return ""
	}
	return strings.ToLower(s.text[s.tok[i].Start:s.tok[i].End])
}

// is reports whether token i is one of the punctuation marks in set.
func (s *scanner) is(i int, set string) bool {
	return i >= 0 && i < len(s.tok) && s.tok[i].Kind == text.Punct && strings.IndexByte(set, s.text[s.tok[i].Start]) >= 0
}

func (s *scanner) isApostrophe(i int) bool {
	if i < 0 || i >= len(s.tok) || s.tok[i].Kind != text.Punct {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.tok[i].Start:])
	return letter.IsApostrophe(r)
}

func (s *scanner) add(p *Piece, i int, what field) { p.add(s.tok[i].Start, s.tok[i].End, what) }

// skip skips at most one of each of the marks in set.
func (s *scanner) skip(i int, set string) int {
	for s.is(i, set) {
		i++
	}
	return i
}

// year reads a year at token i into p and returns the next token, or i if there is none. Two
// digits count as a year only after an apostrophe or if short is set.
func (s *scanner) year(p *Piece, i int, short bool) int {
	at := i
	if s.isApostrophe(i) {
		at, short = i+1, true
	}
	n := s.digits(at)
	if n == 0 {
		return s.spelledYear(p, i)
	}
	if s.is(at+1, ":") {
		return i
	}
	switch v := s.value(at); {
	case n == 4 && isYear(v):
		p.Date.Year = v
		s.add(p, at, yearField)
	case n == 2 && short:
		p.Date.Year = fullYear(v)
		s.add(p, at, shortYear)
	default:
		return i
	}
	return at + 1
}
