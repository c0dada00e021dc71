package vault

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// SetAside is a row for the quarantine.
type SetAside struct {
	Origin

	Table  string
	Reason string
	Lacks  []byte // hash of the row that would lead to a patient, or nil
}

// RowName names a row of the source by its table and primary key.
type RowName struct {
	phi.Redacted

	Table string
	Key   []string
}

// Quarantine writes which rows are set aside.
type Quarantine struct{ seals Seals }

// NewQuarantine returns a quarantine whose rows are sealed by s.
func NewQuarantine(s Seals) *Quarantine { return &Quarantine{s} }

const upsertQuarantine = `
	insert into deid.quarantine as q (table_name, key_hmac, sealed, reason, lacks, patient_hmac) values ($1, $2, $3, $4, $5, $6)
	on conflict (table_name, key_hmac) do update set sealed = excluded.sealed, reason = excluded.reason,
		lacks = excluded.lacks, patient_hmac = excluded.patient_hmac, attempts = q.attempts + 1, last_at = now()`

// QueueAdd queues the statement that sets a row aside.
func (q *Quarantine) QueueAdd(batch *pgx.Batch, row *SetAside) {
	hash := q.seals.RowHash(row.Table, row.Key)
	var patient []byte
	if row.Patient != "" {
		patient = q.seals.PatientHash(row.Patient)
	}
	batch.Queue(upsertQuarantine, row.Table, hash, q.seals.SealOrigin(row.Origin, row.Table, hash), row.Reason, row.Lacks, patient)
}

// QueueRemove queues the statement that removes rows from the quarantine.
func (q *Quarantine) QueueRemove(batch *pgx.Batch, rows []RowName) {
	if len(rows) == 0 {
		return
	}
	var tables []string
	var hashes [][]byte
	for _, r := range rows {
		tables, hashes = append(tables, r.Table), append(hashes, q.seals.RowHash(r.Table, r.Key))
	}
	batch.Queue(`delete from deid.quarantine q using unnest($1::text[], $2::bytea[]) u(t, h)
		where q.table_name = u.t and q.key_hmac = u.h`, tables, hashes)
}

// Whose returns under which patients rows of a table are set aside, by the index of their keys: "" of those that
// are not, or without a patient. Nothing of them was published, but their texts were written when they were those patients'.
func (q *Quarantine) Whose(ctx context.Context, db Querier, table string, keys [][]string) ([]string, error) {
	const op = "read whose rows are set aside"
	whose := make([]string, len(keys))
	if len(keys) == 0 {
		return whose, nil
	}
	at, hashes := make(map[string]int, len(keys)), make([][]byte, len(keys))
	for i, key := range keys {
		hashes[i] = q.seals.RowHash(table, key)
		at[string(hashes[i])] = i
	}
	rows, _ := db.Query(ctx, "select key_hmac, sealed from deid.quarantine where table_name = $1 and key_hmac = any($2)", table, hashes)
	var hash, sealed []byte
	_, err := pgx.ForEachRow(rows, []any{&hash, &sealed}, func() error {
		origin, err := q.seals.OpenOrigin(sealed, table, hash)
		whose[at[string(hash)]] = origin.Patient
		return err
	})
	return whose, fault.New(op, err, "run 'pgdeid migrate up'")
}
