package desk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// View reads a note from the source with the rights of a role, in a transaction that can't write, and
// returns it with what is found in it and what the replica shows of it.
func (d *Desk) View(ctx context.Context, role string, of review.Item) (review.View, error) {
	var v review.View
	var by *deid.Deidentifier
	list := []*asking{{Question: &Question{SpansOnly: true}}}
	err := d.with(ctx, func(c *connections) error {
		by = c.of.Deid
		u, err := d.readAs(ctx, c.look, role, of)
		if err != nil {
			return err
		}
		v.Text, list[0].Text, list[0].Patient = u.text, u.text, u.whose
		if err := loadPatients(ctx, c.look, list, true); err != nil {
			return err
		}
		if err := readAside(ctx, c.look, u, &v); err != nil || list[0].patient == nil {
			return err
		}
		v.Patient = list[0].patient.Pseudonym
		if err := readPublished(ctx, c.look, by, u, list[0].patient, &v); err != nil {
			return err
		}
		return holdBack(ctx, c.look, of, list[0].patient, &v)
	})
	if err != nil {
		return review.View{}, err
	}
	if err := d.each(ctx, 1, func(ctx context.Context, _ int) { searchFor(ctx, by, list[0]) }); err != nil {
		return review.View{}, err
	}
	v.Spans = spansOf(found(by, v.Text, list[0].spans))
	if list[0].why != "" && v.Aside == "" {
		v.Aside = string(list[0].why)
	}
	return v, nil
}

// Original reads the text of a note from the source with the rights of a role, in a transaction that can't write.
// Nothing is searched for in it.
func (d *Desk) Original(ctx context.Context, role string, of review.Item) (text string, err error) {
	err = d.with(ctx, func(c *connections) error {
		u, err := d.readAs(ctx, c.look, role, of)
		if err == nil {
			text = u.text
		}
		return err
	})
	return text, err
}

// holdBack takes what people found since the note's round was drawn out of what is known of the patient, and out of the view.
func holdBack(ctx context.Context, l *patient.Lookups, of review.Item, p *patient.Patient, v *review.View) error {
	if of.Drawn.IsZero() {
		return nil
	}
	rounds := store.New(l.Replica, l.Key)
	remembered, err := rounds.RememberedOf(ctx, p.Pseudonym)
	if err != nil {
		return err
	}
	here, err := rounds.NoteRepairs(ctx, of.Note)
	if err != nil {
		return err
	}
	earlier := func(r review.Repair) bool { return !r.At.After(of.Drawn) }
	if remembered = slices.DeleteFunc(remembered, earlier); len(remembered)+len(slices.DeleteFunc(here, earlier)) == 0 {
		return nil
	}
	p.Forget(l.Register, wordsOf(remembered))
	v.Published, v.Shown, v.Waiting, v.Held = "", nil, false, true
	return nil
}

// spansOf returns what was found as a reader's marks refer to it.
func spansOf(list []Found) []review.Span {
	spans := make([]review.Span, len(list))
	for i, f := range list {
		spans[i] = review.Span{Start: f.Start, End: f.End, Type: f.Type, By: f.By, Score: f.Score}
	}
	return spans
}

// unit is a note that was read: its rows, and the text in one of their columns.
type unit struct {
	phi.Redacted

	table  *schema.Table
	column int
	key    []string
	rows   [][]schema.Value
	text   string
	whose  string // key of the patient; "" if of none
	id     string // the id in the rows, which may stand for the patient
}

// readAs reads a note as a role, and whose it is with the rights of pgdeid.
func (d *Desk) readAs(ctx context.Context, l *patient.Lookups, role string, of review.Item) (u *unit, err error) {
	if role == "" {
		return nil, review.ErrNoRole
	}
	if u, err = findText(l.Plan, of.Note, of.Key); err != nil {
		return nil, err
	}
	err = asRole(ctx, l.Source, role, func() error { return u.read(ctx, l) })
	if refusedRole(err) {
		return nil, review.ErrRole
	}
	if err != nil {
		return nil, err
	}
	if len(u.rows) == 0 {
		return nil, review.ErrGone
	}
	return u, u.know(ctx, l)
}

// know takes the text out of the rows that were read, and finds whose note it is.
func (u *unit) know(ctx context.Context, l *patient.Lookups) error {
	opened, err := u.open(u.rows)
	if err != nil {
		return review.ErrFormat
	}
	u.text = opened.Text()
	u.whose, _, err = u.patient(ctx, l)
	if err != nil || u.whose == "" {
		return err
	}
	u.id, err = u.ownID(ctx, l)
	return err
}

// Source is a note as the source has it. It prints itself redacted.
type Source struct {
	phi.Redacted

	Table  *schema.Table
	Column int
	Rows   [][]schema.Value // none: the source does not have it
	Text   string           // "" where it can't be opened
}

// ReadSource reads a note with pgdeid's own rights.
func ReadSource(ctx context.Context, l *patient.Lookups, of review.Note, key []string) (s Source, err error) {
	u, err := findText(l.Plan, of, key)
	if err != nil {
		return s, err
	}
	if err := u.read(ctx, l); err != nil {
		return s, err
	}
	s = Source{Table: u.table, Column: u.column, Rows: u.rows}
	if len(u.rows) > 0 {
		if opened, err := u.open(u.rows); err == nil {
			s.Text = opened.Text()
		}
	}
	return s, nil
}

// findText finds the table and column of a note.
func findText(p *schema.Plan, at review.Note, key []string) (*unit, error) {
	for _, t := range p.Tables {
		if t.ID != at.Table {
			continue
		}
		for _, c := range t.Texts {
			if t.Columns[c].Name == at.Column {
				return &unit{table: t, column: c, key: key}, nil
			}
		}
	}
	return nil, &Refusal{"the mapping has no such column with notes", "name table and column as the mapping has them, with policy text"}
}

// ofLines reports whether the note is put together of its table's rows.
func (u *unit) ofLines() bool { return u.table.Lines != nil && u.column == u.table.Lines.Text }

// read reads the rows of the note; none if the source does not have it.
func (u *unit) read(ctx context.Context, l *patient.Lookups) error {
	if !u.ofLines() {
		return l.ReadRows(ctx, u.table, [][]string{u.key}, func(row []schema.Value) error {
			u.rows = append(u.rows, row)
			return nil
		})
	}
	sizes, err := u.table.NoteSizes(ctx, l.Source, [][]string{u.key})
	if err == nil {
		err = u.table.ReadNotes(ctx, l.Source, sizes, func(of schema.NoteRows) error {
			if !of.TooLarge {
				u.rows = of.Rows
			}
			return nil
		})
	}
	return fault.New("read a note of table "+u.table.ID, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

// readable is a note that was taken out of its rows, and of the document that it may be.
type readable interface {
	Text() string
	// Shown returns where spans of the rows' values lie in Text, in characters.
	Shown(rows [][]phi.Range) []phi.Range
}

// ofOneRow is a note of a single row.
type ofOneRow struct{ *note.Note }

// Shown returns where spans of the row's value lie in Text.
func (n ofOneRow) Shown(rows [][]phi.Range) []phi.Range { return n.Note.Shown(rows[0]) }

// open takes the text out of rows, which are those of the note or have the same form.
func (u *unit) open(rows [][]schema.Value) (readable, error) {
	if u.ofLines() {
		lines, err := u.table.Lines.Whole(rows)
		if err != nil {
			return nil, err
		}
		return lines, nil
	}
	if rows[0][u.column].State != schema.Present {
		return note.JoinLines(nil, ""), nil
	}
	opened, err := u.table.Columns[u.column].Form.Open(rows[0][u.column].Text)
	return ofOneRow{opened}, err
}

// patient returns the key of the patient of all rows, "" if they lead to none, and false if they lead to several.
func (u *unit) patient(ctx context.Context, l *patient.Lookups) (whose string, one bool, err error) {
	keys, several, err := l.PatientKeys(ctx, slices.Repeat([]*schema.Table{u.table}, len(u.rows)), u.rows)
	if err != nil || len(several) > 0 || slices.ContainsFunc(keys, func(k string) bool { return k != keys[0] }) {
		return "", false, err
	}
	return keys[0], true, nil
}

// ownID returns the id of the rows' patient as the rows have it: one that stands for the patient, or the patient's key. That is
// what it is where the lines of a note have several ids.
func (u *unit) ownID(ctx context.Context, l *patient.Lookups) (string, error) {
	ids, _, err := l.PatientIDs(ctx, slices.Repeat([]*schema.Table{u.table}, len(u.rows)), u.rows)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(ids, func(id string) bool { return id != ids[0] }) {
		return u.whose, nil
	}
	return ids[0], nil
}

// asRole calls do in a transaction of the source that can't write and has the rights of a role.
func asRole(ctx context.Context, conn *pgx.Conn, role string, do func() error) error {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return fault.New("begin a transaction in the source", connect.Lost(conn, err), "")
	}
	defer apply.Rollback(tx)
	if _, err := tx.Exec(ctx, "set local role "+schema.Quote(role)); err != nil {
		return fault.New("take on a reader's role in the source", connect.Lost(conn, err), "")
	}
	return do()
}

// refusedRole reports whether the source refused a right: to read, or to take on the role, which it
// says in one of several ways.
func refusedRole(err error) bool {
	switch fault.State(err) {
	case "42501", "42704", "22023", "0P000":
		return true
	}
	return false
}

// readPublished reads what the replica shows of a note.
func readPublished(ctx context.Context, l *patient.Lookups, by *deid.Deidentifier, u *unit, p *patient.Patient, v *review.View) error {
	rows, keys, err := publishedKeys(by, u, p)
	if err != nil {
		return err
	}
	v.Row = rows[0]
	bodies := map[deid.TextAt]string{}
	if err := deid.ReadBodies(ctx, l.Replica, u.table, keys, bodies); err != nil {
		return err
	}
	nth := nthText(u)
	made := make([][]schema.Value, len(rows))
	v.Absent = true
	for i, row := range rows {
		made[i] = make([]schema.Value, len(u.table.Columns))
		if text, ok := bodies[deid.TextAt{RowKey: row, Nth: nth}]; ok {
			v.Absent = false
			made[i][u.column] = schema.Value{Text: text, State: schema.Present}
		}
	}
	opened, err := u.open(made)
	if err != nil {
		return review.ErrFormat
	}
	v.Published = opened.Text()
	if err := readShown(ctx, l, u, rows, made, opened, v); err != nil {
		return err
	}
	return fault.New("look what waits", connect.Lost(l.Replica, l.Replica.QueryRow(ctx,
		"select exists (select from deid.requeue where patient = $1)", p.Pseudonym).Scan(&v.Waiting)), "run 'pgdeid migrate up'")
}

func nthText(u *unit) int {
	for n, c := range u.table.Texts {
		if c == u.column {
			return n
		}
	}
	return -1
}

// publishedKeys returns the published keys of a note's rows, as JSON and as values.
func publishedKeys(by *deid.Deidentifier, u *unit, p *patient.Patient) (rows []string, keys [][]string, err error) {
	for _, row := range u.rows {
		it := deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: u.table, Row: row, Read: true})
		it.Patient = p
		if why := by.PublishKeys(it); why != "" {
			return nil, nil, &Refusal{"the note's key can't be published: " + string(why), "see the quarantine: 'pgdeid vault show quarantine'"}
		}
		rows, keys = append(rows, it.Out.RowKey), append(keys, it.Out.Key)
	}
	return rows, keys, nil
}

// readShown reads where surrogates are in what the replica shows of a note: in its rows, and in the documents in them.
func readShown(
	ctx context.Context, l *patient.Lookups, u *unit, keys []string, made [][]schema.Value, opened readable, v *review.View,
) error {
	if v.Absent {
		return nil
	}
	var ranges [][]phi.Range // by row that has a text
	var spans []review.Span
	name := u.table.Columns[u.column].Name
	texts := map[string]vault.MadeText{}
	of := vault.Filter{Patient: v.Patient, Table: u.table.ID, Keys: keys}
	err := vault.NewReader(l.Replica, l.Key).Texts(ctx, of, func(t vault.MadeText) error {
		if t.Column == name {
			texts[t.Key] = t
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, key := range keys {
		if made[i][u.column].State != schema.Present {
			continue
		}
		var row []phi.Range
		for _, s := range texts[key].Spans {
			row = append(row, phi.Range{Start: s.Start, End: s.End})
			spans = append(spans, review.Span{Type: s.Type, By: s.By})
		}
		ranges = append(ranges, row)
	}
	for i, at := range opened.Shown(ranges) {
		if spans[i].Start, spans[i].End = at.Start, at.End; at.Start < at.End {
			v.Shown = append(v.Shown, spans[i])
		}
	}
	return nil
}

// readAside reads why one of the note's rows was set aside.
func readAside(ctx context.Context, l *patient.Lookups, u *unit, v *review.View) error {
	hashes := make([][]byte, 0, len(u.rows))
	for _, row := range u.rows {
		if key, ok := u.table.KeyTexts(row); ok {
			hashes = append(hashes, l.Seals.RowHash(u.table.ID, key))
		}
	}
	err := l.Replica.QueryRow(ctx, "select reason from deid.quarantine where table_name = $1 and key_hmac = any($2) limit 1",
		u.table.ID, hashes).Scan(&v.Aside)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	v.Aside = strings.TrimSpace(v.Aside)
	return fault.New("look whether a note was set aside", connect.Lost(l.Replica, err), "run 'pgdeid migrate up'")
}
