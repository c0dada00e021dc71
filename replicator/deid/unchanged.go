package deid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Provenance says how a text was made, not that the replica still has it: rows can be
// deleted or changed there by hand, or lost with a table that was restored. So the
// published text is hashed with the key as well, and a text is left as it is only
// where the replica's row is there and its text has that hash.

// hashPublished returns a hash of a text as it is in a column and row of t.
func hashPublished(key *surrogate.Key, t *schema.Table, col int, rowKey, text string) []byte {
	return key.HMAC("published text", t.ID, t.Columns[col].Name, rowKey, text)
}

// publish notes how the nth text was made, and returns it, or nil where just this is published already:
// then it stays, and no row is written for it.
func (it *Item) publish(nth int, value string, made TextOutcome) *string {
	it.Out.Texts[nth] = made
	if it.known != nil && string(it.known[nth].published) == string(made.Published) {
		it.Out.Keep[nth] = true
		return nil
	}
	return &value
}

// forgetChanged forgets what is known of texts that are not in the replica as they were
// written. items are of t, by row key, and keys their published keys.
func (r *Resolver) forgetChanged(ctx context.Context, t *schema.Table, items map[string]*Item, keys [][]string) error {
	found := map[TextAt]*string{}
	err := eachBody(ctx, r.Replica, t, keys, func(at TextAt, body *string) { found[at] = body })
	if err != nil {
		return err
	}
	for row, it := range items {
		for n, col := range t.Texts {
			body, there := found[TextAt{RowKey: row, Nth: n}]
			k := &it.known[n]
			switch {
			case there && body == nil && k.hmac == nil:
				k.null = true
			case body == nil || string(k.published) != string(hashPublished(r.Key, t, col, row, *body)):
				*k = known{}
			}
		}
	}
	return nil
}

// OtherTexts returns the rows, by their published keys, of which conn has a text that the key has not written: a text
// without provenance, or with another hash there. keys are the published keys of rows of t.
func (d *Deidentifier) OtherTexts(ctx context.Context, conn *pgx.Conn, t *schema.Table, keys [][]string) (map[string]bool, error) {
	others, bodies := map[string]bool{}, map[TextAt]string{}
	if !t.IsNote() {
		return others, nil
	}
	if err := ReadBodies(ctx, conn, t, keys, bodies); err != nil || len(bodies) == 0 {
		return others, err
	}
	rowKeys := make([]string, len(keys))
	for i, key := range keys {
		rowKeys[i] = schema.RowKey(key)
	}
	rows, _ := conn.Query(ctx, "select row_key, column_name, published_hmac from deid.note_provenance where table_name = $1 and row_key = any($2)", t.ID, rowKeys)
	names := t.TextNames()
	var row, column string
	var hash []byte
	_, err := pgx.ForEachRow(rows, []any{&row, &column, &hash}, func() error {
		at := TextAt{RowKey: row, Nth: slices.Index(names, column)}
		if body, there := bodies[at]; there && string(hash) == string(hashPublished(d.key, t, t.Texts[at.Nth], row, body)) {
			delete(bodies, at)
		}
		return nil
	})
	for at := range bodies {
		others[at.RowKey] = true
	}
	return others, fault.New("read how texts were made", connect.Lost(conn, err), "")
}

// TextAt is the place of a published text: the row's key, and the index in table.texts.
type TextAt struct {
	RowKey string
	Nth    int
}

// ReadBodies reads the published texts of t's rows by their published keys.
func ReadBodies(ctx context.Context, conn *pgx.Conn, t *schema.Table, keys [][]string, into map[TextAt]string) error {
	return eachBody(ctx, conn, t, keys, func(at TextAt, body *string) {
		if body != nil {
			into[at] = *body
		}
	})
}

// eachBody passes the published texts of t's rows, nil for NULL, by their published keys.
func eachBody(ctx context.Context, conn *pgx.Conn, t *schema.Table, keys [][]string, each func(at TextAt, body *string)) error {
	if len(keys) == 0 {
		return nil
	}
	s := &t.SQL
	columns := []string{s.KeyTexts()}
	for n := range t.Texts {
		columns = append(columns, "t."+s.Names[t.TextIndex(n)])
	}
	query := fmt.Sprintf("select %s from %s t join %s on %s", strings.Join(columns, ", "), s.Table, s.Arrays(s.Keys), s.Match())
	err := schema.QueryText(ctx, conn, query, func(raw [][]byte) error {
		row := schema.RowKey(schema.Texts(raw[:len(s.Keys)]))
		for n := range t.Texts {
			var text *string
			if body := raw[len(s.Keys)+n]; body != nil {
				text = new(string(body))
			}
			each(TextAt{RowKey: row, Nth: n}, text)
		}
		return nil
	}, schema.ColumnArrays(keys, len(s.Keys))...)
	return fault.New("read what is published of table "+t.ID, err, "")
}
