package rules

import "github.com/pgdeid/pgdeid/ensemble/text"

// maxGroups is how many groups of digits a telephone number may have.
const maxGroups = 7

// groups are the runs of digits of a candidate telephone number.
type groups struct {
	tok    [maxGroups]int // token of each
	n      int
	digits int
	spaces int // separators that are, or have, a blank
	end    int // token after the last
	sign   bool
}

// drop takes the last group off.
func (g *groups) drop(s *scan) {
	g.n--
	if g.n == 0 {
		return
	}
	g.digits -= int(s.marks[g.tok[g.n]].Digits)
	g.end = g.tok[g.n-1] + 1
	if s.c(g.end) == ')' && s.c(g.tok[g.n-1]-1) == '(' {
		g.end++
	}
	if s.toks[g.tok[g.n]].Space {
		g.spaces--
	}
}

func (s *scan) phoneGroups(i int) (g groups) {
	j, open := i, false
	if s.c(j) == '+' {
		g.sign = true
		j++
	}
	for g.n < maxGroups {
		k := j
		for k < len(s.toks) && k < j+3 && phoneMark(s.c(k)) && (k == i || s.sameLine(k)) {
			k++
		}
		if g.n > 0 && s.complete(&g, j, k) {
			break
		}
		if !s.numAt(k) || k > i && s.toks[k].Line && s.c(k-1) != '-' && !(g.n > 0 && (g.sign || open || s.announced(i))) ||
			g.n > 0 && k-j > 1 && !s.paired(j, k) {
			break
		}
		if g.n > 0 && (s.toks[k].Space || s.toks[j].Space) {
			g.spaces++
		}
		g.tok[g.n] = k
		g.n++
		g.digits += int(s.marks[k].Digits)
		for ; j < k; j++ {
			open = open || s.c(j) == '('
		}
		j = k + 1
		g.end = j
		if s.c(j) == ')' && open {
			j++
			g.end = j
		}
	}
	return g
}

// complete reports whether the number is whole and the marks from j to k end a sentence
// or a line after it: what follows is another number.
func (s *scan) complete(g *groups, j, k int) bool {
	least := uint8(7)
	if g.sign {
		least = 10
	} else if first := &s.marks[g.tok[0]]; first.Value == 1 && first.Digits == 1 {
		least = 8
	}
	if g.digits < int(least) || k >= len(s.toks) {
		return false
	}
	return s.toks[k].Line && s.c(k-1) != '-' || s.c(j) == '.' && k == j+1 && s.toks[k].Space
}

// paired allows two marks in a row only around parentheses: ") -", "- (".
func (s *scan) paired(j, k int) bool {
	for ; j < k; j++ {
		if c := s.c(j); c == '(' || c == ')' {
			return true
		}
	}
	return false
}

func phoneMark(c byte) bool {
	return c == '-' || c == '.' || c == '/' || c == '(' || c == ')'
}

// partOfWord reports whether letters are glued before or behind the candidate,
// other than those of an extension.
func (s *scan) partOfWord(i, end int) bool {
	if i > 0 && s.glued(i) {
		if c := s.c(i - 1); c == '$' || c == '_' {
			return true
		}
		if s.wordAt(i-1) && s.marks[i-1].Label == text.NoLabel && len(s.tok(i-1)) < 3 {
			return true
		}
	}
	if end < len(s.toks) && len(s.tok(end)) == 1 && s.toks[end].Space {
		return false
	}
	return s.has(end, text.IsUnit) && !s.has(end, text.IsState|text.IsPrep|text.IsIn) && s.tok(end) != "x" && s.tok(end) != "X" &&
		s.tok(end) != "h" && s.sameLine(end)
}

// evenGroups reports whether every group after the first has two to four digits.
func (s *scan) evenGroups(g *groups) bool {
	for _, t := range g.tok[1:g.n] {
		if n := s.marks[t].Digits; n < 2 || n > 4 {
			return false
		}
	}
	return true
}

// decimalGroups reports whether the candidate is a decimal number.
func (s *scan) decimalGroups(_ int, g *groups) bool {
	return g.n == 2 && s.c(g.tok[1]-1) == '.'
}
