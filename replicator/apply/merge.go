package apply

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

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
		g.merges[w.filterRow(f, old)] = patient.Merge{}
	}
	if key, ok := c.Table.KeyTexts(c.Row); ok {
		g.merges[w.filterRow(f, key)] = w.Reg.MergeRow(f, c.Row)
	}
}

// merge stores what a group says of ids that stand for others, and moves their rows.
func (w *Writer) merge(ctx context.Context, tx pgx.Tx, g *Group) error {
	if err := w.writeMerges(ctx, tx, g); err != nil {
		return err
	}
	moves := g.moves
	g.moves = nil
	if len(moves) == 0 || w.Untouched {
		return nil
	}
	return w.move(ctx, tx, g, moves)
}

func (w *Writer) writeMerges(ctx context.Context, tx pgx.Tx, g *Group) error {
	if len(g.merges) == 0 {
		return nil
	}
	var gone, ids []string
	var goneHashes, hashes, sealed [][]byte
	for row, m := range g.merges {
		gone, goneHashes = append(gone, row.filter.ID), append(goneHashes, []byte(row.hash))
		if m != (patient.Merge{}) {
			ids, hashes = append(ids, row.filter.ID), append(hashes, []byte(row.hash))
			sealed = append(sealed, w.seals.SealKey("merge", []string{m.From, m.Into}, row.filter.ID, row.hash))
		}
	}
	clear(g.merges)
	batch := &pgx.Batch{}
	batch.Queue("delete from deid.patient_merge where (filter, row_hmac) in (select * from unnest($1::text[], $2::bytea[]))", gone, goneHashes)
	batch.Queue(`insert into deid.patient_merge (filter, row_hmac, sealed) select * from unnest($1::text[], $2::bytea[], $3::bytea[])`,
		ids, hashes, sealed)
	return fault.New("store which patients were merged", tx.SendBatch(ctx, batch).Close(), "run 'pgdeid migrate up'")
}

// move takes away whose rows are others' now, and asks for what they had.
func (w *Writer) move(ctx context.Context, tx pgx.Tx, g *Group, moves []patient.Move) error {
	var leaving, again, now []string
	for _, m := range moves {
		again = append(again, m.ID)
		if m.Was != "" {
			leaving, again = append(leaving, m.Was), append(again, m.Was)
		}
		if m.Now == "" {
			continue
		}
		now = append(now, m.Now)
		if err := w.takeOver(ctx, tx, g, m); err != nil {
			return err
		}
	}
	w.grown = slices.Concat(w.grown, leaving, now)
	excluded, err := w.Reg.Excluded(ctx, tx, now)
	if err != nil {
		return err
	}
	for _, key := range now {
		if excluded[key] {
			leaving = append(leaving, key)
		}
	}
	if err := w.TakeAway(ctx, tx, distinct(leaving)); err != nil {
		return err
	}
	return w.AskFor(ctx, tx, distinct(again))
}

// takeOver gives the patient that an id means now the words of the one that it meant before, and has
// the notes of the former searched for the record that has grown.
func (w *Writer) takeOver(ctx context.Context, tx pgx.Tx, g *Group, m patient.Move) error {
	names, _, err := w.Named([]string{m.Now, m.ID})
	if err != nil {
		return err
	}
	if m.Now == m.ID {
		return nil
	}
	g.addRequeue(&deid.Requeue{Pseudonym: names[0], SourceKey: m.Now, Noted: true})
	if m.Was != m.ID {
		return nil
	}
	_, err = tx.Exec(ctx, "insert into deid.patient_former (patient, former) values ($1, $2) on conflict do nothing", names[0], names[1])
	return fault.New("store whose rows a patient has taken over", connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

// endMerges removes what t said of merges in rows that are not there any more, after a copy, or all
// where the table was emptied.
func (w *Writer) endMerges(ctx context.Context, tx pgx.Tx, t *schema.Table, all bool) error {
	const op = "store which patients were merged"
	rows, err := tx.Query(ctx, `delete from deid.patient_merge where filter = any($1) and (stale or $2) returning filter, row_hmac`, filterIDs(t), all)
	if err != nil {
		return fault.New(op, connect.Lost(w.Conn, err), "")
	}
	var moves []patient.Move
	var id string
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &hash}, func() error {
		if !all { // of a table that was emptied, the resolver has said so
			moves = append(moves, w.Reg.Merges.Set(id, string(hash), patient.Merge{})...)
		}
		return nil
	})
	if err != nil {
		return fault.New(op, connect.Lost(w.Conn, err), "")
	}
	if len(moves) == 0 || w.Untouched {
		return nil
	}
	g := NewGroup()
	if err := w.move(ctx, tx, g, moves); err != nil {
		return err
	}
	_, err = w.storeRequeue(ctx, tx, g)
	return err
}

func distinct(keys []string) []string {
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool { return key == "" })
}
