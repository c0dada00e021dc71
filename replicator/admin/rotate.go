package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/rotation"
)

// RotationPhase is how far a change of the key is.
type RotationPhase string

// Phases of a change of the key.
const (
	RotationBegun      RotationPhase = "begun"      // just now: 'pgdeid run' copies everything with the next key
	RotationCopying    RotationPhase = "copying"    // tables are still to be copied
	RotationUnreleased RotationPhase = "unreleased" // all is copied, and no release has come since
	RotationUnproven   RotationPhase = "unproven"   // something of the key before is left, or a join does not hold
	RotationDone       RotationPhase = "done"       // analysts read the rows of the next key; those of the key before are gone
	RotationNone       RotationPhase = "none"       // the replica is written with the key already
)

// RotationReport says how far a change of the key is and, once all is copied, proves that nothing of the key before is
// left. It has counts alone.
type RotationReport struct {
	Phase   RotationPhase         `json:"phase"`
	From    int                   `json:"from_epoch"`
	To      int                   `json:"to_epoch"`
	Begun   *time.Time            `json:"begun_at,omitempty"`
	Carried *store.Rekeyed        `json:"carried_over,omitempty"` // of what people decided
	Copying []string              `json:"copying,omitempty"`      // tables that are not copied yet
	Tables  []ProvenTable         `json:"tables,omitempty"`
	Vault   []vault.Checked       `json:"vault,omitempty"`
	Broken  []string              `json:"broken_joins,omitempty"`
	Before  []rotation.TableCount `json:"before,omitempty"`
	After   []rotation.TableCount `json:"after,omitempty"`
}

// ProvenTable counts rows that the source's rows and the next key explain, and rows that they do not.
type ProvenTable struct {
	Table   string `json:"table"`
	Rows    int64  `json:"rows"`
	Foreign int64  `json:"foreign"`
}

// Foreign returns how much was found that the next key has not made.
func (r *RotationReport) Foreign() int64 {
	var n int64
	for _, t := range r.Tables {
		n += t.Foreign
	}
	for _, t := range r.Vault {
		n += t.Foreign
	}
	return n
}

// Rotate takes the next step of a change of the key, from o.OldKey to o.Key: it begins it, or says what is still to be
// copied, or proves and ends it. forget begins it also where purges can't be carried over. Each step is one
// transaction: killed at any moment, it is called again.
func Rotate(ctx context.Context, o session.Options, forget bool, progress func(table string, read, total int64)) (*RotationReport, error) {
	o, err := o.WithDefaults()
	if err != nil {
		return nil, fault.New("start", err, "")
	}
	conn, err := connect.Replica(ctx, o.Config)
	if err != nil {
		return nil, err
	}
	defer connect.Close(conn)
	if err := migrations.CheckReplica(ctx, conn); err != nil {
		return nil, err
	}
	state, err := rotation.Read(ctx, conn)
	if err != nil {
		return nil, err
	}
	if state == nil {
		return beginRotation(ctx, o, conn, forget)
	}
	r := &RotationReport{From: state.From, To: state.To, Begun: &state.Begun, Before: state.Before}
	if r.Copying, err = stillCopied(ctx, conn, o.Config.Source.Slot); err != nil {
		return nil, err
	}
	if len(r.Copying) > 0 {
		r.Phase = RotationCopying
		return r, nil
	}
	if state.Copied == nil {
		if err := rotation.NoteCopied(ctx, o.Config); err != nil {
			return nil, err
		}
	}
	released, err := releasedSince(ctx, conn)
	if err != nil || !released {
		r.Phase = RotationUnreleased
		return r, err
	}
	return r, endRotation(ctx, o, r, progress)
}

// beginRotation begins a change of the key, if the replica is written with the key before.
func beginRotation(ctx context.Context, o session.Options, conn *pgx.Conn, forget bool) (*RotationReport, error) {
	const op = "begin to change the key"
	var check []byte
	var epoch int
	err := conn.QueryRow(ctx, "select check_value, epoch from deid.key_check").Scan(&check, &epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.New(op, errors.New("the replica was not written with any key yet"), "name the key to begin with in key_file: 'pgdeid run'")
	}
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	if bytes.Equal(check, o.Key.Check()) {
		return &RotationReport{Phase: RotationNone, From: epoch, To: epoch}, nil
	}
	if o.OldKey == nil {
		return nil, fault.New(op, errors.New("the key of before is not named"), "name the replica's key in old_key_file, and the next one in key_file")
	}
	if was, next := o.OldKey.Epoch(), o.Key.Epoch(); next != was+1 {
		return nil, fault.New(op, fmt.Errorf("the key of before has epoch %d, and the next one %d instead of %d", was, next, was+1),
			"make the next one with 'pgdeid key new --after OLD NEW'")
	}
	if !bytes.Equal(check, o.OldKey.Check()) {
		return nil, fault.New(op, errors.New("old_key_file is not the key that this replica was written with"),
			"name the key of the replica in old_key_file, and the next one in key_file")
	}
	purged, err := purgedPatients(ctx, o, conn)
	if err != nil {
		return nil, err
	}
	r := &RotationReport{Phase: RotationBegun, From: o.OldKey.Epoch(), To: o.Key.Epoch()}
	return r, withNextNotes(ctx, o, func(n *nextNotes) error {
		return rotation.Begin(ctx, o.Config, rotation.Change{
			OldCheck: o.OldKey.Check(), NewCheck: o.Key.Check(), OldEpoch: o.OldKey.Epoch(), NewEpoch: o.Key.Epoch(),
			Purged: purged, Forget: forget, WriteLock: apply.WriteLock,
			Carry: func(ctx context.Context, tx pgx.Tx) error {
				done, err := store.Rekey(ctx, tx, o.OldKey, o.Key, n)
				r.Carried = &done
				return err
			},
		}, o.Log)
	})
}

// stillCopied names the tables that are not copied, or not in order.
func stillCopied(ctx context.Context, conn *pgx.Conn, slot string) ([]string, error) {
	rows, _ := conn.Query(ctx, `
		select g.name from deid.generated g
		where g.kind = 'table' and not exists (select from deid.snapshot s where s.slot = $1 and s.table_name = g.name)
		union select s.table_name from deid.snapshot s where s.slot = $1 and not s.done
		union select c.relname from pg_class c where c.relnamespace = 'deid_rows'::regnamespace and c.relkind = 'r'
			and not exists (select from deid.row_order o where o.place = format('%I.%I', 'deid_rows', c.relname))
		order by 1`, slot)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return list, fault.New("look what is copied", err, "")
}

// readRotationStatus returns how far a change of the key is; nil if there is none.
func readRotationStatus(ctx context.Context, conn *pgx.Conn, slot string) (*RotationStatus, error) {
	state, err := rotation.Read(ctx, conn)
	if err != nil || state == nil {
		return nil, err
	}
	s := &RotationStatus{From: state.From, To: state.To, Begun: state.Begun}
	s.Copying, err = stillCopied(ctx, conn, slot)
	return s, err
}

// releasedSince reports whether analysts would see what was copied: a release has come since, where there are any.
func releasedSince(ctx context.Context, conn *pgx.Conn) (released bool, err error) {
	err = conn.QueryRow(ctx, `select r.mode = 'live' or coalesce(r.released_at > k.copied_at, false)
		from deid.release r, deid.rotation k`).Scan(&released)
	return released, fault.New("look whether rows were released", err, "")
}

// endRotation proves that nothing of the key before is left, and shows the rows of the next key.
func endRotation(ctx context.Context, o session.Options, r *RotationReport, progress func(table string, read, total int64)) error {
	err := session.Once(ctx, o, func(s *session.Session) error {
		look, err := s.NewLookups(ctx)
		if err != nil {
			return err
		}
		p := proof{s: s, look: look, report: r, progress: progress}
		return p.run(ctx)
	})
	if err != nil {
		return err
	}
	if r.Foreign() > 0 || len(r.Broken) > 0 {
		r.Phase = RotationUnproven
		return nil
	}
	r.Phase = RotationDone
	r.After, err = rotation.Finish(ctx, o.Config, apply.WriteLock, o.Log)
	return err
}
