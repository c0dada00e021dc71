package patient

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Which patients stay out of the replica is stored there (deid.patient_filter, deid.purged), in
// the transactions of the changes that decide it. So it is as of what is applied, and not
// of what the source says by now: whoever asks within the transaction that writes rows gets
// the answer that is right for them.

// Purged are the patients who were deleted for good, by their keyed hashes, and how often
// that has changed.
type Purged struct {
	patients map[string]bool
	Changes  int64
}

func (p *Purged) has(hash []byte) bool { return p != nil && p.patients[string(hash)] }

func (p *Purged) empty() bool { return p == nil || len(p.patients) == 0 }

// purgeChanges counts purges and what undid them.
const purgeChanges = "select coalesce(max(change), 0) from deid.purged"

// QueuePurgeChanges queues the question whether somebody was purged, or came back, and passes
// the answer.
func QueuePurgeChanges(batch *pgx.Batch, changes *int64) {
	batch.Queue(purgeChanges).QueryRow(func(row pgx.Row) error { return row.Scan(changes) })
}

// ReadPurged reads who was purged.
func ReadPurged(ctx context.Context, db vault.Querier) (*Purged, error) {
	const op = "read which patients were purged"
	p := &Purged{patients: map[string]bool{}}
	rows, err := db.Query(ctx, "select patient_hmac, change, undone_at is null from deid.purged")
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	var hash []byte
	var change int64
	var purged bool
	_, err = pgx.ForEachRow(rows, []any{&hash, &change, &purged}, func() error {
		p.Changes = max(p.Changes, change)
		if purged {
			p.patients[string(hash)] = true
		}
		return nil
	})
	return p, fault.New(op, err, "")
}

// filterState reads what the filters say of patients by their hashes.
const filterState = `
	select u.n, exists (select from deid.patient_filter f where f.patient_hmac = u.hash and not f.includes),
		exists (select from deid.patient_filter f where f.patient_hmac = u.hash and f.includes)
	from unnest($1::bytea[]) with ordinality u(hash, n)`

// Excluded returns which patients, by source key, stay out of the replica, as db sees it. An
// empty key is no patient.
func (r *Register) Excluded(ctx context.Context, db vault.Querier, keys []string) (map[string]bool, error) {
	excluded := map[string]bool{}
	if !r.LeavesOut() {
		return excluded, nil
	}
	var asked []string
	var hashes [][]byte
	seen := map[string]bool{"": true}
	for _, key := range keys {
		if seen[key] {
			continue
		}
		seen[key] = true
		name, err := r.PseudonymOf(key)
		if err != nil {
			return nil, fault.New("name a patient", err, "check patient_key of the mapping")
		}
		hash := r.Seals.PatientHash(name)
		excluded[key] = r.Purged.has(hash)
		asked, hashes = append(asked, key), append(hashes, hash)
	}
	if !r.Plan.Config.Filtered() || len(asked) == 0 {
		return excluded, nil
	}
	rows, err := db.Query(ctx, filterState, hashes)
	if err != nil {
		return nil, fault.New("read which patients stay out", err, "run 'pgdeid migrate up'")
	}
	var n int
	var out, in bool
	_, err = pgx.ForEachRow(rows, []any{&n, &out, &in}, func() error {
		key := asked[n-1]
		excluded[key] = excluded[key] || out || r.Plan.Cohort && !in
		return nil
	})
	return excluded, fault.New("read which patients stay out", err, "")
}

// LeavesOut reports whether anybody may stay out of the replica.
func (r *Register) LeavesOut() bool { return r.Plan.Config.Filtered() || !r.Purged.empty() }

// FilterRow returns the patient of whom a filter's row tells, as the register writes keys;
// "" if the row does not count.
func (r *Register) FilterRow(f *schema.Filter, row []schema.Value) string {
	key, ok := f.Match(row)
	if !ok {
		return ""
	}
	return r.canonical(key)
}
