package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/research"
)

// Plan is the mapping as the two databases' catalogues make it concrete.
type Plan struct {
	Config *config.Config
	Tables []*Table
	ByID   map[string]*Table // "schema.name"
	Hash   string            // of the mapping
	Inner  map[*Table]bool   // tables in the middle of paths of three tables or more
	// KeyTypes has the type of the columns with the pseudonyms of a domain.
	KeyTypes map[string]string
	Cohort   bool // only patients whom a filter lets in are published
}

// Table is a mapped table.
type Table struct {
	*config.Table
	ID      string // "schema.name"
	Columns []Column
	Key     []int // columns of the primary key, in its order
	Publish []int // columns that the replica has
	Texts   []int // columns with policy text
	Telling []int // columns that tell something
	Via     int   // the column that leads to the patient, or -1
	Lookups []int // columns that other tables' paths look up
	Next    *Table
	Into    int // the column of next that via is looked up in
	Filters []*Filter
	// find, leads and viaType are of a path that leads through a document or a reference: what finds the key in a text, what
	// reads that text in a document, and the type of the key.
	find     func(text string) (string, bool)
	leads    *document.Selection
	viaType  string
	holder   config.KeyType // of the patient key
	when     []columnTest   // which rows hold it, where some do
	SQL      Statements
	Personal bool // rows can't be published without their patient: config.Config.NeedsPatient
	// Hashed says that what is published of the key does not tell rows apart: config.Table.NamesRows. The replica has a
	// keyed hash of the whole key besides the published columns, which analysts don't see.
	Hashed bool
	Lines  *Lines // rows are lines of notes; nil: each is a note of its own
}

// Column is a column of the source that pgdeid needs.
type Column struct {
	config.Column
	OID     uint32         // of its type in the source
	Typ     string         // the name of that type, or of what it is a domain over, without length
	Replica string         // its type's name in the replica, or "" if it is not published
	Moves   bool           // its dates move by the patient's shift
	Form    note.Form      // what its values are, for policies text and paths
	Rules   []Column       // of its paths, in their order
	Address AddressMembers // of a town at a path
	Element *Column        // how each value is treated where the column holds many, in arrays or with a separator; nil otherwise
	telling *document.Selection
	Parts   []int // the columns that its value is made of: the source has no such column. nil otherwise
}

// TellsPatient reports whether rows of t say something about one patient.
func (t *Table) TellsPatient() bool { return len(t.Telling) > 0 && t.HasPatient() }

// TellsSite reports whether rows of t tell of staff or places of the site.
func (t *Table) TellsSite() bool { return len(t.Telling) > 0 && !t.HasPatient() }

// IsNote reports whether t publishes free text.
func (t *Table) IsNote() bool { return len(t.Texts) > 0 }

// Source names the table of the source, quoted.
func (t *Table) Source() string { return pgx.Identifier{t.Schema, t.Name}.Sanitize() }

// Rows names the table of the replica that holds t's rows.
func (t *Table) Rows() string { return research.RowsTable(t.Table) }

// Places names all tables of the replica that hold versions of t's rows.
func (t *Table) Places() []string {
	if t.SQL.Release == nil {
		return []string{t.Rows()}
	}
	return []string{t.Rows(), research.WaitingTable(t.Table), research.ReleasedTable(t.Table)}
}

// NewPlan reads the catalogues of source and replica.
func NewPlan(ctx context.Context, cfg *config.Config, source, replica *pgx.Conn) (*Plan, error) {
	p := &Plan{Config: cfg, ByID: map[string]*Table{}, Inner: map[*Table]bool{}, Hash: cfg.Hash()}
	for i := range cfg.Tables {
		t := &Table{Table: &cfg.Tables[i], ID: cfg.Tables[i].FullName(), Via: -1}
		if err := t.describe(ctx, cfg, source, replica); err != nil {
			return nil, err
		}
		p.Tables = append(p.Tables, t)
		p.ByID[t.ID] = t
	}
	if err := p.shareKeyTypes(); err != nil {
		return nil, err
	}
	for _, t := range p.Tables {
		if err := p.connect(t); err != nil {
			return nil, err
		}
	}
	for _, t := range p.Tables {
		if err := p.checkPath(ctx, t, source); err != nil {
			return nil, err
		}
		p.Cohort = p.Cohort || slices.ContainsFunc(t.Filters, func(f *Filter) bool { return f.Kind == config.Include })
		if t.Next != nil && t.Next.Next != nil {
			p.Inner[t.Next.Next] = true
		}
	}
	return p, nil
}

// describe fills in t from the catalogues.
func (t *Table) describe(ctx context.Context, cfg *config.Config, source, replica *pgx.Conn) error {
	op := "look at table " + t.ID
	in, err := readColumns(ctx, source, t.Source())
	if err != nil {
		return fault.New(op+" in the source", err, "check that the table exists and that the role of source.dsn may read it")
	}
	keyNames, err := readPrimaryKey(ctx, source, t.Source())
	if err != nil {
		return fault.New(op+" in the source", err, "")
	}
	if len(keyNames) == 0 {
		return fault.New(op, errors.New("it has no primary key"),
			"add one at the source (ALTER TABLE … ADD PRIMARY KEY …), or take the table out of the mapping")
	}
	out := map[string]catalogueRow{}
	if len(t.Published()) > 0 {
		if out, err = readColumns(ctx, replica, t.Rows()); err != nil {
			return fault.New(op+" in the replica", err, "run 'pgdeid migrate up'")
		}
	}
	if err := t.assemble(cfg, keyNames, in, out); err != nil || !t.Hashed {
		return err
	}
	return t.checkHashes(ctx, keyNames, replica)
}

// checkHashes makes sure that the keys of the rows in the replica are hashes of the key that the source has now.
func (t *Table) checkHashes(ctx context.Context, keyNames []string, replica *pgx.Conn) error {
	var of string
	err := replica.QueryRow(ctx, "select coalesce(max(col_description(attrelid, attnum)), '') from pg_attribute "+
		"where attrelid = $1::regclass and attname = $2", t.Rows(), research.KeyColumn).Scan(&of)
	if err == nil && of != research.HashedKey(keyNames) {
		err = errors.New("its rows in the replica have another key")
	}
	return fault.New("look at table "+t.ID+" in the replica", err,
		"'pgdeid migrate up --yes' makes this table anew, and 'pgdeid run' then copies it")
}

func (t *Table) assemble(cfg *config.Config, keyNames []string, in, out map[string]catalogueRow) error {
	for _, name := range cfg.Leaving(t.Table, keyNames) {
		col := Column{Column: config.Column{Name: name, Publish: config.Drop}}
		if m, ok := t.Column(name); ok {
			col.Column = *m
		}
		row, ok := in[name]
		if !ok {
			return fault.New("look at table "+t.ID, fmt.Errorf("the source has no column %s", name),
				"take it out of the mapping, run 'pgdeid migrate up' and 'pgdeid snapshot --resync'")
		}
		col.OID, col.Typ = row.oid, row.typ
		col.Describe(cfg, t)
		if col.Publish != config.Drop {
			if col.Replica = out[name].typ; col.Replica == "" {
				return fault.New("look at table "+t.ID, fmt.Errorf("the replica has no column %s", name), "run 'pgdeid migrate up'")
			}
		}
		t.Columns = append(t.Columns, col)
	}
	t.Personal = cfg.NeedsPatient(t.Table)
	t.indexFilters(cfg)
	if err := t.index(keyNames); err != nil {
		return err
	}
	if len(t.Publish) > 0 && cfg.Release.Mode != config.Live {
		t.SQL.Release = newReleaseStatements(t, &t.SQL)
	}
	return nil
}

// index notes which columns play which part.
func (t *Table) index(keyNames []string) error {
	for _, name := range keyNames {
		t.Key = append(t.Key, t.ColumnIndex(name))
	}
	for i, col := range t.Columns {
		if col.Publish != config.Drop {
			t.Publish = append(t.Publish, i)
		}
		if col.Publish == config.Text {
			t.Texts = append(t.Texts, i)
		}
		if len(col.Roles()) > 0 {
			t.Telling = append(t.Telling, i)
		}
	}
	if t.HasPatient() {
		t.Via = t.reference(t.Patient.Columns())
	}
	if t.Patient.When != nil {
		for _, test := range t.Patient.When.Tests {
			t.when = append(t.when, columnTest{test, t.ColumnIndex(test.Column)})
		}
	}
	if len(t.Publish) == 0 {
		return nil
	}
	for _, name := range keyNames {
		if _, ok := t.Column(name); !ok {
			return fault.New("publish table "+t.ID, fmt.Errorf("column %s of its primary key is not mapped", name),
				"publish the column with policy pseudonym, or say drop")
		}
		if strings.HasSuffix(t.Columns[t.ColumnIndex(name)].Typ, arrayMark) {
			return fault.New("publish table "+t.ID, fmt.Errorf("column %s of its primary key is an array", name),
				"let the key have columns of single values")
		}
	}
	t.Hashed = !t.NamesRows(keyNames, func(name string) string { return t.Columns[t.ColumnIndex(name)].Typ })
	t.SQL = NewStatements(t)
	return t.indexLines()
}

// Identifies reports whether column i is a part of what identifies t's rows in the replica.
func (t *Table) Identifies(i int) bool { return !t.Hashed && slices.Contains(t.Key, i) }

// ColumnIndex returns the index in Columns of the column with that name, or -1.
func (t *Table) ColumnIndex(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// connect follows t's path to the table it leads through.
func (p *Plan) connect(t *Table) error {
	t.holder = p.Config.PatientKey
	if t.HasPatient() && !t.Patient.Direct() {
		if text := p.Config.Unfit(t.Table, t.Columns[t.Via].Typ); text != "" {
			return fault.New("follow the path of table "+t.ID, fmt.Errorf("column %s %s", t.Patient.Column, text), "correct patient of the mapping")
		}
		t.find, t.leads, t.viaType = t.Patient.Find(), t.Patient.Selection(), p.Config.PatientKey.SQLType()
	}
	if t.Patient.Table == "" {
		return nil
	}
	next, ok := p.ByID[t.Patient.Table]
	if !ok {
		return fault.New("follow the path of table "+t.ID, fmt.Errorf("table %s is not mapped", t.Patient.Table),
			"add it to the mapping")
	}
	t.Next = next
	t.Into = next.reference(t.Patient.Keys())
	if !slices.Contains(next.Lookups, t.Into) {
		next.Lookups = append(next.Lookups, t.Into)
	}
	if t.viaType = next.Columns[t.Into].Typ; !t.Patient.Direct() {
		return nil
	}
	keys := next.parts(t.Into)
	for n, part := range t.parts(t.Via) {
		a, b := &t.Columns[part], &next.Columns[keys[n]]
		if isNumber(a.Typ) != isNumber(b.Typ) {
			return fault.New("follow the path of table "+t.ID, fmt.Errorf("%s is %s and %s.%s is %s", a.Name, a.Typ, next.ID, b.Name, b.Typ),
				"let the path go through columns of one type")
		}
	}
	return nil
}

// checkPath refuses a path that could lead a row to several patients, where what is
// published of it depends on whose it is. Others, such as an address that people share,
// are in the record of each.
func (p *Plan) checkPath(ctx context.Context, t *Table, source *pgx.Conn) error {
	if !t.Personal {
		return nil
	}
	op := "follow the path of table " + t.ID
	for at := t; at.Next != nil; at = at.Next {
		unique, err := catalog.UniqueKeys(ctx, source, at.Next.Schema, at.Next.Name)
		if err != nil {
			return fault.New(op, connect.Lost(source, err), "")
		}
		if keys := at.Patient.Keys(); !unique.Has(keys) && at.Next.Patient.When == nil { // of such rows, who leads to several is set aside
			return fault.New(op, fmt.Errorf("column %s of table %s, which it looks up, is not unique", strings.Join(keys, ", "), at.Next.ID),
				fmt.Sprintf("at the source: create unique index concurrently on %s (%s); or let the path go through a column that is unique",
					at.Next.Source(), QuoteAll(keys)))
		}
	}
	return nil
}

// IsInteger reports whether a type is an integer of some length.
func IsInteger(typ string) bool { return typ == "smallint" || typ == "integer" || typ == "bigint" }

// isNumber reports whether a type is one of whole numbers, as keys are.
func isNumber(typ string) bool { return IsInteger(typ) || typ == "numeric" }

// ArrayType returns the type of a parameter that holds values for a column of
// type typ: any integer fits into the widest one, which compares with all.
func ArrayType(typ string) string {
	if IsInteger(typ) {
		return "bigint[]"
	}
	return typ + "[]"
}
