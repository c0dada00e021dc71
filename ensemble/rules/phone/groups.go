package phone

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
)

// mostGroups is how many groups of digits a number has at most: "+33 (0)1 23 45 67 89".
const mostGroups = 7

// number is a run of groups of digits that may be a telephone number.
type number struct {
	phi.Redacted

	groups  []string
	tokens  []int // of the groups
	ends    []int // the token behind each group and its bracket
	blanks  int   // separators without a mark
	digits  int
	plus    bool
	broken  bool // over the end of a line
	slashes int  // between groups
}

// read reads the groups from token i on: a number, an opening bracket or a plus sign.
func (f *finder) read(i int) number {
	n := number{groups: f.spare.groups[:0], tokens: f.spare.tokens[:0], ends: f.spare.ends[:0]}
	j, open := i, false
	if f.Mark(j) == '+' {
		n.plus = true
		j++
	}
	for len(n.groups) < mostGroups {
		k := f.skipMarks(i, j)
		if !f.Number(k) || j > i && !f.joins(j, k) || j == i && f.broken(i+1, k) {
			break
		}
		open = open || f.Mark(j) == '(' || k > j && f.Mark(k-1) == '('
		if len(n.groups) > 0 {
			if j == k {
				n.blanks++
			}
			if f.Mark(j) == '/' {
				n.slashes++
			}
			n.broken = n.broken || f.broken(j, k)
		}
		end := k + 1
		if open && f.Mark(end) == ')' {
			end, open = end+1, false
		}
		n.add(f.Plain(k), k, end)
		j = end
	}
	f.spare = n
	return n
}

// add adds the digits of token at, which with its bracket ends before token end.
func (n *number) add(digits string, at, end int) {
	n.groups, n.tokens, n.ends = append(n.groups, digits), append(n.tokens, at), append(n.ends, end)
	n.digits += len(digits)
}

// skipMarks returns the token behind the marks from token j on that may be between groups: one, or two around a
// bracket.
func (f *finder) skipMarks(start, j int) int {
	k := j
	for k < j+3 && groupMark(f.Mark(k)) {
		k++
	}
	if bracket := k > j && (f.Mark(j) == '(' || f.Mark(k-1) == '(' || j > start && f.Mark(j-1) == ')'); k > j+1 && !bracket {
		return j + 1
	}
	return k
}

func groupMark(c byte) bool { return c == '-' || c == '.' || c == '/' || c == '(' }

// joins reports whether the marks from token j to the number k connect two groups: no line ends between them but
// behind a hyphen or in a number that a word announces, and no sentence does.
func (f *finder) joins(j, k int) bool {
	if f.Mark(j) == '.' && k == j+1 && f.Spaced(k) && !f.Spaced(j) {
		return false
	}
	return !f.broken(j, k) || f.Mark(k-1) == '-' || f.label.Kind != label.None && k == j
}

// broken reports whether a line ends between tokens j-1 and k.
func (f *finder) broken(j, k int) bool {
	for ; j <= k; j++ {
		if f.OpensLine(j) {
			return true
		}
	}
	return false
}

// cut returns the number with its first k groups.
func (n number) cut(k int) number {
	for _, g := range n.groups[k:] {
		n.digits -= len(g)
	}
	n.groups, n.tokens, n.ends = n.groups[:k], n.tokens[:k], n.ends[:k]
	return n
}

// end returns the token behind the number.
func (n number) end() int { return n.ends[len(n.ends)-1] }

// even reports whether no group is longer than a local number, and none behind the first is a single digit, as lists
// and ranges have them.
func (n number) even() bool {
	for k, g := range n.groups {
		if len(g) > leastLocal || k > 0 && len(g) < 2 {
			return false
		}
	}
	return true
}

// round reports whether seven digits are a range of values: 200-1000, 150-1050.
func (n number) round() bool {
	return n.digits == leastLocal && strings.HasSuffix(n.groups[0], "0") && strings.HasSuffix(n.groups[len(n.groups)-1], "0")
}

// bare returns the tokens of the number from token i on, without a bracket that is around all of it or is closed
// elsewhere: "(555) 234-5678" keeps its own.
func (f *finder) bare(i int, n number) (from, end int) {
	last := len(n.ends) - 1
	if f.Mark(i) == '(' && !slices.ContainsFunc(n.ends[:last], func(end int) bool { return f.Mark(end-1) == ')' }) {
		return n.tokens[0], n.tokens[last] + 1
	}
	return i, n.end()
}
