package time

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
	half cue.Set = 1 << iota
	letter
	hours
	at
	weekday
	named
	month
	arrival
	ratio
	rangeWord
	unit
	counted
	vital
)

var sections = []string{
	"half", "letter", "hours", "at", "weekday", "named", "month", "arrival", "ratio", "range",
	"quantity/unit", "quantity/counted", "quantity/vital",
}

var words = sync.OnceValue(func() *cue.Words { return cue.MustLoad(wordFile, sections...) })

// finder is one pass over a text.
type finder struct {
	cue.Reader
	last  int // the token behind the last time
	diary int // lines that begin with a time, -1: not counted yet
}

// Find appends the times of day of a text in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{Reader: cue.Reader{View: v, Words: words()}, last: -1, diary: -1}
	return f.Scan(phi.Time, &f.last, f.at, dst)
}

// at returns the token behind the time that begins at token i, or 0. Midnight behind "after" is
// part of an order, not of what happened.
func (f *finder) at(i int) int {
	switch {
	case f.In(i, named) && f.InLower(i), f.Equal(i, "midnight") && f.In(i-1, at) && !f.Equal(i-1, "after"):
		return i + 1
	case !f.Number(i) || f.continues(i) || f.Plain(i) == "0000" && f.Equal(i-1, "after"):
		return 0
	}
	if end := f.clock(i); end > 0 {
		return end
	}
	if end := f.hour(i); end > 0 {
		return end
	}
	if f.Digits(i) == 4 && f.military(i) {
		return f.withHours(i + 1)
	}
	return 0
}

// continues reports whether number i goes on a word or a longer number: of L4, 12/4p, 1:30:15.
// A word of four letters or more is taken as glued to it by mistake, and the zone's T of
// 2014-03-05T13:45 is between a date and its time.
func (f *finder) continues(i int) bool {
	if !f.Glued(i) || f.last == i-1 {
		return false
	}
	if f.Word(i - 1) {
		return len(f.Str(i-1)) < 4 && !(f.Str(i-1) == "T" && f.Glued(i-1) && f.Number(i-2))
	}
	switch f.Mark(i - 1) {
	case '/', '.', ':', '+', '#', '$', '<', '>':
		return true
	case '-':
		return f.Glued(i-1) && (f.Number(i-2) || f.Word(i-2))
	}
	return f.Number(i - 1)
}
