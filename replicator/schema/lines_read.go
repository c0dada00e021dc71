package schema

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// readBytes is how much text of several notes is read at once, and passedRows how many rows of
// a note that is too large.
const (
	readBytes  = 4 << 20
	passedRows = 1000
)

// NoteRows are the rows of a note of the source. They hold PHI and print themselves redacted.
type NoteRows struct {
	phi.Redacted

	Key  []string
	Rows [][]Value // in the order of the lines; none if the source does not have the note
	// TooLarge says that the note is too large: Rows are a part of it, in the order of their
	// keys, without texts.
	TooLarge bool
}

// ReadNotes reads whole notes and passes them in their order, each as it is at one moment. One
// that is too large is passed in parts. While each is called the connection is free.
func (t *Table) ReadNotes(ctx context.Context, conn *pgx.Conn, notes []NoteSize, each func(NoteRows) error) error {
	for len(notes) > 0 {
		some := notes[:together(notes)]
		found, err := t.readTogether(ctx, conn, some)
		if err != nil {
			return err
		}
		for i, n := range some {
			if n.TooLarge() || found[i].large() {
				err = t.readLarge(ctx, conn, n.Key, each)
			} else {
				err = each(NoteRows{Key: n.Key, Rows: found[i].rows})
			}
			if err != nil {
				return err
			}
		}
		notes = notes[len(some):]
	}
	return nil
}

// together returns how many of the notes are read with one query.
func together(notes []NoteSize) int {
	bytes := int64(0)
	for n, s := range notes {
		if bytes += s.Bytes + s.Lines*RowCost; n > 0 && (bytes > readBytes || s.TooLarge() || notes[0].TooLarge()) {
			return n
		}
	}
	return len(notes)
}

// gathered are the rows of a note, until it is too large.
type gathered struct {
	phi.Redacted

	rows         [][]Value
	lines, bytes int64
}

func (g *gathered) large() bool { return NoteSize{Lines: g.lines, Bytes: g.bytes}.TooLarge() }

func (g *gathered) add(row []Value, l *Lines) {
	g.lines, g.bytes = g.lines+1, g.bytes+l.bytes(row[l.Text].Text)
	if g.rows = append(g.rows, row); g.large() {
		g.rows = nil
	}
}

// readTogether reads notes with one query, except one that is known to be too large.
func (t *Table) readTogether(ctx context.Context, conn *pgx.Conn, notes []NoteSize) ([]gathered, error) {
	found := make([]gathered, len(notes))
	if notes[0].TooLarge() { // and so alone
		return found, nil
	}
	keys := make([][]string, len(notes))
	for i, n := range notes {
		keys[i] = n.Key
	}
	from, args := t.Given(t.Lines.Key, keys)
	query := fmt.Sprintf("select %s, k.n from %s order by k.n, %s", t.ColumnList(), from, t.lineOrder())
	err := QueryText(ctx, conn, query, func(raw [][]byte) error {
		n, err := strconv.Atoi(string(raw[len(t.real())]))
		if err == nil {
			found[n-1].add(t.RowOf(raw), t.Lines)
		}
		return err
	}, args...)
	return found, err
}

// readLarge passes the rows of a note that is too large.
func (t *Table) readLarge(ctx context.Context, conn *pgx.Conn, note []string, each func(NoteRows) error) error {
	from, args := t.Given(t.Lines.Key, [][]string{note})
	for after, more := []string(nil), true; more; {
		part := NoteRows{Key: note, TooLarge: true}
		err := t.read(ctx, conn, Among{From: from, Args: args}, t.Texts, after, passedRows, func(row []Value) error {
			after, _ = t.KeyTexts(row)
			part.Rows = append(part.Rows, row)
			return nil
		})
		if err == nil {
			err = each(part)
		}
		if err != nil {
			return err
		}
		more = len(part.Rows) == passedRows
	}
	return nil
}

// PublishedNote returns the published key of the note of a line, from its published values.
func (t *Table) PublishedNote(values []*string) []string {
	key := make([]string, len(t.Lines.Key))
	for n, i := range t.publishedNote() {
		if i >= len(values) || values[i] == nil {
			return nil
		}
		key[n] = *values[i]
	}
	return key
}

// publishedNote returns the indexes in Publish of the columns of notes' keys.
func (t *Table) publishedNote() []int {
	list := make([]int, len(t.Lines.Key))
	for n, c := range t.Lines.Key {
		list[n] = slices.Index(t.Publish, c)
	}
	return list
}

// ReadOtherLines passes what the replica has of notes besides some lines, whose notes are of: the note's key and the
// row's. Keys are published ones.
func (t *Table) ReadOtherLines(ctx context.Context, replica *pgx.Conn, notes, of, lines [][]string, each func(note, key []string)) error {
	s, note := &t.SQL, t.publishedNote()
	args := slices.Concat(ColumnArrays(notes, len(note)), ColumnArrays(of, len(note)), ColumnArrays(lines, len(s.Keys)))
	err := QueryText(ctx, replica, s.others(note), func(raw [][]byte) error {
		texts := Texts(raw)
		each(texts[:len(note)], texts[len(note):])
		return nil
	}, args...)
	return fault.New("read what is published of table "+t.ID, err, "")
}

// others writes the query for rows of notes, by their columns note, which are none of some lines. It has no join with the
// lines: the server knows little of how many there are, and may compare each of a long note with each.
func (s *Statements) others(note []int) string {
	var found, match, params, names, given []string
	param := func(name string) string {
		params, names = append(params, fmt.Sprintf("$%d::text[]", len(note)+len(params)+1)), append(names, name)
		return "k." + name
	}
	for n, i := range note {
		found = append(found, fmt.Sprintf("u.c%d", i))
		given = append(given, param(fmt.Sprintf("n%d", n)))
		match = append(match, fmt.Sprintf("t.%s = %s", s.Names[i], s.casts[i]))
	}
	for _, i := range s.Keys {
		found = append(found, "t."+s.Names[i])
		param(fmt.Sprintf("c%d", i))
		given = append(given, strings.Replace(s.casts[i], "u.", "k.", 1))
	}
	return fmt.Sprintf("select %s from %s t join %s on %s except select %s from unnest(%s) k(%s)",
		strings.Join(found, ", "), s.Table, s.Arrays(note), strings.Join(match, " and "),
		strings.Join(given, ", "), strings.Join(params, ", "), strings.Join(names, ", "))
}
