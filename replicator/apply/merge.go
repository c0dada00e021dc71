package apply

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// A row of a table of merges that comes, changes or goes has rows of a patient become another one's,
// without a change of their own. In the transaction of that change, the patient whose they were leaves
// the replica with all that was made as that patient's; what is that patient's still, and what is
// another one's now, is requested to be read again. So nothing stays of the wrong patient, and a
// replica looks as if it had been copied with these rows.

// addMerge notes what a change says of ids that stand for others.
func (w *Writer) addMerge(g *Group, f *schema.Filter, c *schema.Change) {
	if old, ok := c.Table.KeyTexts(c.Old); ok {
		g.merges[w.mergeRow(f, old)] = patient.Merge{}
	}
	if key, ok := c.Table.KeyTexts(c.Row); ok {
		g.merges[w.mergeRow(f, key)] = w.Reg.MergeRow(f, c.Row)
	}
}

func (w *Writer) mergeRow(f *schema.Filter, key []string) patient.MergeRow {
	return patient.MergeRow{Filter: f.ID, Hash: string(w.seals.FilterHash(f.ID, key))}
}

// merge stores what a group says of ids that stand for others, and moves their rows.
func (w *Writer) merge(ctx context.Context, tx pgx.Tx, g *Group) error {
	if len(g.merges) == 0 {
		return nil
	}
	if err := w.writeMerges(ctx, tx, g); err != nil {
		return err
	}
	moves := w.Reg.Merges.Set(g.merges)
	clear(g.merges)
	return w.move(ctx, tx, g, moves)
}

func (w *Writer) writeMerges(ctx context.Context, tx pgx.Tx, g *Group) error {
	var gone, ids []string
	var goneHashes, hashes, sealed [][]byte
	for row, m := range g.merges {
		gone, goneHashes = append(gone, row.Filter), append(goneHashes, []byte(row.Hash))
		if m != (patient.Merge{}) {
			ids, hashes = append(ids, row.Filter), append(hashes, []byte(row.Hash))
			sealed = append(sealed, w.seals.SealKey("merge", []string{m.From, m.Into}, row.Filter, row.Hash))
		}
	}
	batch := &pgx.Batch{}
	batch.Queue("delete from deid.patient_merge where (filter, row_hmac) in (select * from unnest($1::text[], $2::bytea[]))", gone, goneHashes)
	batch.Queue(`insert into deid.patient_merge (filter, row_hmac, sealed) select * from unnest($1::text[], $2::bytea[], $3::bytea[])`,
		ids, hashes, sealed)
	return fault.New("store which patients were merged", tx.SendBatch(ctx, batch).Close(), "run 'pgdeid migrate up'")
}

// move takes away whose rows are others' now, and asks for what they had. The names of their records stay, unless
// they stay out of the replica: the ids have them, whomever these stand for.
func (w *Writer) move(ctx context.Context, tx pgx.Tx, g *Group, moves []patient.Move) error {
	if len(moves) == 0 {
		return nil
	}
	p, err := w.parting(g, moves)
	if err != nil {
		return err
	}
	all := distinct(slices.Concat(p.leaving, p.now))
	for _, key := range all { // who is loaded from now on is loaded as of these rows, and again when they are committed
		w.Reg.Cache.Forget(key)
	}
	w.grown = append(w.grown, all...)
	excluded, err := w.Reg.Excluded(ctx, tx, all)
	if err != nil {
		return err
	}
	out := slices.DeleteFunc(slices.Clone(all), func(key string) bool { return !excluded[key] })
	if err := w.TakeAway(ctx, tx, out); err != nil {
		return err
	}
	taken, err := w.takeRows(ctx, tx, slices.DeleteFunc(distinct(p.leaving), func(key string) bool { return excluded[key] }))
	if err != nil || w.Untouched && !taken {
		return err // the copy brings what is not there yet
	}
	return w.AskFor(ctx, tx, distinct(p.again))
}

// parting is whom moves of rows concern, by source keys.
type parting struct {
	phi.Redacted

	leaving []string // whose rows they were
	now     []string // whose they are
	again   []string // all of whose rows are read again
}

// parting returns whom moves concern. The notes of a patient for whom another id stands are searched for the record that has grown.
func (w *Writer) parting(g *Group, moves []patient.Move) (p parting, err error) {
	for _, m := range moves {
		p.leaving, p.now, p.again = append(p.leaving, m.Was), append(p.now, m.Now), append(p.again, m.ID, m.Was)
		if w.Reg.LeavesOut() { // with the id, the patient may be let in
			p.again = append(p.again, m.Now)
		}
		if m.Now == "" || m.Now == m.ID {
			continue
		}
		names, _, err := w.Named([]string{m.Now})
		if err != nil {
			return p, err
		}
		g.addRequeue(&deid.Requeue{Pseudonym: names[0], SourceKey: m.Now, Noted: true})
	}
	p.leaving = distinct(p.leaving)
	return p, nil
}

// endMerges removes what t said of merges in rows that are not there any more, after a copy, or all
// where the table was emptied.
func (w *Writer) endMerges(ctx context.Context, tx pgx.Tx, t *schema.Table, all bool) error {
	const op = "store which patients were merged"
	rows, _ := tx.Query(ctx, `delete from deid.patient_merge where filter = any($1) and (stale or $2) returning filter, row_hmac`, filterIDs(t), all)
	gone := map[patient.MergeRow]patient.Merge{}
	var id string
	var hash []byte
	_, err := pgx.ForEachRow(rows, []any{&id, &hash}, func() error {
		gone[patient.MergeRow{Filter: id, Hash: string(hash)}] = patient.Merge{}
		return nil
	})
	if err != nil {
		return fault.New(op, connect.Lost(w.Conn, err), "")
	}
	g := NewGroup()
	if err := w.move(ctx, tx, g, w.Reg.Merges.Set(gone)); err != nil {
		return err
	}
	_, err = w.storeRequeue(ctx, tx, g)
	return err
}

func distinct(keys []string) []string {
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool { return key == "" })
}
