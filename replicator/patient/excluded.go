package patient

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Which patients stay out of the replica is stored there (deid.patient_filter, deid.purged), in
// the transactions of the changes that decide it. So it is as of what is applied, and not
// of what the source says by now: whoever asks within the transaction that writes rows gets
// the answer that is right for them.

// Purged says whether patients were deleted for good, and how often that has changed.
type Purged struct {
	Any     bool
	Changes int64
}

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
	p := &Purged{}
	rows, err := db.Query(ctx, "select coalesce(max(change), 0), coalesce(bool_or(undone_at is null), false) from deid.purged")
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	_, err = pgx.ForEachRow(rows, []any{&p.Changes, &p.Any}, func() error { return nil })
	return p, fault.New(op, err, "")
}

// outState reads what the replica says of patients by their hashes: whether they were purged, are
// kept out, or let in.
const outState = `
	select u.n, exists (select from deid.purged p where p.patient_hmac = u.hash and p.undone_at is null),
		exists (select from deid.patient_filter f where f.patient_hmac = u.hash and not f.includes),
		exists (select from deid.patient_filter f where f.patient_hmac = u.hash and f.includes)
	from unnest($1::bytea[]) with ordinality u(hash, n)`

// StayOut returns which patients, by pseudonym, stay out of the replica, as db sees it.
func (r *Register) StayOut(ctx context.Context, db vault.Querier, names []string) (map[string]bool, error) {
	const op = "read which patients stay out"
	if len(names) == 0 {
		return map[string]bool{}, nil
	}
	hashes := make([][]byte, len(names))
	for i, name := range names {
		hashes[i] = r.Seals.PatientHash(name)
	}
	rows, err := db.Query(ctx, outState, hashes)
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	stay := map[string]bool{}
	var n int
	var purged, out, in bool
	_, err = pgx.ForEachRow(rows, []any{&n, &purged, &out, &in}, func() error {
		if purged || out || r.Plan.Cohort && !in {
			stay[names[n-1]] = true
		}
		return nil
	})
	return stay, fault.New(op, err, "")
}

// Excluded is [Register.StayOut] by source keys, of which empty ones are no patient's, for a session
// that knows of all purges. It asks only where somebody may stay out.
func (r *Register) Excluded(ctx context.Context, db vault.Querier, keys []string) (map[string]bool, error) {
	if !r.LeavesOut() {
		return nil, nil
	}
	byName := map[string]string{}
	for _, key := range keys {
		if key == "" {
			continue
		}
		name, err := r.PseudonymOf(key)
		if err != nil {
			return nil, fault.New("name a patient", err, "check patient_key of the mapping")
		}
		byName[name] = key
	}
	stay, err := r.StayOut(ctx, db, slices.Sorted(maps.Keys(byName)))
	excluded := map[string]bool{}
	for name := range stay {
		excluded[byName[name]] = true
	}
	return excluded, err
}

// LeavesOut reports whether anybody may stay out of the replica.
func (r *Register) LeavesOut() bool {
	return r.Plan.Config.Filtered() || r.Purged != nil && r.Purged.Any
}

// FilterRow returns the patient of whom a filter's row tells, as the register writes keys;
// "" if the row does not count.
func (r *Register) FilterRow(f *schema.Filter, row []schema.Value) string {
	key, ok := f.Match(row)
	if !ok {
		return ""
	}
	return r.canonical(key)
}
