package itest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// attackAsAnalyst tries what a login with the role pgdeid_analyst and a list of the
// source's keys can do.
func (h *attacked) attackAsAnalyst(t *testing.T) []loot {
	t.Helper()
	conn := h.analystLogin(t)
	var all []loot
	for _, table := range keyedTables {
		all = append(all, h.linkedByOrder(t, conn, table)...)
	}
	return append(all, h.systemColumns(t, conn), h.foreignSchemas(t, conn), h.shiftsByArrival(t, conn))
}

// keyedTable is a table whose key is published as a pseudonym.
type keyedTable struct{ table, column, domain string }

var keyedTables = []keyedTable{
	{"ehr.patient", "patient_id", "patient"},
	{"ehr.encounter", "encounter_id", "encounter_id"},
	{"ehr.address", "address_id", "address_id"},
	{"ehr.contact", "contact_id", "contact_id"},
	{"ehr.lab_result", "lab_id", "lab_id"},
	{"ehr.note", "note_id", "note_id"},
	{"ehr.provider", "provider_id", "provider_id"},
}

// byChance is how many items of a random order are in their right place: one is
// expected, more than seven are as rare as one in a hundred thousand.
const byChance = 7

// linkedByOrder lays a sorted list of the source's keys next to a scan of the replica
// without ORDER BY. What is in its right place is linked.
func (h *attacked) linkedByOrder(t *testing.T, conn *pgx.Conn, k keyedTable) []loot {
	t.Helper()
	seen := numbers(t, conn, fmt.Sprintf("select %s::bigint from %s", k.column, k.table))
	published := make(map[int64]bool, len(seen))
	for _, pseudonym := range seen {
		published[pseudonym] = true
	}
	// The attacker's list need not name those that are not shown yet.
	var truth []int64
	for _, key := range numbers(t, h.src, fmt.Sprintf("select %s::bigint from %s order by 1", k.column, k.table)) {
		if pseudonym := h.key.PseudonymInt(k.domain, key); published[pseudonym] {
			truth = append(truth, pseudonym)
		}
	}
	if len(truth) != len(seen) || len(seen) < 10 {
		t.Fatalf("%s: %d rows are shown, %d of them are known", k.table, len(seen), len(truth))
	}
	right := 0
	for i := range seen {
		if seen[i] == truth[i] {
			right++
		}
	}
	ordered := 0
	if rho := rank(seen, truth); math.Abs(rho) > chance(len(seen)) {
		t.Logf("%s: the scan and the source's keys have rank correlation %.3f", k.table, rho)
		ordered = 1
	}
	return []loot{
		{"analyst", "rows linked by the order of " + k.table, right, len(seen), byChance},
		{"analyst", "order of keys shown by " + k.table, ordered, 1, 0},
	}
}

// systemColumns asks for the columns that PostgreSQL keeps with each row of a table:
// they show when it was written.
func (h *attacked) systemColumns(t *testing.T, conn *pgx.Conn) loot {
	t.Helper()
	l := loot{attacker: "analyst", what: "system columns that can be read"}
	for _, k := range keyedTables {
		for _, column := range []string{"ctid", "xmin", "cmin", "xmax", "tableoid"} {
			l.of++
			if _, err := conn.Exec(t.Context(), fmt.Sprintf("select %s from %s limit 1", column, k.table)); err == nil {
				l.got++
			}
		}
	}
	return l
}

// foreignSchemas tries to read every relation that is not there for analysts.
func (h *attacked) foreignSchemas(t *testing.T, conn *pgx.Conn) loot {
	t.Helper()
	l := loot{attacker: "analyst", what: "relations of vault, storage and EHR that can be read"}
	for _, name := range texts(t, h.dst, `
		select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p', 'v', 'm', 'f')
		  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'ehr', 'deid_info')`) {
		l.of++
		if _, err := conn.Exec(t.Context(), "select 1 from "+name+" limit 1"); err == nil {
			t.Logf("an analyst reads %s", name)
			l.got++
		}
	}
	return l
}

// watched is how many patients get a new note while the analyst watches.
const watched = 13

// shiftsByArrival watches new notes appear: a note of today that shows another day
// gives its patient's shift away.
func (h *attacked) shiftsByArrival(t *testing.T, conn *pgx.Conn) loot {
	t.Helper()
	l := loot{attacker: "analyst", what: "shifts learned from rows that appear today", allowed: 1}
	var ids []int64
	for i := attackedNotes; len(ids) < watched; i++ {
		d := h.hospital.Note(i)
		if slices.Contains(ids, d.Patient.ID) {
			continue
		}
		ids = append(ids, d.Patient.ID)
		if err := sandbox.InsertNote(t.Context(), h.src, &d); err != nil {
			t.Fatal(err)
		}
		if _, err := h.src.Exec(t.Context(), "update ehr.note set written_at = now() where note_id = $1", d.ID); err != nil {
			t.Fatal(err)
		}
	}
	h.caughtUp(t)
	for _, id := range ids {
		l.of++
		// A patient without any note that is shown gives nothing to guess with.
		days := numbers(t, conn, `select coalesce(max(written_at)::date - current_date, 0)::bigint from ehr.note where patient_id = $1`,
			h.key.PseudonymInt("patient", id))
		if days[0] == int64(h.shift(id)) {
			l.got++
		}
	}
	return l
}

func numbers(t *testing.T, conn *pgx.Conn, query string, args ...any) []int64 {
	t.Helper()
	rows, err := conn.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	return got
}
