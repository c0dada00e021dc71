package desk

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Busy is the reason of an answer that has to wait: another transaction holds
// surrogates of the same words of the same patient. [Retry] asks again.
const Busy = "busy"

// store writes what a batch of answers made new into the vault: in its turn to write,
// or else while another process has the turn, patient by patient. It returns the patients
// that nothing could be stored of, and why.
func (d *Desk) store(ctx context.Context, c *vault.Choices) (blocked map[string]vault.Reason, err error) {
	if !c.HasEntries() {
		return nil, nil
	}
	err = d.with(ctx, func(s *connections) error {
		w := &apply.Writer{Store: s.of.Store, Conn: s.look.Replica}
		blocked, err = storeWithin(ctx, w, s.of.Reg, c, apply.LockTime, true)
		if fault.State(err) == apply.LockNotAvailable {
			blocked, err = storeByPatient(ctx, w, s.of.Reg, c)
		}
		return err
	})
	return blocked, err
}

// storeByPatient stores choices without waiting for the turn: rows of the vault are enough
// to keep two that choose for one patient apart.
func storeByPatient(ctx context.Context, w *apply.Writer, reg *patient.Register, c *vault.Choices) (map[string]vault.Reason, error) {
	blocked := map[string]vault.Reason{}
	wait := apply.LockTime
	for name, part := range c.ByPatient() {
		refused, err := storeWithin(ctx, w, reg, part, wait, false)
		switch {
		case fault.State(err) == apply.LockNotAvailable:
			blocked[name] = Busy
			wait = apply.LockTime / 10 // the others of the batch have waited already
		case err != nil:
			return nil, err
		}
		maps.Copy(blocked, refused)
	}
	w.Log.Debug("surrogates were stored during a long transaction", "patients", len(c.Patients()), "blocked", len(blocked))
	return blocked, nil
}

// storeWithin stores choices in one transaction that waits for no lock longer than wait.
// It returns the patients that the replica refused, and those who stay out of it.
func storeWithin(
	ctx context.Context, w *apply.Writer, reg *patient.Register, c *vault.Choices, wait time.Duration, inTurn bool,
) (map[string]vault.Reason, error) {
	tx, err := w.Conn.Begin(ctx)
	if err != nil {
		return nil, fault.New("begin a transaction in the replica", connect.Lost(w.Conn, err), "")
	}
	defer apply.Rollback(tx)
	if _, err := tx.Exec(ctx, "select set_config('lock_timeout', $1, true)", wait.String()); err != nil {
		return nil, fault.New("bound the wait for others in the replica", connect.Lost(w.Conn, err), "")
	}
	if inTurn {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(apply.WriteLock)); err != nil {
			return nil, fault.New("wait for the turn to write to the replica", connect.Lost(w.Conn, err), "")
		}
	}
	out, err := reg.StayOut(ctx, tx, c.Patients()) // as of our turn
	if err != nil {
		return nil, err
	}
	names, err := w.Choices.Write(ctx, tx, c.Without(out))
	if err != nil {
		return nil, err
	}
	refused := map[string]vault.Reason{}
	for name := range out {
		refused[name] = vault.NoPatient
	}
	for _, name := range names {
		refused[name] = vault.SurrogateFail
	}
	return refused, fault.New("commit to the replica", connect.Lost(w.Conn, tx.Commit(ctx)), "")
}

// errAnswers is the error of an engine that left questions without an answer. A missing
// answer must not pass for an empty text.
var errAnswers = errors.New("the number of answers differs from the number of questions")

// Retry asks, and asks again what is [Busy], until nothing is or ctx is done. It
// waits longer each time, up to 5 s. Without an error there is an answer to each question.
func Retry(ctx context.Context, asked []Question, ask func(context.Context, []Question) ([]Answer, error)) ([]Answer, error) {
	complete := func(asked []Question) ([]Answer, error) {
		answers, err := ask(ctx, asked)
		if err == nil && len(answers) != len(asked) {
			err = fault.New("answer questions", errAnswers, "report it")
		}
		return answers, err
	}
	answers, err := complete(asked)
	for wait := apply.LockTime; err == nil; wait = min(2*wait, 5*time.Second) {
		var again []Question
		var index []int
		for i := range answers {
			if answers[i].Reason == Busy {
				again, index = append(again, asked[i]), append(index, i)
			}
		}
		if len(again) == 0 {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
		got, err := complete(again)
		if err != nil {
			return nil, err
		}
		answers = slices.Clone(answers)
		for i, a := range got {
			answers[index[i]] = a
		}
	}
	return answers, err
}

// OpenVault calls do with the vault of the replica, again if the connection breaks.
func (d *Desk) OpenVault(ctx context.Context, do func(*vault.Reader) error) error {
	return d.with(ctx, func(s *connections) error { return do(vault.NewReader(s.look.Replica, s.look.Key)) })
}
