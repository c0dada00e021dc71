package deid

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/schema"
)

// notePage is how many notes are measured at once.
const notePage = 100

// ReadNotes reads whole notes behind a key, with about limit lines in all, and passes the
// items of each. It returns the key of the last one, and whether it was the last of the table.
func ReadNotes(ctx context.Context, conn *pgx.Conn, t *schema.Table, of schema.Among, after []string, limit int, each func(schema.NoteRows) error) (_ []string, done bool, err error) {
	sizes, err := t.NotePage(ctx, conn, of, after, notePage)
	if err != nil {
		return nil, false, readFault(t, err)
	}
	some := schema.Few(sizes, limit)
	if len(some) == 0 {
		return after, true, nil
	}
	err = t.ReadNotes(ctx, conn, some, each)
	return some[len(some)-1].Key, len(some) == len(sizes) && len(sizes) < notePage, readFault(t, err)
}

// readNotePage is [ReadAmong] for lines of notes. Notes that are too large are not published, and left out.
func readNotePage(ctx context.Context, conn *pgx.Conn, of schema.Among, after []string, like schema.Change, asked Request, limit int) (Page, error) {
	var p Page
	var err error
	p.After, p.Done, err = ReadNotes(ctx, conn, like.Table, of, after, limit, func(rows schema.NoteRows) error {
		if !rows.TooLarge && len(rows.Rows) > 0 {
			p.Items = append(p.Items, NewNote(rows, like, asked)...)
		}
		return nil
	})
	return p, err
}

// Carrier returns the item that ends a note, which takes the lines before it through a pipeline
// within the room of all of them.
func Carrier(items []*Item) *Item {
	last := len(items) - 1
	it := items[last]
	it.Brings = items[:last]
	for _, l := range it.Brings {
		it.Held += l.Held
		l.Held = 0
	}
	return it
}
