package replicator

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// requeue says that a patient's record changed, so that the published notes must
// be read again.
type requeue struct {
	pseudonym, sourceKey string
	lsn                  pglogrepl.LSN
	noted                bool // notes of the patient come before the change in its group
}

// pathChange says that a row changed which leads others to their patient, so that those
// must be read again, of whichever patients they were and are. Its value is the source's: it prints
// itself redacted.
type pathChange struct {
	target target
	value  string
	hash   string // keyed: identifies the row in the vault
	lsn    pglogrepl.LSN
	fresh  bool // the row is new: only rows that were set aside can be under it
}

func (p pathChange) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "path[%s, %d bytes]", p.target.table.id, len(p.value))
}
func (p pathChange) LogValue() slog.Value { return slog.StringValue(fmt.Sprintf("%v", p)) }

// key returns what names the row, as the vault seals it.
func (p *pathChange) key() []string {
	return []string{p.target.table.id, p.target.table.columns[p.target.column].Name, p.value}
}

// pathChange returns the change of the row that a value leads to.
func (r *register) pathChange(to target, value string) pathChange {
	p := pathChange{target: to, value: value}
	p.hash = string(r.key.HMAC("path", p.key()...))
	return p
}

// openPath is the inverse of key. A row of a table that is not mapped any more has no
// rows under it.
func openPath(p *plan, key []string) *pathChange {
	if len(key) != 3 || p.byID[key[0]] == nil {
		return &pathChange{target: target{table: &table{}}}
	}
	t := p.byID[key[0]]
	return &pathChange{target: target{t, t.columnIndex(key[1])}, value: key[2]}
}

// leads returns what a change of the stream means for the rows that find their patient
// through its row.
func (r *register) leads(c *change) []pathChange {
	if c.row == nil || c.read {
		return nil
	}
	var list []pathChange
	for _, i := range c.table.lookups {
		if v := c.row[i]; v.state == present {
			p := r.pathChange(target{c.table, i}, v.text)
			p.lsn, p.fresh = c.lsn, c.op == insertOp
			list = append(list, p)
		}
	}
	return list
}

const insertRequeue = `
	insert into deid.requeue (patient, source_key, lsn)
	select u.patient, u.source_key, u.lsn::pg_lsn
	from unnest($1::text[], $2::bytea[], $3::text[], $4::bool[]) u(patient, source_key, lsn, noted)
	where u.noted or exists (select from deid.note_provenance p where p.patient = u.patient)
	on conflict (patient) do update set source_key = excluded.source_key, lsn = excluded.lsn`

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
func (s *store) queueRequeue(batch *pgx.Batch, g *group) {
	if len(g.requeue) > 0 {
		var names, lsns []string
		var keys [][]byte
		var noted []bool
		for name, r := range g.requeue {
			names, lsns, noted = append(names, name), append(lsns, r.lsn.String()), append(noted, r.noted)
			keys = append(keys, s.seals.SealKey("requeue", []string{r.sourceKey}, name))
		}
		batch.Queue(insertRequeue, names, keys, lsns, noted)
	}
	var hashes, keys [][]byte
	var lsns []string
	var fresh []bool
	for hash, p := range g.paths {
		if p.fresh && !s.anyAside.Load() {
			continue
		}
		hashes, lsns, fresh = append(hashes, []byte(hash)), append(lsns, p.lsn.String()), append(fresh, p.fresh)
		keys = append(keys, s.seals.SealKey("path", p.key(), hash))
	}
	if len(hashes) > 0 {
		batch.Queue(insertRequeuePath, hashes, keys, lsns, fresh)
	}
}

// storeRequeue stores what a group's changes ask for, and reports whether there was
// something.
func (w *writer) storeRequeue(ctx context.Context, tx pgx.Tx, g *group) (bool, error) {
	batch := &pgx.Batch{}
	w.queueRequeue(batch, g)
	if batch.Len() == 0 {
		return false, nil
	}
	return true, fault.New("queue what must be read again", tx.SendBatch(ctx, batch).Close(), "")
}

// hops returns after how many joins t's path comes to a target, or 0 if it does not.
func (t *table) hops(to target) int {
	n := 0
	for at := t; at.next != nil; at = at.next {
		n++
		if (target{at.next, at.into}) == to {
			return n
		}
	}
	return 0
}

// join writes the FROM clause of t with the first hops of its path.
func (t *table) join(at place, hops int) string {
	clause := at(t) + " t0"
	from := t
	for n := range hops {
		clause += fmt.Sprintf(" join %s t%d on t%d.%s = t%d.%s", at(from.next), n+1, n+1, quote(from.Patient.Key), n, quote(from.Patient.Column))
		from = from.next
	}
	return clause
}

// addPath takes in what a change means for rows under its row.
func (g *group) addPath(p pathChange) {
	if before, ok := g.paths[p.hash]; ok {
		p.fresh = p.fresh && before.fresh
	}
	g.paths[p.hash] = p
}
