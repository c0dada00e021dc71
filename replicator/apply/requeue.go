package apply

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/patient"
)

// Rows that are requested may be on their way to a replica that does not have them yet, made with the record of before: those of
// the patient, of one of whom all are requested, or under a row that changed.
const insertRequeue = `
	insert into deid.requeue (patient, source_key, lsn)
	select u.patient, u.source_key, u.lsn::pg_lsn
	from unnest($1::text[], $2::bytea[], $3::text[], $4::bool[]) u(patient, source_key, lsn, noted)
	where u.noted or exists (select from deid.note_provenance p where p.patient = u.patient)
		or exists (select from deid.requeue q where q.whole or q.patient = u.patient) or exists (select from deid.requeue_path)
	on conflict (patient) do update set source_key = excluded.source_key, lsn = least(deid.requeue.lsn, excluded.lsn)`

// A new row leads nothing anywhere yet, save what was set aside for want of it.
const insertRequeuePath = `
	insert into deid.requeue_path (path_hmac, source_key, lsn)
	select u.path_hmac, u.source_key, u.lsn::pg_lsn
	from unnest($1::bytea[], $2::bytea[], $3::text[], $4::bool[]) u(path_hmac, source_key, lsn, fresh)
	where not u.fresh or exists (select from deid.quarantine q where q.lacks = u.path_hmac)
	on conflict (path_hmac) do update set lsn = greatest(deid.requeue_path.lsn, excluded.lsn)`

// queueRequeue queues what must be read again because of a group's changes: rows under
// changed rows, and patients that have notes from before the change. It comes before the
// group's own rows are written, so that what the replica has of a patient is from before.
func (s *Store) queueRequeue(batch *pgx.Batch, g *Group) {
	if len(g.requeue) > 0 {
		var names, lsns []string
		var keys [][]byte
		var noted []bool
		for name, r := range g.requeue {
			names, lsns, noted = append(names, name), append(lsns, r.LSN.String()), append(noted, r.Noted)
			keys = append(keys, s.seals.SealKey("requeue", []string{r.SourceKey}, name))
		}
		batch.Queue(insertRequeue, names, keys, lsns, noted)
	}
	var hashes, keys [][]byte
	var lsns []string
	var fresh []bool
	for hash, p := range g.paths {
		if p.Fresh && !s.AnyAside.Load() {
			continue
		}
		hashes, lsns, fresh = append(hashes, []byte(hash)), append(lsns, p.LSN.String()), append(fresh, p.Fresh)
		keys = append(keys, s.seals.SealKey("path", p.Key(), hash))
	}
	if len(hashes) > 0 {
		batch.Queue(insertRequeuePath, hashes, keys, lsns, fresh)
	}
}

// storeRequeue stores what a group's changes ask for, and reports whether there was
// something.
func (w *Writer) storeRequeue(ctx context.Context, tx pgx.Tx, g *Group) (bool, error) {
	batch := &pgx.Batch{}
	w.queueRequeue(batch, g)
	if batch.Len() == 0 {
		return false, nil
	}
	return true, fault.New("queue what must be read again", tx.SendBatch(ctx, batch).Close(), "")
}

// addPath takes in what a change means for rows under its row.
func (g *Group) addPath(p patient.PathChange) {
	if before, ok := g.paths[p.Hash]; ok {
		p.Fresh = p.Fresh && before.Fresh
	}
	g.paths[p.Hash] = p
}
