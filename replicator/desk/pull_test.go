package desk

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

func TestNotesOf(t *testing.T) {
	t.Parallel()
	plain := schema.Column{Column: config.Column{Name: "body", Publish: config.Text}}
	letter := schema.Column{Column: config.Column{Name: "letter", Publish: config.Text}, Form: note.Form{Format: document.RTF}}
	p := &schema.Plan{Tables: []*schema.Table{
		{ID: "ehr.patient"},
		{ID: "ehr.note", Columns: []schema.Column{plain}, Texts: []int{0}},
		{ID: "ehr.both", Columns: []schema.Column{plain, letter}, Texts: []int{0, 1}},
	}}
	for _, tt := range []struct {
		from NoteKeys
		want string // what the refusal says; "" for none
	}{
		{NoteKeys{Table: "ehr.note"}, ""},
		{NoteKeys{Table: "ehr.both", Column: "body"}, ""},
		{NoteKeys{Table: "ehr.both", Column: "letter"}, "column letter of table ehr.both holds documents"},
		{NoteKeys{Table: "ehr.both"}, "several columns of notes"},
		{NoteKeys{Table: "ehr.both", Column: "other"}, "or not this one"},
		{NoteKeys{Table: "ehr.patient"}, "no such table with notes"},
		{NoteKeys{}, "several tables have notes"},
	} {
		found, columns, err := notesOf(p, tt.from)
		var refusal *Refusal
		switch {
		case tt.want == "" && (err != nil || found.ID != tt.from.Table || len(columns) != 1):
			t.Errorf("%+v: %v", tt.from, err)
		case tt.want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%+v: got %v, want %q", tt.from, err, tt.want)
		}
	}
}
