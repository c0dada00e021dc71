package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines is a file with a table of lines, whose note is %s.
func lines(note string) []byte {
	return []byte(strings.Replace(minimal, "  ehr.note:", `  ehr.line:
    patient: patient_id
    note: `+note+`
    columns: {note_id: pseudonym, part: keep, day: date_shift, n: keep, body: text, more: {publish: text, format: html, encoding: gzip},
      chosen: {format: json, paths: {$.a: text}}}
  ehr.note:`, 1))
}

func TestNotesOfManyRows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		note string
		want Note
	}{
		{"{key: [note_id], order: n, text: body}", Note{[]string{"note_id"}, "n", "body", JoinLine}},
		{"{key: note_id, order: n, text: body, join: line}", Note{[]string{"note_id"}, "n", "body", JoinLine}},
		{"{key: [part, note_id], order: seq, text: body, join: none}", Note{[]string{"part", "note_id"}, "seq", "body", JoinNone}},
	} {
		c, err := Parse(lines(tt.note), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.note, err)
			continue
		}
		table := &c.Tables[0]
		if diff := cmp.Diff(&tt.want, table.Note); diff != "" {
			t.Errorf("%s: %s", tt.note, diff)
		}
		body, _ := table.Column("body")
		if got, want := body.Treatment(), "text join:"+string(tt.want.Join); got != want || PolicyOf(got) != Text {
			t.Errorf("%s: the text is treated as %q", tt.note, got)
		}
		if text := Explain(body.Treatment()); !strings.HasPrefix(text, Text.Explain()) || strings.Contains(text, "document") {
			t.Errorf("%s: explained as %q", tt.note, text)
		}
		if names := c.Leaving(table, []string{"note_id"}); !strings.Contains(strings.Join(names, " "), tt.want.Order) {
			t.Errorf("%s: the column of the order does not leave the source: %v", tt.note, names)
		}
	}
	if JoinLine.Separator() != "\n" || JoinNone.Separator() != "" {
		t.Error("lines are joined by something else")
	}
}

func TestNotesThatCannotBePutTogether(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ note, problem string }{
		{"note_id", "want keys and values"},
		{"{}", "say which rows are one note"},
		{"{key: [note_id], text: body}", "say which rows are one note"},
		{"{key: [], order: n, text: body}", "say which rows are one note"},
		{"{key: [note_id, note_id], order: n, text: body}", "a column of key is named twice"},
		{"{key: {note_id: 1}, order: n, text: body}", "want a single value"},
		{"{key: note_id, order: n, text: body, join: space}", "unknown join"},
		{"{key: note_id, order: n, text: body, by: n}", "unknown key"},
		{"{key: note_id, order: n, text: part}", "column part holds the text of a note's lines"},
		{"{key: note_id, order: n, text: gone}", "column gone holds the text of a note's lines"},
		{"{key: note_id, order: n, text: chosen}", "paths of column chosen choose in whole documents"},
		{"{key: body, order: n, text: body}", "column body is the text of a line"},
		{"{key: note_id, order: body, text: body}", "column body is the text of a line"},
		{"{key: [note_id, n], order: n, text: body}", "column n is the place of a line"},
		{"{key: gone, order: n, text: body}", "column gone is a part of the key"},
		{"{key: day, order: n, text: body}", "column day is a part of the key"},
	} {
		if _, err := Parse(lines(tt.note), nil); err == nil || !strings.Contains(err.Error(), tt.problem) {
			t.Errorf("%s: %v", tt.note, err)
		}
	}
}

// The rows of a note can make up a document.
func TestNotesThatAreDocuments(t *testing.T) {
	t.Parallel()
	c, err := Parse(lines("{key: note_id, order: n, text: more, join: none}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	more, _ := c.Tables[0].Column("more")
	if got := more.Treatment(); got != "text html gzip join:none" || PolicyOf(got) != Text {
		t.Errorf("the text is treated as %q", got)
	}
	if got := Explain(more.Treatment()); !strings.Contains(got, "the rows of one note stay one document as in the source (html, gzip)") {
		t.Errorf("explained as %q", got)
	}
}

// What was made of lines alone is no note, and the other way round.
func TestNotesHaveAHashOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, note := range []string{
		"{key: note_id, order: n, text: body}", "{key: [note_id, part], order: n, text: body}", "{key: note_id, order: part, text: body}",
		"{key: note_id, order: n, text: body, join: none}",
	} {
		c, err := Parse(lines(note), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []string{c.Hash(), c.SchemaHash()} {
			if other, ok := seen[h]; ok {
				t.Errorf("%s has the hash of %s", note, other)
			}
			seen[h] = note
		}
	}
}
