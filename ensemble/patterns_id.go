package ensemble

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

var labelTypes = [...]Type{
	labelSSN: SSN, labelMRN: MedicalRecord, labelPlan: HealthPlan, labelAccount: Account, labelLicense: License,
	labelVehicle: Vehicle, labelDevice: Device, labelBio: BioID, labelID: IDNum,
}

// labelReach is how many tokens may stand between a label and its value.
const labelReach = 7

// labelled finds the identifier that label word i announces.
func (s *scan) labelled(i int, l label) int {
	j, named := s.valueAfter(i)
	if j == 0 || j >= len(s.toks) {
		return 0
	}
	if named >= labelPhone && named <= labelExt || named >= labelZip {
		return 0
	}
	if c := s.c(j - 1); c == '+' || c == '(' {
		if end := s.phone(j - 1); end > 0 {
			return end
		}
	}
	if named != noLabel && int(named) < len(labelTypes) && labelTypes[named] != None && named != labelID {
		l = named
	}
	end, digits := s.identifier(j)
	if l == labelSSN && digits != 9 && digits != 4 {
		return 0
	}
	if end == 0 || digits < s.leastDigits(i, j, l) || s.isQuantity(i, j, end, digits) {
		return 0
	}
	t := labelTypes[l]
	if t == IDNum && !s.isMixed(j, end) && s.longestGroup(j, end) < 3 {
		return 0
	}
	if l == labelVehicle && digits < 3 {
		return 0
	}
	return s.emit(j, end, t)
}

// runHasLetters reports whether the run from token j mixes letters and digits.
func (s *scan) runHasLetters(j int) bool {
	end, _ := s.codeRun(j)
	return end > j+1 && s.isMixed(j, end)
}

func (s *scan) longestGroup(j, end int) int {
	longest := 0
	for ; j < end; j++ {
		longest = max(longest, int(s.marks[j].n))
	}
	return longest
}

// leastDigits tells how many digits make a value after label i. A label that is
// an ordinary word too needs more where no colon or number sign stands between.
func (s *scan) leastDigits(i, j int, l label) int {
	least := int(s.marks[i].val)
	if s.marks[i].bits&isMonth != 0 {
		least = 5
	}
	marked := false
	for k := i + 1; k < j; k++ {
		c := s.c(k)
		marked = marked || c == '#' || c == ':' || s.isWord(k, "number") || s.isWord(k, "no") || s.isWord(k, "id")
	}
	if marked || l == labelMRN && s.marks[i].val == 3 || l == labelSSN {
		return least
	}
	if l == labelVehicle || s.runHasLetters(j) {
		return max(least, 3)
	}
	if l == labelDevice {
		return max(least, 4)
	}
	return max(least, 5)
}

// valueAfter returns the first token of the value that label i announces, and a
// narrower label that stands between.
func (s *scan) valueAfter(i int) (int, label) {
	named := noLabel
	for j := i + 1; j < len(s.toks) && j <= i+labelReach; j++ {
		if s.toks[j].Line && s.c(j-1) != ':' && s.c(j-1) != '#' {
			return 0, noLabel
		}
		switch s.toks[j].Kind {
		case Number:
			return j, named
		case Punct:
			if c := s.c(j); c == '_' && s.marks[i].val > 3 || c == ';' || c == ',' || c == '?' || c == ')' || c == otherMark || c == '.' && !s.isAbbreviation(j) {
				return 0, noLabel
			}
		case Word:
			if s.glued(j+1) && s.runHasDigits(j) {
				if l := s.marks[j].label; l != noLabel && int(l) < len(labelTypes) {
					named = l
				}
				return j, named
			}
			if l := s.marks[j].label; l != noLabel {
				if l == labelCode {
					return 0, noLabel
				}
				named = l
			} else if !s.has(j, isFill|isThe|isOf|isIn) {
				if s.codeLetters(j) {
					return j, named
				}
				return 0, noLabel
			}
		}
	}
	return 0, noLabel
}

// isAbbreviation reports whether the full stop at j ends "No." or "Acct.".
func (s *scan) isAbbreviation(j int) bool {
	return s.glued(j) && s.wordAt(j-1) && (s.marks[j-1].label != noLabel || s.has(j-1, isFill)) && s.sameLine(j+1)
}

// codeLetters reports whether the word j may begin a value in several groups:
// "XYZ 123 456".
func (s *scan) codeLetters(j int) bool {
	plate := s.toks[j].Case == Lower && len(s.tok(j)) == 3 && s.isWord(j-1, "plate")
	return (s.toks[j].Case == Upper && len(s.tok(j)) <= 4 || plate) && s.numAt(j+1) && s.sameLine(j+1) && s.marks[j+1].n >= 3
}

// runHasDigits reports whether the glued run that begins at j holds a digit.
func (s *scan) runHasDigits(j int) bool {
	for k := j; k == j || s.glued(k); k++ {
		if s.numAt(k) {
			return true
		}
		if c := s.c(k); c != 0 && c != '-' && c != '/' && c != '.' && c != '_' && c != '#' && c != '*' {
			return false
		}
		if k > j+8 {
			return false
		}
	}
	return false
}

// identifier reads an identifier that begins at j: a glued run of letters,
// digits and marks, with further groups of digits after blanks. It returns the
// token after it and the number of its digits.
func (s *scan) identifier(j int) (end, digits int) {
	end, digits = s.codeRun(j)
	if end == 0 {
		return 0, 0
	}
	for range 4 {
		if !s.numAt(end) || s.toks[end].Line || s.marks[end].n < 2 || s.isYear4(end) && digits > 5 || s.measured(end+1) || s.c(end+1) == '/' {
			break
		}
		if digits >= 6 && s.marks[end].n < 2 {
			break
		}
		next, n := s.codeRun(end)
		if next == 0 {
			break
		}
		end, digits = next, digits+n
	}
	return end, digits
}

// codeRun reads one glued run from j. A capitalised word after the digits, or a
// label, belongs to what follows: "0937884Date".
func (s *scan) codeRun(j int) (end, digits int) {
	end = j
	for k := j; k < len(s.toks) && (k == j || s.glued(k)); k++ {
		switch s.toks[k].Kind {
		case Number:
			digits += int(s.marks[k].n)
			end = k + 1
		case Word:
			if digits > 0 && s.startsNext(k) {
				return end, digits
			}
			end = k + 1
		default:
			c := s.c(k)
			if c != '-' && c != '/' && c != '.' && c != '_' && c != ':' && c != '*' && c != '#' || !s.glued(k+1) {
				return end, digits
			}
		}
	}
	return end, digits
}

// startsNext reports whether word k, glued to digits, is the next field's name.
func (s *scan) startsNext(k int) bool {
	n := len(s.tok(k))
	return n >= 3 && (s.toks[k].Case == Title || s.toks[k].Case == Mixed) || n >= 3 && s.marks[k].label != noLabel || s.has(k, isDateCue) && n >= 3
}

// isQuantity reports whether the value from j to end is a date, a time, a
// decimal or a measurement and no identifier.
func (s *scan) isQuantity(i, j, end, digits int) bool {
	if s.measured(end) && !s.isMixed(j, end) || s.c(j-1) == '$' {
		return true
	}
	if !s.numAt(j) {
		return false
	}
	sep := s.c(j + 1)
	if end == j+5 && (sep == '/' || sep == '-' || sep == '.') && s.marks[j].n <= 4 && s.threePartDate(j, sep) > 0 && s.marks[i].label != labelSSN {
		return true
	}
	if sep == ':' && s.minutes(j+2) && s.marks[j].n <= 2 || sep == '.' && end == j+3 && digits < 6 {
		return true
	}
	if sep == '/' && end == j+3 && s.marks[j].n <= 3 && s.marks[j+2].n <= 4 {
		return true
	}
	return s.isYear4(j) && end == j+1 && s.marks[j].v >= 1900 && s.marks[j].v < 2050 && !s.marksNumber(i, j)
}

func (s *scan) marksNumber(i, j int) bool {
	for k := i + 1; k < j; k++ {
		if s.c(k) == '#' || s.isWord(k, "number") || s.isWord(k, "no") || s.isWord(k, "id") {
			return true
		}
	}
	return s.marks[i].label == labelMRN || s.marks[i].label == labelSSN
}

func (s *scan) isMixed(j, end int) bool {
	for ; j < end; j++ {
		if s.wordAt(j) {
			return true
		}
	}
	return false
}

// code steps over the codes that a word like "ICD" or "CPT" announces, also in
// the next cell of a table.
func (s *scan) code(i int) int {
	j, numbers := i+1, 0
	for ; j < len(s.toks) && j < i+40 && s.sameLine(j); j++ {
		switch s.toks[j].Kind {
		case Number:
			numbers++
		case Word:
			if !s.codeWord(j) {
				return j
			}
		default:
			c := s.c(j)
			if c == '|' && numbers > 0 || c == '.' && !s.glued(j+1) || c == otherMark || c == ';' {
				return j
			}
		}
	}
	return j
}

// codeWord reports whether the word j may stand between a code system and its
// codes, or within one.
func (s *scan) codeWord(j int) bool {
	if s.has(j, isFill) || s.glued(j) || len(s.tok(j)) == 1 || s.numAt(j+1) && s.glued(j+1) {
		return true
	}
	switch s.tok(j) {
	case "CM", "PCS", "CT", "RT", "ICD", "system":
		return true
	}
	return false
}

// mixedRun looks at the run of letters and digits that begins with word i:
// "MRN133202", "A12345678", "S12-4567".
func (s *scan) mixedRun(i int) int {
	if end := s.uuid(i); end > 0 {
		return end
	}
	if end := s.cardNumber(i); end > 0 {
		return end
	}
	if end := s.postcode(i); end > 0 {
		return end
	}
	if s.glued(i) && i > 0 && s.toks[i-1].Kind != Punct {
		return 0
	}
	if l := s.marks[i].label; l != noLabel {
		if l == labelExt || l == labelPhone || l == labelFax || l == labelPager || l == labelCode || l == labelBox || l == labelZip {
			return 0
		}
		return s.labelRun(i, l)
	}
	if word := s.tok(i); word == "x" || word == "X" {
		if end := s.extension(i); end > 0 {
			return end
		}
	}
	if end := s.bracketedLogin(i); end > 0 {
		return end
	}
	return s.codeByForm(i)
}

func (s *scan) labelRun(i int, l label) int {
	end, digits := s.codeRun(i)
	if l == labelSSN && digits != 9 && digits != 4 {
		return s.codeByForm(i)
	}
	if int(l) >= len(labelTypes) || labelTypes[l] == None || digits < max(3, int(s.marks[i].val)) || len(s.tok(i)) < 2 {
		return s.codeByForm(i)
	}
	if s.marks[i].label == labelID && digits < 4 || s.measured(end) {
		return 0
	}
	return s.emit(i, end, labelTypes[l])
}

// login finds the short name of letters and digits under which somebody signed:
// "Signed DF14", "username: jsmith9".
func (s *scan) login(i int) int {
	j := i + 1
	colon := false
	for s.c(j) == ':' || s.isWord(j, "by") || s.isWord(j, "is") || s.c(j) == '=' {
		colon = colon || s.c(j) == ':' || s.c(j) == '='
		j++
	}
	if !s.wordAt(j) || !s.sameLine(j) {
		return 0
	}
	end := s.runEnd(j)
	for end > j && s.toks[end-1].Kind == Punct {
		end--
	}
	short := end == j+2 && s.numAt(j+1) && s.toks[j].Case == Upper && len(s.tok(j)) <= 4 && s.marks[j+1].n <= 4
	named := colon && s.marks[i].bits&isDateCue == 0 && (s.isWord(i, "username") || s.isWord(i, "login") || s.isWord(i, "userid") || s.isWord(i, "logon"))
	if !short && !named {
		return 0
	}
	return s.emit(j, end, Username)
}

// signature finds a login after "by": "Authenticated by jsmith24", "karla.baron0".
func (s *scan) signature(j int) int {
	if !s.wordAt(j) || s.toks[j].Case != Lower || !s.sameLine(j) {
		return 0
	}
	end := s.trimRun(j, s.runEnd(j))
	for k := j; k < end; k++ {
		if c := s.c(k); c != 0 && c != '.' && c != '_' || s.wordAt(k) && s.toks[k].Case != Lower {
			return 0
		}
	}
	if end == j+1 || !s.numAt(end-1) || s.marks[end-1].n > 4 || len(s.tok(j)) < 2 {
		return 0
	}
	return s.emit(j, end, Username)
}

// bracketedLogin finds a login that stands alone in parentheses or between bars:
// "(mcp1077)", "| samson.bush2 |".
func (s *scan) bracketedLogin(i int) int {
	if c := s.c(i - 1); c != '(' && c != '|' {
		return 0
	}
	end := s.signature(i)
	if end == 0 {
		return 0
	}
	known, _ := lexicon.Lookup(s.tok(i))
	if c := s.c(end); c != ')' && c != '|' || len(s.tok(i)) < 3 || known.Common > 0 || known.Is(lexicon.Clinical) {
		s.out = s.out[:len(s.out)-1]
		return 0
	}
	return end
}

// codeByForm accepts a run of letters and digits by its form alone.
func (s *scan) codeByForm(i int) int {
	end, digits := s.codeRun(i)
	if end == 0 || digits < 4 {
		return 0
	}
	if vin := s.vinAt(i, end); vin {
		return s.emit(i, end, Vehicle)
	}
	longest, words := 0, 0
	for k := i; k < end; k++ {
		longest = max(longest, int(s.marks[k].n))
		if s.wordAt(k) && len(s.tok(k)) > 4 && s.toks[k].Case != Upper {
			words++
		}
	}
	letters := s.tok(i)
	if digits < 8 && s.has(i, isVital|isUnit|isScore) {
		return 0
	}
	if words > 0 && longest < 5 || len(letters) > 8 || s.diagnosisCode(i, end) {
		return 0
	}
	if longest >= 5 || digits >= 6 && longest >= 3 || digits >= 8 {
		return s.emit(i, end, IDNum)
	}
	if s.caseNumber(i, end) || s.taxNumber(i, end) {
		return s.emit(i, end, IDNum)
	}
	return 0
}

// caseNumber knows the numbers of pathology cases: "S12-4567", "SP-20-12345".
func (s *scan) caseNumber(i, end int) bool {
	if s.c(i+1) == '-' {
		i++
		return end == i+4 && s.toks[i-1].Case == Upper && len(s.tok(i-1)) <= 3 && s.marks[i+1].n == 2 && s.c(i+2) == '-' && s.marks[i+3].n >= 3
	}
	return end == i+4 && s.toks[i].Case == Upper && len(s.tok(i)) <= 3 && s.marks[i+1].n == 2 && s.c(i+2) == '-' && s.marks[i+3].n >= 3
}

// taxNumber knows the form "ABCDE1234F".
func (s *scan) taxNumber(i, end int) bool {
	return end == i+3 && s.marks[i+1].n == 4 && s.toks[i].Case == Upper && len(s.tok(i)) == 5 && s.toks[i+2].Case == Upper
}

// diagnosisCode knows the form of ICD-10, HCPCS and LOINC codes: they tell what,
// not who.
func (s *scan) diagnosisCode(i, end int) bool {
	if len(s.tok(i)) != 1 {
		return false
	}
	if end == i+2 && s.marks[i+1].n == 4 {
		return true
	}
	return s.marks[i+1].n == 2 && s.c(i+2) == '.'
}

// machineReadable finds the lines of passports at "<<".
func (s *scan) machineReadable(i int) int {
	if s.c(i+1) != '<' || !s.glued(i+1) {
		return 0
	}
	start := i
	for start > 0 && s.glued(start) {
		start--
	}
	end := s.runEnd(i)
	if s.toks[end-1].End-s.toks[start].Start < 20 {
		return 0
	}
	return s.emit(start, end, IDNum)
}
