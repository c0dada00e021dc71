package net

import (
	"net/netip"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
)

// quad returns the address of four numbers that begins at number i, with its port.
func (f *finder) quad(i int) found {
	if f.Glued(i) && (f.Word(i-1) || f.Mark(i-1) == '.' || f.Mark(i-1) == '-') {
		return found{}
	}
	wide := false
	for k := i; k <= i+6; k += 2 {
		if !f.Number(k) || f.Digits(k) > 3 || f.Value(k) > 255 || k > i && (f.Mark(k-1) != '.' || !f.Tight(k-1)) {
			return found{}
		}
		wide = wide || f.Digits(k) > 1
	}
	end := i + 7
	switch {
	case f.Glued(end) && (f.part(end) || f.Mark(end) == '.' && f.Tight(end) && f.part(end+1)):
		return found{}
	case label.Before(f.View, i).Kind != label.IP && (!wide || f.In(f.Back(i, "."), version)):
		return found{}
	case f.Mark(end) == ':' && f.Tight(end) && f.Digits(end+1) >= 2:
		end += 2
	}
	return found{i, end, phi.IPAddr}
}

// hex returns the address of groups of hex digits around the colon i.
func (f *finder) hex(i int) found {
	if !f.Glued(i+1) && !f.Glued(i) {
		return found{}
	}
	from, end := i, i+1
	for from > f.last && from > i-longest && f.Glued(from) && f.group(from-1) {
		from--
	}
	for end < i+longest && f.Glued(end) && f.group(end) {
		end++
	}
	if f.Mark(end-1) == '.' {
		end--
	}
	s := f.Text[f.Tokens[from].Start:f.Tokens[end-1].End]
	if card(s) {
		return found{from, end, phi.Device}
	}
	if strings.Count(s, ":") < 2 || len(s) < 7 {
		return found{}
	}
	if a, err := netip.ParseAddr(s); err != nil || !a.Is6() {
		return found{}
	}
	return found{from, end, phi.IPAddr}
}

// group reports whether token i can be part of an address of hex groups.
func (f *finder) group(i int) bool {
	switch f.Mark(i) {
	case ':', '.':
		return true
	case 0:
		s := f.Str(i)
		return len(s) <= 4 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
	}
	return false
}

// cardLength is the length of "00:1b:44:11:3a:b7".
const cardLength = 17

// pairs returns the network card with hyphens, or with colons, that begins at token i.
func (f *finder) pairs(i int) found {
	from := f.Tokens[i].Start
	if f.Glued(i) && f.part(i-1) || len(f.Text) < from+cardLength || !card(f.Text[from:from+cardLength]) {
		return found{}
	}
	end := i
	for f.Has(end) && f.Tokens[end].End <= from+cardLength {
		end++
	}
	if f.Tokens[end-1].End != from+cardLength || f.Glued(end) && f.part(end) {
		return found{}
	}
	return found{i, end, phi.Device}
}

// card reports whether s is the address of a network card: six pairs of hex digits.
func card(s string) bool {
	if len(s) != cardLength || s[2] != ':' && s[2] != '-' {
		return false
	}
	for i := range len(s) {
		switch {
		case i%3 == 2:
			if s[i] != s[2] {
				return false
			}
		case strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0:
			return false
		}
	}
	return true
}
