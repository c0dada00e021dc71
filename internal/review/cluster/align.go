package cluster

import (
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// longer is by how many words the counterpart of some words may be longer than they are.
const longer = 2

// Align returns where the counterpart of a range of the lead's sentence is in a sentence that is like it, in characters: what
// stands between the same words. It is false where nothing does, or where too much does.
func Align(lead, other string, start, end int) (from, to int, ok bool) {
	a, b := words(lead), words(other)
	first, last := -1, -1
	for i, w := range a {
		if w.start < end && start < w.end {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 || len(a) > mostWords*2 || len(b) > mostWords*2 {
		return 0, 0, false
	}
	match := common(a, b)
	left, right := -1, len(b)
	if first > 0 {
		left = match[first-1]
	}
	if last+1 < len(a) {
		right = match[last+1]
	}
	n := right - left - 1
	if n < 1 || n > last-first+1+longer || first > 0 && left < 0 || right < 0 {
		return 0, 0, false
	}
	return b[left+1].start, b[right-1].end, true
}

// word is a word of a sentence, folded, with its place in characters.
type word struct {
	folded     string
	start, end int
}

func words(s string) []word {
	var list []word
	at, chars := 0, 0
	for _, t := range text.Tokenize(s) {
		if t.Kind == text.Punct {
			continue
		}
		chars += utf8.RuneCountInString(s[at:t.Start])
		w := word{lexicon.Fold(s[t.Start:t.End]), chars, 0}
		chars += utf8.RuneCountInString(s[t.Start:t.End])
		w.end, at = chars, t.End
		list = append(list, w)
	}
	return list
}

// common returns for each word of a its counterpart in a longest common subsequence with b; -1 for none.
func common(a, b []word) []int {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].folded == b[j].folded {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	match := make([]int, len(a))
	for i := range match {
		match[i] = -1
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].folded == b[j].folded:
			match[i] = j
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return match
}
