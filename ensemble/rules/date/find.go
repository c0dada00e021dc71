package date

import (
	_ "embed"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

//go:embed words.txt
var wordFile string

// The sets of words, in the order of sections.
const (
	month cue.Set = 1 << iota
	doubtful
	roman
	weekday
	shortDay
	doubtfulDay
	season
	doubtfulSeason
	ordinal
	preposition
	within
	of
	the
	part
	week
	near
	whose
	event
	test
	conjunction
	rangeWord
	yearWord
	clock
	label
	amountWord
	road
	unit
	counted
	score
	graded
	vital
)

var sections = []string{
	"month", "doubtful", "roman", "weekday", "short-day", "doubtful-day", "season", "doubtful-season", "ordinal", "preposition", "within",
	"of", "the", "part", "week", "near", "whose", "event", "test", "conjunction", "range", "year", "clock", "label", "amount", "roads",
	"quantity/unit", "quantity/counted", "quantity/score", "quantity/graded", "quantity/vital",
}

var words = sync.OnceValue(func() *cue.Words { return cue.MustLoad(wordFile, sections...) })

// finder is one pass over a text.
type finder struct {
	cue.Reader
	last  int   // the token behind the last date
	pair  habit // whether the note shows dates such as 3/5
	weeks habit // whether it shows durations such as 2/52
}

// Find appends the dates of a text in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{Reader: cue.Reader{View: v, Words: words()}, last: -1}
	return f.Scan(phi.Date, &f.last, f.at, dst)
}

// at returns the token behind the date that begins at token i, or 0.
func (f *finder) at(i int) int {
	switch {
	case f.Number(i):
		return f.number(i)
	case f.Mark(i) == '\'':
		return f.shortYear(i)
	case !f.Word(i):
		return 0
	}
	if end := f.holiday(i); end > 0 && !f.named(i) {
		return end
	}
	if f.named(i) {
		return 0
	}
	s := f.Sets(i)
	switch {
	case s&(weekday|shortDay) != 0:
		return f.dayOfWeek(i, s)
	case s&month != 0:
		return f.monthFirst(i)
	case s&season != 0:
		return f.season(i)
	}
	if end := f.quarter(i); end > 0 {
		return end
	}
	return f.spelled(i)
}

// named reports whether a title before word i makes it somebody's name.
func (f *finder) named(i int) bool {
	return f.Here(i) && f.Is(f.Back(i, "."), text.RoleDoctorTitle|text.RolePersonTitle) && f.Capital(i)
}

// number returns the token behind the date that begins with number i.
func (f *finder) number(i int) int {
	if f.amount(i) {
		return f.glued(i)
	}
	for _, form := range [...]func(*finder, int) int{
		(*finder).complete, (*finder).compact, (*finder).roman, (*finder).monthYear, (*finder).dayFirst,
		(*finder).pairOf, (*finder).dayOfYear, (*finder).theDay, (*finder).decade, (*finder).year,
	} {
		if end := form(f, i); end > 0 {
			return end
		}
	}
	return 0
}

// glued reads a date in figures with a year of four digits that touches the word before it: no
// code has this form.
func (f *finder) glued(i int) int {
	if end := f.complete(i); f.Word(i-1) && f.Mark(i+1) == '/' && f.year4(end-1) {
		return end
	}
	return 0
}

// amount reports whether number i goes on a longer number or begins inside a word: it is an
// amount of money, the rest of 1.2.3 or the number of L4/5. Words of four letters or more are
// taken as glued to it by mistake.
func (f *finder) amount(i int) bool {
	if !f.Glued(i) {
		return false
	}
	switch c := f.Mark(i - 1); {
	case f.Word(i - 1):
		return len(f.Str(i-1)) < 4
	case c == '$' || c == '#' || c == '<' || c == '>' || c == '+':
		return true
	case c == '.' || c == '/' || c == ':':
		return f.Glued(i-1) && f.Number(i-2) && f.last != i-1
	case c == '-':
		return f.Glued(i-1) && f.Number(i-2) && f.last != i-1 && !f.year4(i-2)
	}
	return false
}
