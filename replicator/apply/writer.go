package apply

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Writer writes groups to the replica. It belongs to one goroutine. It has no way to the source or to a detector:
// what can't be written as it was made is set
// aside, and the workers make it anew.
type Writer struct {
	phi.Redacted

	*Store
	Conn  *pgx.Conn
	asked bool // something was queued to be read again
	// Untouched says that no row was copied yet which a patient who comes back could lack.
	Untouched bool
	// gone has the patients, by source key, who were taken away in the transaction that is open.
	gone map[string]string
	// grown has the patients, by source key, who have taken over rows in the transaction that is open.
	grown []string
	// unlearned has the patient ids, by source key, whose words were not stored in the transaction that is open: their patients stay out.
	unlearned []string
	// Compared counts what differs where only that is written; nil: all rows are.
	Compared *Differences
	// CopiedUntil is a position of the source after which no copy has read.
	CopiedUntil pglogrepl.LSN
}

// WriteLock is the advisory lock that a process which writes the research tables holds
// until its transaction ends, "pgdeid" in ASCII. A process that reads a row again from
// the source takes it first: so what is read is not older than what has been
// applied, and a change that comes later in the stream is applied later.
const WriteLock = 0x706764656964

// Begin opens a transaction and takes the turn to write: no other process writes until it ends.
func (w *Writer) Begin(ctx context.Context) (pgx.Tx, error) {
	w.gone, w.grown, w.unlearned = nil, nil, nil
	tx, err := w.Conn.Begin(ctx)
	if err != nil {
		return nil, fault.New("begin a transaction in the replica", connect.Lost(w.Conn, err), "")
	}
	var changes int64
	batch := &pgx.Batch{}
	batch.Queue("select pg_advisory_xact_lock($1)", int64(WriteLock))
	patient.QueuePurgeChanges(batch, &changes) // with a snapshot of its own, as of our turn
	err = tx.SendBatch(ctx, batch).Close()
	if err == nil && changes != w.PurgeChanges {
		err = ErrPurged
	}
	if err != nil {
		Rollback(tx)
		return nil, fault.New("wait for the turn to write to the replica", connect.Lost(w.Conn, err), purgedHint(err))
	}
	return tx, nil
}

// ErrPurged means that a patient was purged, or came back, since the session began: it knows
// things of the patient that the vault does not have any more.
var ErrPurged = errors.New("a patient was purged, or came back")

func purgedHint(err error) string {
	if errors.Is(err, ErrPurged) {
		return "try again"
	}
	return ""
}

// rollbackTime bounds how long a rollback may keep the program from ending.
const rollbackTime = 2 * time.Second

// Rollback ends a transaction whatever became of the caller's context.
func Rollback(tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTime)
	defer cancel()
	_ = tx.Rollback(ctx) // the server does it by itself when the connection is gone
}

// flush writes a group's rows into tx.
func (w *Writer) flush(ctx context.Context, tx pgx.Tx, g *Group) error {
	if err := w.merge(ctx, tx, g); err != nil {
		return err
	}
	if err := w.filter(ctx, tx, g); err != nil {
		return err
	}
	if err := w.leaveOut(ctx, tx, g); err != nil {
		return err
	}
	if err := w.endNotes(ctx, g); err != nil {
		return err
	}
	if err := w.setOutdatedAside(ctx, tx, g); err != nil {
		return err
	}
	asked, err := w.storeRequeue(ctx, tx, g)
	if err != nil {
		return err
	}
	if err := w.passOver(ctx, tx, g); err != nil {
		return err
	}
	if err := w.write(ctx, tx, g); err != nil {
		return err
	}
	w.asked = w.asked || asked
	for _, v := range g.Order {
		w.Metrics.Rows.WithLabelValues(v.what()).Inc()
		w.sayWithheld(v)
		if v.aside != nil && v.aside.reason != vault.Outdated {
			w.Metrics.Quarantined.WithLabelValues(string(v.aside.reason)).Inc()
		}
	}
	return nil
}

func (v *Version) what() string {
	switch {
	case v.aside != nil:
		return metrics.OpAside
	case v.Remove:
		return metrics.OpDelete
	case v.only:
		return metrics.OpRewrite
	default:
		return metrics.OpWrite
	}
}
