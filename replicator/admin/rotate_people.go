package admin

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// nextNotes says what the next key makes of what people decided about. It prints itself redacted.
type nextNotes struct {
	phi.Redacted

	look     *patient.Lookups // of the key before
	was, now *deid.Deidentifier
	patients map[string]string // pseudonyms of the next key by those of the key before
}

// withNextNotes opens a session with the key before, and calls do with what the next key makes of its notes.
func withNextNotes(ctx context.Context, o session.Options, do func(*nextNotes) error) error {
	next := o.Key
	o.Key, o.OldKey = o.OldKey, nil
	return session.Once(ctx, o, func(s *session.Session) error {
		n := &nextNotes{was: s.Deid, patients: map[string]string{}}
		var err error
		if n.now, err = s.Under(next); err != nil {
			return err
		}
		if n.look, err = session.OpenLookups(ctx, s); err != nil {
			return err
		}
		defer n.look.Close()
		if err := n.findPatients(ctx, s.Control, o.Config, s.Key, next); err != nil {
			return err
		}
		return do(n)
	})
}

// findPatients finds the patients of rounds and repairs among the source's.
func (n *nextNotes) findPatients(ctx context.Context, replica *pgx.Conn, cfg *config.Config, old, next *surrogate.Key) error {
	const op = "find the patients of rounds of review in the source"
	rows, _ := replica.Query(ctx, `select patient from deid.review_item union select patient from deid.review_repair
		union select patient from deid.review_member`)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) == 0 {
		return fault.New(op, err, "run 'pgdeid migrate up'")
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	return eachPatient(ctx, cfg, func(key string) error {
		was, err := patient.Pseudonym(old, cfg.PatientKey, config.PatientDomain, key)
		if err != nil || !wanted[was] {
			return fault.New(op, err, "check patient_key of the mapping")
		}
		n.patients[was], err = patient.Pseudonym(next, cfg.PatientKey, config.PatientDomain, key)
		return fault.New(op, err, "")
	})
}

// Patient returns a patient's pseudonym; of one whom the source does not have any more, a name that no other has.
func (n *nextNotes) Patient(pseudonym string) string {
	if name := n.patients[pseudonym]; name != "" || pseudonym == "" {
		return name
	}
	return n.gone("patient", pseudonym)
}

// gone returns a name in the place of one of the key before that can't be derived any more.
func (n *nextNotes) gone(what, name string) string {
	return "gone " + hex.EncodeToString(n.now.Reg.Key.HMAC("review before "+what, name)[:8])
}

// Note reads a note and derives the published key under which the replica will have it. Where that has a moved date, or the note is gone,
// it is one that no row has.
func (n *nextNotes) Note(ctx context.Context, of review.Note, key []string) (store.NextNote, error) {
	next := store.NextNote{
		Row: schema.RowKey([]string{n.gone("row", of.Table+" "+of.Row)}), ID: review.Hashes{Key: n.now.Reg.Key}.Note(of.Table, of.Column, key),
	}
	read, err := desk.ReadSource(ctx, n.look, of, key)
	var refused *desk.Refusal
	if errors.As(err, &refused) { // the mapping has no such texts any more
		return next, nil
	}
	if err != nil {
		return next, err
	}
	next.Text = read.Text
	for _, row := range read.Rows {
		next.ID = n.now.NoteID(read.Table, read.Column, row)
		if publishedAs(n.was, read.Table, row) == of.Row {
			next.Row = publishedAs(n.now, read.Table, row)
			break
		}
	}
	return next, nil
}

// publishedAs returns the published key of a row; "" where it depends on what is known of the patient.
func publishedAs(d *deid.Deidentifier, t *schema.Table, row []schema.Value) string {
	it := deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: t, Row: row, Read: true})
	if why := d.PublishKeys(it); why != "" {
		return ""
	}
	return it.Out.RowKey
}

// Remembered returns the hashes of words of a patient's record.
func (n *nextNotes) Remembered(patient, words string) [][]byte {
	entries, _ := n.now.Reg.Memorable(patient, words)
	hashes := make([][]byte, len(entries))
	for i, e := range entries {
		hashes[i] = e.Hash
	}
	return hashes
}

// verifyPeople opens what people decided with the next key.
func verifyPeople(ctx context.Context, db store.DB, key *surrogate.Key) ([]vault.Checked, error) {
	opened, err := store.New(db, key).Verify(ctx)
	list := make([]vault.Checked, len(opened))
	for i, o := range opened {
		list[i] = vault.Checked(o)
	}
	return list, err
}
