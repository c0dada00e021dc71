package address

// box returns the tokens of the box of the post that word i is: "P.O. Box 123", "RR 2 Box 45".
func (f *finder) box(i int) (from, end int) {
	if !f.In(i, box) {
		return 0, 0
	}
	j := i + 1
	for f.Mark(j) == '#' || f.Mark(j) == ':' || f.Mark(j) == '.' || f.Equal(j, "no") {
		j++
	}
	if !f.Number(j) || !f.Here(j) {
		return 0, 0
	}
	from = f.postOffice(i)
	if from == i && len(f.Str(i)) < 5 {
		if from = f.route(i); from == i {
			return 0, 0
		}
	}
	end = j + 1
	for f.Glued(end) && (f.Word(end) && len(f.Str(end)) == 1 || f.Mark(end) == '-' && f.Tight(end) || f.Number(end)) {
		end++
	}
	return from, end
}

// postOffice returns the first token of "PO", "P.O." or "P O" before token i, or i.
func (f *finder) postOffice(i int) int {
	switch {
	case f.Equal(i-1, "po") && f.Here(i):
		return i - 1
	case f.Mark(i-1) == '.' && f.Equal(i-2, "o") && f.Mark(i-3) == '.' && f.Equal(i-4, "p"):
		return i - 4
	case f.Equal(i-1, "o") && f.Equal(i-2, "p"):
		return i - 2
	case f.Mark(i-1) == '.' && f.Equal(i-2, "po"):
		return i - 2
	}
	return i
}

// route returns the first token of a rural or military route before token i: "RR #3,",
// "Rural Route 2", or i.
func (f *finder) route(i int) int {
	j := f.Back(i, ",")
	if !f.Number(j) {
		return i
	}
	j = f.Back(j, "#")
	switch {
	case !f.In(j, rural) || !f.Here(i):
		return i
	case f.Equal(j-1, "rural"), f.Equal(j-1, "star"):
		return j - 1
	}
	return j
}
