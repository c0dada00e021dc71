package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/note"
)

// Lines says how the rows of a table make up notes. All rows with one key are one note, and
// the key is a part of the primary key: so a row's key names its note, that of a deleted row
// too.
type Lines struct {
	Key   []int // columns
	order int   // the column that they are in the order of
	Text  int   // the column that is searched as a whole
	Join  config.Join
	Form  note.Form // what its values are
}

// What a note may have at most. A larger one is set aside, and its texts are not read.
const (
	MaxNoteLines = 100_000
	MaxNoteBytes = 50 << 20
)

// indexLines notes which columns make up notes.
func (t *Table) indexLines() error {
	m := t.Note
	if m == nil {
		return nil
	}
	c := &t.Columns[t.ColumnIndex(m.Text)]
	if !isText(c.Typ) && c.Typ != "bytea" {
		return fault.New("put the notes of table "+t.ID+" together", fmt.Errorf("the text of their lines, column %s, has type %s", c.Name, c.Typ),
			"lines of notes are text, varchar, char or bytea")
	}
	l := &Lines{order: t.ColumnIndex(m.Order), Text: t.ColumnIndex(m.Text), Join: m.Join, Form: c.Form}
	for _, name := range m.Key {
		i := t.ColumnIndex(name)
		if !slices.Contains(t.Key, i) {
			return fault.New("put the notes of table "+t.ID+" together",
				fmt.Errorf("column %s of their key is not in the table's primary key, so that a deleted line would not name its note", name),
				"at the source: make the note's key and the line's place the primary key; or take note out of the mapping")
		}
		l.Key = append(l.Key, i)
	}
	t.Lines = l
	return nil
}

// Whole puts the texts of a note's rows together, which are in the order of the lines. Rows
// without a text are no part of it.
func (l *Lines) Whole(rows [][]Value) (*note.Lines, error) {
	var texts []string
	for _, row := range rows {
		if v := row[l.Text]; v.State == Present {
			texts = append(texts, v.Text)
		}
	}
	return l.Open(texts)
}

// Open puts the texts of a note's rows together.
func (l *Lines) Open(texts []string) (*note.Lines, error) {
	return l.Form.OpenLines(texts, l.Join.Separator())
}

// bytes returns how much of a note a row's text is: of bytea, the bytes and not the digits that it comes as.
func (l *Lines) bytes(text string) int64 {
	if l.Form.Bytes {
		return int64(max(len(text)-len(`\x`), 0)) / 2
	}
	return int64(len(text))
}

// NoteKey returns the key of the note that a row is a line of; nil where rows are no lines, or
// the row does not have it.
func (t *Table) NoteKey(row []Value) []string {
	if t.Lines == nil || row == nil {
		return nil
	}
	key := make([]string, len(t.Lines.Key))
	for i, c := range t.Lines.Key {
		if row[c].State != Present {
			return nil
		}
		key[i] = row[c].Text
	}
	return key
}

// UnitKey returns the key of what is read and written as a whole: the note that a row is a
// line of, or the row; false if row does not have it.
func (t *Table) UnitKey(row []Value) ([]string, bool) {
	if t.Lines == nil {
		return t.KeyTexts(row)
	}
	key := t.NoteKey(row)
	return key, key != nil
}

// NoteRow returns a row that has nothing but the key of a note.
func (t *Table) NoteRow(note []string) []Value {
	row := make([]Value, len(t.Columns))
	for i, c := range t.Lines.Key {
		row[c] = Value{Text: note[i], State: Present}
	}
	return row
}

// NoteOf returns the key of the note of the line with a primary key.
func (t *Table) NoteOf(key []string) []string {
	note := make([]string, len(t.Lines.Key))
	for i, c := range t.Lines.Key {
		note[i] = key[slices.Index(t.Key, c)]
	}
	return note
}

// NoteSize is a note of the source by its key, and how large it is.
type NoteSize struct {
	phi.Redacted

	Key          []string
	Lines, Bytes int64
}

// TooLarge reports whether a note is set aside for its size.
func (n NoteSize) TooLarge() bool { return n.Lines > MaxNoteLines || n.Bytes > MaxNoteBytes }

func isText(typ string) bool {
	ok, known := Fits(typ, "x")
	return ok && known || typ == "bpchar"
}

// lineOrder orders the lines of a note. Where a line's place is text, numbers in it count as
// such: "10" comes after "9".
func (t *Table) lineOrder() string {
	place := "t0." + Quote(t.Columns[t.Lines.order].Name)
	if isText(t.Columns[t.Lines.order].Typ) {
		place = fmt.Sprintf(`length(%[1]s::text), %[1]s::text collate "C"`, place)
	}
	return place + ", " + t.KeyList()
}

// PublishedOrder returns by what published rows, of a table called t0, have to be sorted so that the lines of each note are
// together and in their order; false where rows are no lines, or what is published of them does not tell.
func (t *Table) PublishedOrder() (string, bool) {
	if t.Lines == nil || !slices.Contains([]config.Policy{config.Keep, config.ShiftDate}, t.Columns[t.Lines.order].Publish) {
		return "", false
	}
	for _, k := range t.Lines.Key {
		if t.Columns[k].Publish == config.Drop {
			return "", false
		}
	}
	place, _, _ := strings.Cut(t.lineOrder(), ", "+t.KeyList())
	return t.columns(t.Lines.Key) + ", " + place, true
}

// sizes writes a query for the sizes of notes.
func (t *Table) sizes(from string) string {
	return fmt.Sprintf("select %s, count(*), coalesce(sum(octet_length(t0.%s)), 0) from %s group by %[1]s order by %[1]s",
		t.columns(t.Lines.Key), Quote(t.Columns[t.Lines.Text].Name), from)
}

// NotePage returns up to limit notes behind a key, in the order of their keys, or from the
// first one on where after is nil.
func (t *Table) NotePage(ctx context.Context, conn *pgx.Conn, of Among, after []string, limit int) ([]NoteSize, error) {
	from, args := t.behind(of, t.Lines.Key, after)
	return t.readSizes(ctx, conn, fmt.Sprintf("%s limit %d", t.sizes(from), limit), args)
}

// NoteSizes returns the sizes of notes in the order of their keys here; a note that is not there
// has no lines.
func (t *Table) NoteSizes(ctx context.Context, conn *pgx.Conn, keys [][]string) ([]NoteSize, error) {
	from, args := t.Given(t.Lines.Key, keys)
	found, err := t.readSizes(ctx, conn, t.sizes(from), args)
	if err != nil {
		return nil, err
	}
	byKey := map[string]NoteSize{}
	for _, n := range found {
		byKey[KeyString(n.Key)] = n
	}
	list := make([]NoteSize, len(keys))
	for i, key := range keys {
		list[i] = byKey[KeyString(key)]
		list[i].Key = key
	}
	return list, nil
}

func (t *Table) readSizes(ctx context.Context, conn *pgx.Conn, query string, args []any) ([]NoteSize, error) {
	var list []NoteSize
	err := QueryText(ctx, conn, query, func(raw [][]byte) error {
		var n NoteSize
		for i, c := range t.Lines.Key {
			n.Key = append(n.Key, t.Columns[c].Read(raw[i]))
		}
		_, err := fmt.Sscan(string(raw[len(raw)-2]), &n.Lines)
		if err == nil {
			_, err = fmt.Sscan(string(raw[len(raw)-1]), &n.Bytes)
		}
		list = append(list, n)
		return err
	}, args...)
	return list, err
}

// Few returns the first notes that have about that many lines, and no more text than is read
// at once; at least one.
func Few(notes []NoteSize, lines int) []NoteSize {
	n := min(1, len(notes))
	rows, bytes := int64(0), int64(0)
	for i, s := range notes {
		rows, bytes = rows+s.Lines, bytes+s.Bytes
		if i > 0 && (rows > int64(lines) || bytes > readBytes) {
			break
		}
		n = i + 1
	}
	return notes[:n]
}
