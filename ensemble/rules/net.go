package rules

import (
	"net/netip"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// webAddress finds a URL at its scheme or "www".
func (s *scan) webAddress(i int) int {
	if !s.isWord(i, "www") {
		if s.c(i+1) != ':' || s.c(i+2) != '/' || !s.glued(i+2) {
			return 0
		}
	} else if s.c(i+1) != '.' || !s.separates(i+1, false) {
		return 0
	}
	return s.emit(i, s.trimRun(i, s.runEnd(i)), phi.URL)
}

// runEnd returns the token after the last one glued to i.
func (s *scan) runEnd(i int) int {
	for i++; s.glued(i); i++ {
	}
	return i
}

// trimRun takes closing punctuation off a run of tokens from i to end.
func (s *scan) trimRun(i, end int) int {
	for end > i+1 && s.toks[end-1].Kind == text.Punct && s.c(end-1) != '/' && s.c(end-1) != '_' && s.c(end-1) != '=' &&
		s.c(end-1) != '#' {
		end--
	}
	return end
}

// bareDomain finds "mayoclinic.org" at its dot.
func (s *scan) bareDomain(i int) int {
	if !s.separates(i, false) || !s.wordAt(i-1) && !s.numAt(i-1) || !s.has(i+1, text.IsTopDomain) || s.glued(i+2) && s.wordAt(i+2) {
		return 0
	}
	switch strings.ToLower(s.tok(i + 1)) {
	case "com", "org", "net", "edu", "gov", "mil", "info":
	default:
		return 0
	}
	if s.toks[i+1].Case == text.Title || len(s.tok(i-1)) < 2 {
		return 0
	}
	start := s.localPart(i)
	if s.c(start-1) == '@' {
		return 0
	}
	return s.emit(start, s.trimRun(start, s.runEnd(start)), phi.URL)
}

// ipv4 finds a dotted quad at its first number.
func (s *scan) ipv4(i int) int {
	if s.c(i+1) != '.' || s.glued(i) && i > 0 && (s.c(i-1) == '.' || s.wordAt(i-1)) {
		return 0
	}
	for k := range 4 {
		t := i + 2*k
		if !s.numAt(t) || s.marks[t].Digits > 3 || s.marks[t].Value > 255 || k > 0 && (s.c(t-1) != '.' || !s.separates(t-1, false)) {
			return 0
		}
	}
	end := i + 7
	if s.c(end) == '.' && s.separates(end, false) && s.numAt(end+1) {
		return 0
	}
	if s.c(end) == ':' && s.separates(end, false) && s.numAt(end+1) && s.marks[end+1].Digits >= 2 {
		end += 2
	}
	if !s.quadIsAddress(i) {
		return 0
	}
	return s.emit(i, end, phi.IPAddr)
}

// quadIsAddress tells an address from the number of a version or a section.
func (s *scan) quadIsAddress(i int) bool {
	if s.labelBefore(i) == text.LabelIP {
		return true
	}
	wide := false
	for k := range 4 {
		wide = wide || s.marks[i+2*k].Digits > 1
	}
	return wide && !s.isWord(i-1, "version") && !s.isWord(i-1, "v") && !s.isWord(i-1, "section")
}

// hexGroups finds an IPv6 or a hardware address at one of its colons.
func (s *scan) hexGroups(i int) int {
	if !s.glued(i+1) || s.c(i+1) != ':' && !(s.wordAt(i+1) || s.numAt(i+1)) {
		return 0
	}
	start := i
	for start > 0 && start > i-text.LongestRun && s.glued(start) && s.hexToken(start-1) {
		start--
	}
	end, colons := i, 0
	for end < len(s.toks) && end < start+text.LongestRun && (end == start || s.glued(end)) && s.hexToken(end) {
		if s.c(end) == ':' {
			colons++
		}
		end++
	}
	for end > start && s.c(end-1) == '.' {
		end--
	}
	if colons < 2 || start == i && s.c(i+1) != ':' {
		return 0
	}
	text := s.text[s.toks[start].Start:s.toks[end-1].End]
	if isHardwareAddr(text) {
		return s.emit(start, end, phi.Device)
	}
	if addr, err := netip.ParseAddr(text); err == nil && addr.Is6() && len(text) > 6 {
		return s.emit(start, end, phi.IPAddr)
	}
	return 0
}

// hexToken reports whether token i may belong to an address of hex groups.
func (s *scan) hexToken(i int) bool {
	if c := s.c(i); c != 0 {
		return c == ':' || c == '.'
	}
	t := s.tok(i)
	if len(t) > 4 {
		return false
	}
	return strings.Trim(t, "0123456789abcdefABCDEF") == ""
}

func isHardwareAddr(t string) bool {
	if len(t) != 17 {
		return false
	}
	for i := range len(t) {
		if (i%3 == 2) != (t[i] == ':' || t[i] == '-') {
			return false
		}
	}
	return true
}
