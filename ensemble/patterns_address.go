package ensemble

// street finds a street address that begins with the house number i.
func (s *scan) street(i int) int {
	if s.marks[i].n > 6 || s.glued(i) && i > 0 && s.c(i-1) != '(' && s.c(i-1) != ':' && s.c(i-1) != ',' && s.c(i-1) != '"' && s.c(i-1) != '=' {
		return 0
	}
	j := s.houseSuffix(i)
	if !s.wordAt(j) && !s.numAt(j) || s.toks[j].Line {
		return 0
	}
	end := s.streetName(i, j)
	if end == 0 {
		return 0
	}
	from := i
	if end = s.apartment(end); end == 0 {
		return 0
	}
	s.emit(from, end, Street)
	return s.cityLine(end)
}

// streetFirst finds a street whose type goes before its name and whose number
// after it: "Calle Carmen Romero, 23, 1D", "Av. Litoral 30".
func (s *scan) streetFirst(i int) int {
	j := s.afterAbbreviation(i)
	if s.toks[i].Case == Lower || s.isWord(i, "av") && (j == i+1 || s.toks[i].Case != Title) {
		return 0
	}
	for k := j; k < len(s.toks) && k < j+8 && s.sameLine(k); k++ {
		c := s.c(k)
		if k > j && s.numAt(k) && s.marks[k].n <= 4 {
			end := k + 1
			if s.c(end) == ',' && s.numAt(end+1) && s.glued(end+2) && s.wordAt(end+2) {
				end += 3
			}
			return s.emit(i, end, Street)
		}
		if c != 0 && c != ',' && c != '.' && c != '-' && c != '\'' || c == '.' && len(s.tok(k-1)) > 3 || s.numAt(k) {
			return 0
		}
		if s.wordAt(k) && s.toks[k].Case == Lower && !s.has(k, isOf|isThe) && len(s.tok(k)) > 3 {
			return 0
		}
	}
	return 0
}

// houseSuffix returns the token after the house number: "12", "12B", "12-14",
// "3/42", "12 1/2".
func (s *scan) houseSuffix(i int) int {
	j := i + 1
	if c := s.c(j); (c == '-' || c == '/') && s.separates(j, false) && s.numAt(j+1) {
		j += 2
	}
	if s.wordAt(j) && s.glued(j) && len(s.tok(j)) == 1 && s.toks[j].Case == Upper {
		j++
	}
	return j
}

// maxStreetWords is how many words a street's name may have before its type.
const maxStreetWords = 5

// streetName reads the name and the type of a street from j on and returns the
// token after it, or 0.
func (s *scan) streetName(house, j int) int {
	end, words := 0, 0
	for k := j; k < len(s.toks) && words <= maxStreetWords && s.sameLine(k); k++ {
		switch {
		case s.c(k) == '.' && s.glued(k) && s.wordAt(k-1) && len(s.tok(k-1)) <= 4 && s.sameLine(k+1) && !s.glued(k+1):
			if end == k {
				end = k + 1
			}
			continue
		case s.c(k) == '\'' || s.c(k) == '-' && s.separates(k, false):
			continue
		case s.has(k, isWay) && (s.numAt(k+1) || s.wordAt(k+1) && len(s.tok(k+1)) == 1 && s.toks[k+1].Case == Upper) && s.sameLine(k+1):
			return k + 2
		case words > 0 && s.streetType(house, j, k):
			end = k + 1
		case !s.streetWord(j, k):
			return s.finishStreet(house, s.untypedStreet(house, end, j, k))
		}
		words++
	}
	return s.finishStreet(house, end)
}

// untypedStreet accepts a street without a type, from j to k, where an address is
// announced or an apartment follows: "lives at 1234 Six Forks", "77 Elm Apt 2".
func (s *scan) untypedStreet(house, end, j, k int) int {
	if end > 0 || k == j || s.toks[j].Case == Lower || !s.wordAt(j) {
		return end
	}
	for s.toks[k-1].Kind == Punct {
		k--
	}
	if s.numAt(k) && s.has(k+1, isApart) {
		k++
	}
	if s.has(k, isApart) && s.toks[k].Case != Lower && (s.numAt(k+1) || s.c(k+1) == '.' && s.numAt(k+2)) && s.sameLine(k) || s.labelBefore(house) == labelAddress || s.c(k) == ',' && s.marks[house].n >= 2 && s.addressAhead(k) {
		return k
	}
	return 0
}

// finishStreet takes in a compass point after the street.
func (s *scan) finishStreet(house, end int) int {
	if end == 0 {
		return 0
	}
	if s.has(end, isCompass) && s.toks[end].Case != Lower && s.sameLine(end) {
		end++
	}
	if s.c(end) == '.' && s.glued(end) && s.has(end-1, isStreet) && len(s.tok(end-1)) <= 4 && s.c(end+1) != 0 {
		end++
	}
	return end
}

// streetType reports whether token k is the type of a street whose name begins
// at j.
func (s *scan) streetType(house, j, k int) bool {
	if !s.has(k, isStreet) || s.toks[k].Line {
		return false
	}
	if s.isWord(k, "dr") && s.c(k+1) == '.' && s.wordAt(k+2) && s.toks[k+2].Case == Title && s.sameLine(k+2) && !s.has(j, isCompass) && !s.has(house-1, isPrep|isIn|isAt) {
		return false // a doctor
	}
	if s.toks[k].Case == Lower && s.unitFollows(k+1) && s.marks[house].n >= 2 {
		return true
	}
	if s.toks[k].Case == Lower {
		return (s.has(k, isPlainStreet) || s.isWord(k, "st") && s.ends(k+1)) && s.marks[house].n >= 2 && !s.has(j, isUnit|isNoun|isDayUnit|isYearUnit|isPrep|isIn|isOf|isThe|isFill) && k <= j+3
	}
	if s.has(k, isPlainStreet) || s.addressAhead(k+1) {
		return true
	}
	return s.marks[house].n >= 3 && s.toks[j].Case != Lower && (s.ends(k+1) || s.has(k+1, isApart|isCompass|isIn)) || s.labelBefore(house) == labelAddress
}

// addressAhead reports whether ", City, ST 12345" or an apartment follows at i.
func (s *scan) addressAhead(i int) bool {
	if s.c(i) == '.' || s.c(i) == ',' {
		i++
	}
	if s.unitFollows(i) {
		return true
	}
	for k := i; k < i+6 && k < len(s.toks); k++ {
		if s.has(k, isState) && s.toks[k].Case != Lower && (s.numAt(k+1) && s.marks[k+1].n >= 4 || s.c(k+1) == ',' && s.numAt(k+2)) {
			return true
		}
		if !s.wordAt(k) && s.c(k) != ',' && s.c(k) != '.' {
			return false
		}
	}
	return false
}

// unitFollows reports whether "Apt 4", "unit 36" or "#5" stands at token i.
func (s *scan) unitFollows(i int) bool {
	if s.c(i) == '#' {
		return s.numAt(i+1) && s.sameLine(i)
	}
	if !s.has(i, isApart) || !s.sameLine(i) {
		return false
	}
	if s.c(i+1) == '.' || s.c(i+1) == '#' {
		i++
	}
	return s.numAt(i+1) && s.sameLine(i+1)
}

// streetWord reports whether token k may stand in the name of a street.
func (s *scan) streetWord(j, k int) bool {
	if s.numAt(k) {
		return s.has(k+1, isOrdinal) && s.glued(k+1)
	}
	if !s.wordAt(k) || s.has(k, isUnit|isNoun) && !s.has(k, isStreet|isCompass) && s.toks[k].Case == Lower {
		return false
	}
	if s.has(k, isOrdinal) && s.glued(k) && s.numAt(k-1) {
		return true
	}
	if s.toks[k].Case != Lower {
		return true
	}
	return k <= j+2 && !s.has(k, isPrep|isIn|isThe|isFill|isDayUnit|isYearUnit|isSex|isHalfDay) || s.isWord(k, "of") || s.isWord(k, "the") || s.isWord(k, "de") || s.isWord(k, "la")
}

// apartment takes in "Apt. 163", "Suite 386", "Unit B", "# 4" after a street.
func (s *scan) apartment(end int) int {
	for range 2 {
		j := end
		if s.c(j) == ',' || s.c(j) == '.' {
			j++
		}
		if !s.has(j, isApart) && s.c(j) != '#' || j >= len(s.toks) || s.toks[j].Line && s.c(j-1) != ',' {
			return end
		}
		j++
		for s.c(j) == '.' || s.c(j) == '#' {
			j++
		}
		if !s.numAt(j) && !(s.wordAt(j) && len(s.tok(j)) <= 2 && s.toks[j].Case == Upper) || !s.sameLine(j) {
			return end
		}
		end = j + 1
		for s.glued(end) && (s.wordAt(end) || s.numAt(end) || s.c(end) == '-' && s.separates(end, false)) {
			end++
		}
	}
	return end
}

// cityLine reads ", City, ST 12345" after a street and emits its parts. It
// returns where to go on.
func (s *scan) cityLine(end int) int {
	j := end
	for c := s.c(j); c == ',' || c == '.' || c == '|' || c == ';'; c = s.c(j) {
		j++
	}
	first := j
	for k := j; k < j+5 && s.wordAt(k) && s.toks[k].Case != Lower; k++ {
		if k > first && s.toks[k].Line {
			break
		}
		st := k + 1
		if s.c(st) == ',' {
			st++
		}
		if zip := s.stateZip(st); zip > 0 {
			s.emit(first, k+1, City)
			return s.zipAfterState(st, zip)
		}
		if s.has(k+1, isCompass) || s.c(k+1) == '-' {
			continue
		}
	}
	return end
}

// stateZip returns the token of the ZIP code after the state at st, or 0.
func (s *scan) stateZip(st int) int {
	if !s.has(st, isState) || s.toks[st].Case == Lower || s.toks[st].Line && s.c(st-1) != ',' {
		return 0
	}
	zip := st + 1
	if s.has(zip, isState) && s.toks[st].Case == Title {
		zip++
	}
	for c := s.c(zip); c == ',' || c == '.' || c == '-'; c = s.c(zip) {
		zip++
	}
	if s.numAt(zip) && (s.marks[zip].n == 5 || s.marks[zip].n == 4 && s.isAustralian(st)) && !s.toks[zip].Line {
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
	for s.toks[last-1].Kind == Punct {
		last--
	}
	s.emit(st, last, State)
	return s.emit(zip, s.zipEnd(zip), Zip)
}

// zipEnd takes in the four digits of ZIP+4.
func (s *scan) zipEnd(zip int) int {
	if s.c(zip+1) == '-' && s.numAt(zip+2) && s.separates(zip+1, true) && s.marks[zip+2].n >= 3 && s.marks[zip+2].n <= 4 {
		return zip + 3
	}
	return zip + 1
}

// zip finds a postal code at the number i: after a state, or as ZIP+4.
func (s *scan) zip(i int) int {
	n := s.marks[i].n
	st := i - 1
	for c := s.c(st); c == ',' || c == '.'; c = s.c(st) {
		st--
	}
	state := st >= 0 && s.has(st, isState) && (s.toks[st].Case != Lower || len(s.tok(st)) > 3 || s.c(st-1) == ',') && (s.sameLine(i) || s.c(st-1) == ',' && n == 5)
	if state && (n == 5 || n == 4 && s.isAustralian(st)) && s.plausibleState(st) && !s.measured(s.zipEnd(i)) && !(s.glued(i)) {
		if len(s.tok(st)) <= 3 {
			s.emit(st, st+1, State)
		}
		return s.emit(i, s.zipEnd(i), Zip)
	}
	if end := s.zipEnd(i); n == 5 && end == i+3 && s.marks[i+2].n == 4 && !s.glued(i) && !(s.c(end) == '-' && s.separates(end, false)) {
		return s.emit(i, end, Zip)
	}
	return 0
}

// plausibleState tells a state before a ZIP code from a word or a unit.
func (s *scan) plausibleState(st int) bool {
	t := s.tok(st)
	if len(t) > 3 {
		return true
	}
	if s.toks[st].Case == Upper {
		return s.c(st-1) == ',' || s.wordAt(st-1) && s.toks[st-1].Case != Lower && s.marks[st-1].label == noLabel || st == 0
	}
	return s.c(st-1) == ','
}

// labelledZip finds the code after "zip".
func (s *scan) labelledZip(i int) int {
	j := i + 1
	for s.has(j, isFill) || s.c(j) == ':' || s.c(j) == '#' || s.c(j) == '=' || s.c(j) == '_' {
		j++
	}
	if s.numAt(j) && s.marks[j].n >= 4 && s.marks[j].n <= 6 && s.line(i, j) {
		return s.emit(j, s.zipEnd(j), Zip)
	}
	return 0
}

// postcode finds British and Canadian codes at their first letters: "SW1A 2AA",
// "K1A 0B1".
func (s *scan) postcode(i int) int {
	t := s.tok(i)
	if len(t) > 2 || s.toks[i].Case != Upper || s.marks[i+1].n > 2 || s.glued(i) && i > 0 {
		return 0
	}
	j := i + 2
	if s.glued(j) && s.wordAt(j) && len(s.tok(j)) == 1 && s.toks[j].Case == Upper {
		j++
	}
	if !s.numAt(j) || s.glued(j) || s.toks[j].Line || s.marks[j].n != 1 || !s.wordAt(j+1) || !s.glued(j+1) || s.toks[j+1].Case != Upper {
		return 0
	}
	if len(s.tok(j+1)) == 2 && s.runEnds(j+2) && !s.has(j+1, isUnit) {
		return s.emit(i, j+2, Zip)
	}
	if len(t) == 1 && j == i+3 && len(s.tok(j+1)) == 1 && s.numAt(j+2) && s.glued(j+2) && s.marks[j+2].n == 1 && s.marks[i+1].n == 1 {
		return s.emit(i, j+3, Zip)
	}
	return 0
}

// postBox finds "PO Box 123", "P.O. Box 12-B" at the word "box".
func (s *scan) postBox(i int) int {
	start := i
	switch {
	case s.isWord(i, "pobox"):
	case s.isWord(i-1, "po"):
		start = i - 1
	case s.c(i-1) == '.' && s.isWord(i-2, "o") && s.c(i-3) == '.' && s.isWord(i-4, "p"):
		start = i - 4
	case s.isWord(i-1, "o") && s.isWord(i-2, "p"):
		start = i - 2
	default:
		return s.ruralBox(i)
	}
	j := i + 1
	for s.c(j) == '#' || s.c(j) == ':' || s.isWord(j, "no") {
		j++
	}
	if !s.numAt(j) || !s.sameLine(j) {
		return 0
	}
	return s.cityLine(s.emit(start, s.apartment(j+1), Street))
}

// ruralBox finds "RR 2 Box 45", "Rural Route 2, Box 45" and "Box 45," at the
// word "box".
func (s *scan) ruralBox(i int) int {
	if !s.numAt(i+1) || !s.sameLine(i+1) {
		return 0
	}
	j := i - 1
	if s.c(j) == ',' {
		j--
	}
	if !s.numAt(j) {
		return 0
	}
	if s.c(j-1) == '#' {
		j--
	}
	switch {
	case s.isWord(j-1, "route") && s.isWord(j-2, "rural"):
		j -= 2
	case s.isWord(j-1, "psc") || s.isWord(j-1, "cmr") || s.isWord(j-1, "unit"):
		j--
	case s.isWord(j-1, "rr") || s.isWord(j-1, "hc") || s.isWord(j-1, "rt") || s.isWord(j-1, "route"):
		j--
	default:
		return 0
	}
	return s.cityLine(s.emit(j, i+2, Street))
}
