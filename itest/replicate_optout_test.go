package itest

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

// optOuts is a table of the ward's source that keeps patients out of the replica.
const optOuts = `create table ehr.consent (consent_id int primary key, patient_id int, status text);`

const excludeRefused = "exclude: {table: ehr.consent, patient: patient_id, when: \"status = 'refused'\"}\n"

// newFiltered is a ward with the table of consents, and filters.
func newFiltered(t *testing.T, filters string) *replication {
	t.Helper()
	return newReplicationOf(t, newPair(t), ward+optOuts, filters+wardTables)
}

// traces counts what the replica has of a patient of the ward, by table.
func (r *replication) traces(t *testing.T, id int64) string {
	t.Helper()
	return r.tracesOf(t, r.patient(id))
}

// tracesOf counts what the replica has of a patient by the pseudonym.
func (r *replication) tracesOf(t *testing.T, patient string) string {
	t.Helper()
	var b strings.Builder
	for _, from := range []string{
		`deid_rows."ehr.patient" where pgdeid_patient = $1`, `deid_rows."ehr.visit" where pgdeid_patient = $1`,
		`deid_rows."ehr.note" where pgdeid_patient = $1`, `deid_rows."ehr.line" where pgdeid_patient = $1`,
		"deid.surrogate where patient = $1", "deid.date_shift where patient = $1", "deid.note_provenance where patient = $1",
		"deid.requeue where patient = $1", "deid.patient_former where patient = $1", "deid.patient_former where former = $1",
	} {
		if n := one(t, r.dst, "select count(*)::text from "+from, patient); n != "0" {
			fmt.Fprintf(&b, "%s in %s; ", n, strings.Fields(from)[0])
		}
	}
	if n := one(t, r.dst, "select count(*)::text from deid.quarantine where patient_hmac = $1", r.key.HMAC("patient", patient)); n != "0" {
		fmt.Fprintf(&b, "%s set aside", n)
	}
	return b.String()
}

// everything lists the rows of the ward's tables in the replica, with whose they are.
func (r *replication) everything(t *testing.T) []string {
	t.Helper()
	return append(r.opened(t, true), texts(t, r.dst, `
		select 'patient ' || x::text from deid_rows."ehr.patient" x
		union all select 'visit ' || x::text from deid_rows."ehr.visit" x
		union all select 'note ' || x::text from deid_rows."ehr.note" x
		union all select 'line ' || x::text from deid_rows."ehr.line" x
		union all select 'provenance ' || concat_ws('|', table_name, column_name, row_key, patient, text_hmac) from deid.note_provenance
		union all select 'aside ' || concat_ws('|', table_name, key_hmac, reason, patient_hmac) from deid.quarantine
		order by 1`)...)
}

// equalsFreshCopy compares the replica with one that is copied now.
func (r *replication) equalsFreshCopy(t *testing.T, mapped string) {
	t.Helper()
	fresh := r.twinOf(t, mapped)
	copied := fresh.run(t, exactDetector(t))
	fresh.caughtUp(t)
	copied.stop(t)
	compareTwins(t, r.everything(t), fresh.everything(t))
}

// consents fills the ward for tests of filters: both patients have rows in every table.
const consents = `
	insert into ehr.visit values (17, 1, '2021-03-04 10:00+00'), (18, 2, '2021-03-05 10:00+00');
	insert into ehr.line values (17, 1, 'Zebulon ate.'), (18, 1, 'Ottilie left.');
	insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Zebulon Quarkstein came.'), (2, 2, '2021-03-05', 'new', 'Ottilie came.'),
		(3, 1, '2021-03-06', 'new', null);
	insert into ehr.contact values (1, 1, '617-555-0101');`

func TestOptOutLeavesNothingAndComesBack(t *testing.T) {
	t.Parallel()
	r := newFiltered(t, excludeRefused)
	do(t, r.src, patients+consents)
	do(t, r.src, "insert into ehr.consent values (1, 1, 'given'), (2, 2, 'given')")
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	before := r.everything(t)
	if r.traces(t, 1) == "" {
		t.Fatal("nothing of patient 1 was published")
	}
	do(t, r.src, "update ehr.consent set status = 'refused' where consent_id = 1")
	r.caughtUp(t)
	if left := r.traces(t, 1); left != "" {
		t.Errorf("left of the patient who opted out: %s", left)
	}
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	if notes := strings.Join(r.harvested(t), "|"); strings.Contains(notes, "Quarkstein") || !strings.Contains(notes, "Ottilie came.") {
		t.Errorf("sentences are harvested from %q", notes)
	}
	// What arrives meanwhile stays out: a row, a record, a move to this patient.
	do(t, r.src, `insert into ehr.note values (4, 1, '2021-03-07', 'new', 'Quarkstein came again.');
		update ehr.patient set given = 'Zacharias' where patient_id = 1; insert into ehr.visit values (19, 1, null);
		insert into ehr.line values (19, 1, 'Zacharias ate.'); update ehr.visit set patient_id = 1 where visit_id = 18`)
	r.caughtUp(t)
	if left := r.traces(t, 1); left != "" {
		t.Errorf("published while the patient was out: %s", left)
	}
	want(t, r.dst, "0", "select count(*)::text from ehr.line")
	do(t, r.src, `update ehr.visit set patient_id = 2 where visit_id = 18; delete from ehr.note where note_id = 4; delete from ehr.line where visit_id = 19;
		delete from ehr.visit where visit_id = 19; update ehr.patient set given = 'Zebulon' where patient_id = 1; delete from ehr.consent where consent_id = 1`)
	r.caughtUp(t)
	after := r.everything(t)
	compareTwins(t, after, before)
	want(t, r.dst, "0", "select count(*)::text from deid.patient_filter")
	r.equalsFreshCopy(t, excludeRefused+wardTables)
}

// harvested returns the texts that sentences are harvested from.
func (r *replication) harvested(t *testing.T) []string {
	t.Helper()
	n, err := admin.OpenNotes(t.Context(), r.cfg, "", true, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	var list []string
	err = n.Read(t.Context(), "", true, func(b harvest.Batch) error {
		notes, err := b.Notes()
		for _, note := range notes {
			list = append(list, note.Texts...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestCohortIsAllThereIs(t *testing.T) {
	t.Parallel()
	const cohort = "include: {table: ehr.consent, patient: patient_id, when: \"status in ('given', 'renewed')\"}\n"
	r := newFiltered(t, cohort)
	do(t, r.src, patients+consents)
	do(t, r.src, "insert into ehr.consent values (1, 1, 'given')")
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	if left := r.traces(t, 2); left != "" {
		t.Errorf("of a patient outside of the cohort: %s", left)
	}
	want(t, r.dst, "2", "select count(*)::text from ehr.note")
	do(t, r.src, "insert into ehr.consent values (2, 2, 'renewed'), (3, 2, 'given')")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	do(t, r.src, "delete from ehr.consent where consent_id = 2; delete from ehr.consent where consent_id = 1")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	do(t, r.src, "truncate ehr.consent")
	r.caughtUp(t)
	if left := r.traces(t, 1) + r.traces(t, 2); left != "" {
		t.Errorf("of an empty cohort: %s", left)
	}
	do(t, r.src, "insert into ehr.consent values (4, 2, 'given')")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.line")
	r.equalsFreshCopy(t, cohort+wardTables)
}

// Who is in a cohort by a merge alone gets another name: notes from before are searched for the one that they have.
func TestNamesOfWhoCameWithAMergeStayKnown(t *testing.T) {
	t.Parallel()
	const cohort = "include: {table: ehr.consent, patient: patient_id, when: \"status = 'given'\"}\n"
	r := newReplicationOf(t, newPair(t), ward+optOuts+mergeTable, merges+cohort+wardTables)
	do(t, r.src, patients+consents)
	do(t, r.src, "insert into ehr.consent values (2, 2, 'given'); insert into ehr.identity values (1, 1, 2)")
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	do(t, r.src, "update ehr.patient set family = 'Wintersmith', given = 'Zacharias' where patient_id = 1")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body ~ 'Zebulon|Quarkstein|Ottilie'")
}

// Removal does not wait for a release.
func TestOptOutLeavesReleasedRows(t *testing.T) {
	t.Parallel()
	r := newFiltered(t, excludeRefused+"release: {mode: batches, every: 1s}\n")
	do(t, r.src, patients+consents)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	eventually(t, "the first release", func() bool { return count(t, r.dst, "ehr.note") == "3" })
	run.stop(t)
	r.cfg.Release.Every = 365 * 24 * time.Hour
	r.run(t, exactDetector(t))
	do(t, r.src, "insert into ehr.note values (5, 1, null, 'new', 'waits'); insert into ehr.consent values (1, 1, 'refused')")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	for _, schema := range []string{"deid_rows", "deid_waiting", "deid_released"} {
		want(t, r.dst, "0", `select count(*)::text from `+schema+`."ehr.note" where pgdeid_patient = $1`, r.patient(1))
	}
}

// A patient is deleted while the stream runs, stays out over restarts, and comes back when that is
// undone.
func TestPurgeLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients+consents)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	before := r.everything(t)
	purge := func(undo bool) *admin.PurgeReport {
		o, _ := r.options(t, exactDetector(t))
		report, err := admin.Purge(t.Context(), o, []string{"1", "1", "4711"}, undo)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	report := purge(false)
	removed := map[string]int64{}
	for _, p := range report.Places {
		removed[p.Table] = p.Removed
	}
	if report.Left() != 0 || report.Known != 1 || report.Patients != 2 || removed["ehr.note"] != 2 || removed["ehr.line"] != 1 ||
		removed["deid.date_shift"] != 1 || removed["deid.surrogate"] == 0 {
		t.Errorf("report: %+v", report)
	}
	do(t, r.src, "insert into ehr.note values (4, 1, null, 'new', 'Quarkstein came again.'); update ehr.patient set given = 'Zed' where patient_id = 1")
	r.caughtUp(t)
	if left := r.traces(t, 1); left != "" {
		t.Errorf("published after the purge: %s", left)
	}
	run.stop(t)
	r.run(t, exactDetector(t))
	do(t, r.src, "delete from ehr.note where note_id = 4; update ehr.patient set given = 'Zebulon' where patient_id = 1")
	r.caughtUp(t)
	if left := r.traces(t, 1); left != "" {
		t.Errorf("published after a restart: %s", left)
	}
	if again := purge(false); again.Left() != 0 || again.Known != 0 {
		t.Errorf("purged twice: %+v", again)
	}
	if undone := purge(true); undone.Known != 2 {
		t.Errorf("undone: %+v", undone)
	}
	r.caughtUp(t)
	compareTwins(t, r.everything(t), before)
}

const mergeTable = "create table ehr.identity (id int primary key, old_id int, new_id int, undone boolean not null default false);"

const merges = "merges: {table: ehr.identity, from: old_id, to: new_id, when: undone = false}\n"

// A row says that patient 1 is patient 2 now, and a later one takes it back. Rows of the patients do
// not change.
func TestMergeByTable(t *testing.T) {
	t.Parallel()
	const mapped = merges + excludeRefused + wardTables
	r := newReplicationOf(t, newPair(t), ward+optOuts+mergeTable, merges+excludeRefused+wardTables)
	do(t, r.src, patients+consents)
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	d := r.deskWith(t, exactDetector(t))
	answerOf := func(patient string) string {
		a := ask(t, d, desk.Question{Patient: patient, Text: "Zebulon met Ottilie on 3/4/2021."})[0]
		return a.Text + a.Reason
	}
	if answerOf("1") == answerOf("2") {
		t.Fatal("the desk takes two patients for one")
	}
	before := r.everything(t)
	do(t, r.src, "insert into ehr.identity values (1, 1, 2)")
	r.caughtUp(t)
	if one, other := answerOf("1"), answerOf("2"); one != other || strings.Contains(one, "Zebulon") || strings.Contains(one, "Ottilie") {
		t.Errorf("of the id that was given up, the desk says %q, of the other one %q", one, other)
	}
	if left := strings.ReplaceAll(r.traces(t, 1), "1 in deid.patient_former; ", ""); strings.Contains(left, "deid_rows") || strings.Contains(left, "date_shift") {
		t.Errorf("left of the id that was given up: %s", left)
	}
	want(t, r.dst, "3", "select count(*)::text from ehr.note where patient_id::text = $1", r.patient(2))
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body ~ 'Zebulon|Quarkstein|Ottilie'")
	merged := r.twinOf(t, mapped)
	copied := merged.run(t, exactDetector(t))
	merged.caughtUp(t)
	copied.stop(t)
	compareTwins(t, r.rows(t), merged.rows(t))
	// New rows of either id are the survivor's, and what excludes either id excludes the patient.
	do(t, r.src, "insert into ehr.note values (9, 1, '2021-03-09', 'new', 'Quarkstein came.'); insert into ehr.consent values (1, 1, 'refused')")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note")
	if got := answerOf("2"); got != "no_patient" {
		t.Errorf("of the patient who stays out, the desk says %q", got)
	}
	if notes := r.harvested(t); len(notes) != 0 {
		t.Errorf("sentences are harvested from %q", notes)
	}
	do(t, r.src, "delete from ehr.consent")
	r.caughtUp(t)
	want(t, r.dst, "4", "select count(*)::text from ehr.note where patient_id::text = $1", r.patient(2))
	do(t, r.src, "delete from ehr.note where note_id = 9; update ehr.identity set undone = true")
	r.caughtUp(t)
	compareTwins(t, r.everything(t), before)
	if former := count(t, r.dst, "deid.patient_former"); former != "0" {
		t.Errorf("%s patients have taken over rows of others", former)
	}
}

// A note that was set aside as one patient's is searched for that one's names when it is filed with
// another.
func TestNoteSetAsideIsFiledAnew(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	run := r.run(t, moody(t))
	r.caughtUp(t)
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', 'FAIL label Ｑｕａｒｋｓｔｅｉｎ'), (2, 1, null, 'new', 'FAIL label Ｑｕａｒｋｓｔｅｉｎ')`)
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from deid.quarantine where patient_hmac = $1", r.key.HMAC("patient", r.patient(1)))
	do(t, r.src, "update ehr.note set patient_id = 2, body = 'label Ｑｕａｒｋｓｔｅｉｎ' where note_id = 1; update ehr.note set patient_id = 2 where note_id = 2")
	r.caughtUp(t)
	want(t, r.dst, r.patient(1), "select former from deid.patient_former where patient = $1", r.patient(2))
	want(t, r.dst, "1", "select count(*)::text from ehr.note where body !~ 'Ｑｕａ'")
	want(t, r.dst, "1", "select count(*)::text from deid.quarantine where patient_hmac = $1", r.key.HMAC("patient", r.patient(2)))
	run.stop(t)
}
