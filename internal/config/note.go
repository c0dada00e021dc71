package config

import "slices"

// Join says what is between two lines of a note when they are read as one text.
type Join string

// The ways to join lines.
const (
	JoinLine Join = "line" // a line break: each row is a line
	JoinNone Join = "none" // nothing: rows are pieces of the text, cut anywhere
)

// Separator returns what is between two lines.
func (j Join) Separator() string {
	if j == JoinNone {
		return ""
	}
	return "\n"
}

// Note says that the rows of a table are lines of notes: all rows with one key are one note.
type Note struct {
	Key   []string // columns that all lines of a note share; part of the table's primary key
	Order string   // the column that lines are in the order of
	Text  string   // the column with the text of a line
	Join  Join     // default JoinLine
}

func (t *Table) readNote(n node) {
	note := &Note{Join: JoinLine}
	n.setters(map[string]func(node){
		"key":   func(n node) { note.Key = identifiers(n) },
		"order": identifier(&note.Order),
		"text":  identifier(&note.Text),
		"join":  oneOf("join", &note.Join, JoinLine, JoinNone),
	})
	if keys := slices.Sorted(slices.Values(note.Key)); len(slices.Compact(keys)) < len(note.Key) {
		n.fail("a column of key is named twice")
		return
	}
	if len(note.Key) == 0 || note.Order == "" || note.Text == "" {
		n.fail("say which rows are one note, and how they make it up: note: {key: [COLUMN], order: COLUMN, text: COLUMN}")
		return
	}
	t.Note = note
}

// joinLines tells the column with the text of a note's lines how they are joined.
func (t *Table) joinLines() {
	for i := range t.Columns {
		if t.Note != nil && t.Columns[i].Name == t.Note.Text {
			t.Columns[i].Join = t.Note.Join
		}
	}
}

// validateNote refuses notes of which lines could not be found, or not be read as text.
func (c *Config) validateNote(t *Table, key string, fail func(key, format string, args ...any)) {
	if t.Note == nil {
		return
	}
	key += ".note"
	text, ok := t.Column(t.Note.Text)
	switch {
	case !ok || text.Publish != Text:
		fail(key, "column %s holds the text of a note's lines: publish it with policy text", t.Note.Text)
	case len(text.Paths) > 0:
		fail(key, "paths of column %s choose in whole documents, and these lie in several rows: take paths out, or map whole documents only", text.Name)
	case slices.Contains(t.Note.Key, t.Note.Text) || t.Note.Order == t.Note.Text:
		fail(key, "column %s is the text of a line, and neither its key nor its place", t.Note.Text)
	case slices.Contains(t.Note.Key, t.Note.Order):
		fail(key, "column %s is the place of a line within its note, and can't be the same in all its lines: take it out of key", t.Note.Order)
	}
	if len(c.FiltersOn(t)) > 0 {
		fail(key, "the lines of a note say nothing of which patients the replica has: let the filter look at another table")
	}
	for _, name := range t.Note.Key {
		if c, ok := t.Column(name); !ok || c.Publish != Keep && c.Publish != Pseudonym {
			fail(key, "column %s is a part of the key of notes, by which their lines are found in the replica: publish it with policy pseudonym (or keep)", name)
		}
	}
}

// joinWord begins the word of a treatment that says how lines are joined.
const joinWord = "join:"
