package patient

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Which patients stay out of the replica is stored there (deid.patient_filter, deid.purged), in
// the transactions of the changes that decide it. So it is as of what is applied, and not
// of what the source says by now: a question within the transaction that writes rows gets
// the answer that is right for them.

// Purged says whether patients were deleted for good, and how often that has changed.
type Purged struct {
	Any     bool
	Changes int64
}

// purgeChanges counts purges and what undid them.
const purgeChanges = "select coalesce(max(change), 0) from deid.purged"

// QueuePurgeChanges queues the question whether a patient was purged, or came back, and passes
// the answer.
func QueuePurgeChanges(batch *pgx.Batch, changes *int64) {
	batch.Queue(purgeChanges).QueryRow(func(row pgx.Row) error { return row.Scan(changes) })
}

// ReadPurged reads who was purged.
func ReadPurged(ctx context.Context, db vault.Querier) (*Purged, error) {
	const op = "read which patients were purged"
	p := &Purged{}
	rows, _ := db.Query(ctx, "select coalesce(max(change), 0), coalesce(bool_or(undone_at is null), false) from deid.purged")
	_, err := pgx.ForEachRow(rows, []any{&p.Changes, &p.Any}, func() error { return nil })
	return p, fault.New(op, err, "run 'pgdeid migrate up'")
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
	stay := map[string]bool{}
	said, err := r.readOut(ctx, db, names)
	for _, name := range names {
		if said.staysOut([]string{name}, r.Plan.Cohort) {
			stay[name] = true
		}
	}
	return stay, err
}

func (r *Register) readOut(ctx context.Context, db vault.Querier, names []string) (out, error) {
	const op = "read which patients stay out"
	said := out{out: map[string]bool{}, in: map[string]bool{}}
	if len(names) == 0 {
		return said, nil
	}
	hashes := make([][]byte, len(names))
	for i, name := range names {
		hashes[i] = r.Seals.PatientHash(name)
	}
	rows, _ := db.Query(ctx, outState, hashes)
	var n int
	var purged, excluded, included bool
	_, err := pgx.ForEachRow(rows, []any{&n, &purged, &excluded, &included}, func() error {
		said.out[names[n-1]], said.in[names[n-1]] = purged || excluded, included
		return nil
	})
	return said, fault.New(op, err, "run 'pgdeid migrate up'")
}

// Excluded is [Register.StayOut] by source keys, of which empty ones are no patient's, for a session
// that knows of all purges. It asks only where patients may stay out.
func (r *Register) Excluded(ctx context.Context, db vault.Querier, keys []string) (map[string]bool, error) {
	if !r.LeavesOut() {
		return nil, nil
	}
	return r.ExcludedNow(ctx, db, keys)
}

// ExcludedNow is [Register.Excluded] for a session that may not know of all purges.
func (r *Register) ExcludedNow(ctx context.Context, db vault.Querier, keys []string) (map[string]bool, error) {
	ids := map[string][]string{} // by key: the pseudonyms of all ids that stand for the patient
	all := map[string]bool{}
	for _, key := range keys {
		if key == "" || ids[key] != nil {
			continue
		}
		for _, id := range r.Merges.Members(key) {
			name, err := r.PseudonymOf(id)
			if err != nil {
				return nil, fault.New("name a patient", err, "check patient_key of the mapping")
			}
			ids[key], all[name] = append(ids[key], name), true
		}
	}
	said, err := r.readOut(ctx, db, slices.Sorted(maps.Keys(all)))
	excluded := map[string]bool{}
	for key, names := range ids {
		excluded[key] = said.staysOut(names, r.Plan.Cohort)
	}
	return excluded, err
}

// out is what the replica says of patients, by pseudonym.
type out struct {
	phi.Redacted
	out, in map[string]bool
}

// staysOut reports whether the patient of whom these are pseudonyms stays out: one of them is enough
// for that, or to be let in.
func (o out) staysOut(names []string, cohort bool) bool {
	is := func(set map[string]bool) bool {
		return slices.ContainsFunc(names, func(name string) bool { return set[name] })
	}
	return is(o.out) || cohort && !is(o.in)
}

// LeavesOut reports whether anybody may stay out of the replica.
func (r *Register) LeavesOut() bool {
	return r.Plan.Config.Filtered() || r.Purged != nil && r.Purged.Any
}

// MergeRow returns what a row of a table of merges says, as the register writes keys; the zero
// value if that is nothing.
func (r *Register) MergeRow(f *schema.Filter, row []schema.Value) Merge {
	key, ok := f.Match(row)
	if !ok || row[f.Into].State != schema.Present {
		return Merge{}
	}
	m := Merge{From: r.canonical(key), Into: r.canonical(row[f.Into].Text)}
	return m.said()
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
