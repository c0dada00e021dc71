package replicator

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/surrogate"
)

// These functions queue the statements that write the vault, beside the rows they
// belong to.

const insertSurrogates = `
	insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac, sealed)
	select * from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[])
	on conflict (patient, kind, original_hmac) do update set surrogate_hmac = excluded.surrogate_hmac, sealed = excluded.sealed
	where deid.surrogate.surrogate_hmac <> excluded.surrogate_hmac
	returning xmax::text <> '0'`

// queueSurrogates queues new surrogates. One that another process stored first
// with another value makes the batch fail with errStale.
func (s *shared) queueSurrogates(batch *pgx.Batch, g *group) {
	if len(g.entries) == 0 {
		return
	}
	var patients, kinds []string
	var originals, hashes, sealed [][]byte
	for id, e := range g.entries {
		hash, value := s.storedSurrogate(id.patient, e)
		patients, kinds = append(patients, id.patient), append(kinds, id.kind)
		originals, hashes, sealed = append(originals, e.Hash), append(hashes, hash), append(sealed, value)
	}
	batch.Queue(insertSurrogates, patients, kinds, originals, hashes, sealed).Query(func(rows pgx.Rows) error {
		var changed bool
		_, err := pgx.ForEachRow(rows, []any{&changed}, func() error {
			if changed {
				return errStale
			}
			return nil
		})
		return err
	})
}

// storedSurrogate returns what the vault holds of an entry.
func (s seals) storedSurrogate(patient string, e surrogate.Entry) (hash, sealed []byte) {
	if e.Kind == recordKind { // a hash, without a surrogate
		return e.Hash, nil
	}
	return s.surrogateHash(patient, e.Kind, e.Surrogate), s.sealSurrogate(patient, e.Kind, e.Hash, e.Surrogate)
}

func (s *shared) queueShifts(batch *pgx.Batch, g *group) {
	if len(g.shifts) == 0 {
		return
	}
	var names []string
	var sealed [][]byte
	for name, p := range g.shifts {
		names, sealed = append(names, name), append(sealed, s.sealShift(name, p.shift))
	}
	batch.Queue(`
		insert into deid.date_shift (patient, sealed) select * from unnest($1::text[], $2::bytea[])
		on conflict (patient) do nothing`, names, sealed)
}

// provenanceRows are the arrays of one statement.
type provenanceRows struct {
	columns, rows, patients  []string
	hmacs, published, sealed [][]byte
}

// newProvenance reads the arrays as rows.
const newProvenance = `
	from unnest($4::text[], $5::text[], $6::text[], $7::bytea[], $8::bytea[], $9::bytea[])
		u(column_name, row_key, patient, text_hmac, published_hmac, sealed)`

const upsertProvenance = `
	insert into deid.note_provenance (table_name, version, config_hash, column_name, row_key, patient, text_hmac, published_hmac, sealed)
	select $1, $2, $3, u.column_name, u.row_key, u.patient, u.text_hmac, u.published_hmac, u.sealed` + newProvenance + `
	on conflict (table_name, column_name, row_key) do update set patient = excluded.patient, version = excluded.version,
		config_hash = excluded.config_hash, text_hmac = excluded.text_hmac, published_hmac = excluded.published_hmac,
		sealed = excluded.sealed`

// updateProvenance is upsertProvenance for rows that are written only if they are
// there: then there is provenance too.
const updateProvenance = `
	update deid.note_provenance p set patient = u.patient, version = $2, config_hash = $3, text_hmac = u.text_hmac,
		published_hmac = u.published_hmac, sealed = u.sealed` + newProvenance + `
	where p.table_name = $1 and p.column_name = u.column_name and p.row_key = u.row_key`

// queueProvenance queues how each text was made, and takes away what was said of
// texts that are gone.
func (s *shared) queueProvenance(batch *pgx.Batch, t *table, list []*version) {
	var made, remade provenanceRows
	var goneColumns, goneRows []string
	for _, v := range list {
		for n, c := range t.texts {
			column := t.columns[c].Name
			switch {
			case v.rowKey == "":
			case v.remove || v.texts[n].null && !v.keep[n]:
				goneColumns, goneRows = append(goneColumns, column), append(goneRows, v.rowKey)
			case v.keep[n]:
			case v.only:
				s.addMaking(&remade, column, v, n)
			default:
				s.addMaking(&made, column, v, n)
			}
		}
	}
	made.queue(batch, upsertProvenance, s, t)
	remade.queue(batch, updateProvenance, s, t)
	if len(goneRows) > 0 {
		batch.Queue(`delete from deid.note_provenance p using unnest($2::text[], $3::text[]) u(c, r)
			where p.table_name = $1 and p.column_name = u.c and p.row_key = u.r`, t.id, goneColumns, goneRows)
	}
}

// addMaking adds how the nth text of v was made.
func (s *shared) addMaking(r *provenanceRows, column string, v *version, n int) {
	text := v.texts[n]
	sealed := s.sealMaking(textPlace{v.table.id, column, v.rowKey, v.patient}, making{s.now(), v.item.change.lsn, text.spans})
	r.columns, r.rows, r.patients = append(r.columns, column), append(r.rows, v.rowKey), append(r.patients, v.patient)
	r.hmacs, r.published, r.sealed = append(r.hmacs, text.hmac), append(r.published, text.published), append(r.sealed, sealed)
}

func (r *provenanceRows) queue(batch *pgx.Batch, sql string, s *shared, t *table) {
	if len(r.rows) > 0 {
		batch.Queue(sql, t.id, s.version, s.config, r.columns, r.rows, r.patients, r.hmacs, r.published, r.sealed)
	}
}

const upsertQuarantine = `
	insert into deid.quarantine as q (table_name, key_hmac, sealed, reason, lacks) values ($1, $2, $3, $4, $5)
	on conflict (table_name, key_hmac) do update set sealed = excluded.sealed, reason = excluded.reason,
		lacks = excluded.lacks, attempts = q.attempts + 1, last_at = now()`

// queueQuarantine queues the rows that are set aside, and lets go of those that
// are not any more.
func (s *shared) queueQuarantine(batch *pgx.Batch, list []*version) {
	var tables []string
	var hashes [][]byte
	for _, v := range list {
		if a := v.aside; a != nil {
			hash := s.hashKey(v.table, a.Key)
			batch.Queue(upsertQuarantine, v.table.id, hash, s.sealAside(a.setAside, v.table.id, hash), string(a.reason), a.lacks)
			s.anyAside.Store(true)
			continue
		}
		if v.source != nil && !v.only { // what is written only if it is there, is not there
			tables, hashes = append(tables, v.table.id), append(hashes, s.hashKey(v.table, v.source))
		}
	}
	if len(tables) > 0 && s.anyAside.Load() {
		batch.Queue(`delete from deid.quarantine q using unnest($1::text[], $2::bytea[]) u(t, h)
			where q.table_name = u.t and q.key_hmac = u.h`, tables, hashes)
	}
}

var errPosition = errors.New("another process moved the position")
