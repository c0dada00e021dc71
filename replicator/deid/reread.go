package deid

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// Page is a part of a table's rows that were read again.
type Page struct {
	phi.Redacted

	Items []*Item
	After []string // what the next page is behind of
	Done  bool     // there is no next page
}

// ReadPage reads a page of about limit of t's rows behind a key: those of whole notes where rows
// are lines. They are treated as asked.
func ReadPage(ctx context.Context, source *pgx.Conn, t *schema.Table, after []string, asked Request, limit int) (Page, error) {
	p, err := ReadAmong(ctx, source, schema.Among{}, after, schema.Change{Op: schema.InsertOp, Table: t, Read: true}, asked, limit)
	if t.Lines == nil {
		err = readFault(t, err)
	}
	return p, err
}

// ReadAmong is [ReadPage] for some of the rows, which are as like says.
func ReadAmong(ctx context.Context, source *pgx.Conn, of schema.Among, after []string, like schema.Change, asked Request, limit int) (Page, error) {
	t := like.Table
	if t.Lines != nil {
		return readNotePage(ctx, source, of, after, like, asked, limit)
	}
	p := Page{After: after}
	err := t.ReadAmong(ctx, source, of, after, limit, func(row []schema.Value) error {
		c := like
		c.Row = row
		it := RowItem(&c)
		it.Request = asked
		p.Items = append(p.Items, it)
		p.After, _ = t.KeyTexts(row)
		return nil
	})
	p.Done = len(p.Items) < limit
	return p, err
}

// reread replaces the rows of updates that the stream did not send whole: those
// whose key changed, or where something else than a text was left out.
func (r *Resolver) reread(ctx context.Context, items []*Item) error {
	wanted := map[*schema.Table][]*Item{}
	for _, it := range items {
		if c := it.Change; c != nil && c.Op != schema.DeleteOp && c.Incomplete() {
			wanted[c.Table] = append(wanted[c.Table], it)
		}
	}
	for t, list := range wanted {
		if err := r.rereadTable(ctx, t, list); err != nil {
			return err
		}
	}
	return nil
}

func (r *Resolver) rereadTable(ctx context.Context, t *schema.Table, items []*Item) error {
	byKey := map[string][]*Item{}
	var keys [][]string
	for _, it := range items {
		key, ok := t.KeyTexts(it.Change.Row)
		if !ok {
			return fault.New("read rows of table "+t.ID+" again", source.ErrDecode, "")
		}
		if s := schema.KeyString(key); byKey[s] == nil {
			keys = append(keys, key)
			byKey[s] = []*Item{it}
		} else {
			byKey[s] = append(byKey[s], it)
		}
	}
	err := r.ReadRows(ctx, t, keys, func(row []schema.Value) error {
		key, _ := t.KeyTexts(row)
		s := schema.KeyString(key)
		for _, it := range byKey[s] {
			it.Change.Row = row
		}
		delete(byKey, s)
		return nil
	})
	if err != nil {
		return err
	}
	for _, gone := range byKey { // deleted or moved since: that comes in the stream
		for _, it := range gone {
			it.Change.Vanish()
		}
	}
	return nil
}
