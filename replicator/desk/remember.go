package desk

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Remember makes words of a note known as words of its patient's record, and queues that all notes of
// the patient are made anew: whoever follows the stream then finds the words in each of them, and so does
// every later search. The vault keeps keyed hashes alone. The note is read with the rights of the role, and
// ranges are in characters of the text that was seen, which it must still have, so nobody can have words remembered that they may not read.
func (d *Desk) Remember(ctx context.Context, role string, of review.Item, seen string, ranges [][2]int) error {
	return d.with(ctx, func(c *connections) error {
		u, err := d.readAs(ctx, c.look, role, of)
		if err != nil {
			return err
		}
		if u.text != seen {
			return review.ErrChanged
		}
		return remember(ctx, c, u, ranges)
	})
}

func remember(ctx context.Context, c *connections, u *unit, ranges [][2]int) error {
	const op = "remember words of a patient"
	var texts []string
	chars := []rune(u.text)
	for _, r := range ranges {
		if r[0] < 0 || r[1] <= r[0] || r[1] > len(chars) {
			return review.ErrChanged
		}
		texts = append(texts, string(chars[r[0]:r[1]]))
	}
	name, err := patientName(c.look, u.whose)
	if err != nil {
		return err
	}
	entries, _ := c.look.Memorable(name, texts...)
	if len(entries) == 0 {
		return review.ErrNotKept
	}
	var choices vault.Choices
	choices.AddEntries(name, entries)
	tx, err := c.look.Replica.Begin(ctx)
	if err != nil {
		return fault.New(op, connect.Lost(c.look.Replica, err), "")
	}
	defer apply.Rollback(tx)
	out, err := c.of.Reg.StayOut(ctx, tx, []string{name})
	if err != nil {
		return err
	}
	if out[name] {
		return review.ErrGone
	}
	if _, err := c.of.Store.Choices.Write(ctx, tx, &choices); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		insert into deid.requeue (patient, source_key, lsn) values ($1, $2, null)
		on conflict (patient) do update set source_key = excluded.source_key`, name, c.look.Seals.SealKey("requeue", []string{u.whose}, name))
	if err != nil {
		return fault.New(op, connect.Lost(c.look.Replica, err), "run 'pgdeid migrate up'")
	}
	return fault.New(op, connect.Lost(c.look.Replica, tx.Commit(ctx)), "")
}

// patientName returns the pseudonym of a patient's key.
func patientName(l *patient.Lookups, key string) (string, error) {
	if key == "" {
		return "", &Refusal{"the note leads to no patient", "see the quarantine: 'pgdeid vault show quarantine'"}
	}
	return l.PseudonymOf(key)
}
