package demo

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/replicator/fault"
)

// Scan is what a search of the whole replica found: every column of every row of
// every table, the vault included.
type Scan struct {
	Tables, Columns int
	Rows            int64
	Bytes           int64
	// Leaks are identifiers of a patient that stand in a row of that patient, or
	// numbers, addresses and logins of any patient that the row's source held.
	Leaks []Leak
	// Chance counts numbers that belong to some other patient and are not in the row's
	// source: made-up values that happen to be alike.
	Chance int
}

// Leak is one identifier found. It quotes the made-up hospital.
type Leak struct{ Table, Text string }

// scanner knows everybody's identifiers.
type scanner struct {
	w        *world
	own      map[int64]*ensemble.Gazetteer // by published patient key
	everyone *ensemble.Gazetteer           // numbers, e-mail and streets of all patients
	notes    map[int64]string              // source texts by published note key
	scan     Scan
}

// everywhere are the roles whose values belong to one person alone.
var everywhere = []ensemble.Role{
	ensemble.MRN, ensemble.RoleSSN, ensemble.RoleAccount, ensemble.RolePlan, ensemble.RolePhone, ensemble.RoleEmail,
	ensemble.RoleLicense, ensemble.RoleStreet,
}

func newScanner(w *world) *scanner {
	s := &scanner{w: w, own: map[int64]*ensemble.Gazetteer{}, notes: map[int64]string{}}
	all := ensemble.Record{}
	for i := range w.hospital.Patients {
		p := &w.hospital.Patients[i]
		rec := p.Record()
		s.own[patientKey(w.key, p)] = ensemble.NewGazetteer(rec)
		for _, role := range everywhere {
			for _, v := range rec[role] {
				all[role] = append(all[role], v)
			}
		}
	}
	s.everyone = ensemble.NewGazetteer(all)
	for i := range w.Notes + w.Live {
		d := w.hospital.Note(i)
		s.notes[w.noteKey(&d)] = d.Text
	}
	return s
}

type scanTable struct {
	schema, name string
	columns      []string // as expressions that give text
	patient      string   // expression that gives the published patient key, or null
	note         string   // expression that gives the published note key, or null
}

// tables lists every table that stores rows in the replica.
func (s *scanner) tables(ctx context.Context, conn *pgx.Conn) ([]scanTable, error) {
	rows, err := conn.Query(ctx, `
		select n.nspname, c.relname, a.attname, t.typname
		from pg_class c
		join pg_namespace n on n.oid = c.relnamespace
		join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		join pg_type t on t.oid = a.atttypid
		where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
		order by 1, 2, a.attnum`)
	if err != nil {
		return nil, err
	}
	var out []scanTable
	var schema, name, column, typ string
	_, err = pgx.ForEachRow(rows, []any{&schema, &name, &column, &typ}, func() error {
		if n := len(out); n == 0 || out[n-1].schema != schema || out[n-1].name != name {
			out = append(out, scanTable{schema: schema, name: name, patient: "null::bigint", note: "null::bigint"})
		}
		t := &out[len(out)-1]
		quoted := pgx.Identifier{column}.Sanitize()
		switch {
		case typ == "bytea":
			t.columns = append(t.columns, "encode("+quoted+", 'escape')")
		default:
			t.columns = append(t.columns, quoted+"::text")
		}
		switch {
		case column == "patient_id" && schema == "ehr":
			t.patient = quoted
		case column == "patient" && schema == "deid":
			t.patient = quoted + "::bigint"
		case column == "note_id" && schema == "ehr":
			t.note = quoted
		}
		return nil
	})
	return out, err
}

// run searches every table.
func (s *scanner) run(ctx context.Context, conn *pgx.Conn, tick func()) (Scan, error) {
	tables, err := s.tables(ctx, conn)
	if err != nil {
		return s.scan, fault.New("list the replica's tables", err, "")
	}
	for _, t := range tables {
		s.scan.Tables++
		s.scan.Columns += len(t.columns)
		if err := s.table(ctx, conn, t, tick); err != nil {
			return s.scan, fault.New("search "+t.schema+"."+t.name, err, "")
		}
	}
	return s.scan, nil
}

func (s *scanner) table(ctx context.Context, conn *pgx.Conn, t scanTable, tick func()) error {
	rows, err := conn.Query(ctx, fmt.Sprintf(`select %s, %s, concat_ws(E'\n', %s) from %s`,
		t.patient, t.note, strings.Join(t.columns, ", "), pgx.Identifier{t.schema, t.name}.Sanitize()))
	if err != nil {
		return err
	}
	var patient, note *int64
	var text string
	_, err = pgx.ForEachRow(rows, []any{&patient, &note, &text}, func() error {
		s.scan.Rows++
		s.scan.Bytes += int64(len(text))
		s.row(t, patient, note, text)
		tick()
		return nil
	})
	return err
}

// row searches one row for its own patient's identifiers and for everybody's numbers.
func (s *scanner) row(t scanTable, patient, note *int64, text string) {
	name := t.schema + "." + t.name
	if patient != nil {
		for _, r := range s.own[*patient].Leaks(text) {
			s.scan.Leaks = append(s.scan.Leaks, Leak{name, text[r.Start:r.End]})
		}
	}
	source := ""
	if note != nil {
		source = s.notes[*note]
	}
	for _, r := range s.everyone.Leaks(text) {
		hit := text[r.Start:r.End]
		if source != "" && strings.Contains(source, hit) {
			s.scan.Leaks = append(s.scan.Leaks, Leak{name, hit})
		} else {
			s.scan.Chance++
		}
	}
}

// measure searches the replica, scores detection against gold and compares tables
// with notes.
func (w *world) measure(ctx context.Context, res *Result) error {
	w.say.step("What was measured")
	conn, err := w.replica.Conn(ctx, replicaDB)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	bar := w.say.bar("rows searched", -1)
	if res.Scan, err = newScanner(w).run(ctx, conn, bar.tick); err != nil {
		return err
	}
	bar.done()
	if res.Agreement, err = w.agree(ctx, conn); err != nil {
		return err
	}
	score, err := w.score(ctx)
	if err != nil {
		return err
	}
	w.report(res, &score)
	return nil
}

// shown is how many leaks are spelled out.
const shown = 12

func (w *world) tellLeaks(s Scan) {
	w.say.verdict(len(s.Leaks) == 0, "leaks    %d identifiers of patients in %d rows, %d columns of %d tables, %.1f MB searched (%d numbers alike by chance)",
		len(s.Leaks), s.Rows, s.Columns, s.Tables, float64(s.Bytes)/1e6, s.Chance)
	for _, l := range s.Leaks[:min(shown, len(s.Leaks))] {
		w.say.bad("   %s: %q", l.Table, l.Text)
	}
}
