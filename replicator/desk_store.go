package replicator

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Busy is the reason of an answer that has to wait: somebody else's transaction holds
// surrogates of the same words of the same patient. [Patiently] asks again.
const Busy = "busy"

// lockTime is how long a desk waits for somebody else's transaction. Who copies a large
// transaction of the source holds the turn to write until its end, which may be hours.
// It is shorter than PostgreSQL's deadlock_timeout (1 s): of two that wait for each
// other the desk is the one that gives way, never the stream.
const lockTime = 250 * time.Millisecond

// lockNotAvailable is the SQLSTATE of a lock_timeout.
const lockNotAvailable = "55P03"

// store writes what a batch of answers made new into the vault: in its turn to write,
// or else beside whoever has the turn, patient by patient. It returns the patients
// that nothing could be stored of, and why.
func (d *Desk) store(ctx context.Context, c *vault.Choices) (blocked map[string]reason, err error) {
	if !c.HasEntries() {
		return nil, nil
	}
	err = d.with(ctx, func(s *side) error {
		w := &writer{store: s.of.store, conn: s.look.replica}
		blocked, err = storeWithin(ctx, w, c, lockTime, true)
		if fault.State(err) == lockNotAvailable {
			blocked, err = storeByPatient(ctx, w, c)
		}
		return err
	})
	return blocked, err
}

// storeByPatient stores choices without waiting for the turn: rows of the vault are enough
// to keep two that choose for one patient apart.
func storeByPatient(ctx context.Context, w *writer, c *vault.Choices) (map[string]reason, error) {
	blocked := map[string]reason{}
	wait := lockTime
	for name, part := range c.ByPatient() {
		refused, err := storeWithin(ctx, w, part, wait, false)
		switch {
		case fault.State(err) == lockNotAvailable:
			blocked[name] = Busy
			wait = lockTime / 10 // the others of the batch have waited already
		case err != nil:
			return nil, err
		}
		maps.Copy(blocked, refused)
	}
	w.log.Debug("surrogates were stored during a long transaction", "patients", len(c.Patients()), "blocked", len(blocked))
	return blocked, nil
}

// storeWithin stores choices in one transaction that waits for no lock longer than wait.
// It returns the patients that the replica refused.
func storeWithin(ctx context.Context, w *writer, c *vault.Choices, wait time.Duration, inTurn bool) (map[string]reason, error) {
	tx, err := w.conn.Begin(ctx)
	if err != nil {
		return nil, fault.New("begin a transaction in the replica", connect.Lost(w.conn, err), "")
	}
	defer rollback(tx)
	if _, err := tx.Exec(ctx, "select set_config('lock_timeout', $1, true)", wait.String()); err != nil {
		return nil, fault.New("bound the wait for others in the replica", connect.Lost(w.conn, err), "")
	}
	if inTurn {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(writeLock)); err != nil {
			return nil, fault.New("wait for the turn to write to the replica", connect.Lost(w.conn, err), "")
		}
	}
	names, err := w.choices.Write(ctx, tx, c)
	if err != nil {
		return nil, err
	}
	refused := map[string]reason{}
	for _, name := range names {
		refused[name] = surrogateFail
	}
	return refused, fault.New("commit to the replica", connect.Lost(w.conn, tx.Commit(ctx)), "")
}

// errAnswers is the error of an engine that left questions without an answer. A missing
// answer must not pass for an empty text.
var errAnswers = errors.New("the number of answers differs from the number of questions")

// Patiently asks, and asks again what is [Busy], until nothing is or ctx is done. It
// waits longer each time, up to 5 s. Without an error there is an answer to each question.
func Patiently(ctx context.Context, asked []Question, ask func(context.Context, []Question) ([]Answer, error)) ([]Answer, error) {
	complete := func(asked []Question) ([]Answer, error) {
		answers, err := ask(ctx, asked)
		if err == nil && len(answers) != len(asked) {
			err = fault.New("answer questions", errAnswers, "report it")
		}
		return answers, err
	}
	answers, err := complete(asked)
	for wait := lockTime; err == nil; wait = min(2*wait, 5*time.Second) {
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
