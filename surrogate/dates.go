package surrogate

import (
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/date"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// date replaces the text of a date span: each date in it is shifted and written in its own format.
// Other digits are changed, and a span without any readable date becomes a random day and month.
func (w *work) date(text string, dates date.Text) string {
	if len(dates.Pieces()) == 0 {
		return w.vagueDate(text)
	}
	return dates.Write(func(p *date.Piece) date.Civil { return w.shifted(p, text) }, w.scramble)
}

// relateDates settles what the dates of a document say of each other.
func (w *work) relateDates() {
	texts := make([]date.Text, len(w.spans))
	for i, s := range w.spans {
		texts[i] = s.dates
	}
	w.lastDate = date.Relate(texts, w.births(), w.order)
}

// shifted returns a piece's date after the shift and keeps it as context for later pieces.
func (w *work) shifted(p *date.Piece, text string) date.Civil {
	if p.Scrambled {
		c := w.source.choices("date", text)
		year := p.Date.Year
		if year == 0 {
			year = 2000 + c.below(20)
		}
		middle := date.Civil{Year: year, Month: 7, Day: 1}.Plus(w.shift)
		return w.notTooOld(p.Date, date.Civil{Year: middle.Year, Month: 1 + c.below(12), Day: 1 + c.below(28)})
	}
	from := p.Resolve(w.lastDate)
	if !p.Weekday && (p.Date.Year != 0 || w.lastDate.Year != 0) && p.Date.Month+p.Date.Day != 0 {
		w.lastDate = from
	}
	return w.notTooOld(p.Date, from.Plus(w.shift))
}

// scramble replaces the digits of a text by others.
func (w *work) scramble(text string) string {
	c := w.source.choices("date digits", text)
	for {
		out := strings.Map(func(r rune) rune {
			if letter.IsAlnum(r) {
				return rune(digit(c, 0, 9))
			}
			return r
		}, text)
		if out != text {
			return out
		}
	}
}

func (w *work) vagueDate(text string) string {
	if date.IsVague(text) {
		return text
	}
	c := w.source.choices("date", letter.Plain(text))
	return letter.InCaseOf(date.MonthNames[1+c.below(12)]+" "+string(digit(c, 1, 2))+string(digit(c, 0, 8)), text)
}

// births returns the birth dates in the patient's record.
func (b *Book) births() []date.Civil {
	var out []date.Civil
	for _, value := range b.who.Record()[record.BirthDate] {
		if len(value) < len(time.DateOnly) {
			continue
		}
		if t, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)]); err == nil {
			out = append(out, date.CivilOf(t))
		}
	}
	return out
}
