package desk

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// RepairHere has a person's decision about one place of a note hold whenever the note is made anew, and queues that. What the
// person decided before about words there is taken back. The note is read with the rights of the role, and must have the text that
// was seen, so a person can't repair what they may not read. The vault keeps the range and keyed hashes alone.
func (d *Desk) RepairHere(ctx context.Context, role string, r review.Repair, of review.Item, seen string) (id int64, err error) {
	err = d.with(ctx, func(c *connections) error {
		u, err := d.readSeen(ctx, c, role, of, seen)
		if err != nil {
			return err
		}
		if err := d.fill(c, u, &r, of); err != nil {
			return err
		}
		r.Scope = review.Here
		return c.changeRepairs(ctx, &r, func(tx pgx.Tx, s *store.Store) (err error) {
			if err = takeBackThere(ctx, s, &r); err == nil {
				id, err = s.AddRepair(ctx, &r)
			}
			return err
		})
	})
	return id, err
}

// readSeen reads a note that still has to have the text that a person has seen.
func (d *Desk) readSeen(ctx context.Context, c *connections, role string, of review.Item, seen string) (*unit, error) {
	u, err := d.readAs(ctx, c.look, role, of)
	if err == nil && u.text != seen {
		err = review.ErrChanged
	}
	return u, err
}

// fill fills in what a repair says of its note. It is kept with the id that the note has, so that it holds for whomever the id
// stands, also after a merge and when that is undone.
func (d *Desk) fill(c *connections, u *unit, r *review.Repair, of review.Item) (err error) {
	h := review.Hashes{Key: c.look.Key}
	chars := []rune(u.text)
	if err := review.Check([]review.Mark{r.Mark}, len(chars)); err != nil {
		return review.ErrChanged
	}
	if r.Patient, err = patientName(c.look, u.id); err != nil {
		return err
	}
	r.Note, r.Key, r.NoteID, r.SourceKey = of.Note, of.Key, c.of.Deid.NoteID(u.table, u.column, u.rows[0]), u.id
	r.Text, r.Mark.Words = h.Text(u.text), h.Words(r.Patient, string(chars[r.Mark.Start:r.Mark.End]))
	return nil
}

// takeBackThere takes back what the same person decided before about words that a repair is about.
func takeBackThere(ctx context.Context, s *store.Store, r *review.Repair) error {
	list, err := s.RepairsOf(ctx, []string{r.Patient})
	for i := 0; err == nil && i < len(list); i++ {
		if was := &list[i]; was.By == r.By && string(was.NoteID) == string(r.NoteID) && was.Mark.Start < r.Mark.End && r.Mark.Start < was.Mark.End {
			err = s.TakeBack(ctx, was, r.By)
		}
	}
	return err
}

// changeRepairs changes repairs of a patient and queues that the notes of the patient, or of whom the id stands for now, are made
// anew, in one transaction.
func (c *connections) changeRepairs(ctx context.Context, r *review.Repair, do func(pgx.Tx, *store.Store) error) error {
	const op = "change the repairs of a note"
	conn := c.look.Replica
	tx, err := conn.Begin(ctx)
	if err != nil {
		return fault.New(op, connect.Lost(conn, err), "")
	}
	defer apply.Rollback(tx)
	whose := c.look.Merges.Survivor(r.SourceKey)
	name, err := patientName(c.look, whose)
	if err != nil {
		return err
	}
	out, err := c.of.Reg.StayOut(ctx, tx, []string{name})
	if err != nil {
		return err
	}
	if out[name] {
		return review.ErrGone
	}
	if err := do(tx, store.New(tx, c.look.Key)); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		insert into deid.requeue (patient, source_key, lsn) values ($1, $2, null)
		on conflict (patient) do update set source_key = excluded.source_key`, name,
		c.look.Seals.SealKey("requeue", []string{whose}, name))
	if err != nil {
		return fault.New(op, connect.Lost(conn, err), "run 'pgdeid migrate up'")
	}
	return fault.New(op, connect.Lost(conn, tx.Commit(ctx)), "")
}

// TakeBack has a repair count no more, and queues that the patient's notes are made anew. Words that it made known of the
// patient are forgotten, unless another repair or the record itself has them. The repair stays as it is where may, if there is one,
// returns an error. The error is [store.ErrNone] where there is no such repair, and [review.ErrTaken] where it did not count.
func (d *Desk) TakeBack(ctx context.Context, id int64, by string, may func(*review.Repair) error) error {
	return d.with(ctx, func(c *connections) error {
		r, err := store.New(c.look.Replica, c.look.Key).Repair(ctx, id)
		if err == nil && may != nil {
			err = may(&r)
		}
		if err != nil {
			return err
		}
		return c.changeRepairs(ctx, &r, func(tx pgx.Tx, s *store.Store) error {
			err := s.TakeBack(ctx, &r, by)
			if errors.Is(err, store.ErrNone) {
				return review.ErrTaken
			}
			if err != nil {
				return err
			}
			return forgetWords(ctx, tx, s, &r)
		})
	})
}

// wordsOf returns the hashes of words that repairs made known.
func wordsOf(list []review.Repair) map[string]bool {
	words := map[string]bool{}
	for i := range list {
		for _, w := range list[i].Words {
			words[string(w)] = true
		}
	}
	return words
}

// forgetWords takes words of a repair out of those that are known of its patient, less those that another repair needs. What
// the record has is stored again when the patient is next read.
func forgetWords(ctx context.Context, tx pgx.Tx, s *store.Store, r *review.Repair) error {
	if len(r.Words) == 0 {
		return nil
	}
	others, err := s.RememberedOf(ctx, r.Patient)
	if err != nil {
		return err
	}
	needed := wordsOf(others)
	var gone [][]byte
	for _, w := range r.Words {
		if !needed[string(w)] {
			gone = append(gone, w)
		}
	}
	_, err = tx.Exec(ctx, "delete from deid.surrogate where patient = $1 and kind = $2 and original_hmac = any($3)", r.Patient, vault.RecordKind, gone)
	return fault.New("forget words of a patient", err, "run 'pgdeid migrate up'")
}
