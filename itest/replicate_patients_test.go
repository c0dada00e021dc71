package itest

import (
	"encoding/json"
	"strings"
	"testing"
)

// sealed returns a source key as the vault holds it.
func (r *replication) sealed(t *testing.T, of string, key ...string) []byte {
	t.Helper()
	data, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	return r.key.Seal(data, []byte(of))
}

// Rewrites that a crash left behind know the staff as the stream does.
func TestLeftOverRewriteKnowsTheStaff(t *testing.T) {
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.staff values (1, 'Hjördis Grizzlewood');
		insert into ehr.note values (1, 1, null, 'new', 'per Grizzlewood')`)
	first := r.run(t, nil)
	r.caughtUp(t)
	first.stop(t)
	// As after a kill between a commit and the rewrite: the record has changed already.
	do(t, r.src, "update ehr.patient set given = 'Zacharias' where patient_id = 1")
	if _, err := r.dst.Exec(t.Context(), "insert into deid.requeue (patient, source_key, lsn) values ($1, $2, '0/1')",
		r.patient(1), r.sealed(t, "patient", "1")); err != nil {
		t.Fatal(err)
	}
	r.run(t, nil)
	r.caughtUp(t)
	if text := r.body(t, 1); strings.Contains(text, "Grizzlewood") {
		t.Errorf("a name of the staff stands in a rewritten note: %q", text)
	}
}
