package proposal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// What is proposed for lines of notes puts them together.
func TestLinesOfNotesAreProposed(t *testing.T) {
	t.Parallel()
	choices := func(key, text config.Column) []choice {
		key.Name, text.Name = "note_id", "body"
		return []choice{{Column: key}, {Column: config.Column{Name: "line", Publish: config.Keep}}, {Column: text}}
	}
	pseudonym, text := config.Column{Publish: config.Pseudonym}, config.Column{Publish: config.Text}
	for name, c := range map[string]struct {
		choices []choice
		want    bool
	}{
		"lines":               {choices(pseudonym, text), true},
		"a key that is kept":  {choices(config.Column{Publish: config.Keep}, text), true},
		"a key that moves":    {choices(config.Column{Publish: config.ShiftDate}, text), false},
		"documents":           {choices(pseudonym, config.Column{Publish: config.Text, Format: "html"}), false},
		"encoded":             {choices(pseudonym, config.Column{Publish: config.Text, Encoding: "base64"}), false},
		"no text":             {choices(pseudonym, config.Column{Publish: config.Drop}), false},
		"a key that is a day": {choices(config.Column{Publish: config.Year}, text), false},
	} {
		w := written{
			table: &table{schema: "ehr", name: "line", key: []string{"note_id", "line"}, lines: &lines{
				note: config.Note{Key: []string{"note_id"}, Order: "line", Text: "body", Join: config.JoinNone}, notes: 9, counted: 9,
			}},
			patient: true, path: config.Path{Column: "patient_id"}, choices: c.choices,
		}.asNotes()
		var b bytes.Buffer
		writeTable(&b, w)
		if got := strings.Contains(b.String(), "    note: {key: note_id, order: line, text: body, join: none} #"); got != c.want {
			t.Errorf("%s: proposed %v:\n%s", name, got, b.String())
		}
	}
}

// Notes that are counted for each patient are no lines of one note.
func TestNotesThatAreCounted(t *testing.T) {
	t.Parallel()
	for order, want := range map[string]bool{"line": true, "note": false} {
		w := written{
			table: &table{schema: "ehr", name: "note", key: []string{"site", "mrn", order}, lines: &lines{
				note: config.Note{Key: []string{"site", "mrn"}, Order: order, Text: "body"}, notes: 9, counted: 9,
			}},
			patient: true, path: pathOf([]string{"site", "mrn"}, nil, nil),
			choices: []choice{
				{Column: config.Column{Name: "site", Publish: config.Pseudonym}},
				{Column: config.Column{Name: "mrn", Publish: config.Pseudonym}},
				{Column: config.Column{Name: "body", Publish: config.Text}},
			},
		}.asNotes()
		if got := w.note != nil; got != want {
			t.Errorf("rows in the order of %s are lines: %v", order, got)
		}
	}
}
