package vault

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/surrogate"
)

func TestProvenanceStatements(t *testing.T) {
	t.Parallel()
	noon := time.Date(2021, 3, 4, 12, 0, 0, 0, time.UTC)
	p := NewProvenance(schematest.Key(t), "1.2", "c0ffee", func() time.Time { return noon })
	text := Text{
		Column: "body", Row: `["7"]`, Patient: "4711", LSN: 99, Source: []byte("s"), Published: []byte("p"),
		Spans: []surrogate.Span{{Start: 3, End: 8, Type: phi.Date, By: 3}},
	}
	other := text
	other.Row = `["8"]`
	for _, c := range []struct {
		name  string
		texts Texts
		want  []string // how each statement begins
	}{
		{"nothing", Texts{}, nil},
		{"new", Texts{Written: []Text{text, other}}, []string{"insert"}},
		{"where there is one", Texts{Updated: []Text{text}}, []string{"update"}},
		{"made anew and the same", Texts{Kept: []Text{text}}, []string{"update"}},
		{"gone", Texts{Gone: [][2]string{{"body", `["7"]`}}}, []string{"delete"}},
		{"all", Texts{Written: []Text{text}, Updated: []Text{other}, Gone: [][2]string{{"title", `["9"]`}}}, []string{"insert", "update", "delete"}},
	} {
		c.texts.Table = "ehr.note"
		batch := &pgx.Batch{}
		p.Queue(batch, &c.texts)
		var got []string
		for _, q := range batch.QueuedQueries {
			got = append(got, strings.Fields(q.SQL)[0])
			if q.Arguments[0] != "ehr.note" {
				t.Errorf("%s: table %v", c.name, q.Arguments[0])
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}

	kept := &pgx.Batch{}
	p.Queue(kept, &Texts{Table: "ehr.note", Kept: []Text{text}})
	if sql := kept.QueuedQueries[0].SQL; !strings.HasSuffix(sql, "and p.published_hmac = u.published_hmac") {
		t.Errorf("what is said of another text than the published one: %s", sql)
	}

	batch := &pgx.Batch{}
	p.Queue(batch, &Texts{Table: "ehr.note", Written: []Text{text, other}})
	args := batch.QueuedQueries[0].Arguments
	want := []any{
		"ehr.note", "1.2", "c0ffee",
		[]string{"body", "body"},
		[]string{`["7"]`, `["8"]`},
		[]string{"4711", "4711"},
		[][]byte{[]byte("s"), []byte("s")},
		[][]byte{[]byte("p"), []byte("p")},
	}
	if !reflect.DeepEqual(args[:8], want) {
		t.Errorf("arguments %v, want %v", args[:8], want)
	}
	for i, row := range []string{`["7"]`, `["8"]`} {
		m, err := p.seals.openMaking(place{"ehr.note", "body", row, "4711"}, args[8].([][]byte)[i])
		if err != nil || !reflect.DeepEqual(m, making{noon, 99, text.Spans}) {
			t.Errorf("row %s: %+v, %v", row, m, err)
		}
	}
}

func TestQuarantineStatements(t *testing.T) {
	t.Parallel()
	s := NewSeals(schematest.Key(t))
	q := NewQuarantine(s)
	row := SetAside{Origin: Origin{Key: []string{"7"}, Patient: "4711", LSN: 99}, Table: "ehr.note", Reason: "leak", Lacks: []byte("x")}
	batch := &pgx.Batch{}
	q.QueueAdd(batch, &row)
	q.QueueRemove(batch, nil)
	if batch.Len() != 1 {
		t.Fatalf("%d statements, want 1: none removes no rows", batch.Len())
	}
	args := batch.QueuedQueries[0].Arguments
	hash := args[1].([]byte)
	if got, err := s.OpenOrigin(args[2].([]byte), "ehr.note", hash); err != nil || !reflect.DeepEqual(got, row.Origin) {
		t.Errorf("origin %v, %v", got.Key, err)
	}
	if args[0] != "ehr.note" || args[3] != "leak" || string(args[4].([]byte)) != "x" {
		t.Errorf("arguments %v", args)
	}
	q.QueueRemove(batch, []RowName{{Table: "ehr.note", Key: []string{"7"}}, {Table: "ehr.visit", Key: []string{"7"}}})
	args = batch.QueuedQueries[1].Arguments
	hashes := args[1].([][]byte)
	if !reflect.DeepEqual(args[0], []string{"ehr.note", "ehr.visit"}) || string(hashes[0]) != string(hash) || string(hashes[1]) == string(hash) {
		t.Errorf("a row is removed under another name than that it was added under: %v", args)
	}
}
