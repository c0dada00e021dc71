package apply

import (
	"testing"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// A page of a part waits until all of it is made: no transaction is open meanwhile, in which others
// would have to wait for their turn. There is no connection here: whatever began one would panic.
func TestPageWaitsForItsEnd(t *testing.T) {
	t.Parallel()
	c := &Committer{Writer: &Writer{}, Hold: 100, GroupRows: 500, group: NewGroup()}
	it := done(schematest.NoteTable(), schema.InsertOp, "1", "", "x", someone("a"))
	it.Held = 99
	c.group.add(it)
	if err := c.commitDue(t.Context()); err != nil || c.tx != nil {
		t.Errorf("written before its end: %v", err)
	}
	c.group.add(&deid.Item{Change: it.Change, Resolved: it.Resolved, Out: it.Out, Held: 1})
	defer func() {
		if recover() == nil {
			t.Error("a page with more than may wait is not written, and its reader waits for room for ever")
		}
	}()
	_ = c.commitDue(t.Context())
}
