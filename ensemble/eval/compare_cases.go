package eval

import (
	"io"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// CaseChanges are the misses and false alarms that only one of two runs has.
type CaseChanges struct {
	Found    []score.Case // missed before
	Missed   []score.Case // found before
	Dropped  []score.Case // false alarms before
	NewFalse []score.Case // false alarms that are new
}

// CompareCases compares the cases of two runs over the same documents. ok is false if a run that
// has errors was saved without its cases.
func CompareCases(before, after Result) (changes CaseChanges, ok bool) {
	if !keptCases(before) || !keptCases(after) {
		return CaseChanges{}, false
	}
	return CaseChanges{
		Found: lessCases(before.Misses, after.Misses), Missed: lessCases(after.Misses, before.Misses),
		Dropped: lessCases(before.Alarms, after.Alarms), NewFalse: lessCases(after.Alarms, before.Alarms),
	}, true
}

// WriteTable prints up to show cases of each kind, the most frequent first. It quotes text: use it
// only for made-up data.
func (c CaseChanges) WriteTable(w io.Writer, show int) {
	for _, part := range c.parts() {
		writeCases(w, strings.ToLower(part.caption), part.cases, show)
	}
}

type casesOf struct {
	caption string
	cases   []score.Case
}

// parts lists what got worse before what got better.
func (c CaseChanges) parts() []casesOf {
	return []casesOf{
		{"Missed now, found before", c.Missed},
		{"Found now, missed before", c.Found},
		{"False alarms that are new", c.NewFalse},
		{"False alarms that are gone", c.Dropped},
	}
}

// keptCases reports whether a result has its cases, or has no errors.
func keptCases(r Result) bool {
	c := r.Groups[score.C.String()]
	return len(r.Misses)+len(r.Alarms) > 0 || c.Missed()+c.False == 0
}

// lessCases returns the cases of a that are not in b. A case is identified by its document, words
// and context; a false alarm of another type is the same case.
func lessCases(a, b []score.Case) []score.Case {
	left := make(map[[4]string]int, len(b))
	for _, c := range b {
		left[place(c)]++
	}
	var out []score.Case
	for _, c := range a {
		if left[place(c)] > 0 {
			left[place(c)]--
			continue
		}
		out = append(out, c)
	}
	return out
}

func place(c score.Case) [4]string { return [4]string{c.Doc, c.Before, c.Text, c.After} }
