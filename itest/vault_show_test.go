package itest

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// An attacker who has the disk or a dump of the replica, and not the key, learns no shift, no
// surrogate, and of no patient when something happened.
func TestVaultTellsAThiefNothing(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, `insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Mr. Quarkstein saw Dr. Gwendolyn Ashcombe.'), (2, 2, null, 'new', 'Ottilie slept.'), (3, 1, null, 'new', null),
		(4, 1, null, null, 'Zebulon Quarkstein, MRN MR-4711')`)
	do(t, r.dst, `alter table deid_rows."ehr.note" add check (status is not null)`)
	do(t, r.src, "update ehr.note set body = body || ' Zebulon Quarkstein' where note_id = 4")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from deid.quarantine")
	if found := marksInVault(t, r, texts(t, r.dst, "select given from ehr.patient union select family from ehr.patient")); len(found) > 0 {
		t.Errorf("surrogates stand in %v", found)
	}
	// No time and no position is next to what leads to a patient; deid.requeue holds
	// requests until they are fulfilled, and is empty then.
	for _, column := range texts(t, r.dst, `
		select c.relname || '.' || a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = 'deid'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
			and a.atttypid::regtype::text in ('timestamp with time zone', 'pg_lsn', 'date', 'integer') and c.relname <> 'requeue'
			and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname in ('patient', 'row_key') and not p.attisdropped)`) {
		t.Errorf("%s tells when", column)
	}
	// A writer of the vault can't give a patient another's shift.
	do(t, r.dst, "update deid.date_shift a set sealed = b.sealed from deid.date_shift b where a.patient <> b.patient")
	err := r.vault().Shifts(t.Context(), vault.Filter{}, func(vault.Shift) error { return nil })
	if err == nil {
		t.Error("swapped shifts were opened")
	}
}

// marksInVault returns the tables of the vault that hold any of the marks.
func marksInVault(t *testing.T, r *replication, marks []string) []string {
	t.Helper()
	var found []string
	for _, table := range texts(t, r.dst, "select oid::regclass::text from pg_class where relnamespace = 'deid'::regnamespace and relkind = 'r'") {
		for _, m := range marks {
			pattern := []string{"%" + like(m) + "%", "%" + hex.EncodeToString([]byte(m)) + "%"}
			if texts(t, r.dst, "select count(*)::text from "+table+" x where x::text ilike any($1)", pattern)[0] != "0" {
				found = append(found, table)
			}
		}
	}
	return found
}

func TestVaultShow(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Mr. Quarkstein ate.'), (2, null, null, 'new', 'whose?')")
	run := r.run(t, nil)
	r.caughtUp(t)
	run.stop(t)
	show := func(args ...string) result {
		t.Helper()
		return runPgdeid(t, nil, append([]string{"vault", "show", "--config", r.cfg.Path}, args...)...)
	}
	lines := func(args ...string) []string {
		t.Helper()
		res := show(args...)
		if res.code != 0 || !strings.Contains(res.stderr, "the vault is opened") {
			t.Fatalf("%v: exit status %d, %s", args, res.code, res.stderr)
		}
		return strings.Split(strings.TrimSuffix(res.stdout, "\n"), "\n")
	}
	shift := one(t, r.dst, "select (written::date - '2021-03-04')::text from ehr.note")
	if got := lines("shift", "--patient", r.patient(1)); len(got) != 1 || got[0] != r.patient(1)+"\t"+shift {
		t.Errorf("shift: %q, want %s", got, shift)
	}
	family := one(t, r.dst, "select family from ehr.patient where patient_id = $1::text::int", r.patient(1))
	if got := strings.Join(lines("surrogates", "--patient", r.patient(1)), "\n"); !strings.Contains(strings.ToLower(got), "name\t"+strings.ToLower(family)) || strings.Contains(got, r.patient(2)) {
		t.Errorf("surrogates: %q, want %s", got, family)
	}
	var span struct {
		Table, Column, Type string
		Start, End          int
		By                  []string
	}
	got := lines("spans", "--table", "ehr.note", "--key", r.note(1), "--json")
	if err := json.Unmarshal([]byte(got[0]), &span); err != nil || len(got) != 1 {
		t.Fatalf("spans: %q, %v", got, err)
	}
	if body := r.body(t, 1); span.Table != "ehr.note" || span.Column != "body" || span.Type != "PATIENT" || body[span.Start:span.End] != family || len(span.By) == 0 {
		t.Errorf("span %+v of %q", span, body)
	}
	if got := lines("quarantine", "--all"); len(got) != 1 || !strings.Contains(got[0], "ehr.note\t2\t\tno_patient") {
		t.Errorf("quarantine: %q", got)
	}
	for _, args := range [][]string{{"shift"}, {"spans", "--key", "1"}, {"shift", "--all", "--patient", "1"}, {"surrogates", "--table", "ehr.note"}, {"keys", "--all"}} {
		if res := show(args...); res.code != 2 || res.stdout != "" {
			t.Errorf("%v: exit status %d, %s", args, res.code, res.stdout)
		}
	}
	other := t.TempDir() + "/other"
	if err := surrogate.NewKeyFile(other); err != nil {
		t.Fatal(err)
	}
	if res := runPgdeid(t, []string{"PGDEID_KEY_FILE=" + other}, "vault", "show", "--config", r.cfg.Path, "shift", "--all"); res.code == 0 || res.stdout != "" ||
		!strings.Contains(res.stderr, "key_file") {
		t.Errorf("another key: exit status %d, %s %s", res.code, res.stdout, res.stderr)
	}
}

// SQL through the engine opens the vault for stewards only.
func TestStewardsReadTheVaultInSQL(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Mr. Quarkstein ate.'), (2, 2, null, 'new', 'Ottilie Wampfler slept.')")
	r.run(t, nil)
	r.caughtUp(t)
	desk := r.desk(t)
	e := newEngine(t, "127.0.0.1:0", desk, nil)
	as := func(user string) *pgx.Conn { return labAs(t, e, user) }
	steward := as("staging")
	shift := one(t, r.dst, "select (written::date - '2021-03-04')::text from ehr.note where note_id = $1::text::bigint", r.note(1))
	var days int
	if err := steward.QueryRow(t.Context(), "select days from deid.vault_shift where patient = $1", r.patient(1)).Scan(&days); err != nil || fmt.Sprint(days) != shift {
		t.Errorf("shift %d, %v, want %s", days, err, shift)
	}
	rows, err := steward.Query(t.Context(), "select row_key, phi_type, span_start, span_end from deid.vault_span where patient = $1", r.patient(1))
	if err != nil {
		t.Fatal(err)
	}
	var key, typ string
	var start, end, n int
	_, err = pgx.ForEachRow(rows, []any{&key, &typ, &start, &end}, func() error { n++; return nil })
	family := one(t, r.dst, "select family from ehr.patient where patient_id = $1::text::int", r.patient(1))
	if err != nil || n != 1 || key != `["`+r.note(1)+`"]` || typ != "PATIENT" || r.body(t, 1)[start:end] != family {
		t.Errorf("%d spans: %s %s %d %d, %v", n, key, typ, start, end, err)
	}
	for _, query := range []string{"select days from deid.vault_shift where patient = ''", "select days from deid.vault_shift where patient = '1'"} {
		if err := steward.QueryRow(t.Context(), query).Scan(&days); !errors.Is(err, pgx.ErrNoRows) {
			t.Errorf("%s: %v", query, err)
		}
	}
	for user, query := range map[string]string{
		"viewer": "select days from deid.vault_shift where patient = '" + r.patient(1) + "'", "least": "select row_key from deid.vault_span where patient = '" + r.patient(1) + "'",
	} {
		if _, err := as(user).Exec(t.Context(), query); fault.State(err) != "42501" {
			t.Errorf("%s: %v", user, err)
		}
	}
	if _, err := steward.Exec(t.Context(), "select days from deid.vault_shift"); err == nil {
		t.Error("all shifts in one query")
	}
}
