package replicator

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Provenance says how a text was made, not that the replica still has it: rows can be
// deleted or changed there by hand, or lost with a table that was restored. So the
// published text is hashed with the key as well, and a text is left as it is only
// where the replica's row is there and its text has that hash.

// hashPublished returns a hash of a text as it is in a column and row of t.
func hashPublished(key *surrogate.Key, t *table, col int, rowKey, text string) []byte {
	return key.HMAC("published text", t.id, t.columns[col].Name, rowKey, text)
}

// forgetChanged forgets what is known of texts that are not in the replica as they were
// written. items are of t, by row key, and keys their published keys.
func (r *resolver) forgetChanged(ctx context.Context, t *table, items map[string]*item, keys [][]string) error {
	found := map[textAt]string{}
	if err := readBodies(ctx, r.replica, t, keys, found); err != nil {
		return err
	}
	for row, it := range items {
		for n, col := range t.texts {
			text, there := found[textAt{row, n}]
			if !there || string(it.known[n].published) != string(hashPublished(r.key, t, col, row, text)) {
				it.known[n] = known{}
			}
		}
	}
	return nil
}

// textAt is the place of a published text: the row's key, and the index in table.texts.
type textAt struct {
	rowKey string
	nth    int
}

// readBodies reads the published texts of t's rows by their published keys.
func readBodies(ctx context.Context, conn *pgx.Conn, t *table, keys [][]string, into map[textAt]string) error {
	if len(keys) == 0 {
		return nil
	}
	s := &t.sql
	columns := make([]string, 0, len(s.keys)+len(t.texts))
	for _, i := range s.keys {
		columns = append(columns, "t."+s.names[i])
	}
	for n := range t.texts {
		columns = append(columns, "t."+s.names[t.textIndex(n)])
	}
	args := make([]any, len(s.keys))
	for i := range args {
		values := make([]string, len(keys))
		for j, key := range keys {
			values[j] = key[i]
		}
		args[i] = values
	}
	query := fmt.Sprintf("select %s from %s t join %s on %s", strings.Join(columns, ", "), s.table, s.arrays(s.keys), s.match())
	err := queryText(ctx, conn, query, func(raw [][]byte) error {
		key := make([]string, len(s.keys))
		for i := range key {
			key[i] = string(raw[i])
		}
		row := rowKey(key)
		for n := range t.texts {
			if body := raw[len(key)+n]; body != nil {
				into[textAt{row, n}] = string(body)
			}
		}
		return nil
	}, args...)
	return fault.New("read what is published of table "+t.id, err, "")
}
