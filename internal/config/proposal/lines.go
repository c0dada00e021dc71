package proposal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
)

// lines is how the rows of a table make up notes.
type lines struct {
	note    config.Note
	notes   int // that were looked at
	counted int // of these, those whose lines are 1, 2, 3 or 0, 1, 2, one after another
}

// sampledNotes is the number of notes of which the lines are counted.
const sampledNotes = 50

// lookForLines finds out whether rows are lines of notes: the primary key ends in a number that counts on from 0 or 1 for
// each of the key's other values, and the table has a column of text.
func (t *table) lookForLines(ctx context.Context, tx pgx.Tx) error {
	order, text := t.lineNumber(), t.lineText()
	if order == "" || text == "" || slices.ContainsFunc(t.columns, func(c *column) bool { return c.unreadable && slices.Contains(t.key, c.name) }) {
		return nil
	}
	l := lines{note: config.Note{Order: order, Text: text, Join: t.column(text).shape.joined()}}
	for _, k := range t.key {
		if k != order {
			l.note.Key = append(l.note.Key, k)
		}
	}
	key := quoted(l.note.Key)
	from, number := pgx.Identifier{t.schema, t.name}.Sanitize(), pgx.Identifier{order}.Sanitize()
	several := 0
	err := tx.QueryRow(ctx, fmt.Sprintf(`with chosen as (select distinct %[1]s from (select %[1]s from %[2]s limit %[4]d) page limit %[5]d),
		counted as (select count(*) as n, min(%[3]s) as lowest, max(%[3]s) as highest from %[2]s join chosen using (%[1]s) group by %[1]s)
		select count(*), count(*) filter (where n > 1), count(*) filter (where lowest in (0, 1) and highest - lowest + 1 = n) from counted`,
		key, from, number, 40*sampledNotes, sampledNotes)).Scan(&l.notes, &several, &l.counted)
	if err == nil && several > 0 && l.counted*10 >= l.notes*9 {
		t.lines = &l
	}
	return err
}

// lineNumber returns the column of the primary key that may count the lines of a note, or "".
func (t *table) lineNumber() string {
	if len(t.key) < 2 {
		return ""
	}
	for _, name := range slices.Backward(t.key) {
		c := t.column(name)
		if c != nil && isInteger(c) && holds(wordsOf(name), lists["lines"]...) {
			return name
		}
	}
	if last := t.column(t.key[len(t.key)-1]); last != nil && isInteger(last) && !ends(wordsOf(last.name), "keys") {
		return last.name
	}
	return ""
}

// lineText returns the column that holds most of the text, or "".
func (t *table) lineText() string {
	best, name := 0, ""
	for _, c := range t.columns {
		words := meaningful(c.name)
		if isText(c) && !slices.Contains(t.key, c.name) && len(c.shape.kinds) == 0 && c.shape.total > best &&
			(c.shape.prose() || ends(words, "prose")) {
			best, name = c.shape.total, c.name
		}
	}
	return name
}

// joined returns how lines of these lengths are joined: pieces of a text that was cut are nearly all as long as the longest.
func (s *shape) joined() config.Join {
	if 10*s.total >= 7*s.longest*s.values && s.longest >= 30 {
		return config.JoinNone
	}
	return config.JoinLine
}

// within reports whether all of some names are among others.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(name string) bool { return !slices.Contains(others, name) })
}

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = pgx.Identifier{n}.Sanitize()
	}
	return strings.Join(all, ", ")
}

// why says what was seen of the lines.
func (l *lines) why() string {
	return fmt.Sprintf("in %d of %d notes looked at, %s counts on from 0 or 1", l.counted, l.notes, l.note.Order)
}
