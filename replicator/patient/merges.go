package patient

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// A table of the source can say that one patient id means another patient, whose rows stay under
// it: a merge. Whatever is looked up by a patient's key then finds the rows of all ids that stand
// for the patient, and what leads to one of these leads to the patient. The ids are known as of what is
// written: the process that writes such a row takes it in ([Merges.Set]), in its transaction. What was looked up
// before is void then, or requested again.

// Merge says that a patient id means the patient of another id.
type Merge struct {
	phi.Redacted
	From, Into string
}

// said returns m, or the zero value if m says nothing: an id that stands for itself, or for no patient.
func (m Merge) said() Merge {
	if m.From == "" || m.Into == "" || m.From == m.Into {
		return Merge{}
	}
	return m
}

// Move says that the rows under a patient id are another patient's now: "" where they were, or
// are, of no patient, since it is not clear for whom the id stands.
type Move struct {
	phi.Redacted
	ID, Was, Now string
}

// MergeRow names a row of the source, by its filter and the hash of its key.
type MergeRow struct {
	phi.Redacted
	Filter, Hash string
}

// Merges are the ids that stand for others. The zero value has none. It is safe for concurrent use.
type Merges struct {
	phi.Redacted

	mu   sync.RWMutex
	rows map[MergeRow]Merge         // by the hash of the source's row
	into map[string]map[string]int  // how many rows say so
	from map[string]map[string]bool // the other way round
}

// Set takes in what rows say now, the zero value for nothing, and returns whose rows moved by
// that.
func (m *Merges) Set(said map[MergeRow]Merge) []Move {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := map[string]string{}
	for row, now := range said {
		for _, id := range []string{m.rows[row].From, now.said().From} {
			if id != "" {
				before[id] = m.survivor(id)
			}
		}
	}
	for row, now := range said {
		m.remove(row, m.rows[row])
		m.add(row, now.said())
	}
	var moves []Move
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if after := m.survivor(id); after != before[id] {
			moves = append(moves, Move{ID: id, Was: before[id], Now: after})
		}
	}
	return moves
}

func (m *Merges) remove(row MergeRow, was Merge) {
	delete(m.rows, row)
	if was.From == "" {
		return
	}
	if m.into[was.From][was.Into]--; m.into[was.From][was.Into] == 0 {
		delete(m.into[was.From], was.Into)
		delete(m.from[was.Into], was.From)
	}
}

func (m *Merges) add(row MergeRow, now Merge) {
	if now.From == "" {
		return
	}
	if m.rows == nil {
		m.rows, m.into, m.from = map[MergeRow]Merge{}, map[string]map[string]int{}, map[string]map[string]bool{}
	}
	if m.into[now.From] == nil {
		m.into[now.From] = map[string]int{}
	}
	if m.from[now.Into] == nil {
		m.from[now.Into] = map[string]bool{}
	}
	m.rows[row] = now
	m.into[now.From][now.Into]++
	m.from[now.Into][now.From] = true
}

// Survivor returns the patient for whom an id stands in the end: itself, if no row says another,
// and "" where rows disagree or go in a circle.
func (m *Merges) Survivor(id string) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.survivor(id)
}

func (m *Merges) survivor(id string) string {
	for seen := map[string]bool{}; len(m.into[id]) > 0; {
		if seen[id] || len(m.into[id]) > 1 {
			return ""
		}
		seen[id] = true
		for next := range m.into[id] {
			id = next
		}
	}
	return id
}

// Under returns an id with all ids that stand for it, directly or not.
func (m *Merges) Under(id string) []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.all(id)
}

func (m *Merges) all(id string) []string {
	list, seen := []string{id}, map[string]bool{id: true}
	for i := 0; i < len(list); i++ {
		for _, next := range slices.Sorted(maps.Keys(m.from[list[i]])) {
			if !seen[next] {
				seen[next] = true
				list = append(list, next)
			}
		}
	}
	return list
}

// Members returns an id with all ids that stand for it in the end.
func (m *Merges) Members(id string) []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.DeleteFunc(m.all(id), func(other string) bool { return other != id && m.survivor(other) != id })
}

// under returns ids with all that stand for them.
func (m *Merges) under(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, m.Under(id)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// replace takes over what another value has.
func (m *Merges) replace(by *Merges) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows, m.into, m.from = by.rows, by.into, by.from
}

// ReadMerges reads which ids stand for others, as of what is applied.
func (r *Register) ReadMerges(ctx context.Context, db vault.Querier) error {
	const op = "read which patients were merged"
	if !r.Plan.Config.Merging() {
		return nil
	}
	rows, _ := db.Query(ctx, "select filter, row_hmac, sealed from deid.patient_merge")
	said := map[MergeRow]Merge{}
	var id string
	var hash, sealed []byte
	_, err := pgx.ForEachRow(rows, []any{&id, &hash, &sealed}, func() error {
		pair, err := r.Seals.OpenKey("merge", sealed, id, string(hash))
		if err == nil {
			said[MergeRow{Filter: id, Hash: string(hash)}] = Merge{From: pair[0], Into: pair[1]}
		}
		return err
	})
	if err == nil {
		m := &Merges{}
		m.Set(said)
		r.Merges.replace(m)
	}
	return fault.New(op, err, "run 'pgdeid migrate up'")
}

// Stands returns the patient for whom an id of the source stands, as the register writes keys; "" where it is no
// key, or it is not clear whose.
func (r *Register) Stands(id string) string { return r.Merges.Survivor(r.canonical(id)) }
