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
	weekday
	shortDay
	doubtfulDay
	holiday
	season
	ordinal
	before
	beforeYear
	of
	event
	test
	amountWord
	label
	unit
	counted
	score
	graded
	vital
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "month", "doubtful", "weekday", "short-day", "doubtful-day", "holiday", "season", "ordinal", "before", "before-year",
		"of", "event", "test", "amount", "label", "quantity/unit", "quantity/counted", "quantity/score", "quantity/graded", "quantity/vital")
})

// finder is one pass over a text.
type finder struct {
	cue.Finder
	pairs habit // whether the note shows dates such as 3/5
	weeks habit // whether it shows durations such as 2/52
}

// Find appends the dates of a text in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{Finder: cue.NewFinder(v, words(), dst)}
	return f.Scan(func(i int) int { return f.Add(i, f.at(i), phi.Date) })
}

// at returns the token behind the date that begins at token i, or 0.
func (f *finder) at(i int) int {
	switch {
	case f.Number(i):
		return f.number(i)
	case f.Mark(i) == '\'' && f.Spaced(i):
		return f.quoted(i)
	}
	s := f.Sets(i) & (month | season | weekday | holiday | shortDay)
	switch {
	case s == 0 || f.named(i) || f.Glued(i) && (f.Word(i-1) || f.Number(i-1) || f.Mark(i-1) == '_' || f.Mark(i-1) == '\''):
		return 0
	case s&month != 0:
		return f.monthFirst(i)
	case s&season != 0:
		return f.season(i)
	case s&(weekday|holiday) != 0 || f.shortDay(i):
		return i + 1
	}
	return 0
}

// named reports whether a title before word i makes it a name.
func (f *finder) named(i int) bool {
	return f.Here(i) && f.Capital(i) && text.RolesOf(f.Str(f.Back(i, ".")))&(text.RoleDoctorTitle|text.RolePersonTitle) != 0
}

// season reads a season with its year, spring 2011, or one behind "in the", since a fall is an accident, too.
func (f *finder) season(i int) int {
	if end := f.yearBehind(i + 1); end > 0 || !f.Equal(i-1, "the") || !f.In(i-2, beforeYear) {
		return end
	}
	return i + 1
}

// shortDay reports whether the short form of a weekday at token i is one: if it is another word or a measurement,
// too, it needs a capital and a day or a time behind it.
func (f *finder) shortDay(i int) bool {
	if !f.In(i, doubtfulDay) {
		return true
	}
	j := f.behind(i)
	return f.Title(i) && (f.In(i-1, before) || f.timed(j) || f.Number(j) && f.Here(j) && f.number(j) > 0)
}

// number returns the token behind the date that begins with number i.
func (f *finder) number(i int) int {
	if f.amount(i) {
		return f.glued(i)
	}
	for _, form := range [...]func(*finder, int) int{
		(*finder).complete, (*finder).compact, (*finder).monthYear, (*finder).dayFirst, (*finder).pair, (*finder).year,
	} {
		if end := form(f, i); end > 0 {
			return end
		}
	}
	return 0
}

// glued reads a date with slashes and a year of four digits that touches the word before it: no code has this form.
func (f *finder) glued(i int) int {
	if end := f.complete(i); f.Word(i-1) && f.Mark(i+1) == '/' && f.year4(end-1) {
		return end
	}
	return 0
}

// leastGlued is the least length of a word that is taken as glued to the date behind it by mistake. Shorter ones
// are part of a code: L4/5, d2/14.
const leastGlued = 4

// amount reports whether number i goes on a longer number or begins inside a word: it is an amount of money, the
// rest of 1.2.3 or the number of L4/5.
func (f *finder) amount(i int) bool {
	if !f.Glued(i) {
		return false
	}
	switch c := f.Mark(i - 1); {
	case f.Word(i - 1):
		return len(f.Str(i-1)) < leastGlued
	case c == '$' || c == '#' || c == '<' || c == '>' || c == '+':
		return true
	case c == '.' || c == '/' || c == ':' || c == '-':
		return f.Glued(i-1) && f.Number(i-2) && f.Last != i-1
	}
	return false
}
