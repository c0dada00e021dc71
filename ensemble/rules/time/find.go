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
	named
	ratio
	unit
	counted
	vital
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "half", "letter", "hours", "at", "named", "ratio", "quantity/unit", "quantity/counted", "quantity/vital")
})

// finder is one pass over a text.
type finder struct{ cue.Finder }

// Find appends the times of day of a text in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{cue.NewFinder(v, words(), dst)}
	return f.Scan(func(i int) int { return f.Add(i, f.at(i), phi.Time) })
}

// at returns the token behind the time that begins at token i, or 0.
func (f *finder) at(i int) int {
	switch {
	case f.In(i, named) && f.InLower(i):
		return i + 1
	case !f.Number(i) || f.continues(i):
		return 0
	}
	for _, form := range [...]func(*finder, int) int{(*finder).clock, (*finder).dotted, (*finder).hour, (*finder).military} {
		if end := form(f, i); end > 0 {
			return end
		}
	}
	return 0
}

// leastGlued is the least length of a word that is taken as glued to the time behind it by mistake. Shorter ones are
// part of a code.
const leastGlued = 4

// continues reports whether number i goes on a word or a longer number: of L4, 12/4p, 1:30:15. The T of ISO 8601,
// 2014-03-05T13:45, is between a date and its time.
func (f *finder) continues(i int) bool {
	if !f.Glued(i) || f.Last == i-1 {
		return false
	}
	if f.Word(i - 1) {
		return len(f.Str(i-1)) < leastGlued && !(f.Str(i-1) == "T" && f.Glued(i-1) && f.Number(i-2))
	}
	switch f.Mark(i - 1) {
	case '/', '.', ':', '+', '#', '$', '<', '>':
		return true
	case '-':
		return f.Glued(i-1) && (f.Number(i-2) || f.Word(i-2))
	}
	return f.Number(i - 1)
}
