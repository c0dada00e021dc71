package itest

import (
	"fmt"
	"testing"
)

// who may do what: by letter, J is a job, S a steward, A an analyst; a nurse may do nothing.
var engineRights = map[string]string{
	"select deid.deidentify('1', 'a')":                                                         "J",
	"select deid.deidentify(1, 'a')":                                                           "J",
	"select deid.deidentify_batch('{1}', '{a}')":                                               "J",
	"select deid.deidentify_all('ward.note', note_column => 'body')":                           "J",
	"select deid_note from deid.deidentify where patient_id = '1' and note = 'a'":              "J",
	"select deid_note from deid.deidentify_by_number where patient_id = 1 and note = 'a'":      "J",
	"select deid_notes from deid.deidentify_batch where patient_ids = '{1}' and notes = '{a}'": "J",
	"insert into deid.inbox (job, patient_id, note) values ('j', '1', 'a')":                    "J",
	"insert into deid.inbox (patient_id, note) values ('1', 'a') returning deid_note":          "J",
	"delete from deid.inbox where job = 'j'":                                                   "J",
	"select deid_note from deid.outbox where job = 'j'":                                        "J",
	"select * from deid.preview('1', 'a')":                                                     "S",
	"select * from deid.preview(1, 'a')":                                                       "S",
	"select * from deid.detect where patient_id = '1' and note = 'a'":                          "S",
	"select * from deid.pull('{1}')":                                                           "A",
	"select * from deid.note_deid where note_id = '1'":                                         "A",
	"select * from deid_engine.deidentify where patient_id = '1' and note = 'a'":               "",
	"select * from deid_engine.note_deid where note_id = '1'":                                  "",
	"insert into deid_engine.inbox (job, patient_id, note) values ('j', '1', 'a')":             "",
	"import foreign schema deid from server pgdeid_engine into ward":                           "",
	"create foreign table ward.mine (x int) server pgdeid_engine":                              "",
	"create user mapping for current_user server pgdeid_engine options (user 'staging')":       "",
	"create function deid.mine() returns int language sql as 'select 1'":                       "",
	"create view deid.mine as select 1":                                                        "",
	"update deid.inbox set note = 'b' where job = 'j'":                                         "",
	"set role pgdeid_engine":                                                                   "",
}

// Every role tries everything: what it may not is refused before the engine hears of it.
func TestEngineRights(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	for letter, role := range map[string]string{"J": "job", "S": "steward", "A": "analyst", "N": "nurse"} {
		do(t, conn, "reset session authorization; set session authorization "+role)
		for statement, may := range engineRights {
			if may == letter {
				if _, err := conn.Exec(t.Context(), statement); err != nil {
					t.Errorf("%s: %s: %v", role, statement, err)
				}
				continue
			}
			refused(t, conn, "42501", statement)
		}
		if got := texts(t, conn, "select count(*)::text from pg_user_mappings where array_to_string(umoptions, ',') like '%password%'"); got[0] != "0" {
			t.Errorf("%s sees the password", role)
		}
	}
}

// A function that asks as somebody else reads tables as its caller, whatever is in the caller's search path.
func TestEngineFunctionsAreNoLadder(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, `create table ward.secret (note_id int primary key, patient_id int, note text); insert into ward.secret values (1, 1, 'x');
		create schema trap; grant usage, create on schema trap to job; set session authorization job;
		create function trap.coalesce(text, text) returns text language sql as $$ select 'trapped' $$;
		create function trap.substr(text, int, int) returns text language sql as $$ select 'trapped' $$;
		create function trap.deidentify(text, text) returns text language sql as $$ select 'trapped' $$;
		create function trap.eq(text, text) returns boolean language sql as $$ select pg_sleep(0) is null $$;
		create operator trap.= (leftarg = text, rightarg = text, function = trap.eq);
		create temporary table deidentify (patient_id text, note text, deid_note text);
		set search_path = trap, pg_temp, pg_catalog, public`)
	for query, want := range map[string]string{
		"select deid.deidentify('1', 'a')": "1:A", "select deid.deidentify(1, 'a')": "1:A",
		"select deid_notes[1] from deid.deidentify_batch('{1}', '{a}')":                              "1:A",
		"select count(deid_note)::text from deid.deidentify_all('ward.note', note_column => 'body')": "250",
	} {
		if got := texts(t, conn, query); got[0] != want {
			t.Errorf("%s: %s", query, got[0])
		}
	}
	refused(t, conn, "42501", "select * from deid.deidentify_all('ward.secret')")
	do(t, conn, "reset search_path")
	if got := texts(t, conn, fmt.Sprintf("select count(*)::text from pg_proc p where pronamespace = 'deid'::regnamespace and prosecdef and (proowner <> 'pgdeid_engine'::regrole or %s)",
		"proconfig is null or not 'search_path=pg_catalog, pg_temp' = any (proconfig)")); got[0] != "0" {
		t.Errorf("%s functions that run as somebody else are not pinned", got[0])
	}
}
