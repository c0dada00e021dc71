package itest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/preflight"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Every kind of key and type is copied, followed, and in the end what a fresh copy makes.
func TestEveryKindOfKeyAndType(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), western, westernTables)
	r.cfg.Source.Heartbeat = time.Second // finds partitions that come and go
	do(t, r.src, westernRows)
	findings, err := preflight.Run(t.Context(), r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Level == finding.Problem && strings.HasPrefix(f.Subject, "table") {
			t.Errorf("check: %+v", f)
		}
	}
	run := r.run(t, exactDetector(t))
	r.streaming(t)
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	do(t, r.src, westernChanges)
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	do(t, r.src, westernAttached)
	r.comesWithItsPartition(t)
	r.caughtUp(t)
	run.stop(t)
	r.checkWestern(t)
	fresh := r.twinOf(t, westernTables)
	again := fresh.run(t, exactDetector(t))
	fresh.caughtUp(t)
	again.stop(t)
	sameContents(t, contents(t, r.dst, []string{"deid_rows"}), contents(t, fresh.dst, []string{"deid_rows"}))
	if found := marksInDatabase(t, r.dst, westernMarks); len(found) > 0 {
		t.Errorf("originals in %v", found)
	}
}

func (r *replication) comesWithItsPartition(t *testing.T) {
	t.Helper()
	note := r.key.PseudonymInt("progress_note", 90)
	eventually(t, "the note of the attached partition", func() bool {
		return one(t, r.dst, `select count(*)::text from "Ehr West".note where note_id = $1`, note) == "1"
	})
}

// checkWestern checks what analysts see against what is at the source.
func (r *replication) checkWestern(t *testing.T) {
	t.Helper()
	for _, query := range []string{ // joins that hold at the source hold for pseudonyms
		`select count(*)::text from "Ehr West".encounter join "Ehr West"."Patient" using (pat_id)`,
		`select count(*)::text from "Ehr West".note_line join "Ehr West".note_info using (note_id) join "Ehr West".encounter using (enc_id)`,
		`select count(*)::text from "Ehr West".result join "Ehr West"."Patient" using (mrn)`,
		`select count(*)::text from "Ehr West".image i join "Ehr West"."Patient" p on rtrim(i.mrn) = p.mrn`,
		`select count(*)::text from "Ehr West".note join "Ehr West"."Patient" using (pat_id)`,
		`select count(*)::text from "Ehr West".event join "Ehr West"."Patient" using (pat_id)`,
		`select string_agg(trim(ward) || state || coalesce(tags::text, '-') || code, ',' order by code) from "Ehr West".encounter`,
	} {
		want(t, r.dst, one(t, r.src, query), query)
	}
	for query, form := range map[string]string{
		`select "Full Name" from "Ehr West"."Patient" where pat_id = ` + r.patient(1):                                `^[A-Z'-]+,[A-Z]+ [A-Z]$`,
		`select "Full Name" from "Ehr West"."Patient" where pat_id = ` + r.patient(20000000001):                      `^[A-Z][a-z]+ [A-Z][A-Za-z'-]+$`,
		`select phones from "Ehr West".contact where pat_id = ` + r.patient(1):                                       `^[0-9]{3}-[0-9]{3}-[0-9]{4}; [0-9]{3}-[0-9]{3}-[0-9]{4}$`,
		`select array_length(aliases, 1)::text from "Ehr West".contact where pat_id = ` + r.patient(1):               `^2$`,
		`select accounts::text from "Ehr West".contact where pat_id = ` + r.patient(1):                               `^\{[0-9a-z]{26}\}$`,
		`select urgencies::text from "Ehr West".contact where pat_id = ` + r.patient(1):                              `^\{low,High\}$`,
		`select (ids[1] = ids[3] and ids[1] <> ids[2])::text from "Ehr West".contact where pat_id = ` + r.patient(1): `^true$`,
	} {
		if got := one(t, r.dst, query); !regexp.MustCompile(form).MatchString(got) {
			t.Errorf("%s: %q is not of the form %s", query, got, form)
		}
	}
	moved := one(t, r.src, `select (days[1] + $1::int)::text || to_char(date '2021-02-03' + $1::int, ' DDMMYYYY YYYYMMDD')
		from "Ehr West".contact where pat_id = 1`, r.shift(t, 1))
	want(t, r.dst, moved, `select concat_ws(' ', days[1], called, ymd) from "Ehr West".contact where pat_id = `+r.patient(1))
	want(t, r.dst, "1", `select count(*)::text from "Ehr West".contact where called is null and ymd is null`) // what is no date
	want(t, r.dst, "true", `select (n."Body" like '%' || split_part(c.phones, '; ', 2) || ' for ' || c.aliases[2] || ', formerly ' || c.aliases[1] || '%')::text
		from "Ehr West".note n join "Ehr West".contact c using (pat_id) where n.note_id = $1`, r.key.PseudonymInt("progress_note", 104))
	columns := texts(t, r.dst, `select column_name::text from information_schema.columns where table_schema = 'Ehr West' and table_name = 'note'`)
	if slices.Contains(columns, research.KeyColumn) {
		t.Errorf("analysts see the hashes of keys: %v", columns)
	}
	for at, shown := range map[string]string{`"Ehr West".note`: "written", `"Ehr West".event`: "at"} {
		moved := fmt.Sprintf(`select array_agg(%[1]s::text order by %[1]s)::text from (select distinct %[1]s::timestamp %%s as %[1]s from %[2]s where pat_id = %%s) x`, shown, at)
		got, want := one(t, r.dst, fmt.Sprintf(moved, "", r.patient(1))), one(t, r.src, fmt.Sprintf(moved, fmt.Sprintf("+ interval '%d days'", r.shift(t, 1)), "1"))
		if got != want {
			t.Errorf("%s: %s is %s, want %s", at, shown, got, want)
		}
	}
}

// Patients who are named by a site and a number there, and paths over two columns.
func TestPatientsOfSeveralSites(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), network, networkTables)
	r.cfg.Source.Heartbeat = time.Second
	do(t, r.src, networkRows)
	run := r.run(t, exactDetector(t))
	r.streaming(t)
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	patients := texts(t, r.dst, "select distinct patient from deid.note_provenance")
	if len(patients) != 3 || !slices.Contains(patients, r.key.PseudonymText("patient", `["2","M-1"]`)) {
		t.Errorf("the notes are those of %v", patients)
	}
	do(t, r.src, networkChanges)
	r.caughtUp(t)
	eventually(t, "the note that came before its visit", func() bool { return count(t, r.dst, "deid.quarantine") == "0" })
	r.caughtUp(t)
	run.stop(t)
	for _, query := range []string{
		"select count(*)::text from ehr.visit join ehr.patient using (site, mrn)",
		"select count(*)::text from ehr.note join ehr.visit using (site, visit_no)",
		"select count(*)::text from ehr.letter join ehr.patient using (site, mrn)",
	} {
		want(t, r.dst, one(t, r.src, query), query)
	}
	if found := marksInDatabase(t, r.dst, networkMarks); len(found) > 0 {
		t.Errorf("originals in %v", found)
	}
	maker, err := surrogate.New(r.key, r.cfg.Surrogates)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"1", "M-2"}, {"2", "M-1"}, {"2", "M-3"}} {
		days := maker.Shift(r.key.PseudonymText("patient", fmt.Sprintf(`["%s","%s"]`, c[0], c[1])))
		want(t, r.dst, fmt.Sprint(days), "select distinct (started - '2021-01-01')::text from ehr.visit where site = $1 and mrn = $2",
			c[0], r.key.PseudonymText("patient 2", c[1]))
	}
}
