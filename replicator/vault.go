package replicator

import (
	"errors"
	"strconv"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/surrogate"
)

// These functions queue the statements that write the vault, beside the rows they
// belong to.

const insertSurrogates = `
	insert into deid.surrogate (patient, kind, original_hmac, surrogate)
	select * from unnest($1::text[], $2::text[], $3::bytea[], $4::text[])
	on conflict (patient, kind, original_hmac) do update set surrogate = excluded.surrogate
	where deid.surrogate.surrogate <> excluded.surrogate
	returning xmax::text <> '0'`

// queueSurrogates queues new surrogates. One that another process stored first
// with another value makes the batch fail with errStale.
func (s *shared) queueSurrogates(batch *pgx.Batch, g *group) {
	if len(g.entries) == 0 {
		return
	}
	var patients, kinds, surrogates []string
	var hashes [][]byte
	for id, e := range g.entries {
		patients, kinds = append(patients, id.patient), append(kinds, id.kind)
		hashes, surrogates = append(hashes, e.Hash), append(surrogates, e.Surrogate)
	}
	batch.Queue(insertSurrogates, patients, kinds, hashes, surrogates).Query(func(rows pgx.Rows) error {
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

func queueShifts(batch *pgx.Batch, g *group) {
	if len(g.shifts) == 0 {
		return
	}
	var names []string
	var days []int32
	for name, p := range g.shifts {
		names, days = append(names, name), append(days, int32(p.shift)) //nolint:gosec // a shift is bounded by decades
	}
	batch.Queue(`
		insert into deid.date_shift (patient, days) select * from unnest($1::text[], $2::int[])
		on conflict (patient) do nothing`, names, days)
}

// provenanceRows are the arrays of one statement: a text each. Lists within them
// are written in PostgreSQL's format, since arrays of lists of different lengths
// don't exist.
type provenanceRows struct {
	columns, rows, patients        []string
	lsns                           []*string
	hmacs                          [][]byte
	starts, ends, types, detectors []string
}

// newProvenance reads the arrays as rows.
const newProvenance = `
	from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[], $10::text[], $11::text[], $12::text[])
		u(column_name, row_key, patient, lsn, text_hmac, span_start, span_end, span_type, span_by)`

const upsertProvenance = `
	insert into deid.note_provenance (table_name, version, config_hash, column_name, row_key, patient, lsn, text_hmac,
		span_start, span_end, span_type, span_by)
	select $1, $2, $3, u.column_name, u.row_key, u.patient, u.lsn::pg_lsn, u.text_hmac, u.span_start::int[], u.span_end::int[],
		u.span_type::text[], u.span_by::int[]` + newProvenance + `
	on conflict (table_name, column_name, row_key) do update set patient = excluded.patient, lsn = excluded.lsn,
		version = excluded.version, config_hash = excluded.config_hash, text_hmac = excluded.text_hmac,
		span_start = excluded.span_start, span_end = excluded.span_end, span_type = excluded.span_type,
		span_by = excluded.span_by, deid_at = now()`

// updateProvenance is upsertProvenance for rows that are written only if they are
// there: then there is provenance too.
const updateProvenance = `
	update deid.note_provenance p set patient = u.patient, lsn = u.lsn::pg_lsn, version = $2, config_hash = $3,
		text_hmac = u.text_hmac, span_start = u.span_start::int[], span_end = u.span_end::int[],
		span_type = u.span_type::text[], span_by = u.span_by::int[], deid_at = now()` + newProvenance + `
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
				remade.add(column, v, n)
			default:
				made.add(column, v, n)
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

func (r *provenanceRows) add(column string, v *version, n int) {
	text := v.texts[n]
	starts, ends, types, by := spanLists(text.spans)
	r.columns, r.rows, r.patients = append(r.columns, column), append(r.rows, v.rowKey), append(r.patients, v.patient)
	r.lsns, r.hmacs = append(r.lsns, lsnParam(v.item.change.lsn)), append(r.hmacs, text.hmac)
	r.starts, r.ends = append(r.starts, starts), append(r.ends, ends)
	r.types, r.detectors = append(r.types, types), append(r.detectors, by)
}

func (r *provenanceRows) queue(batch *pgx.Batch, sql string, s *shared, t *table) {
	if len(r.rows) > 0 {
		batch.Queue(sql, t.id, s.version, s.config, r.columns, r.rows, r.patients, r.lsns, r.hmacs, r.starts, r.ends, r.types,
			r.detectors)
	}
}

// spanLists writes the spans as array literals; types have no letters that would
// need quoting.
func spanLists(spans []surrogate.Span) (starts, ends, types, by string) {
	var s, e, t, b []byte
	for i, sp := range spans {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		s, e, b = append(s, sep), append(e, sep), append(b, sep)
		s, e = strconv.AppendInt(s, int64(sp.Start), 10), strconv.AppendInt(e, int64(sp.End), 10)
		t = append(append(t, sep), sp.Type.String()...)
		b = strconv.AppendInt(b, int64(int32(sp.By)), 10) //nolint:gosec // a set of bits
	}
	if len(spans) == 0 {
		return "{}", "{}", "{}", "{}"
	}
	return string(s) + "}", string(e) + "}", string(t) + "}", string(b) + "}"
}

// lsnParam returns a position as text, or nil for none.
func lsnParam(lsn pglogrepl.LSN) *string {
	if lsn == 0 {
		return nil
	}
	text := lsn.String()
	return &text
}

const upsertQuarantine = `
	insert into deid.quarantine as q (table_name, key_hmac, source_key, patient, lsn, reason, lacks)
	values ($1, $2, $3, $4, $5::text::pg_lsn, $6, $7)
	on conflict (table_name, key_hmac) do update set source_key = excluded.source_key, patient = excluded.patient,
		lsn = excluded.lsn, reason = excluded.reason, lacks = excluded.lacks, attempts = q.attempts + 1, last_at = now()`

// queueQuarantine queues the rows that are set aside, and lets go of those that
// are not any more.
func (s *shared) queueQuarantine(batch *pgx.Batch, list []*version) {
	var tables []string
	var hashes [][]byte
	for _, v := range list {
		if a := v.aside; a != nil {
			var patient *string
			if a.patient != "" {
				patient = &a.patient
			}
			batch.Queue(upsertQuarantine, v.table.id, s.hashKey(v.table, a.source), s.sealKey(v.table.id, a.source), patient,
				lsnParam(a.lsn), string(a.reason), a.lacks)
			s.metrics.quarantined.WithLabelValues(string(a.reason)).Inc()
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
