package itest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestEngineFunctions(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, `create table ward.odd (id uuid primary key, "Patient ""No" varchar(10), "text: free" text collate "C");
		insert into ward.odd values ('00000000-0000-0000-0000-000000000001', '5', 'Ä ab')`)
	for query, want := range map[string]string{
		"select deid.deidentify('5', 'a')":                                   "5:A",
		"select deid.deidentify(5, 'a')":                                     "5:A",
		"select deid.deidentify(5::bigint, 'a')":                             "5:A",
		"select deid.deidentify('5'::varchar(3), 'a')":                       "5:A",
		"select deid.deidentify(5.0, 'a')":                                   "5.0:A",
		"select deid.deidentify('5', '')":                                    "5:",
		"select deid.deidentify('5', null) is null":                          "true",
		"select deid.deidentify(null::int, null) is null":                    "true",
		`select deid.deidentify('it''s', E'\\ '' " {} , \n\t😀')`:             "it's:\\ ' \" {} , \n\t😀",
		`select deid.deidentify("Patient ""No", "text: free") from ward.odd`: "5:Ä AB", // as locale C has it
		`select (select deid_note from deid.deidentify d where d.patient_id = n.p and d.note = n.b) from (select "Patient ""No"::text p, "text: free" collate "default" b from ward.odd offset 0) n`: "5:Ä AB",
		"select deid.deidentify(id, 'a') from ward.odd":              "00000000-0000-0000-0000-000000000001:A",
		"select length(deid.deidentify('1', repeat('x', 10000000)))": "10000002",
		"select deid_notes[1] || (deid_notes[2] is null) || reasons[3] || coalesce(deid_notes[3], '-') || deid_notes[4] from deid.deidentify_batch('{1,2,3,4}', '{a,null,refuse,\"\"}')": "1:Atrueleak-4:",
		"select deid_notes::text || reasons::text from deid.deidentify_batch('{}', '{}')":                                                                                                "{}{}",
		"select deid_notes::text from deid.deidentify_batch(null, null)":                                                                                                                 "{}",
		"select sum(length(n))::text from deid.deidentify_batch(array_fill('1'::text, '{3}'), array_fill(repeat('x', 10000000), '{3}')), unnest(deid_notes) n":                           "30000006",
		"select string_agg(format('%s-%s %s %s %s', span_start, span_end, phi_type, original, detectors), ';' order by span_start) from deid.preview(5, 'Ä Anna 3/4')":                   "2-6 PATIENT Anna {record,names};7-9 DATE 3/ {dates}",
		"select count(*)::text from deid.preview('5', null)":                                                                                                                             "0",
		"select string_agg(note_id || deid_note, ';') from deid.pull('{1,404,2}')":                                                                                                       "1NOTE 1 OF ehr.note.body;2NOTE 2 OF ehr.note.body",
		"select deid_note from deid.pull('{1}', 'ehr.line', 'text')":                                                                                                                     "NOTE 1 OF ehr.line.text",
		"select deid_note from deid.pull('{1}', source_column => 'text')":                                                                                                                "NOTE 1 OF ehr.note.text",
		"select deid_note from deid.pull('{1}', 'ehr.line')":                                                                                                                             "NOTE 1 OF ehr.line.body",
		"select deid_note is null and reason = 'leak' from deid.pull('{13}')":                                                                                                            "true",
		"select count(*)::text from deid.pull('{}')":                                                                                                                                     "0",
		`select key || deid_note from deid.deidentify_all('ward.odd', patient_column => 'Patient "No', note_column => 'text: free')`:                                                     "00000000-0000-0000-0000-0000000000015:Ä AB",
		`with one as (select 1) select count(*)::text from deid.deidentify_all('ward.note', note_column => 'body') where deid_note is not null`:                                          "250",
	} {
		if got := texts(t, conn, "select ("+query+")::text"); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q", query, got)
		}
	}
}

// One function call a row is work that PostgreSQL may share among its processes.
func TestEngineInParallel(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, `alter table ward.note set (parallel_workers = 2); grant select on ward.note to job; set session authorization job;
		set min_parallel_table_scan_size = 0; set parallel_setup_cost = 0; set parallel_leader_participation = off`)
	plan := strings.Join(texts(t, conn, "explain (costs off) select deid.deidentify(patient_id, body) from ward.note"), "\n")
	if !strings.Contains(plan, "Workers Planned: 2") {
		t.Errorf("plan\n%s", plan)
	}
	if got := texts(t, conn, "select count(*)::text from ward.note n where deid.deidentify(patient_id, body) = "+wantNote); got[0] != "250" {
		t.Errorf("%s notes", got[0])
	}
}

// A nightly job goes on where it was stopped, and one bad note does not stop it.
func TestEngineInto(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, `create table ward.clean (note_id bigint primary key, deid_note text, reason text, at timestamptz default now());
		grant select, insert on ward.clean to job; update ward.note set body = 'refuse Brackenmark' where note_id = 100;
		update ward.note set body = null where note_id = 101; set session authorization job`)
	do(t, conn, "call deid.deidentify_into('ward.note', 'ward.clean', note_column => 'body', batch_size => 30)")
	sum := func() string {
		return strings.Join(texts(t, conn, `select format('%s rows, %s right, %s refused, %s transactions', count(*), count(*) filter (where c.deid_note = `+wantNote+`), count(reason), count(distinct at))
			from ward.clean c join ward.note n using (note_id)`), "")
	}
	if got := sum(); got != "250 rows, 248 right, 1 refused, 9 transactions" {
		t.Error(got)
	}
	do(t, conn, "reset session authorization; delete from ward.clean where note_id % 2 = 0; update ward.note set body = 'wait' where note_id = 200; set session authorization job")
	do(t, conn, "set statement_timeout = '3s'")
	_, err := conn.Exec(t.Context(), "call deid.deidentify_into('ward.note', 'ward.clean', note_column => 'body', batch_size => 30)")
	if state := stateOf(err); state != "57014" {
		t.Errorf("stopped by %v", err)
	}
	if got := sum(); !strings.HasPrefix(got, "215 rows, 214 right, 0 refused") && !strings.HasPrefix(got, "215 rows, 213 right, 1 refused") {
		t.Error(got)
	}
	do(t, conn, "reset session authorization; update ward.note set body = 'fine' where note_id = 200; reset statement_timeout; set session authorization job")
	refused(t, conn, "2D000", "begin; call deid.deidentify_into('ward.note', 'ward.clean', note_column => 'body')")
	do(t, conn, "rollback")
	do(t, conn, "begin; call deid.deidentify_into('ward.note', 'ward.clean', note_column => 'body', commits => false)")
	if got := sum(); !strings.HasPrefix(got, "250 rows, 248 right, 1 refused") {
		t.Error(got)
	}
	do(t, conn, "rollback")
	if got := sum(); !strings.HasPrefix(got, "215 rows") {
		t.Error(got)
	}
	do(t, conn, "reset session authorization; revoke insert on ward.clean from job; delete from ward.clean; set session authorization job")
	refused(t, conn, "42501", "call deid.deidentify_into('ward.note', 'ward.clean', note_column => 'body')")
}

// Keys of any type, in the order that their column has, under any name.
func TestEngineIntoOddKeys(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	for _, kind := range []string{`text collate "C"`, "text", "numeric(8, 2)", "bytea", "varchar(9)"} {
		do(t, conn, fmt.Sprintf(`create table ward.odd ("Key ""1" %s primary key, patient_id int, note text);
			insert into ward.odd select case when i %% 2 = 0 then i::text else '1' || i || '0' end::%[1]s, i, 'n' || i from generate_series(1, 90) i;
			create table ward.clean ("Key ""1" %[1]s primary key, deid_note text, reason text);
			grant select on ward.odd to job; grant select, insert on ward.clean to job; set session authorization job`, kind))
		do(t, conn, "call deid.deidentify_into('ward.odd', 'ward.clean', batch_size => 7)")
		got := texts(t, conn, `select count(*)::text from ward.odd join ward.clean using ("Key ""1") where deid_note = patient_id || ':' || upper(note)`)
		if !slices.Equal(got, []string{"90"}) {
			t.Errorf("%s: %v", kind, got)
		}
		do(t, conn, "reset session authorization; drop table ward.odd, ward.clean")
	}
}

func stateOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
