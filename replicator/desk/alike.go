package desk

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
)

// Sketches makes sketches of the sentences of notes, with the rights of pgdeid and in their order. Notes that can't be read or
// searched are left out.
func (d *Desk) Sketches(ctx context.Context, table, column string, keys [][]string) ([]cluster.Note, error) {
	made := make([]*cluster.Note, len(keys))
	err := d.each(ctx, len(keys), func(ctx context.Context, i int) {
		u, p, by, err := d.look(ctx, table, column, keys[i])
		if err != nil || p == nil {
			return
		}
		spans, why := by.Search(ctx, p, by.Reg.Site.Load(), u.text)
		if why != "" {
			return
		}
		h := review.Hashes{Key: d.opts.Key}
		made[i] = &cluster.Note{Key: keys[i], Sentences: cluster.Sketches(u.text, spans, h.Sketch)}
	})
	if err != nil {
		return nil, err
	}
	var list []cluster.Note
	for _, n := range made {
		if n != nil {
			list = append(list, *n)
		}
	}
	return list, nil
}
