package net

import (
	"net/netip"
	"regexp"
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

// shortestHex is the length of the shortest address of hex groups that is no time: "fe80::1".
const shortestHex = 7

// hex returns the address of hex groups around the colon i.
func (f *finder) hex(i int) found {
	from, end := i, i+1
	for from > f.Last && from > i-longest && f.Glued(from) && f.group(from-1) {
		from--
	}
	for end < i+longest && f.Glued(end) && f.group(end) {
		end++
	}
	if f.Mark(end-1) == '.' {
		end--
	}
	s := f.Text[f.Tokens[from].Start:f.Tokens[end-1].End]
	if strings.Count(s, ":") < 2 || len(s) < shortestHex {
		return found{}
	}
	if a, err := netip.ParseAddr(s); err != nil || !a.Is6() {
		return found{}
	}
	return found{from, end, phi.IPAddr}
}

// group reports whether token i can be part of an address of hex groups, of which the last may be four numbers with
// dots between.
func (f *finder) group(i int) bool {
	s := f.Str(i)
	return f.Mark(i) == ':' || f.Mark(i) == '.' || len(s) <= 4 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// cardForm is the form of the address of a network card.
var cardForm = regexp.MustCompile(`^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$|^([0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}$`)

// cardLength is the length of "00:1b:44:11:3a:b7".
const cardLength = 17

// card returns the network card that begins at token i.
func (f *finder) card(i int) found {
	from := f.Tokens[i].Start
	if len(f.Text) < from+cardLength || f.Text[from+2] != ':' && f.Text[from+2] != '-' { // most tokens, at no cost
		return found{}
	}
	if f.Glued(i) && f.part(i-1) || !cardForm.MatchString(f.Text[from:from+cardLength]) {
		return found{}
	}
	end := i
	for f.Has(end) && f.Tokens[end].Start < from+cardLength {
		end++
	}
	if f.Tokens[end-1].End != from+cardLength || f.Glued(end) && (f.part(end) || f.Tight(end)) {
		return found{}
	}
	return found{i, end, phi.Device}
}
