// Package date reads the dates in a span of text, complete or partial, in the many forms in which people and machines write them,
// and writes other dates in the same form.
package date

import (
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

// Text is the text of a span with the dates that were found in it.
type Text struct {
	phi.Redacted

	text   string
	pieces []Piece
}

// Read finds the dates in a span's text.
func Read(text string) Text { return Text{text: text, pieces: scan(text)} }

// Pieces returns the dates of the text, in its order.
func (t Text) Pieces() []Piece { return t.pieces }

// Relate settles what the dates of one document say of each other: a date may determine the year of "3/5", the order of day and
// month, and whether March is 3 or 03 in another. born are the patient's birth dates, site the order where nothing shows it. It
// returns the first complete date, which partial ones follow; its fields are 0 if there is none.
func Relate(texts []Text, born []Civil, site Order) Civil {
	var order orders
	var narrow, wide [256]bool // by separator
	for _, t := range texts {
		yearsFromNext(t.pieces)
		for i := range t.pieces {
			p := &t.pieces[i]
			order.count(p, t.text, born)
			mark := p.mark(t.text)
			n, w := p.widths(t.text)
			narrow[mark], wide[mark] = narrow[mark] || n, wide[mark] || w
		}
	}
	var first Civil
	for _, t := range texts {
		for i := range t.pieces {
			p := &t.pieces[i]
			mark := p.mark(t.text)
			p.narrow = mark != 0 && narrow[mark] && !wide[mark]
			if p.either && order.dayFirst(p.separator(t.text), site) {
				p.swap()
			}
			if first.Year == 0 && p.Full() && !p.Weekday && !p.Scrambled {
				first = p.Date
			}
		}
	}
	return first
}

// yearsFromNext gives the first date of "3/5-3/7/14" the year of the second.
func yearsFromNext(pieces []Piece) {
	for i := len(pieces) - 2; i >= 0; i-- {
		p, next := &pieces[i], &pieces[i+1]
		if p.Date.Year != 0 || p.Weekday || p.Scrambled || next.Weekday || next.Date.Year == 0 {
			continue
		}
		p.Date.Year = next.Date.Year
		if next.Date.Month != 0 && p.Date.Month > next.Date.Month+6 {
			p.Date.Year--
		}
	}
}

// Write returns the text with each of its dates moved, in its own format, and what is no date but has digits scrambled.
func (t Text) Write(move func(*Piece) Civil, scramble func(string) string) string {
	var out strings.Builder
	at, month := 0, 0
	for i := range t.pieces {
		p := &t.pieces[i]
		to := move(p)
		for _, s := range p.slots {
			out.WriteString(t.text[at:s.start])
			if s.what == scrambledField {
				out.WriteString(scramble(t.text[s.start:s.end]))
			} else {
				out.WriteString(p.render(s, t.text, to, month))
			}
			at = s.end
		}
		month = to.Month
	}
	out.WriteString(t.text[at:])
	return out.String()
}

// timeOfDay matches a time after a date.
var timeOfDay = regexp.MustCompile(`^[T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?( ?[AaPp][Mm])?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?$`)

// IsOne reports whether the text is exactly one date, complete or partial, with an optional time of day.
func (t Text) IsOne() bool {
	if len(t.pieces) != 1 || t.pieces[0].Scrambled || len(t.pieces[0].slots) == 0 {
		return false
	}
	slots := t.pieces[0].slots
	before, after := t.text[:slots[0].start], t.text[slots[len(slots)-1].end:]
	return strings.IndexFunc(before, letter.IsAlnum) < 0 && (strings.IndexFunc(after, letter.IsAlnum) < 0 || timeOfDay.MatchString(after))
}

// IsVague reports whether a text in which no date was found identifies none: "three days ago".
func IsVague(text string) bool {
	for word := range letter.Words(letter.Plain(text)) {
		// The scan keeps a number only where it counts something.
		if !vagueWords[word] && !clockWords[word] && !letter.IsDigit(word[0]) {
			return false
		}
	}
	return true
}

// vagueWords are words of date spans that do not identify a date.
var vagueWords = words.Set("known/vague-dates")
