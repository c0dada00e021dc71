package desk

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Remember makes words of a note known as words of its patient's record, and queues that all notes of
// the patient are made anew: the process that follows the stream then finds the words in each of them, and so does
// every later search. The vault keeps keyed hashes alone, and who had them kept: [Desk.TakeBack] has them forgotten. The note is read with
// the rights of the role, and ranges are in characters of the text that was seen, which it must still have, so a person can't have words
// remembered that they may not read.
func (d *Desk) Remember(ctx context.Context, role, by string, of review.Item, seen string, at [2]int) (id int64, err error) {
	err = d.with(ctx, func(c *connections) error {
		u, err := d.readSeen(ctx, c, role, of, seen)
		if err != nil {
			return err
		}
		r := review.Repair{By: by, Mark: review.Mark{Start: at[0], End: at[1], Type: phi.Patient.String(), Verdict: review.Missed, At: time.Now()}}
		if err := d.fill(c, u, &r, of); err != nil {
			return err
		}
		r.Scope = review.Everywhere
		entries, _ := c.look.Memorable(r.Patient, string([]rune(u.text)[at[0]:at[1]]))
		if len(entries) == 0 {
			return review.ErrNotKept
		}
		return c.changeRepairs(ctx, &r, func(tx pgx.Tx, s *store.Store) (err error) {
			if id, err = remember(ctx, c, tx, s, &r, entries); err == nil && id == 0 {
				err = review.ErrKnown
			}
			return err
		})
	})
	return id, err
}

// remember stores words of a patient, with the repair that says who had them kept; 0 if the record has had all of them.
func remember(ctx context.Context, c *connections, tx pgx.Tx, s *store.Store, r *review.Repair, entries []surrogate.Entry) (int64, error) {
	known := map[string]bool{}
	err := c.look.Seals.Entries(ctx, tx.Conn(), []string{r.Patient}, func(_ string, e surrogate.Entry) {
		known[e.Kind+string(e.Hash)] = true
	})
	if err != nil {
		return 0, fault.New("read the vault", err, "run 'pgdeid migrate up'")
	}
	others, err := s.RememberedOf(ctx, r.Patient)
	if err != nil {
		return 0, err
	}
	theirs := wordsOf(others)
	for _, e := range entries {
		if !known[e.Kind+string(e.Hash)] || theirs[string(e.Hash)] {
			r.Words = append(r.Words, e.Hash)
		}
	}
	if len(r.Words) == 0 {
		return 0, nil
	}
	var choices vault.Choices
	choices.AddEntries(r.Patient, entries)
	if _, err := c.of.Store.Choices.Write(ctx, tx, &choices); err != nil {
		return 0, err
	}
	return s.AddRepair(ctx, r)
}

// patientName returns the pseudonym of a patient's key.
func patientName(l *patient.Lookups, key string) (string, error) {
	if key == "" {
		return "", &Refusal{"the note leads to no patient", "see the quarantine: 'pgdeid vault show quarantine'"}
	}
	return l.PseudonymOf(key)
}
