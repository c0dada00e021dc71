package rotation

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog/catalogtest"
	"github.com/pgdeid/pgdeid/sql/research"
)

// Whoever adds a table to the vault says what a change of the key does to it.
func TestEveryTableOfTheVaultIsKnownToRotation(t *testing.T) {
	t.Parallel()
	made := regexp.MustCompile(`(?m)^create table deid\.(\w+)`)
	dropped := regexp.MustCompile(`(?m)^drop table deid\.(\w+)`)
	tables := map[string]bool{}
	names, err := filepath.Glob("../migrations/replica/*.up.sql")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range made.FindAllSubmatch(text, -1) {
			tables[string(m[1])] = true
		}
		for _, m := range dropped.FindAllSubmatch(text, -1) {
			delete(tables, string(m[1]))
		}
	}
	if len(tables) < 20 {
		t.Fatalf("%d tables", len(tables))
	}
	for name := range tables {
		n := 0
		for _, list := range [][]string{empties, keeps, carries} {
			if slices.Contains(list, name) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("deid.%s is in %d lists of rotation.go instead of one", name, n)
		}
	}
}

func TestWhatRefersToOtherTables(t *testing.T) {
	t.Parallel()
	cfg, cat := catalogtest.Parse(t, catalogtest.Small)
	var got []string
	for i := range cfg.Tables {
		table := &cfg.Tables[i]
		for _, r := range referred(cfg, cat, table, research.Columns(table, cat.Tables[table.FullName()])) {
			got = append(got, table.FullName()+"."+r.column+" "+r.table.FullName()+"."+r.key)
		}
	}
	if s := strings.Join(got, ", "); s != "ehr.note.patient_id ehr.patient.patient_id" {
		t.Errorf("references: %s", s)
	}
	cat.Tables["ehr.patient"].PrimaryKey = []string{"patient_id", "zip"}
	if more := referred(cfg, cat, &cfg.Tables[1], research.Columns(&cfg.Tables[1], cat.Tables["ehr.note"])); len(more) != 0 {
		t.Errorf("to a part of a key: %v", more)
	}
}

func TestBrokenJoins(t *testing.T) {
	t.Parallel()
	before := []TableCount{
		{Table: "ehr.patient", Rows: 2},
		{Table: "ehr.note", Rows: 9, Joins: []JoinCount{{"patient_id", "ehr.patient", 9, 8}, {"visit_id", "ehr.visit", 3, 0}}},
		{Table: "ehr.empty"},
	}
	note := func(rows, filled, found int64) []TableCount {
		return []TableCount{
			{Table: "ehr.patient", Rows: 1},
			{Table: "ehr.note", Rows: rows, Joins: []JoinCount{{"patient_id", "ehr.patient", filled, found}, {"visit_id", "ehr.visit", 4, 0}}},
		}
	}
	for _, c := range []struct {
		name  string
		after []TableCount
		want  string
	}{
		{"fewer rows, which find theirs", note(7, 7, 7), ""},
		{"no row finds its patient", note(9, 9, 0), "ehr.note.patient_id to ehr.patient"},
		{"no row has a patient", note(9, 0, 0), ""},
		{"no rows", note(0, 0, 0), "ehr.note"},
		{"nothing", nil, "ehr.patient, ehr.note, ehr.note.patient_id to ehr.patient"},
	} {
		if got := strings.Join(BrokenJoins(before, c.after), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// All views are locked before the first one changes, and nothing is dropped before the last one has.
func TestSwitchIsOfAllViewsAtOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []config.ReleaseMode{config.Live, config.Batches} {
		cfg, cat := catalogtest.Parse(t, catalogtest.Small)
		cfg.Release.Mode = mode
		over := map[config.ReleaseMode]string{config.Live: "deid_rows", config.Batches: "deid_released"}[mode]
		got := strings.Join(switchStatements(cfg, cat, 7), "\n")
		want := `set local lock_timeout = 250
select pg_advisory_xact_lock(7)
lock table "ehr"."patient", "ehr"."note" in access exclusive mode
create or replace view "ehr"."patient" as select "patient_id", "zip" from "` + over + `"."ehr.patient"
create or replace view "ehr"."note" as select "note_id", "patient_id", "body" from "` + over + `"."ehr.note"
drop table "deid_before"."ehr.patient", "deid_before"."ehr.note"
truncate deid.rotation, deid.rotation_word, deid.rotation_former`
		if got != want {
			t.Errorf("%s:\n%s", mode, got)
		}
	}
}

// What analysts read is moved, never dropped, and the views are not touched.
func TestNextGenerationLeavesWhatIsRead(t *testing.T) {
	t.Parallel()
	for _, mode := range []config.ReleaseMode{config.Live, config.Batches} {
		cfg, cat := catalogtest.Parse(t, catalogtest.Small)
		cfg.Release.Mode = mode
		b := beginning{Change{Purged: map[string][]byte{"\x01": {2}}}, cfg, cat, nil}
		all := strings.Join(append(research.NextGeneration(cfg, cat, &research.Existing{}).Statements, b.emptyVault([]string{"surrogate", "verified", "review_item"})...), "\n")
		for _, want := range map[config.ReleaseMode][]string{
			config.Live:    {`alter table "deid_rows"."ehr.note" set schema "deid_before"`, `create table "deid_rows"."ehr.note"`},
			config.Batches: {`alter table "deid_released"."ehr.note" set schema "deid_before"`, `drop table "deid_rows"."ehr.note", "deid_waiting"."ehr.note"`, `create table "deid_released"."ehr.note"`},
		}[mode] {
			if !strings.Contains(all, want) {
				t.Errorf("%s lacks %s in\n%s", mode, want, all)
			}
		}
		for _, never := range []string{"create view", "drop view", "replace view", "review_item", "verified", `"ehr"."note"`} {
			if strings.Contains(all, never) {
				t.Errorf("%s has %s in\n%s", mode, never, all)
			}
		}
		for _, want := range []string{"truncate deid.surrogate\n", `update deid.purged set patient_hmac = '\x02'::bytea where patient_hmac = '\x01'::bytea`} {
			if !strings.Contains(all, want) {
				t.Errorf("%s lacks %s", mode, want)
			}
		}
	}
}
