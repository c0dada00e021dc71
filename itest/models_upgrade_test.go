package itest

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/admin"

	"github.com/pgdeid/pgdeid/replicator"
)

// A new version of the program with other networks goes on where the old one stood, and
// reprocess then knows which notes the old ones made.
func TestOtherModelsMakeNoGap(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || n from generate_series(1, 20) n")
	o, log := r.options(t, nil)
	o.Models = "old networks"
	if err := replicator.Snapshot(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "other models") {
		t.Error("the first start tells of other models")
	}
	o.Models = "new networks"
	if err := replicator.Snapshot(t.Context(), o, false); err != nil {
		t.Fatalf("other networks: %v", err)
	}
	if n := strings.Count(log.String(), "other models: 'pgdeid reprocess'"); n != 1 {
		t.Errorf("other models were noticed %d times", n)
	}
	for _, want := range []admin.ReprocessResult{{Read: 20, Unchanged: 20}, {Read: 20, UpToDate: 20}} {
		r.reprocess(t, o, admin.Reprocess{}, want)
	}
	if n := strings.Count(log.String(), "other models"); n != 1 {
		t.Errorf("other models were noticed %d times, once would do", n)
	}
}
