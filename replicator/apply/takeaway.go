package apply

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/rotation"
)

// Place is where the replica has something of a patient: a table, and the condition that finds
// it. $1 holds pseudonyms, and $2 their keyed hashes.
type Place struct {
	Table     string // as messages name it
	from      string
	condition string
}

// Count returns the statement that counts what is there.
func (p *Place) Count() string {
	return fmt.Sprintf("select count(*) from %s t where %s and %s", p.from, p.condition, bothUsed)
}

func (p *Place) remove() string {
	return fmt.Sprintf("delete from %s t where %s and %s", p.from, p.condition, bothUsed)
}

const (
	requeueTable   = "deid.requeue"
	surrogateTable = "deid.surrogate"
	repairTable    = "deid.review_repair"
	notWhole       = " and not t.whole" // what is to be read again may be set aside
)

// bothUsed mentions both parameters, so that each statement can be given them.
const bothUsed = "$1::text[] is not null and $2::bytea[] is not null"

// PlacesOf lists where the replica has something of patients: first the tables that analysts
// read, then the vault. The order is that of removal.
//
// Of a patient whose rows another one has taken over, hashes of names stay: without them these
// would be published in notes that are the other one's now.
func PlacesOf(p *schema.Plan) []Place {
	var list []Place
	for _, t := range p.Tables {
		if len(t.Publish) == 0 || !t.HasPatient() {
			continue
		}
		names := []string{t.ID, t.ID + " (waiting)", t.ID + " (released)"}
		for i, from := range t.Places() {
			list = append(list, Place{Table: names[i], from: from, condition: "t." + research.PatientColumn + " = any($1)"})
		}
	}
	vault := func(table, condition string) {
		list = append(list, Place{Table: "deid." + table, from: "deid." + table, condition: condition})
	}
	vault("note_provenance", "t.patient = any($1)")
	vault("quarantine", "t.patient_hmac = any($2)")
	vault(requeueTable[len("deid."):], "t.patient = any($1)")
	vault("patient_former", "t.patient = any($1)")
	vault("review_item", "t.patient = any($1)") // and what was decided about them; that they were looked at stays
	vault("review_member", "t.patient = any($1)")
	vault(repairTable[len("deid."):], "t.patient = any($1)")
	vault("date_shift", "t.patient = any($1)")
	vault(surrogateTable[len("deid."):], "t.patient = any($1) and (t.kind <> 'record' or t.patient not in (select former from deid.patient_former))")
	return list
}

// TakeAway removes everything of patients, by source key, from the replica and its vault, and with them the names of ids that
// stand for them. What is in hand of them is void once tx is committed.
func (w *Writer) TakeAway(ctx context.Context, tx pgx.Tx, keys []string) error {
	_, err := w.takeAway(ctx, tx, w.members(keys), map[string]string{requeueTable: notWhole})
	return err
}

// takeRows is [Writer.TakeAway] of patients whose rows are others' now: the names of their records stay, and what people decided
// about places of their notes, which holds for whose these are now. It reports whether there was something.
func (w *Writer) takeRows(ctx context.Context, tx pgx.Tx, keys []string) (bool, error) {
	counts, err := w.takeAway(ctx, tx, keys, map[string]string{requeueTable: notWhole, surrogateTable: " and t.kind <> 'record'", repairTable: " and false"})
	return slices.ContainsFunc(counts, func(n int64) bool { return n > 0 }), err
}

// members returns keys with the ids that stand for them.
func (w *Writer) members(keys []string) []string {
	var list []string
	for _, key := range keys {
		list = append(list, w.Reg.Merges.Members(key)...)
	}
	return distinct(list)
}

// TakeAwayCounted is [Writer.TakeAway] with all requests to read something again, and returns how many
// rows went, by index of [PlacesOf].
func (w *Writer) TakeAwayCounted(ctx context.Context, tx pgx.Tx, keys []string) ([]int64, error) {
	return w.takeAway(ctx, tx, w.members(keys), nil)
}

// takeAway removes what the replica has of patients, less what stays, by table.
func (w *Writer) takeAway(ctx context.Context, tx pgx.Tx, keys []string, but map[string]string) ([]int64, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	names, hashes, err := w.Named(keys)
	if err != nil {
		return nil, err
	}
	if w.gone == nil {
		w.gone = map[string]string{}
	}
	for i, key := range keys {
		w.gone[key] = names[i]
	}
	places := PlacesOf(w.plan)
	counts := make([]int64, len(places))
	batch := &pgx.Batch{}
	for i := range places {
		batch.Queue(places[i].remove()+but[places[i].from], names, hashes).Exec(func(tag pgconn.CommandTag) error {
			counts[i] = tag.RowsAffected()
			return nil
		})
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return counts, fault.New("take a patient out of the replica", err, WriteHint(err))
	}
	return counts, w.takeAwayBefore(ctx, tx, keys)
}

// takeAwayBefore removes patients also from what analysts read of the key before, while it is changed. Our turn to
// write keeps the switch to the next key away.
func (w *Writer) takeAwayBefore(ctx context.Context, tx pgx.Tx, keys []string) error {
	const op = "take a patient out of the rows of the key before"
	if w.Reg.Before == nil {
		return nil
	}
	state, err := rotation.Read(ctx, tx.Conn())
	if err != nil || state == nil {
		return err
	}
	names := make([]string, len(keys))
	for i, key := range keys {
		if names[i], err = w.Reg.Before.PseudonymOf(w.plan.Config, key); err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
	}
	batch := &pgx.Batch{}
	for _, t := range w.plan.Tables {
		if len(t.Publish) > 0 && t.HasPatient() {
			batch.Queue(fmt.Sprintf("delete from %s where %s = any($1)", research.BeforeTable(t.Table), research.PatientColumn), names)
		}
	}
	batch.Queue("delete from deid.rotation_former where patient = any($1)", names)
	batch.Queue(`delete from deid.rotation_word where kind = 'record' and patient = any($1)
		and patient not in (select former from deid.rotation_former)`, names)
	return fault.New(op, tx.SendBatch(ctx, batch).Close(), "")
}

// Named returns the pseudonyms and the keyed hashes of patients.
func (w *Writer) Named(keys []string) (names []string, hashes [][]byte, err error) {
	for _, key := range keys {
		name, err := w.Reg.PseudonymOf(key)
		if err != nil {
			return nil, nil, fault.New("name a patient", err, "check patient_key of the mapping")
		}
		names, hashes = append(names, name), append(hashes, w.seals.PatientHash(name))
	}
	return names, hashes, nil
}

// AskFor queues that all rows of patients are read again.
func (w *Writer) AskFor(ctx context.Context, tx pgx.Tx, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	names, _, err := w.Named(keys)
	if err != nil {
		return err
	}
	sealed := make([][]byte, len(keys))
	for i, key := range keys {
		sealed[i] = w.seals.SealKey("requeue", []string{key}, names[i])
	}
	w.asked = true
	_, err = tx.Exec(ctx, `
		insert into deid.requeue (patient, source_key, whole) select *, true from unnest($1::text[], $2::bytea[])
		on conflict (patient) do update set source_key = excluded.source_key, whole = true`, names, sealed)
	return fault.New("queue what must be read again", err, "")
}

// forgetChanged drops what is in hand of patients who were taken away or stay out, and has those loaded anew who have taken
// over rows, once that is committed.
func (w *Writer) forgetChanged() {
	for _, key := range w.grown {
		w.Reg.Cache.Forget(key)
	}
	for key := range w.gone {
		w.Reg.Cache.Drop(key)
	}
	for _, id := range w.unlearned {
		w.Reg.Cache.Drop(id)
	}
	w.gone, w.grown, w.unlearned = nil, nil, nil
}
