package leaks

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// linesOf returns a feed of lines of notes.
func linesOf(c config.Column, join config.Join) *feed {
	table := tableOf(config.Column{Name: "note_id", Publish: config.Pseudonym}, config.Column{Name: "line", Publish: config.Keep}, c)
	table.Lines = &schema.Lines{Key: []int{0}, Text: 2, Join: join, Form: note.FormOf(&c, "text")}
	f := newFeed(table)
	f.order = "note_id, line"
	return f
}

func TestNotesAreSearchedAsAWhole(t *testing.T) {
	t.Parallel()
	who := record.NewGazetteer(record.Record{record.NameFirst: {"Mirela"}, record.NameLast: {"Zorvakian"}})
	plain := config.Column{Name: "body", Publish: config.Text}
	packed := config.Column{Name: "body", Publish: config.Text, Format: "html", Encoding: "base64"}
	for name, tt := range map[string]struct {
		column config.Column
		join   config.Join
		lines  []string
		hits   int
		unread int64
	}{
		"in one line":         {plain, config.JoinLine, []string{"Ms. Zorvakian", "was seen"}, 1, 0},
		"over an end":         {plain, config.JoinNone, []string{"Ms. Zorva", "kian was seen"}, 1, 0},
		"over an empty line":  {plain, config.JoinNone, []string{"Ms. Zorva", "", "kian"}, 1, 0},
		"nobody":              {plain, config.JoinLine, []string{"nobody", "", "was seen"}, 0, 0},
		"in pieces of base64": {packed, config.JoinNone, []string{"PHA+Wm9yPGI+dm", "FraWFuPC9iPjwvcD4="}, 1, 0},
		"no document":         {packed, config.JoinNone, []string{"***", "###"}, 0, 1},
	} {
		f := linesOf(tt.column, tt.join)
		s, g := &scanner{}, &gathered{feed: f}
		for _, line := range tt.lines {
			r := &row{owner: "p", key: `["1"]`, note: `["7"]`, values: []string{"7", "1", line}}
			if !g.holds(r) {
				s.lookAtNote(g, who)
				g.begin(r)
			}
			s.lookAt(g, r, who)
		}
		s.lookAtNote(g, who)
		if len(s.hits) != tt.hits || s.res.Unread != tt.unread {
			t.Errorf("%s: %d hits, %d unread", name, len(s.hits), s.res.Unread)
		}
		if s.lookAtNote(g, who); len(s.hits) != tt.hits {
			t.Errorf("%s: a note was searched twice", name)
		}
	}
}

func TestLinesEndWithTheirNote(t *testing.T) {
	t.Parallel()
	g := &gathered{feed: linesOf(config.Column{Name: "body", Publish: config.Text}, config.JoinNone)}
	first := &row{owner: "p", note: `["7"]`}
	g.begin(first)
	for name, r := range map[string]*row{"another note": {owner: "p", note: `["8"]`}, "another patient": {owner: "q", note: `["7"]`}} {
		if g.holds(r) {
			t.Errorf("%s is held", name)
		}
	}
	if !g.holds(first) {
		t.Error("a line of the note is not held")
	}
	statement := g.feed.statement("rows")
	for _, part := range []string{`array["note_id"::text], array[`, `collate "C", note_id, line`} {
		if !strings.Contains(statement, part) {
			t.Errorf("no %s in %s", part, statement)
		}
	}
}
