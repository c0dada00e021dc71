package replicator

import (
	"context"
	"errors"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// A panic is a fault of the program. Where a row or a note causes it, that one is set
// aside. Elsewhere it ends the session as an error, like any other; the process is never
// left to die of it, since the same row would kill it again at every start. What a panic
// says may quote a value: the log has only where it was.

// sayBroken logs where an error comes from that a panic has caused, and reports whether
// it is one.
func sayBroken(log *slog.Logger, err error) bool {
	var b *ensemble.Broken
	if !errors.As(err, &b) {
		return false
	}
	log.Error("a fault of the program", "in", b.Part, "kind", b.Kind, "at", b.At)
	return true
}

// guarded makes a function for an errgroup, in which a panic is an error.
func guarded(log *slog.Logger, part string, do func() error) func() error {
	return func() error {
		err := ensemble.Guarded(part, do)
		if !sayBroken(log, err) {
			return err
		}
		return fault.New("replicate", err, "report it, with pgdeid's version and what the log says of it")
	}
}

// resolveEach resolves a batch. Where that breaks, it does so item by item, and what
// breaks alone is set aside.
func (r *resolver) resolveEach(ctx context.Context, batch []*item) error {
	err := ensemble.Guarded("the lookup of rows", func() error { return r.resolve(ctx, batch) })
	if !sayBroken(r.log, err) {
		return err
	}
	for _, it := range batch {
		r.startOver(it)
	}
	if len(batch) > 1 {
		for i := range batch {
			if err := r.resolveEach(ctx, batch[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	it := batch[0]
	if it.change == nil {
		return err
	}
	// What its row says of a patient is not known, so nothing that was read is used.
	r.forgetAll()
	r.log.Error("a row could not be looked up and is set aside", "table", it.change.table.id)
	it.reason = broken
	return nil
}

// startOver takes back what resolve has found out.
func (r *resolver) startOver(it *item) {
	it.release(r.register)
	it.known, it.tells, it.leads, it.words, it.whose = nil, nil, nil, nil, ""
	it.reason, it.lacks, it.absent = "", "", false
}

// addTo adds an item to a group. A row that breaks that is set aside.
func (s *store) addTo(g *group, it *item) {
	add := func() error {
		g.add(it)
		return nil
	}
	if !sayBroken(s.log, ensemble.Guarded("a row of table "+it.change.table.id, add)) {
		return
	}
	out := it.out
	it.out = outcome{key: out.key, rowKey: out.rowKey, oldKey: out.oldKey, oldRow: out.oldRow, reason: broken}
	g.add(it)
}
