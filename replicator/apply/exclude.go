package apply

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Filters say which patients the replica has. A row of a filter's table is noted in the vault in
// the transaction of its change, and in the same transaction a patient who must go leaves
// everything: rows, versions that wait or were released, surrogates, shift, provenance,
// quarantine, requests. A patient who comes back is requested to be read again as a whole.
//
// Rows of a patient who stays out are left out when they are written, in view of the
// transaction itself: whatever was known when they were looked up, or read again.

// filterRow names a row of the source that a filter looks at.
type filterRow struct {
	phi.Redacted

	filter *schema.Filter
	hash   string // of its primary key
}

// addFilters notes what a change of the stream or a row of the first copy says for the filters that read its table: the key of the
// patient who is kept out or let in, or "" where the row says nothing, or not any more.
func (w *Writer) addFilters(g *Group, it *deid.Item) {
	c := it.Change
	if c.Covered {
		return
	}
	for _, f := range c.Table.Filters {
		if f.Merges() {
			w.addMerge(g, f, c)
			continue
		}
		if old, ok := c.Table.KeyTexts(c.Old); ok {
			g.filters[w.filterRow(f, old)] = ""
		}
		if key, ok := c.Table.KeyTexts(c.Row); ok {
			g.filters[w.filterRow(f, key)] = w.Reg.FilterRow(f, c.Row)
		}
	}
}

func (w *Writer) filterRow(f *schema.Filter, key []string) filterRow {
	return filterRow{filter: f, hash: string(w.seals.FilterHash(f.ID, key))}
}

// filterWrite is what a group's changes write of filters, by column.
type filterWrite struct {
	phi.Redacted

	ids     []string
	hashes  [][]byte
	now     []string // source keys of patients, "" for none
	before  []string // likewise, of the vault
	touched []string // all of these patients
}

// filter applies a group's changes of filters, takes away the patients who must go, and
// asks for those who come back.
func (w *Writer) filter(ctx context.Context, tx pgx.Tx, g *Group) error {
	if len(g.filters) == 0 {
		return nil
	}
	f := &filterWrite{}
	for row, key := range g.filters {
		f.ids, f.hashes, f.now = append(f.ids, row.filter.ID), append(f.hashes, []byte(row.hash)), append(f.now, key)
	}
	if err := w.readFilters(ctx, tx, f); err != nil {
		return err
	}
	if err := w.changeFilters(ctx, tx, f.touched, func() error { return w.writeFilters(ctx, tx, g, f) }); err != nil {
		return err
	}
	clear(g.filters)
	return nil
}

// changeFilters calls change, and does what follows for patients who go or come with it.
func (w *Writer) changeFilters(ctx context.Context, tx pgx.Tx, ids []string, change func() error) error {
	keys := w.withSurvivors(ids)
	before, err := w.Reg.Excluded(ctx, tx, keys)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := w.Reg.Excluded(ctx, tx, keys)
	if err != nil {
		return err
	}
	var leaving, coming []string
	for _, key := range keys {
		switch {
		case after[key] && !before[key]:
			leaving = append(leaving, key)
		case !after[key] && before[key]:
			coming = append(coming, key)
		}
	}
	if err := w.takeLeaving(ctx, tx, leaving, after); err != nil || w.Untouched {
		return err
	}
	return w.AskFor(ctx, tx, coming)
}

// withSurvivors returns ids with those for whom they stand: an id itself may have rows that are not moved yet.
func (w *Writer) withSurvivors(ids []string) []string {
	keys := slices.Clone(ids)
	for _, id := range ids {
		keys = append(keys, w.Reg.Merges.Survivor(id))
	}
	return distinct(keys)
}

// takeLeaving takes patients away. The names of an id that stands for a patient who is published stay: that patient's notes have them.
func (w *Writer) takeLeaving(ctx context.Context, tx pgx.Tx, leaving []string, excluded map[string]bool) error {
	var whole, rows []string
	for _, key := range leaving {
		if who := w.Reg.Merges.Survivor(key); who == "" || excluded[who] {
			whole = append(whole, key)
		} else {
			rows = append(rows, key)
		}
	}
	if _, err := w.takeRows(ctx, tx, rows); err != nil {
		return err
	}
	return w.TakeAway(ctx, tx, whole)
}

// readFilters reads which patients the rows were about before.
func (w *Writer) readFilters(ctx context.Context, tx pgx.Tx, f *filterWrite) error {
	const op = "read which patients stay out"
	rows, _ := tx.Query(ctx, `
		select filter, row_hmac, sealed from deid.patient_filter
		where (filter, row_hmac) in (select * from unnest($1::text[], $2::bytea[]))`, f.ids, f.hashes)
	before, err := w.openFilters(rows)
	f.before, f.touched = before, distinct(slices.Concat(f.now, before))
	return fault.New(op, connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

// openFilters returns the source keys of patients out of rows of deid.patient_filter.
func (w *Writer) openFilters(rows pgx.Rows) (keys []string, err error) {
	var id string
	var hash, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &hash, &sealed}, func() error {
		key, err := w.seals.OpenKey("filter", sealed, id, string(hash))
		if err == nil {
			keys = append(keys, key[0])
		}
		return err
	})
	return keys, err
}

func (w *Writer) writeFilters(ctx context.Context, tx pgx.Tx, g *Group, f *filterWrite) error {
	var ids []string
	var includes []bool
	var hashes, patients, sealed [][]byte
	for row, key := range g.filters {
		if key == "" {
			continue
		}
		name, err := w.Reg.PseudonymOf(key)
		if err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
		ids, includes = append(ids, row.filter.ID), append(includes, row.filter.Includes())
		hashes, patients = append(hashes, []byte(row.hash)), append(patients, w.seals.PatientHash(name))
		sealed = append(sealed, w.seals.SealKey("filter", []string{key}, row.filter.ID, row.hash))
	}
	batch := &pgx.Batch{}
	batch.Queue(`delete from deid.patient_filter where (filter, row_hmac) in (select * from unnest($1::text[], $2::bytea[]))`, f.ids, f.hashes)
	batch.Queue(`insert into deid.patient_filter (filter, row_hmac, includes, patient_hmac, sealed)
		select * from unnest($1::text[], $2::bytea[], $3::bool[], $4::bytea[], $5::bytea[])`, ids, hashes, includes, patients, sealed)
	return fault.New("store which patients stay out", tx.SendBatch(ctx, batch).Close(), "")
}

// BeginFilters prepares the copy of a table that filters read: rows of them that the copy does
// not find are removed at its end.
func (w *Writer) BeginFilters(ctx context.Context, t *schema.Table) error {
	_, err := w.Conn.Exec(ctx, "update deid.patient_filter set stale = true where filter = any($1)", filterIDs(t))
	if err == nil {
		_, err = w.Conn.Exec(ctx, "update deid.patient_merge set stale = true where filter = any($1)", filterIDs(t))
	}
	return fault.New("prepare the copy of table "+t.ID, connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

func filterIDs(t *schema.Table) []string {
	ids := make([]string, len(t.Filters))
	for i, f := range t.Filters {
		ids[i] = f.ID
	}
	return ids
}

// endFilters removes what the filters that read t have of rows that are not there any more:
// those that a copy did not find or, where the table was emptied, all.
func (w *Writer) endFilters(ctx context.Context, tx pgx.Tx, t *schema.Table, all bool) error {
	if len(t.Filters) == 0 {
		return nil
	}
	if err := w.endMerges(ctx, tx, t, all); err != nil {
		return err
	}
	const op = "store which patients stay out"
	rows, _ := tx.Query(ctx, "select filter, row_hmac, sealed from deid.patient_filter where filter = any($1) and (stale or $2)", filterIDs(t), all)
	keys, err := w.openFilters(rows)
	if err != nil {
		return fault.New(op, connect.Lost(w.Conn, err), "")
	}
	return w.changeFilters(ctx, tx, keys, func() error {
		_, err := tx.Exec(ctx, "delete from deid.patient_filter where filter = any($1) and (stale or $2)", filterIDs(t), all)
		return fault.New(op, connect.Lost(w.Conn, err), "")
	})
}

// leaveOut takes the patients who stay out of the replica out of a group.
func (w *Writer) leaveOut(ctx context.Context, tx pgx.Tx, g *Group) error {
	if !w.Reg.LeavesOut() && len(w.gone) == 0 {
		return nil
	}
	out := map[string]bool{} // by pseudonym
	for _, name := range w.gone {
		out[name] = true
	}
	named := func(id string) string { return cmp.Or(w.Reg.Merges.Survivor(id), id) }
	keys := slices.Collect(maps.Values(g.owners))
	for _, id := range g.words {
		keys = append(keys, named(id))
	}
	excluded, err := w.Reg.Excluded(ctx, tx, keys)
	if err != nil {
		return err
	}
	forgotten := map[string]bool{} // out, and the names of their records too
	for name, key := range g.owners {
		out[name], forgotten[name] = out[name] || excluded[key], excluded[key]
	}
	for name, id := range g.words {
		forgotten[name] = excluded[named(id)]
		if forgotten[name] {
			w.unlearned = append(w.unlearned, id)
		}
	}
	g.leaveOut(out, forgotten)
	return nil
}

// leaveOut takes patients, by pseudonym, out of a group: their rows and surrogates, and the names of those who are forgotten.
func (g *Group) leaveOut(out, forgotten map[string]bool) {
	for _, v := range g.Order {
		if out[v.owner()] {
			v.leave()
		}
	}
	g.choices = *g.choices.Leaving(out, forgotten)
	for name := range out {
		if out[name] {
			delete(g.requeue, name)
		}
	}
}

// owner returns the pseudonym of the patient whose row v is, also where it is set aside.
func (v *Version) owner() string {
	if v.aside != nil && v.patient == "" {
		return v.aside.Patient
	}
	return v.patient
}

// leave makes v a row that the replica does not have, nor the quarantine.
func (v *Version) leave() {
	*v = Version{Table: v.Table, Key: v.Key, RowKey: v.RowKey, Remove: true, Set: true, Source: v.sourceKey(), Item: v.Item}
}

// sourceKey returns the row's primary key in the source.
func (v *Version) sourceKey() []string {
	if v.Source != nil || v.Item == nil {
		return v.Source
	}
	if v.Item.Key != nil {
		return v.Item.Key
	}
	key, _ := v.Table.KeyTexts(v.Item.Change.Row)
	return key
}
