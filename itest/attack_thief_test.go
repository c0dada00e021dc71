package itest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// attackAsThief reads the replica as one does who has its data directory and its
// server's log: every table as a superuser, every file byte for byte. The key is not
// there.
func (h *attacked) attackAsThief(t *testing.T) []loot {
	t.Helper()
	do(t, h.dst, "checkpoint")
	return []loot{
		h.credentials(t), h.originals(t), h.keysInLog(t),
		h.shiftsInVault(t), h.timesInVault(t), h.surrogatesInVault(t), h.patientsByPlace(t),
	}
}

// patientsByPlace looks at where rows lie on the disk, in every table that has a
// patient's pseudonym: do patients lie in the order of their keys in the EHR?
func (h *attacked) patientsByPlace(t *testing.T) loot {
	t.Helper()
	l := loot{attacker: "thief", what: "tables that lie in the order of the EHR's patients"}
	var inOrder []string
	for _, id := range numbers(t, h.src, "select patient_id from ehr.patient order by 1") {
		inOrder = append(inOrder, h.key.PatientPseudonym(fmt.Sprint(id)))
	}
	for _, column := range texts(t, h.dst, `
		select format('%I.%I', n.nspname, c.relname) || ' ' || quote_ident(a.attname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
		where c.relkind = 'r' and n.nspname like 'deid%' and a.attname in ('patient', 'patient_id') and not a.attisdropped`) {
		table, name, _ := strings.Cut(column, " ")
		lie := texts(t, h.dst, fmt.Sprintf("select %s::text from %s where %[1]s is not null group by 1 order by min(ctid)", name, table))
		truth := slices.DeleteFunc(slices.Clone(inOrder), func(p string) bool { return !slices.Contains(lie, p) })
		if len(truth) < 30 || len(truth) != len(lie) {
			continue // too few to show an order, or not about patients
		}
		l.of++
		if rho := rank(lie, truth); math.Abs(rho) > chance(len(lie)) {
			t.Logf("%s: rank correlation %.3f", table, rho)
			l.got++
		}
	}
	return l
}

// credentials looks for passwords of the source in files and user mappings.
func (h *attacked) credentials(t *testing.T) loot {
	t.Helper()
	secrets := []string{"attack-replication-Xk27", "attack-reader-Qm93", h.source.Password()}
	got := marksInFolder(t, secrets, filepath.Dir(h.replica.Log()))
	stored := texts(t, h.dst, "select umoptions::text from pg_user_mappings where umoptions::text ~ 'password='")
	return loot{attacker: "thief", what: "credentials of the EHR", got: len(got) + len(stored), of: len(secrets)}
}

// originals looks for values that belong to one patient in every file of the server,
// WAL and log included.
func (h *attacked) originals(t *testing.T) loot {
	t.Helper()
	var marks []string
	for i := range h.hospital.Patients {
		p := &h.hospital.Patients[i]
		marks = append(marks, p.SSN, p.MRN, p.Email)
	}
	marks = slices.DeleteFunc(marks, func(m string) bool { return len(m) < 8 })
	got := marksInFolder(t, marks, filepath.Dir(h.replica.Log()))
	return loot{attacker: "thief", what: "SSN, MRN, e-mail addresses in the server's files", got: len(got), of: len(marks)}
}

// keysInLog looks for the source's patient keys among the parameters that the server
// logged while log_statement was all.
func (h *attacked) keysInLog(t *testing.T) loot {
	t.Helper()
	log, err := os.ReadFile(h.replica.Log())
	if err != nil {
		t.Fatal(err)
	}
	logged := map[string]bool{}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "DETAIL") {
			for _, number := range digits.FindAllString(line, -1) {
				logged[number] = true
			}
		}
	}
	l := loot{attacker: "thief", what: "patient keys of the EHR in the server's log", of: len(h.hospital.Patients)}
	for i := range h.hospital.Patients {
		if logged[fmt.Sprint(h.hospital.Patients[i].ID)] {
			l.got++
		}
	}
	return l
}

var digits = regexp.MustCompile(`[0-9]+`)

// vaultColumns returns the columns of the vault, of some types, in tables that have a
// patient's pseudonym: "table column" each.
func (h *attacked) vaultColumns(t *testing.T, types ...string) (columns []string) {
	t.Helper()
	return texts(t, h.dst, `
		select format('%I.%I', c.table_schema, c.table_name) || ' ' || quote_ident(c.column_name)
		from information_schema.columns c
		join information_schema.columns p using (table_schema, table_name)
		join pg_class r on r.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and r.relkind in ('r', 'p')
		where c.table_schema = 'deid' and p.column_name = 'patient' and c.udt_name = any($1)`, types)
}

// shiftsInVault compares every number that the vault holds of a patient with the
// patient's shift.
func (h *attacked) shiftsInVault(t *testing.T) loot {
	t.Helper()
	l := loot{attacker: "thief", what: "shifts that stand in the vault"}
	shifts := map[string]int{}
	for i := range h.hospital.Patients {
		id := h.hospital.Patients[i].ID
		shifts[h.key.PatientPseudonym(fmt.Sprint(id))] = h.shift(id)
	}
	learned := map[string]bool{}
	for _, column := range h.vaultColumns(t, "int2", "int4", "int8", "numeric", "interval") {
		table, name, _ := strings.Cut(column, " ")
		for _, row := range texts(t, h.dst, fmt.Sprintf("select patient || ' ' || %s::text from %s where patient is not null and %[1]s is not null", name, table)) {
			patient, value, _ := strings.Cut(row, " ")
			if days := shifts[patient]; value == fmt.Sprint(days) || value == fmt.Sprint(-days) {
				learned[patient] = true
			}
		}
	}
	l.got, l.of = len(learned), len(shifts)
	return l
}

// timesInVault counts the moments, finer than a month, that the vault holds of a patient:
// next to the days that the patient's rows show they give the shift.
func (h *attacked) timesInVault(t *testing.T) loot {
	t.Helper()
	l := loot{attacker: "thief", what: "days and times that stand beside a patient in the vault"}
	for _, column := range h.vaultColumns(t, "timestamptz", "timestamp", "date") {
		table, name, _ := strings.Cut(column, " ")
		rows, err := h.dst.Query(t.Context(), fmt.Sprintf("select %s::timestamp from %s where patient is not null and %[1]s is not null", name, table))
		if err != nil {
			t.Fatal(err)
		}
		times, err := pgx.CollectRows(rows, pgx.RowTo[time.Time])
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range times {
			l.of++
			if at != time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, at.Location()) {
				l.got++
			}
		}
	}
	return l
}

// surrogatesInVault looks for the surrogates of patients' names among what the vault
// holds of them: subtracted from a text, they show what detection missed.
func (h *attacked) surrogatesInVault(t *testing.T) loot {
	t.Helper()
	names := texts(t, h.dst, "select distinct last_name from ehr.patient where length(last_name) > 4")
	l := loot{attacker: "thief", what: "surrogates that stand in the vault", of: len(names)}
	var held strings.Builder
	for _, column := range h.vaultColumns(t, "text", "_text", "varchar", "jsonb", "bytea") {
		table, name, _ := strings.Cut(column, " ")
		for _, value := range texts(t, h.dst, fmt.Sprintf("select case when pg_typeof(%s)::text = 'bytea' then encode(%[1]s::text::bytea, 'escape') else %[1]s::text end from %s where %[1]s is not null", name, table)) {
			held.WriteString(strings.ToLower(value) + "\n")
		}
	}
	for _, name := range names {
		if strings.Contains(held.String(), strings.ToLower(name)) {
			l.got++
		}
	}
	return l
}
