package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// cityLine reads ", City, ST 12345" after a street and emits its parts. It
// returns where to go on.
func (s *scan) cityLine(end int) int {
	j := end
	for c := s.c(j); c == ',' || c == '.' || c == '|' || c == ';'; c = s.c(j) {
		j++
	}
	first := j
	for k := j; k < j+5 && s.wordAt(k) && s.toks[k].Case != text.Lower; k++ {
		if k > first && s.toks[k].Line {
			break
		}
		st := k + 1
		if s.c(st) == ',' {
			st++
		}
		if zip := s.stateZip(st); zip > 0 {
			s.emit(first, k+1, phi.City)
			return s.zipAfterState(st, zip)
		}
		if s.has(k+1, text.IsCompass) || s.c(k+1) == '-' {
			continue
		}
	}
	return end
}

// stateZip returns the token of the ZIP code after the state at st, or 0.
func (s *scan) stateZip(st int) int {
	if !s.has(st, text.IsState) || s.toks[st].Case == text.Lower || s.toks[st].Line && s.c(st-1) != ',' {
		return 0
	}
	zip := st + 1
	if s.has(zip, text.IsState) && s.toks[st].Case == text.Title {
		zip++
	}
	for c := s.c(zip); c == ',' || c == '.' || c == '-'; c = s.c(zip) {
		zip++
	}
	if s.numAt(zip) && (s.marks[zip].Digits == 5 || s.marks[zip].Digits == 4 && s.isAustralian(st)) && !s.toks[zip].Line {
		return zip
	}
	return 0
}

func (s *scan) isAustralian(st int) bool {
	switch s.tok(st) {
	case "NSW", "VIC", "QLD", "WA", "SA", "TAS", "ACT", "NT", "Vic", "Qld", "Tas":
		return true
	}
	return false
}

// zipAfterState emits the state from st and the code at zip.
func (s *scan) zipAfterState(st, zip int) int {
	last := zip
	for s.toks[last-1].Kind == text.Punct {
		last--
	}
	s.emit(st, last, phi.State)
	return s.emit(zip, s.zipEnd(zip), phi.Zip)
}

// zipEnd takes in the four digits of ZIP+4.
func (s *scan) zipEnd(zip int) int {
	if s.c(zip+1) == '-' && s.numAt(zip+2) && s.separates(zip+1, true) && s.marks[zip+2].Digits >= 3 && s.marks[zip+2].Digits <= 4 {
		return zip + 3
	}
	return zip + 1
}

// zip finds a postal code at the number i: after a state, or as ZIP+4.
func (s *scan) zip(i int) int {
	n := s.marks[i].Digits
	st := i - 1
	for c := s.c(st); c == ',' || c == '.'; c = s.c(st) {
		st--
	}
	state := st >= 0 && s.has(st, text.IsState) && (s.toks[st].Case != text.Lower || len(s.tok(st)) > 3 ||
		s.c(st-1) == ',') && (s.sameLine(i) || s.c(st-1) == ',' && n == 5)
	if state && (n == 5 || n == 4 && s.isAustralian(st)) && s.plausibleState(st) && !s.measured(s.zipEnd(i)) && !s.glued(i) {
		if len(s.tok(st)) <= 3 {
			s.emit(st, st+1, phi.State)
		}
		return s.emit(i, s.zipEnd(i), phi.Zip)
	}
	if end := s.zipEnd(i); n == 5 && end == i+3 && s.marks[i+2].Digits == 4 && !s.glued(i) && !(s.c(end) == '-' &&
		s.separates(end, false)) {
		return s.emit(i, end, phi.Zip)
	}
	return 0
}

// plausibleState tells a state before a ZIP code from a word or a unit.
func (s *scan) plausibleState(st int) bool {
	t := s.tok(st)
	if len(t) > 3 {
		return true
	}
	if s.toks[st].Case == text.Upper {
		return s.c(st-1) == ',' || s.wordAt(st-1) && s.toks[st-1].Case != text.Lower && s.marks[st-1].Label == text.NoLabel || st == 0
	}
	return s.c(st-1) == ','
}

// labelledZip finds the code after "zip".
func (s *scan) labelledZip(i int) int {
	j := i + 1
	for s.has(j, text.IsFill) || s.c(j) == ':' || s.c(j) == '#' || s.c(j) == '=' || s.c(j) == '_' {
		j++
	}
	if s.numAt(j) && s.marks[j].Digits >= 4 && s.marks[j].Digits <= 6 && s.line(i, j) {
		return s.emit(j, s.zipEnd(j), phi.Zip)
	}
	return 0
}

// postcode finds British and Canadian codes at their first letters: "SW1A 2AA",
// "K1A 0B1".
func (s *scan) postcode(i int) int {
	t := s.tok(i)
	if len(t) > 2 || s.toks[i].Case != text.Upper || s.marks[i+1].Digits > 2 || s.glued(i) && i > 0 {
		return 0
	}
	j := i + 2
	if s.glued(j) && s.wordAt(j) && len(s.tok(j)) == 1 && s.toks[j].Case == text.Upper {
		j++
	}
	if !s.numAt(j) || s.glued(j) || s.toks[j].Line || s.marks[j].Digits != 1 || !s.wordAt(j+1) || !s.glued(j+1) ||
		s.toks[j+1].Case != text.Upper {
		return 0
	}
	if len(s.tok(j+1)) == 2 && s.runEnds(j+2) && !s.has(j+1, text.IsUnit) {
		return s.emit(i, j+2, phi.Zip)
	}
	if len(t) == 1 && j == i+3 && len(s.tok(j+1)) == 1 && s.numAt(j+2) && s.glued(j+2) && s.marks[j+2].Digits == 1 &&
		s.marks[i+1].Digits == 1 {
		return s.emit(i, j+3, phi.Zip)
	}
	return 0
}
