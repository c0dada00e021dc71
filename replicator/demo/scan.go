package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/leaks"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/research"
)

// Scan is what a search of the whole replica found: every column of every row of
// every table, the vault included.
type Scan struct {
	Tables, Columns int
	Rows            int64
	Bytes           int64
	// Leaks are identifiers of a patient that stand in a row of that patient, or
	// numbers of any patient that stood as PHI in the row's source.
	Leaks []Leak
	// Chance counts numbers that belong to some other patient and were no PHI in the
	// row's source: made-up and clinical values that happen to be alike.
	Chance int
}

// Leak is one identifier found. It quotes the made-up hospital.
type Leak struct{ Table, Text string }

// scanner knows everybody's identifiers.
type scanner struct {
	w        *world
	own      map[int64]*record.Gazetteer // by published patient key
	everyone *record.Gazetteer           // numbers and e-mail addresses of all patients
	notes    map[int64]*synth.Document   // by published note key
	dates    map[place][]phi.Span        // surrogate dates of published texts
	scan     Scan
}

// place is a published text.
type place struct {
	table, column string
	note          int64
}

// everywhere are the roles whose values belong to one person alone.
var everywhere = []record.Role{
	record.MRN, record.SSN, record.Account, record.Plan, record.Phone, record.Email,
	record.License,
}

func newScanner(w *world) *scanner {
	s := &scanner{w: w, own: map[int64]*record.Gazetteer{}, notes: map[int64]*synth.Document{}, dates: map[place][]phi.Span{}}
	all := record.Record{}
	for i := range w.hospital.Patients {
		p := &w.hospital.Patients[i]
		rec := p.Record()
		s.own[patientKey(w.key, p)] = record.NewGazetteer(rec)
		for _, role := range everywhere {
			all[role] = append(all[role], rec[role]...)
		}
	}
	s.everyone = record.NewGazetteer(all)
	for i := range w.Notes + w.Live {
		d := w.hospital.Note(i)
		s.notes[w.noteKey(&d)] = &d
	}
	return s
}

type scanTable struct {
	schema, name string
	names        []string // of columns
	columns      []string // as expressions that give text
	binary       []bool   // bytea columns: keyed hashes and sealed keys
	patient      string   // expression that gives the published patient key, or null
	note         string   // expression that gives the published note key, or null
}

// title names the table as the source does, if it holds rows of one.
func (t *scanTable) title() string {
	if t.schema == research.RowsSchema {
		return t.name
	}
	return t.schema + "." + t.name
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
		value := quoted + "::text"
		if typ == "bytea" {
			value = "encode(" + quoted + ", 'escape')"
		}
		t.names = append(t.names, column)
		t.binary = append(t.binary, typ == "bytea")
		t.columns = append(t.columns, "coalesce("+value+", '')")
		switch {
		case column == "patient_id" && schema == research.RowsSchema:
			t.patient = quoted
		case column == "patient" && schema == "deid":
			t.patient = quoted + "::bigint"
		case column == "note_id" && schema == research.RowsSchema:
			t.note = quoted
		}
		return nil
	})
	return out, err
}

// run searches every table.
func (s *scanner) run(ctx context.Context, conn *pgx.Conn, tick func()) (Scan, error) {
	if err := s.readDates(ctx, conn); err != nil {
		return s.scan, fault.New("read the spans of notes", err, "")
	}
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
	rows, err := conn.Query(ctx, fmt.Sprintf(`select %s, %s, array[%s] from %s`,
		t.patient, t.note, strings.Join(t.columns, ", "), pgx.Identifier{t.schema, t.name}.Sanitize()))
	if err != nil {
		return err
	}
	var patient, note *int64
	var values []string
	_, err = pgx.ForEachRow(rows, []any{&patient, &note, &values}, func() error {
		s.scan.Rows++
		s.row(t, patient, note, values)
		tick()
		return nil
	})
	return err
}

// readDates reads where surrogate dates stand in notes: a moved date may well say
// "June" in the notes of a Ms. June.
func (s *scanner) readDates(ctx context.Context, conn *pgx.Conn) error {
	of := vault.Filter{Table: "ehr.note"}
	return vault.NewReader(conn, s.w.key).Texts(ctx, of, func(t vault.MadeText) error {
		var key []string
		if err := json.Unmarshal([]byte(t.Key), &key); err != nil {
			return err
		}
		note, err := strconv.ParseInt(key[0], 10, 64)
		for _, span := range t.Spans {
			if span.Type == phi.Date.String() {
				p := place{t.Table, t.Column, note}
				s.dates[p] = append(s.dates[p], phi.Span{Start: span.Start, End: span.End})
			}
		}
		return err
	})
}

// row searches one row for its own patient's identifiers and for everybody's numbers.
func (s *scanner) row(t scanTable, patient, note *int64, values []string) {
	name := t.title()
	var source *synth.Document
	if note != nil {
		source = s.notes[*note]
		for i, column := range t.names {
			values[i] = blank(values[i], s.dates[place{name, column, *note}])
		}
	}
	text := strings.Join(values, "\n")
	s.scan.Bytes += int64(len(text))
	if patient != nil {
		for i, value := range values {
			for _, r := range s.own[*patient].Leaks(value) {
				hit := value[r.Start:r.End]
				if t.binary[i] && len(hit) < bytesByChance {
					continue
				}
				if source != nil || !leaks.Ordinary(hit) {
					s.scan.Leaks = append(s.scan.Leaks, Leak{name, hit})
				}
			}
		}
	}
	for _, r := range s.everyone.Leaks(text) {
		if hit := text[r.Start:r.End]; source != nil && isPHI(source, hit) {
			s.scan.Leaks = append(s.scan.Leaks, Leak{name, hit})
		} else {
			s.scan.Chance++
		}
	}
}

// bytesByChance is the length below which a word may stand in random bytes: among a
// million hashes of 16 bytes, "Lai" is likely, a word of five letters is not.
const bytesByChance = 5

// isPHI reports whether text is in a document within a gold span.
func isPHI(d *synth.Document, text string) bool {
	for at := 0; ; {
		i := strings.Index(d.Text[at:], text)
		if i < 0 {
			return false
		}
		at += i
		for _, s := range d.Spans {
			if s.Start <= at && at+len(text) <= s.End {
				return true
			}
		}
		at += len(text)
	}
}

// blank puts dots in the place of spans, which count code points.
func blank(text string, spans []phi.Span) string {
	if len(spans) == 0 {
		return text
	}
	b := []byte(text)
	for _, s := range bytesOf(text, spans) {
		for i := s.Start; i < s.End; i++ {
			b[i] = '.'
		}
	}
	return string(b)
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
	scored, err := w.score(ctx)
	if err != nil {
		return err
	}
	w.report(res, &scored)
	return nil
}

// shown is how many leaks are spelled out.
const shown = 12

func (w *world) tellLeaks(s Scan) {
	w.say.verdict(len(s.Leaks) == 0, "leaks    %d identifiers of patients in %d rows, %d columns of %d tables, %.1f MB (%d numbers alike by chance)",
		len(s.Leaks), s.Rows, s.Columns, s.Tables, float64(s.Bytes)/1e6, s.Chance)
	for _, l := range s.Leaks[:min(shown, len(s.Leaks))] {
		w.say.bad("   %s: %q", l.Table, l.Text)
	}
}
