package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql"
)

// plan is the mapping as the two databases' catalogues make it concrete.
type plan struct {
	config *config.Config
	tables []*table
	byID   map[string]*table // "schema.name"
	hash   string            // of the mapping
	inner  map[*table]bool   // tables in the middle of paths of three tables or more
}

// table is a mapped table.
type table struct {
	*config.Table
	id       string // "schema.name"
	columns  []column
	key      []int // columns of the primary key, in its order
	publish  []int // columns that the replica has
	texts    []int // columns with policy text
	telling  []int // columns that tell something
	via      int   // the column that leads to the patient, or -1
	lookups  []int // columns that other tables' paths look up
	next     *table
	into     int // the column of next that via is looked up in
	sql      statements
	personal bool // rows can't be published without their patient: config.Config.NeedsPatient
}

// column is a column of the source that pgdeid needs.
type column struct {
	config.Column
	oid     uint32 // of its type in the source
	typ     string // the name of that type, or of what it is a domain over, without length
	replica string // its type's name in the replica, or "" if it is not published
	moves   bool   // its dates move by the patient's shift
}

// tellsPatient reports whether rows of t say something about one patient.
func (t *table) tellsPatient() bool { return len(t.telling) > 0 && t.HasPatient() }

// tellsSite reports whether rows of t tell of staff or places of the site.
func (t *table) tellsSite() bool { return len(t.telling) > 0 && !t.HasPatient() }

// isNote reports whether t publishes free text.
func (t *table) isNote() bool { return len(t.texts) > 0 }

func (t *table) source() string { return pgx.Identifier{t.Schema, t.Name}.Sanitize() }

// rows names the table of the replica that holds t's rows.
func (t *table) rows() string { return sql.RowsTable(t.Table) }

// places names all tables of the replica that hold versions of t's rows.
func (t *table) places() []string {
	if t.sql.release == nil {
		return []string{t.rows()}
	}
	return []string{t.rows(), sql.WaitingTable(t.Table), sql.ReleasedTable(t.Table)}
}

// newPlan reads the catalogues of source and replica.
func newPlan(ctx context.Context, cfg *config.Config, source, replica *pgx.Conn) (*plan, error) {
	p := &plan{config: cfg, byID: map[string]*table{}, inner: map[*table]bool{}, hash: cfg.Hash()}
	for i := range cfg.Tables {
		t := &table{Table: &cfg.Tables[i], id: cfg.Tables[i].FullName(), via: -1}
		if err := t.describe(ctx, cfg, source, replica); err != nil {
			return nil, err
		}
		p.tables = append(p.tables, t)
		p.byID[t.id] = t
	}
	for _, t := range p.tables {
		if err := p.connect(t); err != nil {
			return nil, err
		}
	}
	for _, t := range p.tables {
		if err := p.checkPath(ctx, t, source); err != nil {
			return nil, err
		}
		if t.next != nil && t.next.next != nil {
			p.inner[t.next.next] = true
		}
	}
	return p, nil
}

// describe fills in t from the catalogues.
func (t *table) describe(ctx context.Context, cfg *config.Config, source, replica *pgx.Conn) error {
	op := "look at table " + t.id
	in, err := readColumns(ctx, source, t.source())
	if err != nil {
		return fault.New(op+" in the source", err, "check that the table exists and that the role of source.dsn may read it")
	}
	keyNames, err := readPrimaryKey(ctx, source, t.source())
	if err != nil {
		return fault.New(op+" in the source", err, "")
	}
	if len(keyNames) == 0 {
		return fault.New(op, errors.New("it has no primary key"),
			"add one at the source (ALTER TABLE … ADD PRIMARY KEY …), or take the table out of the mapping")
	}
	out := map[string]catalogueRow{}
	if len(t.Published()) > 0 {
		if out, err = readColumns(ctx, replica, t.rows()); err != nil {
			return fault.New(op+" in the replica", err, "run 'pgdeid migrate up'")
		}
	}
	return t.assemble(cfg, keyNames, in, out)
}

func (t *table) assemble(cfg *config.Config, keyNames []string, in, out map[string]catalogueRow) error {
	for _, name := range cfg.Leaving(t.Table, keyNames) {
		col := column{Column: config.Column{Name: name, Publish: config.Drop}}
		if m, ok := t.Column(name); ok {
			col.Column = *m
		}
		row, ok := in[name]
		if !ok {
			return fault.New("look at table "+t.id, fmt.Errorf("the source has no column %s", name),
				"take it out of the mapping, run 'pgdeid migrate up' and 'pgdeid snapshot --resync'")
		}
		col.oid, col.typ = row.oid, row.typ
		if col.Publish != config.Drop {
			if col.replica = out[name].typ; col.replica == "" {
				return fault.New("look at table "+t.id, fmt.Errorf("the replica has no column %s", name), "run 'pgdeid migrate up'")
			}
		}
		col.moves = t.HasPatient() && (col.Publish == config.ShiftDate || col.Publish == config.Year && !cfg.NotesKeepDates())
		t.columns = append(t.columns, col)
	}
	t.personal = cfg.NeedsPatient(t.Table)
	if err := t.index(keyNames); err != nil {
		return err
	}
	if len(t.publish) > 0 && cfg.Release.Mode != config.Live {
		t.sql.release = newReleaseStatements(t, &t.sql)
	}
	return nil
}

// index notes which columns play which part.
func (t *table) index(keyNames []string) error {
	for _, name := range keyNames {
		t.key = append(t.key, t.columnIndex(name))
	}
	for i, col := range t.columns {
		if col.Publish != config.Drop {
			t.publish = append(t.publish, i)
		}
		if col.Publish == config.Text {
			t.texts = append(t.texts, i)
		}
		if col.Tells != "" {
			t.telling = append(t.telling, i)
		}
	}
	if t.HasPatient() {
		t.via = t.columnIndex(t.Patient.Column)
	}
	if len(t.publish) == 0 {
		return nil
	}
	for _, k := range t.key {
		if err := t.checkKeyColumn(k); err != nil {
			return err
		}
	}
	t.sql = newStatements(t)
	return nil
}

// checkKeyColumn refuses primary keys by which a row could not be found again.
func (t *table) checkKeyColumn(k int) error {
	col := t.columns[k]
	op := "publish table " + t.id
	switch col.Publish {
	case config.Keep, config.Pseudonym:
		return nil
	case config.ShiftDate:
		if !config.IsDate(col.typ) {
			return fault.New(op, fmt.Errorf("key column %s is a date written as %s, "+
				"and two ways to write one date would become one key", col.Name, col.typ),
				"publish the column with policy pseudonym")
		}
		if slices.Contains(t.key, t.via) && t.Patient.Table == "" {
			return nil
		}
		return fault.New(op, fmt.Errorf("key column %s is shifted by a patient that the key does not name", col.Name),
			"publish the column with policy keep or pseudonym")
	case config.Drop:
		return fault.New(op, fmt.Errorf("column %s of its primary key is not published", col.Name),
			"publish the column with policy pseudonym, or drop the whole table")
	}
	return fault.New(op, fmt.Errorf("policy %s can't keep the values of key column %s apart", col.Publish, col.Name),
		"publish the column with policy keep or pseudonym")
}

func (t *table) columnIndex(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.Name == name })
}

// connect follows t's path to the table it leads through.
func (p *plan) connect(t *table) error {
	if t.Patient.Table == "" {
		return nil
	}
	next, ok := p.byID[t.Patient.Table]
	if !ok {
		return fault.New("follow the path of table "+t.id, fmt.Errorf("table %s is not mapped", t.Patient.Table),
			"add it to the mapping")
	}
	t.next = next
	t.into = next.columnIndex(t.Patient.Key)
	if !slices.Contains(next.lookups, t.into) {
		next.lookups = append(next.lookups, t.into)
	}
	if a, b := t.columns[t.via].typ, next.columns[t.into].typ; isInteger(a) != isInteger(b) {
		return fault.New("follow the path of table "+t.id, fmt.Errorf("%s is %s and %s.%s is %s", t.Patient.Column, a, next.id,
			t.Patient.Key, b), "let the path go through columns of one type")
	}
	return nil
}

// checkPath refuses a path that could lead a row to several patients, where what is
// published of it depends on whose it is. Others, such as an address that people share,
// are in the record of each.
func (p *plan) checkPath(ctx context.Context, t *table, source *pgx.Conn) error {
	if !t.personal {
		return nil
	}
	op := "follow the path of table " + t.id
	for at := t; at.next != nil; at = at.next {
		unique, err := sql.UniqueColumns(ctx, source, at.next.Schema, at.next.Name)
		if err != nil {
			return fault.New(op, connect.Lost(source, err), "")
		}
		if !slices.Contains(unique, at.Patient.Key) {
			return fault.New(op, fmt.Errorf("column %s of table %s, which it looks up, is not unique", at.Patient.Key, at.next.id),
				fmt.Sprintf("at the source: create unique index concurrently on %s (%s); or let the path go through a column that is unique",
					at.next.source(), quote(at.Patient.Key)))
		}
	}
	return nil
}

func isInteger(typ string) bool { return typ == "smallint" || typ == "integer" || typ == "bigint" }

// arrayType returns the type of a parameter that holds values for a column of
// type typ: any integer fits into the widest one, which compares with all.
func arrayType(typ string) string {
	if isInteger(typ) {
		return "bigint[]"
	}
	return typ + "[]"
}
