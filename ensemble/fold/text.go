package fold

import (
	"sort"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Text is a reading of another text.
type Text struct {
	phi.Redacted

	// S is what is read.
	S     string
	edits []edit // in order
	of    *Text  // the reading that this one is a reading of; nil: of the original
}

// edit says that the bytes [at, at+n) of the reading are read from [from, to) of the original.
// Between two edits the reading is the original.
type edit struct{ at, n, from, to int }

// Odd reports whether the reading differs from the original.
func (t *Text) Odd() bool { return len(t.edits) > 0 }

// Range returns the bytes of the original that [start, end) of the reading is read from,
// start < end: from the first to the last character that was read, with what lies
// between, and without what was left out around them.
func (t *Text) Range(start, end int) (from, to int) {
	from, to = t.from(start), t.to(end)
	if t.of != nil {
		return t.of.Range(from, to)
	}
	return from, to
}

// Again reads a reading once more, with ranges of the original: markup that was written
// in entities is markup only then.
func (t *Text) Again() Text {
	next := Characters(t.S)
	next.of = t
	return next
}

func (t *Text) from(start int) int {
	i := sort.Search(len(t.edits), func(i int) bool { return t.edits[i].at > start })
	if i == 0 {
		return start
	}
	e := t.edits[i-1]
	if start < e.at+e.n {
		return e.from
	}
	return e.to + start - e.at - e.n
}

func (t *Text) to(end int) int {
	i := sort.Search(len(t.edits), func(i int) bool { return t.edits[i].at >= end })
	if i == 0 {
		return end
	}
	e := t.edits[i-1]
	if end <= e.at+e.n {
		return e.to
	}
	return e.to + end - e.at - e.n
}

// Changed reports whether [start, end) of the reading holds anything that the original
// writes otherwise.
func (t *Text) Changed(start, end int) bool {
	i := sort.Search(len(t.edits), func(i int) bool { return t.edits[i].at+t.edits[i].n > start || t.edits[i].at > start })
	return i < len(t.edits) && t.edits[i].at < end
}

// writer makes a reading of a text from its start to its end.
type writer struct {
	phi.Redacted

	original string
	b        strings.Builder
	edits    []edit
	done     int // of the original
}

// put reads [from, to) of the original as s, and what was before it as it is.
func (w *writer) put(from, to int, s string) {
	w.b.WriteString(w.original[w.done:from])
	w.edits = append(w.edits, edit{w.b.Len(), len(s), from, to})
	w.b.WriteString(s)
	w.done = to
}

func (w *writer) text() Text {
	if len(w.edits) == 0 {
		return Text{S: w.original}
	}
	w.b.WriteString(w.original[w.done:])
	return Text{S: w.b.String(), edits: w.edits}
}
