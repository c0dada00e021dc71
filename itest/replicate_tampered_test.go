package itest

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator"
)

// Rows that were deleted, changed or added in the replica come back as the source has
// them, however untouched what the vault says of them is; the others stay.
func TestResyncRestoresWhatWasChangedByHand(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.dst, "create table public.before as select sealed from deid.note_provenance")
	want(t, r.dst, "700", "select count(*)::text from public.before")
	tamper := func() {
		t.Helper()
		do(t, r.dst, "delete from ehr.note where note_id in ("+r.note(1)+", "+r.note(2)+"); delete from ehr.patient where patient_id = "+r.patient(2))
		do(t, r.dst, "update ehr.note set body = 'Vortrennik by hand' where note_id = "+r.note(3)+"; update ehr.note set status = 'by hand' where note_id = "+r.note(4))
		do(t, r.dst, "update ehr.note set body = null where note_id = "+r.note(5)+"; insert into ehr.note (note_id, body) values (1, 'nobody''s')")
	}
	restored := func(remade string) {
		t.Helper()
		want(t, r.dst, "700", "select count(*)::text from ehr.note where status = 'new' and body is not null")
		want(t, r.dst, "700", "select count(*)::text from ehr.note")
		want(t, r.dst, "2", "select count(*)::text from ehr.patient")
		if text := r.body(t, 3); !strings.HasSuffix(text, " 3") {
			t.Errorf("note 3: %q", text)
		}
		want(t, r.dst, remade, "select count(*)::text from deid.note_provenance where sealed not in (select sealed from public.before)")
	}
	tamper()
	r.resync(t)
	restored("4")
	// One table alone; the others stay as they are.
	do(t, r.dst, "delete from ehr.note where note_id = "+r.note(6))
	do(t, r.dst, "delete from ehr.patient where patient_id = "+r.patient(2))
	o, _ := r.options(t, nil)
	if err := replicator.CopyAgain(t.Context(), o, []string{"ehr.note"}); err != nil {
		t.Fatal(err)
	}
	want(t, r.dst, "700", "select count(*)::text from ehr.note")
	want(t, r.dst, "1", "select count(*)::text from ehr.patient")
	for _, wrong := range []string{"ehr.nothing", "ehr.contact"} {
		if err := replicator.CopyAgain(t.Context(), o, []string{wrong}); err == nil || !strings.Contains(err.Error(), "not published") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	// Where a process follows the stream, it does that.
	r.run(t, nil)
	r.streaming(t)
	if err := replicator.CopyAgain(t.Context(), o, []string{"ehr.patient"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the running process copies", func() bool { return count(t, r.dst, "ehr.patient") == "2" })
	r.caughtUp(t)
}
