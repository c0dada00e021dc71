package text

import (
	"unicode"
	"unicode/utf8"
)

// Digits returns the value of a number of up to nine digits and how many it has.
func Digits(part string) (v uint32, n uint8) {
	for _, r := range part {
		d, ok := uint32(r-'0'), '0' <= r && r <= '9' // most, at no cost
		if !ok {
			d, ok = DigitValue(r)
		}
		switch {
		case ok && n < 9:
			v = v*10 + d
			n++
		case ok && n < 255:
			n++
		}
	}
	return v, n
}

// DigitValue returns the value of a decimal digit of any script: the digits of
// a script are in a row that begins at a multiple of ten or sixteen.
func DigitValue(r rune) (uint32, bool) {
	if '0' <= r && r <= '9' {
		return uint32(r - '0'), true
	}
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return 0, false
	}
	zero := r
	for r-zero < 9 && unicode.IsDigit(zero-1) {
		zero--
	}
	return uint32(r - zero), true
}

// PlainPunct returns the ASCII form of a punctuation mark: dashes, quotes and
// full-width forms have one. It is never 0, also for a NUL.
func PlainPunct(part string) byte {
	if len(part) == 1 && part[0] != 0 {
		return part[0]
	}
	r, _ := utf8.DecodeRuneInString(part)
	switch {
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xfe63:
		return '-'
	case r == 0x2018, r == 0x2019:
		return '\''
	case r == 0x2044, r == 0x2215:
		return '/'
	case r == 0x2024, r == 0x3002:
		return '.'
	case r == 0xfe6b:
		return '@'
	case r > 0xff00 && r < 0xff5f:
		return byte(r - 0xff00 + 0x20)
	default:
		return OtherPunct
	}
}

// OtherPunct is what [PlainPunct] returns for punctuation without an ASCII form.
const OtherPunct = 0x7f

// LongestRun bounds how far a candidate is followed over tokens without a blank
// between them, so that no text takes more than linear time.
const LongestRun = 48
