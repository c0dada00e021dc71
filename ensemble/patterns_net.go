package ensemble

import (
	"net/netip"
	"strings"
)

// email finds the address around the at sign i.
func (s *scan) email(i int) int {
	if !s.glued(i) || !s.glued(i+1) {
		return s.spacedEmail(i)
	}
	start := s.localPart(i)
	end := s.domain(i+1, true)
	if start == i || end == 0 {
		return 0
	}
	return s.emit(start, end, Email)
}

// localPart returns the first token of the run of name characters before i.
func (s *scan) localPart(i int) int {
	start := i
	for j := i - 1; j >= 0 && s.glued(j+1); j-- {
		if s.toks[j].Kind == Punct && strings.IndexByte("._%+-'&=~!#$*^{}|/", s.c(j)) < 0 {
			break
		}
		start = j
	}
	for start < i && s.toks[start].Kind == Punct && s.c(start) != '_' {
		start++
	}
	return start
}

// domain returns the token after the domain that begins at i. Where strict, it
// needs a dot and a last label of letters.
func (s *scan) domain(i int, strict bool) int {
	end, dots := 0, 0
	for j := i; j < len(s.toks) && (j == i || s.glued(j)); j++ {
		switch {
		case s.toks[j].Kind == Word:
			if dots > 0 || !strict {
				end = j + 1
			}
		case s.toks[j].Kind == Number:
		case s.c(j) == '.':
			dots++
			if !s.glued(j+1) || s.c(j+1) != 0 {
				return end
			}
		case s.c(j) == '-':
		default:
			return end
		}
	}
	return end
}

// spacedEmail finds "john . smith @ x . com" and "john@ x.com".
func (s *scan) spacedEmail(i int) int {
	if i == 0 || !s.sameLine(i) || !s.sameLine(i+1) || !s.wordAt(i-1) && !s.numAt(i-1) || !s.wordAt(i+1) {
		return 0
	}
	end := s.dotted(i + 1)
	if end == 0 {
		return 0
	}
	return s.emit(s.dottedBack(i), end, Email)
}

// dotted returns the token after "x dot com", "x . com" or "x.com" at i.
func (s *scan) dotted(i int) int {
	j, end := i, 0
	for s.wordAt(j) || s.numAt(j) {
		d := s.dotAt(j + 1)
		if d == 0 || !s.wordAt(d) || !s.sameLine(d) {
			break
		}
		if s.has(d, isTopDomain) {
			end = d + 1
		}
		j = d
	}
	return end
}

// dotAt returns the token after a dot at i: ".", "dot", "(dot)", "[dot]".
func (s *scan) dotAt(i int) int {
	if i >= len(s.toks) || s.toks[i].Line {
		return 0
	}
	switch {
	case s.c(i) == '.':
		return i + 1
	case s.isWord(i, "dot"):
		return i + 1
	case (s.c(i) == '(' || s.c(i) == '[') && (s.isWord(i+1, "dot") || s.c(i+1) == '.') && i+3 < len(s.toks):
		return i + 3
	}
	return 0
}

func (s *scan) isWord(i int, lower string) bool {
	return s.wordAt(i) && strings.EqualFold(s.tok(i), lower)
}

// dottedBack returns the first token of the name before token i, of words and
// numbers with dots or joined by "_" and "-" between them.
func (s *scan) dottedBack(i int) int {
	j := i - 1
	for j >= 2 && s.sameLine(j) {
		switch {
		case s.glued(j) && (s.numAt(j) || s.wordAt(j)) && (s.wordAt(j-1) || s.numAt(j-1)):
			j--
		case s.isWord(j-1, "dot") || s.isWord(j-1, "underscore"):
			j -= 2
		case s.c(j-1) == '.' && s.sameLine(j-1) && (s.glued(j) || s.toks[j-1].Space), s.glued(j) && s.glued(j-1) && (s.c(j-1) == '_' || s.c(j-1) == '-'):
			j -= 2
		default:
			return j
		}
	}
	return j
}

// spelledEmail finds "john dot smith at x dot com" at the word "at".
func (s *scan) spelledEmail(i int) int {
	left, right := i, i+1
	if c := s.c(i - 1); (c == '(' || c == '[') && (s.c(i+1) == ')' || s.c(i+1) == ']') {
		left, right = i-1, i+2
	}
	if left == 0 || !s.wordAt(left-1) && !s.numAt(left-1) || !s.wordAt(right) || !s.sameLine(right) {
		return 0
	}
	end := s.dotted(right)
	if end == 0 {
		return 0
	}
	start := s.dottedBack(left)
	bracketed := left < i
	if !bracketed && !s.spelledDot(right, end) && !s.spelledDot(start, left) && s.labelBefore(start) != labelEmail {
		return 0
	}
	return s.emit(start, end, Email)
}

func (s *scan) spelledDot(i, end int) bool {
	for ; i < end; i++ {
		if s.isWord(i, "dot") {
			return true
		}
	}
	return false
}

// webAddress finds a URL at its scheme or "www".
func (s *scan) webAddress(i int) int {
	if !s.isWord(i, "www") {
		if s.c(i+1) != ':' || s.c(i+2) != '/' || !s.glued(i+2) {
			return 0
		}
	} else if s.c(i+1) != '.' || !s.separates(i+1, false) {
		return 0
	}
	return s.emit(i, s.trimRun(i, s.runEnd(i)), URL)
}

// runEnd returns the token after the last one glued to i.
func (s *scan) runEnd(i int) int {
	for i++; s.glued(i); i++ {
	}
	return i
}

// trimRun takes closing punctuation off a run of tokens from i to end.
func (s *scan) trimRun(i, end int) int {
	for end > i+1 && s.toks[end-1].Kind == Punct && s.c(end-1) != '/' && s.c(end-1) != '_' && s.c(end-1) != '=' && s.c(end-1) != '#' {
		end--
	}
	return end
}

// bareDomain finds "mayoclinic.org" at its dot.
func (s *scan) bareDomain(i int) int {
	if !s.separates(i, false) || !s.wordAt(i-1) && !s.numAt(i-1) || !s.has(i+1, isTopDomain) || s.glued(i+2) && s.wordAt(i+2) {
		return 0
	}
	switch strings.ToLower(s.tok(i + 1)) {
	case "com", "org", "net", "edu", "gov", "mil", "info":
	default:
		return 0
	}
	if s.toks[i+1].Case == Title || len(s.tok(i-1)) < 2 {
		return 0
	}
	start := s.localPart(i)
	if s.c(start-1) == '@' {
		return 0
	}
	return s.emit(start, s.trimRun(start, s.runEnd(start)), URL)
}

// ipv4 finds a dotted quad at its first number.
func (s *scan) ipv4(i int) int {
	if s.c(i+1) != '.' || s.glued(i) && i > 0 && (s.c(i-1) == '.' || s.wordAt(i-1)) {
		return 0
	}
	for k := range 4 {
		t := i + 2*k
		if !s.numAt(t) || s.marks[t].n > 3 || s.marks[t].v > 255 || k > 0 && (s.c(t-1) != '.' || !s.separates(t-1, false)) {
			return 0
		}
	}
	end := i + 7
	if s.c(end) == '.' && s.separates(end, false) && s.numAt(end+1) {
		return 0
	}
	if s.c(end) == ':' && s.separates(end, false) && s.numAt(end+1) && s.marks[end+1].n >= 2 {
		end += 2
	}
	if !s.quadIsAddress(i) {
		return 0
	}
	return s.emit(i, end, IPAddr)
}

// quadIsAddress tells an address from the number of a version or a section.
func (s *scan) quadIsAddress(i int) bool {
	if s.labelBefore(i) == labelIP {
		return true
	}
	wide := false
	for k := range 4 {
		wide = wide || s.marks[i+2*k].n > 1
	}
	return wide && !s.isWord(i-1, "version") && !s.isWord(i-1, "v") && !s.isWord(i-1, "section")
}

// hexGroups finds an IPv6 or a hardware address at one of its colons.
func (s *scan) hexGroups(i int) int {
	if !s.glued(i+1) || s.c(i+1) != ':' && !(s.wordAt(i+1) || s.numAt(i+1)) {
		return 0
	}
	start := i
	for start > 0 && s.glued(start) && s.hexToken(start-1) {
		start--
	}
	end, colons := i, 0
	for end < len(s.toks) && (end == start || s.glued(end)) && s.hexToken(end) {
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
		return s.emit(start, end, Device)
	}
	if addr, err := netip.ParseAddr(text); err == nil && addr.Is6() && len(text) > 6 {
		return s.emit(start, end, IPAddr)
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
