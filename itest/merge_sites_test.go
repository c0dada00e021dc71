package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/admin"
)

// identities of several sites are merged by a table, and patients opt out by another.
const identities = `
create table ehr.identity (id int primary key, old_site int, old_mrn text, site smallint, mrn char(8), undone boolean not null default false);
create table ehr.consent (consent_id int primary key, at smallint, mrn varchar(10), status text);`

const mergeSites = `
merges: {table: ehr.identity, from: [old_site, old_mrn], to: [site, mrn], when: undone = false}
exclude: {table: ehr.consent, patient: [at, mrn], when: "status = 'refused'"}`

// siteRows lists what the replica has of several sites' patients.
func (r *replication) siteRows(t *testing.T) []string {
	t.Helper()
	return append(r.opened(t, false), texts(t, r.dst, `
		select 'patient ' || x::text from deid_rows."ehr.patient" x
		union all select 'visit ' || x::text from deid_rows."ehr.visit" x
		union all select 'note ' || x::text from deid_rows."ehr.note" x
		union all select 'letter ' || x::text from deid_rows."ehr.letter" x
		union all select 'provenance ' || concat_ws('|', table_name, column_name, row_key, patient) from deid.note_provenance
		union all select 'aside ' || concat_ws('|', table_name, key_hmac, reason) from deid.quarantine
		order by 1`)...)
}

// siteKey returns the pseudonym of a patient of a site.
func (r *replication) siteKey(site int, mrn string) string {
	return r.key.PseudonymText("patient", fmt.Sprintf(`["%d","%s"]`, site, mrn))
}

// equalsCopyOfSites compares the replica with one that is copied now, and looks for originals in it.
func (r *replication) equalsCopyOfSites(t *testing.T, mapped string) {
	t.Helper()
	r.caughtUp(t)
	fresh := r.twinOf(t, mapped)
	copied := fresh.run(t, exactDetector(t))
	fresh.caughtUp(t)
	copied.stop(t)
	compareTwins(t, r.siteRows(t), fresh.siteRows(t))
	if found := marksInDatabase(t, r.dst, networkMarks); len(found) > 0 {
		t.Errorf("originals in %v", found)
	}
}

// Patients of several sites, of whom each has numbers of its own, become one: within a site, over sites and in chains. What is
// taken back leaves the replica as it was, and what is there meanwhile equals a copy made anew.
func TestMergeOfSeveralSites(t *testing.T) {
	t.Parallel()
	mapped := mergeSites + networkTables
	r := newReplicationOf(t, newPair(t), network+identities, mapped)
	do(t, r.src, networkRows+`insert into ehr.letter values ('0b8cae0e-0000-4000-8000-00000000000c', 1, 'M-1', 'Dear Quarkstein,')`)
	r.run(t, exactDetector(t))
	r.streaming(t)
	r.caughtUp(t)
	before := r.siteRows(t)
	const letters = "select count(*)::text from ehr.letter where site = $1 and mrn = $2"
	number := func(mrn string) string { return r.key.PseudonymText("patient 2", mrn) }
	whose := func(pseudonym string) string {
		return one(t, r.dst, "select count(*)::text from deid.note_provenance where patient = $1", pseudonym)
	}
	do(t, r.src, "insert into ehr.identity values (1, 1, 'M-1', 1, 'M-2')")
	r.caughtUp(t)
	if got := whose(r.siteKey(1, "M-2")); got != "3" {
		t.Errorf("after a merge within a site the survivor has %s texts", got)
	}
	want(t, r.dst, "1", letters, "1", number("M-2"))
	want(t, r.dst, "2", "select count(*)::text from ehr.visit where site = 1 and mrn = $1", number("M-2"))
	// The survivor is merged into a patient of another site, whose number the first one has, too.
	do(t, r.src, "insert into ehr.identity values (2, 1, 'M-2', 2, 'M-1')")
	r.equalsCopyOfSites(t, mapped)
	if got := whose(r.siteKey(2, "M-1")); got != "5" {
		t.Errorf("after a chain the survivor has %s texts", got)
	}
	want(t, r.dst, "2", letters, "2", number("M-1"))
	want(t, r.dst, "2", "select count(distinct mrn)::text from ehr.visit where site = 1") // the key has the site in it
	want(t, r.dst, "1", "select count(distinct started)::text from ehr.visit")
	want(t, r.dst, "0", "select count(*)::text from deid.note_provenance where patient = any($1)",
		[]string{r.siteKey(1, "M-1"), r.siteKey(1, "M-2")})
	// What excludes one of them excludes all, and what comes meanwhile stays out.
	do(t, r.src, `insert into ehr.consent values (1, 1, 'M-1', 'refused'); insert into ehr.note values (1, 8, 9, 'Ostrowe slept.')`)
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.visit")
	do(t, r.src, "update ehr.consent set status = 'given'")
	r.caughtUp(t)
	want(t, r.dst, "4", "select count(*)::text from ehr.note")
	// A purge of an id that was given up deletes the patient for whom it stands, and says what of.
	o, _ := r.options(t, exactDetector(t))
	id := []string{`["1","M-1"]`}
	report, err := admin.Purge(t.Context(), o, id, false)
	if err != nil {
		t.Fatal(err)
	}
	removed := map[string]int64{}
	for _, p := range report.Places {
		removed[p.Table] = p.Removed
	}
	if report.Left() != 0 || report.Known != 1 || removed["ehr.visit"] != 3 || removed["ehr.note"] != 4 || removed["ehr.letter"] != 2 || removed["ehr.patient"] != 3 {
		t.Errorf("report of a purge: %+v", report)
	}
	if _, err := admin.Purge(t.Context(), o, id, true); err != nil {
		t.Fatal(err)
	}
	do(t, r.src, "delete from ehr.note where note_no = 9; update ehr.identity set undone = true where id = 1")
	do(t, r.src, "delete from ehr.identity; delete from ehr.consent")
	r.caughtUp(t)
	compareTwins(t, r.siteRows(t), before)
	if former := count(t, r.dst, "deid.patient_former"); former != "0" {
		t.Errorf("%s patients have taken over rows of others", former)
	}
	if !slices.ContainsFunc(before, func(line string) bool { return strings.HasPrefix(line, "letter") }) {
		t.Error("nothing was compared")
	}
}

// A number at one site and another's there are two patients, and an id that stands for two is nobody's.
func TestMergesOfSeveralSitesThatDisagree(t *testing.T) {
	t.Parallel()
	mapped := mergeSites + networkTables
	r := newReplicationOf(t, newPair(t), network+identities, mapped)
	do(t, r.src, networkRows)
	r.run(t, exactDetector(t))
	r.streaming(t)
	r.caughtUp(t)
	do(t, r.src, "insert into ehr.identity values (1, 1, 'M-1', 1, 'M-2'), (2, 1, 'M-1', 2, 'M-1')")
	r.caughtUp(t)
	want(t, r.dst, "several_patients", "select distinct reason from deid.quarantine")
	want(t, r.dst, "2", "select count(*)::text from ehr.note")
	do(t, r.src, "update ehr.identity set old_site = null where id = 2")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	r.equalsCopyOfSites(t, mapped)
}
