package surrogate

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// linkedNames returns surrogates that follow from another name's surrogate: a nickname's from the
// formal name's, a misspelt name's from the correct one's.
func (w *work) linkedNames(word string, role nameRole) []string {
	if role == givenName {
		if formal := w.formalName(word); formal != "" {
			return w.nicknamesOf(w.nameToken(formal, givenName))
		}
	}
	if right := w.mistyped(word); right != "" {
		return sameEdit(right, word, w.nameToken(right, w.people().role(right)))
	}
	return nil
}

// formalName returns the name that word is short for, or "". It looks in the record, at persons
// named in full in the text, and at names that already have a surrogate.
func (w *work) formalName(word string) string {
	people := w.people()
	// Only a longer name counts as the formal one, which excludes cycles.
	forms := slices.DeleteFunc(slices.Clone(lexicon.Nicknames(word)), func(f string) bool { return len(f) <= len(word) })
	if len(forms) == 0 || people.role(word) == givenName && !isShort(word) {
		return ""
	}
	for _, named := range []*index{people.persons, people.met} {
		if name := named.formal(forms); name != "" {
			return name
		}
	}
	for _, form := range forms {
		if id, _ := w.source.derive(kindName, form); w.isOriginal(id) {
			return form
		}
	}
	return ""
}

func isShort(word string) bool {
	e, _ := lexicon.LookupFolded(word)
	return e.Is(lexicon.Nickname)
}

func (w *work) nicknamesOf(surrogate string) []string {
	var out []string
	for _, short := range lexicon.Nicknames(surrogate) {
		if len(short) > 2 {
			out = append(out, letter.Titled(short))
		}
	}
	return out
}

// leastTyped is the length from which a word at edit distance one from a name of the record is
// taken for that name.
const leastTyped = 5

// mistyped returns the word of the record of which word is a typing error, or "".
func (w *work) mistyped(word string) string {
	people := w.people()
	if len(word) < leastTyped-1 || people.role(word) != anyName {
		return ""
	}
	for _, n := range people.slips.Near([]byte(word)) {
		if right := people.slips.Word(n); len(right) >= leastTyped && rarer(word, right) {
			return right // the first of the alphabet
		}
	}
	return ""
}

// rarer reports whether word is so much rarer as a name than right, by a factor of 16, that a
// typing error is the more likely reading.
func rarer(word, right string) bool {
	e, _ := lexicon.LookupFolded(word)
	r, _ := lexicon.LookupFolded(right)
	mine := max(e.Surname, e.First)
	return mine == 0 || int(mine)+32 <= int(max(r.Surname, r.First))
}

func commonPrefix(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

// sameEdit repeats the error of (right, typed) in a surrogate: first at about the same position,
// then at others.
func sameEdit(right, typed, surrogate string) []string {
	n := len(surrogate)
	if n < 3 || strings.IndexFunc(surrogate, func(r rune) bool { return r > 127 }) >= 0 {
		return nil
	}
	place := commonPrefix(right, typed) * (n - 1) / max(1, len(right)-1)
	var out []string
	if typed == right+"s" { // "the Smiths"
		out = append(out, surrogate+"s")
	}
	for d := range n - 2 {
		i := 1 + (place+d)%(n-2) // never the first letter, nor the last
		edited := editAt(right, typed, surrogate, i)
		if edited != surrogate {
			out = append(out, edited)
		}
	}
	return out
}

func editAt(right, typed, s string, i int) string {
	p := commonPrefix(right, typed)
	switch {
	case len(typed) < len(right):
		return s[:i] + s[i+1:]
	case len(typed) > len(right):
		return s[:i] + s[i:i+1] + s[i:]
	case right[p+1:] == typed[p+1:]:
		return s[:i] + string(neighbour(s[i])) + s[i+1:]
	default:
		return s[:i] + s[i+1:i+2] + s[i:i+1] + s[i+2:]
	}
}

// neighbour returns a letter that is easily typed for another.
func neighbour(c byte) byte {
	const rows = "qwertyuiopasdfghjklzxcvbnm"
	i := strings.IndexByte(rows, c|0x20)
	if i < 0 {
		return c
	}
	return rows[(i+1)%len(rows)]
}
