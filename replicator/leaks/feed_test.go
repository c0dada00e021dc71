package leaks

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// tableOf returns a table with columns, the first of which is the key.
func tableOf(columns ...config.Column) *schema.Table {
	t := &schema.Table{ID: "ehr.note", Table: &config.Table{Schema: "ehr", Name: "note", Columns: columns}, Key: []int{0}}
	for i, c := range columns {
		t.Columns = append(t.Columns, schema.Column{Column: c, Form: note.FormOf(&c, "text")})
		if c.Publish != config.Drop {
			t.Publish = append(t.Publish, i)
		}
	}
	return t
}

func TestFeedReadsEveryPublishedColumn(t *testing.T) {
	t.Parallel()
	table := tableOf(
		config.Column{Name: "note_id", Publish: config.Pseudonym}, config.Column{Name: "ssn", Tells: "ssn", Publish: config.Drop},
		config.Column{Name: "State", Tells: "state", Publish: config.Keep}, config.Column{Name: "body", Publish: config.Text},
		config.Column{Name: "page", Publish: config.Text, Format: "html"}, config.Column{Name: "kind", Publish: config.Keep},
	)
	f := newFeed(table)
	var ids []string
	for _, c := range f.columns {
		ids = append(ids, c.id())
	}
	if !slices.Equal(ids, []string{"ehr.note.note_id", "ehr.note.State", "ehr.note.body", "ehr.note.page", "ehr.note.kind"}) {
		t.Errorf("%v", ids)
	}
	if c := f.columns; !c[1].kept || c[4].kept || !c[2].text || !c[2].plain || !c[3].text || c[3].plain || c[0].text {
		t.Errorf("%+v", c)
	}
	statement := f.statement(`deid_rows."ehr.note"`)
	for _, part := range []string{
		`array["note_id"::text]`, `coalesce("State"::text, '')`, `from deid_rows."ehr.note" t0 where pgdeid_patient <> ''`, `collate "C"`,
	} {
		if !strings.Contains(statement, part) {
			t.Errorf("no %s in %s", part, statement)
		}
	}
	table.Hashed = true
	if got := f.statement("rows"); !strings.Contains(got, "array[pgdeid_key::text]") {
		t.Errorf("%s", got)
	}
}

func TestTextsOfDocuments(t *testing.T) {
	t.Parallel()
	table := tableOf(
		config.Column{Name: "id", Publish: config.Pseudonym}, config.Column{Name: "page", Publish: config.Text, Format: "html"},
		config.Column{Name: "packed", Publish: config.Text, Format: "html", Encoding: "base64"}, config.Column{Name: "body", Publish: config.Text},
	)
	columns := columnsOf(table)
	for name, tt := range map[string]struct {
		column *column
		value  string
		want   string
		ok     bool
	}{
		"plain":          {columns[3], "Zorv<i>akian", "Zorv<i>akian", true},
		"markup":         {columns[1], "<p>Zorv<i>akian</i></p>", "Zorvakian", true},
		"base64":         {columns[2], "PHA+Wm9yPGI+dmFraWFuPC9iPjwvcD4=", "Zorvakian", true},
		"no base64":      {columns[2], "***", "", false},
		"of a pseudonym": {columns[0], "17", "17", true},
	} {
		texts, ok := tt.column.texts(tt.value)
		if all := strings.Join(texts, "\n"); ok != tt.ok || !strings.Contains(all, tt.want) {
			t.Errorf("%s: %q, %v", name, all, ok)
		}
	}
}
