package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql/research"
)

// PurgeReport says what was removed of patients, and what a second look found afterwards. It has
// neither keys nor pseudonyms.
type PurgeReport struct {
	At       time.Time    `json:"at"`
	Undo     bool         `json:"undo"`
	Patients int          `json:"patients"`
	Known    int          `json:"known"`  // patients of whom the replica had something
	Places   []PurgeCount `json:"tables"` // empty with Undo
	Kept     int64        `json:"kept_hashes"`
}

// PurgeCount counts what one table had and has of the patients.
type PurgeCount struct {
	Table   string `json:"table"`
	Removed int64  `json:"removed"`
	Left    int64  `json:"left"` // counted again, after all was committed
}

// Left returns how much is left in all tables: 0, unless it was put there by hand.
func (r *PurgeReport) Left() int64 {
	n := int64(0)
	for _, p := range r.Places {
		n += p.Left
	}
	return n
}

// keptHashes counts hashes of names that stay since another patient has rows with them.
const keptHashes = `select count(*) from deid.surrogate
	where patient = any($1) and kind = 'record' and patient in (select former from deid.patient_former)`

// Purge removes everything of patients, by their keys in the source, from replica and vault in one
// transaction, and remembers by a keyed hash that they stay out. With undo, they come back: the
// process that follows the stream reads them again. Either may run while that process does, which
// then begins a new session.
func Purge(ctx context.Context, o session.Options, keys []string, undo bool) (*PurgeReport, error) {
	var report *PurgeReport
	err := session.Once(ctx, o, func(s *session.Session) error {
		w, err := s.NewWriter(ctx)
		if err != nil {
			return err
		}
		keys, err := canonicalKeys(s, keys)
		if err != nil {
			return err
		}
		p := &purge{s: s, w: w, keys: keys, report: &PurgeReport{At: s.Now().UTC(), Undo: undo, Patients: len(keys)}}
		report = p.report
		if undo {
			return p.inTransaction(ctx, p.undo)
		}
		if err := p.checkOwners(ctx); err != nil {
			return err
		}
		if err := p.inTransaction(ctx, p.run); err != nil {
			return err
		}
		return p.verify(ctx)
	})
	return report, err
}

// canonicalKeys returns keys in the form in which the mapping's tables have them, each once.
func canonicalKeys(s *session.Session, keys []string) ([]string, error) {
	var list []string
	for i, key := range keys {
		c := patient.CanonicalKey(s.Cfg.PatientKey, key)
		if c == "" {
			return nil, fault.New("read the patients to purge", fmt.Errorf("line %d is no patient key of type %s", i+1, s.Cfg.PatientKey),
				"give the keys of the source, one on a line")
		}
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil, fault.New("read the patients to purge", errors.New("there is no key"), "give the keys of the source, one on a line")
	}
	return list, nil
}

// purge is one run.
type purge struct {
	phi.Redacted

	s      *session.Session
	w      *apply.Writer
	keys   []string
	report *PurgeReport
}

// checkOwners makes sure that it is known whose all rows are.
func (p *purge) checkOwners(ctx context.Context) error {
	for _, t := range p.s.Plan.Tables {
		if len(t.Publish) == 0 || !t.HasPatient() {
			continue
		}
		for _, place := range t.Places() {
			var unknown bool
			err := p.s.Control.QueryRow(ctx, fmt.Sprintf("select exists (select from %s where %s is null)", place, research.PatientColumn)).Scan(&unknown)
			if err == nil && unknown {
				err = fmt.Errorf("table %s has rows of which it is not known whose they are: an earlier version wrote them", t.ID)
			}
			if err != nil {
				return fault.New("look whose the rows are", connect.Lost(p.s.Control, err), "'pgdeid snapshot --table "+t.ID+"' writes them again")
			}
		}
	}
	return nil
}

// mark notes that the patients are purged, or that they are not any more.
const (
	mark = `insert into deid.purged (patient_hmac) select unnest($1::bytea[])
		on conflict (patient_hmac) do update set purged_at = now(), undone_at = null, change = nextval('deid.purged_change')`
	unmark = `update deid.purged set undone_at = now(), change = nextval('deid.purged_change')
		where patient_hmac = any($1) and undone_at is null`
)

// inTransaction has do write in a transaction of its own, with the keyed hashes of the patients.
func (p *purge) inTransaction(ctx context.Context, do func(ctx context.Context, tx pgx.Tx, hashes [][]byte) error) error {
	tx, err := p.w.Begin(ctx)
	if err != nil {
		return err
	}
	defer apply.Rollback(tx)
	_, hashes, err := p.w.Named(p.keys)
	if err != nil {
		return err
	}
	if err := do(ctx, tx, hashes); err != nil {
		return err
	}
	return fault.New("commit to the replica", connect.Lost(p.w.Conn, tx.Commit(ctx)), "")
}

// run marks the patients as purged and takes them away.
func (p *purge) run(ctx context.Context, tx pgx.Tx, hashes [][]byte) error {
	if err := p.openOldQuarantine(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, mark, hashes); err != nil {
		return fault.New("note that a patient is purged", err, "run 'pgdeid migrate up'")
	}
	places := apply.PlacesOf(p.s.Plan)
	p.report.Places = make([]PurgeCount, len(places))
	for _, key := range p.keys {
		counts, err := p.w.TakeAwayCounted(ctx, tx, p.withSurvivors(key))
		if err != nil {
			return err
		}
		known := false
		for i, n := range counts {
			p.report.Places[i].Table = places[i].Table
			p.report.Places[i].Removed += n
			known = known || n > 0
		}
		if known {
			p.report.Known++
		}
	}
	return nil
}

// withSurvivors returns keys with those of the patients for whom they stand.
func (p *purge) withSurvivors(keys ...string) []string {
	var list []string
	for _, key := range keys {
		for _, k := range []string{key, p.s.Reg.Merges.Survivor(key)} {
			if k != "" && !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	return list
}

// openOldQuarantine names the patients of rows that an earlier version set aside.
func (p *purge) openOldQuarantine(ctx context.Context, tx pgx.Tx) error {
	const op = "read whose rows are set aside"
	rows, _ := tx.Query(ctx, "select id, table_name, key_hmac, sealed from deid.quarantine where patient_hmac is null")
	batch := &pgx.Batch{}
	var id int64
	var table string
	var hash, sealed []byte
	_, err := pgx.ForEachRow(rows, []any{&id, &table, &hash, &sealed}, func() error {
		what, err := p.s.Seals.OpenOrigin(sealed, table, hash)
		if err == nil && what.Patient != "" {
			batch.Queue("update deid.quarantine set patient_hmac = $2 where id = $1", id, p.s.Seals.PatientHash(what.Patient))
		}
		return err
	})
	if err == nil && batch.Len() > 0 {
		err = tx.SendBatch(ctx, batch).Close()
	}
	return fault.New(op, err, "run 'pgdeid migrate up'")
}

// verify counts again what there is, in a transaction of its own.
func (p *purge) verify(ctx context.Context) error {
	const op = "look whether something is left"
	names, hashes, err := p.w.Named(p.withSurvivors(p.keys...))
	if err != nil {
		return err
	}
	places := apply.PlacesOf(p.s.Plan)
	err = pgx.BeginTxFunc(ctx, p.s.Control, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		for i := range places {
			if err := tx.QueryRow(ctx, places[i].Count(), names, hashes).Scan(&p.report.Places[i].Left); err != nil {
				return err
			}
		}
		return tx.QueryRow(ctx, keptHashes, names).Scan(&p.report.Kept)
	})
	return fault.New(op, connect.Lost(p.s.Control, err), "")
}

// undo lets the patients come back.
func (p *purge) undo(ctx context.Context, tx pgx.Tx, hashes [][]byte) error {
	tag, err := tx.Exec(ctx, unmark, hashes)
	if err != nil {
		return fault.New("note that a patient is not purged any more", err, "run 'pgdeid migrate up'")
	}
	p.report.Known = int(tag.RowsAffected())
	return p.w.AskFor(ctx, tx, p.withSurvivors(p.keys...))
}
