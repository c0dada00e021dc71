package score

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Counts are numbers of words or entities: Gold ones, those of them Found, those Predicted by the
// detectors, and those of them False.
type Counts struct {
	Gold      int `json:"gold"`
	Found     int `json:"found"`
	Predicted int `json:"predicted"`
	False     int `json:"false"`
}

// Add adds o.
func (c *Counts) Add(o Counts) {
	c.Gold += o.Gold
	c.Found += o.Found
	c.Predicted += o.Predicted
	c.False += o.False
}

// Recall is Found of Gold; 1 without gold.
func (c Counts) Recall() float64 { return Ratio(c.Found, c.Gold) }

// Precision is the share of Predicted that is not False; 1 without predictions.
func (c Counts) Precision() float64 { return Ratio(c.Predicted-c.False, c.Predicted) }

// Missed is Gold less Found.
func (c Counts) Missed() int { return c.Gold - c.Found }

// AddTimes adds n times o.
func (c *Counts) AddTimes(o Counts, n int) {
	c.Gold += n * o.Gold
	c.Found += n * o.Found
	c.Predicted += n * o.Predicted
	c.False += n * o.False
}

// F1 is the harmonic mean of precision and recall.
func (c Counts) F1() float64 { return harmonic(c.Precision(), c.Recall()) }

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// Ratio returns part by whole, and 1 if there is nothing.
func Ratio(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Case is a miss or a false alarm with its context. It quotes the text: show it only for made-up
// data.
type Case struct {
	Doc    string `json:"doc"`
	Label  string `json:"label"` // of gold, or the type predicted
	Text   string `json:"text"`
	Before string `json:"before"`
	After  string `json:"after"`
	// InRecord is set for a miss that is in the patient's record.
	InRecord bool `json:"in_record,omitempty"`
}

// Tally is the counts of one document.
type Tally struct {
	words    [NumGroups][NumClasses]Counts
	i2b2     i2b2Counts
	people   [numGenders]Counts // words of names, by gender
	types    map[string]*TypeCounts
	ordinary int // words that are not gold
	total    int // words
	misses   []Case
	alarms   []Case
	Record   *RecordReport // nil without a record
	Errors   NoteErrors
}

// Score compares predictions, sorted and without overlap, with a document's gold.
func Score(doc *Document, found []phi.Span, cases bool) *Tally {
	t := &Tally{types: map[string]*TypeCounts{}}
	m := NewMarks(doc)
	for g := A; g < NumGroups; g++ {
		t.recall(doc, found, g, cases && g == C)
		t.precision(doc, m, found, g, cases && g == C)
	}
	t.i2b2 = i2b2Scores(doc, m, found)
	t.genders(doc, found)
	for _, w := range Words(doc.Text, 0, len(doc.Text)) {
		t.total++
		if !m.touched(doc.Text, w) {
			t.ordinary++
		}
	}
	return t
}

// recall counts the gold words of a group that predictions of the group cover.
func (t *Tally) recall(doc *Document, found []phi.Span, g Group, cases bool) {
	for _, gold := range doc.Spans {
		text := doc.Text[gold.Start:gold.End]
		if gold.Ignored() || !g.Within(gold.Types, text) {
			continue
		}
		class := gold.class(g, text)
		for _, w := range Words(doc.Text, gold.Start, gold.End) {
			cover, by := Coverage(doc.Text, w, found, g, gold.Types)
			t.words[g][class].Gold++
			if cover {
				t.words[g][class].Found++
			} else if cases {
				miss := newCase(doc, w, gold.Label)
				miss.InRecord = gold.Held
				t.misses = append(t.misses, miss)
			}
			if g == All {
				t.countType(gold, cover, by)
			}
		}
	}
}

func (t *Tally) countType(gold GoldSpan, covered bool, by corpus.TypeSet) {
	c := t.row(gold.Label, gold.class(All, ""))
	c.Gold++
	if covered {
		c.Found++
	}
	for _, b := range by.Types() {
		if class, ok := ClassOf(b); covered && ok && hasClass(gold.Types, class) {
			c.Typed++
			return
		}
	}
}

// precision counts the words of a group's predictions and those that touch no gold.
func (t *Tally) precision(doc *Document, m *Marks, found []phi.Span, g Group, cases bool) {
	for _, s := range found {
		if !g.Has(s.Type, doc.Text[s.Start:s.End]) {
			continue
		}
		class, _ := ClassOf(s.Type)
		for _, w := range Words(doc.Text, s.Start, s.End) {
			if m.Ignored(doc.Text, w) {
				continue
			}
			t.words[g][class].Predicted++
			wrong := !m.touched(doc.Text, w)
			if g == All {
				t.countPrediction(s.Type, class, wrong)
			}
			if wrong {
				t.words[g][class].False++
				if cases {
					t.alarms = append(t.alarms, newCase(doc, w, s.Type.String()))
				}
			}
		}
	}
}

// class returns the class under which a gold span is counted: of its main type or, if the group
// does not contain that, of the first type that it contains.
func (s GoldSpan) class(g Group, text string) Class {
	c, _ := ClassOf(s.typeIn(g, text))
	return c
}

// typeIn returns the main type of a gold span or, if the group does not contain that, the first
// type that it contains.
func (s GoldSpan) typeIn(g Group, text string) phi.Type {
	if g == All || g.Has(s.Main, text) {
		return s.Main
	}
	for _, typ := range s.Types.Types() {
		if g.Has(typ, text) {
			return typ
		}
	}
	return phi.None
}

// Coverage reports whether predictions of the group cover all letters and digits of w, and returns
// their types. TIME, which is kept in texts, covers gold that may be a time.
func Coverage(text string, w phi.Range, found []phi.Span, g Group, types corpus.TypeSet) (bool, corpus.TypeSet) {
	var by corpus.TypeSet
	i, _ := slices.BinarySearchFunc(found, w.Start, func(s phi.Span, at int) int { return cmp.Compare(s.End, at+1) })
	for at, r := range text[w.Start:w.End] {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		pos := w.Start + at
		for i < len(found) && found[i].End <= pos {
			i++
		}
		if i == len(found) || found[i].Start > pos {
			return false, by
		}
		s := found[i]
		isTime := s.Type == phi.Time && types.Has(phi.Time)
		if !isTime && !g.Has(s.Type, text[s.Start:s.End]) {
			return false, by
		}
		by |= corpus.SetOf(s.Type)
	}
	return true, by
}

// Words returns the runs without white space in text[start:end] that hold a letter
// or a digit.
func Words(text string, start, end int) []phi.Range {
	var out []phi.Range
	from, solid := -1, false
	for i := start; i < end; {
		r, size := utf8.DecodeRuneInString(text[i:end])
		if unicode.IsSpace(r) {
			if solid {
				out = append(out, phi.Range{Start: from, End: i})
			}
			from, solid = -1, false
		} else {
			if from < 0 {
				from = i
			}
			solid = solid || unicode.IsLetter(r) || unicode.IsDigit(r)
		}
		i += size
	}
	if solid {
		out = append(out, phi.Range{Start: from, End: end})
	}
	return out
}

const contextBytes = 48

func newCase(doc *Document, w phi.Range, label string) Case {
	return Case{
		Doc: doc.ID, Label: label, Text: doc.Text[w.Start:w.End],
		Before: doc.Text[runeStart(doc.Text, w.Start-contextBytes):w.Start],
		After:  doc.Text[w.End:runeStart(doc.Text, w.End+contextBytes)],
	}
}

// runeStart clamps i to the text and moves it back to the start of a code point.
func runeStart(text string, i int) int {
	i = max(0, min(i, len(text)))
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
