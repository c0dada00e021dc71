package surrogate

import (
	"strings"
)

// readDates reads the date spans of a text together, as one date may determine the year of "3/5",
// the month of "the 29th", the order of day and month, and whether March is 3 or 03 in another.
func (w *work) readDates() {
	var order orders
	var narrow, wide [256]bool // by separator
	born := w.births()
	for _, s := range w.spans {
		yearsFromNext(s.pieces)
		for i := range s.pieces {
			p := &s.pieces[i]
			order.count(p, s.text, born)
			mark := p.mark(s.text)
			n, wd := p.widths(s.text)
			narrow[mark], wide[mark] = narrow[mark] || n, wide[mark] || wd
		}
	}
	for _, s := range w.spans {
		for i := range s.pieces {
			p := &s.pieces[i]
			mark := p.mark(s.text)
			p.narrow = mark != 0 && narrow[mark] && !wide[mark]
			if p.either && order.dayFirst(p.form(s.text), w.order) {
				p.swap()
			}
			if w.lastDate.year == 0 && p.full() && !p.weekday && !p.scrambled {
				w.lastDate = p.date
			}
		}
	}
}

// yearsFromNext gives the first date of "3/5-3/7/14" the year of the second.
func yearsFromNext(pieces []piece) {
	for i := len(pieces) - 2; i >= 0; i-- {
		p, next := &pieces[i], &pieces[i+1]
		if p.date.year != 0 || p.weekday || p.scrambled || next.weekday || next.date.year == 0 {
			continue
		}
		p.date.year = next.date.year
		if next.date.month != 0 && p.date.month > next.date.month+6 {
			p.date.year--
		}
	}
}

// date replaces the text of a date span: each date in it is shifted and written in its own format.
// Other digits are changed, and a span without any readable date becomes a random day and month.
func (w *work) date(text string, pieces []piece) string {
	if len(pieces) == 0 {
		return w.vagueDate(text)
	}
	var out strings.Builder
	at, month := 0, 0
	for i := range pieces {
		p := &pieces[i]
		to := w.shifted(p, text)
		for _, s := range p.slots {
			out.WriteString(text[at:s.start])
			if s.what == scrambledField {
				out.WriteString(w.scramble(text[s.start:s.end]))
			} else {
				out.WriteString(p.render(s, text, to, month))
			}
			at = s.end
		}
		month = to.month
	}
	out.WriteString(text[at:])
	return out.String()
}

// shifted returns a piece's date after the shift and keeps it as context for later pieces.
func (w *work) shifted(p *piece, text string) civil {
	if p.scrambled {
		c := w.source.choices("date", text)
		year := p.date.year
		if year == 0 {
			year = 2000 + c.below(20)
		}
		return w.notTooOld(p.date, civil{civil{year, 7, 1}.plus(w.shift).year, 1 + c.below(12), 1 + c.below(28)})
	}
	from := p.resolve(w.lastDate)
	if !p.weekday && (p.date.year != 0 || w.lastDate.year != 0) && p.date.month+p.date.day != 0 {
		w.lastDate = from
	}
	return w.notTooOld(p.date, from.plus(w.shift))
}

// scramble replaces the digits of a text by others.
func (w *work) scramble(text string) string {
	c := w.source.choices("date digits", text)
	for {
		out := strings.Map(func(r rune) rune {
			if isAlnum(r) {
				return rune(digit(c, 0, 9))
			}
			return r
		}, text)
		if out != text {
			return out
		}
	}
}

// vagueWords are words of date spans that do not identify a date.
var vagueWords = set(`today tonight yesterday tomorrow now then ago last next this that past previous prior following later earlier early
	mid late end beginning start middle the a an of in on at to from for since until till before after about around approximately
	day days week weeks weekend weekends month months year years morning afternoon evening night noon midnight hour hours date
	one two three four five six seven eight nine ten eleven twelve several few couple recent recently current currently over and
	or same other every each daily weekly monthly yearly annual annually dob century summer's day's once twice`)

func (w *work) vagueDate(text string) string {
	unknown := false
	for word := range words(plain(text)) {
		// The scan keeps a number only where it counts something: "3 days ago".
		unknown = unknown || !vagueWords[word] && !clockWords[word] && !isDigit(word[0])
	}
	if !unknown {
		return text
	}
	c := w.source.choices("date", plain(text))
	return inCaseOf(monthNames[1+c.below(12)]+" "+string(digit(c, 1, 2))+string(digit(c, 0, 8)), text)
}
