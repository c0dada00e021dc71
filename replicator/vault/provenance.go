package vault

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Text is a published text and how it was made.
type Text struct {
	phi.Redacted

	Column, Row, Patient string        // Row: published primary key, a JSON array of texts
	LSN                  pglogrepl.LSN // of the source's commit; 0: in no stream
	Source               []byte        // hash of the source's text, with what is known of the patient
	Published            []byte        // hash of the published text
	Spans                []surrogate.Span
}

// Texts are changes to the published texts of one table.
type Texts struct {
	phi.Redacted

	Table   string
	New     []Text      // of rows that the replica does not have
	Written []Text      // new, or in the place of former ones
	Updated []Text      // only where there was one before
	Kept    []Text      // made anew and published as they are; only where that is still so
	Gone    [][2]string // column and row of texts that are not there any more
}

// Provenance writes how published texts were made.
type Provenance struct {
	seals           Seals
	version, config string
	now             func() time.Time
}

// NewProvenance returns the provenance that a version of the program writes with a
// configuration, of which it stores the hash.
func NewProvenance(key *surrogate.Key, version, config string, now func() time.Time) *Provenance {
	return &Provenance{NewSeals(key), version, config, now}
}

// Queue queues the statements that store texts.
func (p *Provenance) Queue(batch *pgx.Batch, t *Texts) {
	p.queue(batch, insertProvenance, t.Table, t.New)
	p.queue(batch, upsertProvenance, t.Table, t.Written)
	p.queue(batch, updateProvenance, t.Table, t.Updated)
	p.queue(batch, updateProvenance+" and p.published_hmac = u.published_hmac", t.Table, t.Kept)
	if len(t.Gone) == 0 {
		return
	}
	var columns, rows []string
	for _, g := range t.Gone {
		columns, rows = append(columns, g[0]), append(rows, g[1])
	}
	batch.Queue(`delete from deid.note_provenance p using unnest($2::text[], $3::text[]) u(c, r)
		where p.table_name = $1 and p.column_name = u.c and p.row_key = u.r`, t.Table, columns, rows)
}

// ReadSpans passes the places of surrogates in the published texts of rows, with the column and the row of each.
func ReadSpans(ctx context.Context, db Querier, seals Seals, table string, rows []string,
	each func(column, row string, spans []surrogate.Span),
) error {
	const op = "read where surrogates are"
	found, err := db.Query(ctx, `select column_name, row_key, patient, sealed from deid.note_provenance
		where table_name = $1 and row_key = any($2)`, table, rows)
	if err != nil {
		return fault.New(op, err, "")
	}
	var column, row, patient string
	var sealed []byte
	_, err = pgx.ForEachRow(found, []any{&column, &row, &patient, &sealed}, func() error {
		m, err := seals.openMaking(place{table, column, row, patient}, sealed)
		if err == nil {
			each(column, row, m.spans)
		}
		return err
	})
	return fault.New(op, err, sealedHint)
}

// OfRows reads the provenance, as p, of columns ($2) of rows ($3) of a table ($1). Each is looked up in the index: in one
// look-up of all, a server without statistics, as it is behind a large transaction, may read all that the table has.
const OfRows = `
	from unnest($2::text[]) columns(name) cross join unnest($3::text[]) rows(key) cross join lateral (
		select * from deid.note_provenance where table_name = $1 and column_name = columns.name and row_key = rows.key limit 1) p`

// newProvenance reads the arrays as rows.
const newProvenance = `
	from unnest($4::text[], $5::text[], $6::text[], $7::bytea[], $8::bytea[], $9::bytea[])
		u(column_name, row_key, patient, text_hmac, published_hmac, sealed)`

const insertProvenance = `
	insert into deid.note_provenance (table_name, version, config_hash, column_name, row_key, patient, text_hmac, published_hmac, sealed)
	select $1, $2, $3, u.column_name, u.row_key, u.patient, u.text_hmac, u.published_hmac, u.sealed` + newProvenance

const upsertProvenance = insertProvenance + `
	on conflict (table_name, column_name, row_key) do update set patient = excluded.patient, version = excluded.version,
		config_hash = excluded.config_hash, text_hmac = excluded.text_hmac, published_hmac = excluded.published_hmac,
		sealed = excluded.sealed`

// updateProvenance is upsertProvenance for rows that are written only if they are
// there: then there is provenance too.
const updateProvenance = `
	update deid.note_provenance p set patient = u.patient, version = $2, config_hash = $3, text_hmac = u.text_hmac,
		published_hmac = u.published_hmac, sealed = u.sealed` + newProvenance + `
	where p.table_name = $1 and p.column_name = u.column_name and p.row_key = u.row_key`

func (p *Provenance) queue(batch *pgx.Batch, sql, table string, texts []Text) {
	if len(texts) == 0 {
		return
	}
	var columns, rows, patients []string
	var sources, published, sealed [][]byte
	for _, t := range texts {
		columns, rows, patients = append(columns, t.Column), append(rows, t.Row), append(patients, t.Patient)
		sources, published = append(sources, t.Source), append(published, t.Published)
		sealed = append(sealed, p.seals.sealMaking(place{table, t.Column, t.Row, t.Patient}, making{p.now(), t.LSN, t.Spans}))
	}
	batch.Queue(sql, table, p.version, p.config, columns, rows, patients, sources, published, sealed)
}
