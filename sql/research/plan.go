package research

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// Plan is what has to be done to the research tables. Whatever was
// published under another policy is taken away, never left standing.
type Plan struct {
	Statements []string
	Changes    []string // in words, for the log
	Dropped    []string // tables that rows are lost of, quoted
	Problems   finding.List
}

func (p *Plan) do(format string, args ...any) {
	p.Statements = append(p.Statements, fmt.Sprintf(format, args...))
}

func (p *Plan) say(format string, args ...any) {
	p.Changes = append(p.Changes, fmt.Sprintf(format, args...))
}

// NewPlan compares what the replica has with what the mapping wants.
func NewPlan(cfg *config.Config, cat *catalog.Catalog, have *Existing) *Plan {
	p := &Plan{}
	p.dropUnmapped(cfg, have)
	granted := map[string]bool{}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		source := cat.Tables[t.FullName()]
		columns := Columns(t, source)
		if len(columns) == 0 {
			continue
		}
		if !granted[t.Schema] {
			granted[t.Schema] = true
			p.schema(t.Schema, have)
		}
		there := have.tables[t.FullName()]
		if there != nil && !there.ours {
			p.Problems.Problem("table "+t.FullName(), "is in the replica already and was not made by pgdeid",
				"use an empty database for the replica, or rename that table")
			continue
		}
		if there == nil {
			there = &table{}
		}
		if why := rekeyed(RowKey(source, t), HashedKey(source.PrimaryKey), columns, there); why != "" {
			p.takeDown(there)
			p.say("table %s is made anew, as %s: empty until \"pgdeid run\" (or, where the mapping changed, \"pgdeid snapshot --resync\") copies it",
				t.FullName(), why)
			there = &table{}
		}
		staged := cfg.Release.Mode != config.Live
		fits := there.view.fits(columns, staged) && slices.Equal(there.wanted(columns), columns)
		if there.view != nil && !fits {
			p.do("drop view %s", quote.Name(t.Schema, t.Name))
		}
		if there.key == nil {
			p.create(t, source, columns, have.lz4)
		} else {
			p.alter(t, columns, there, have.lz4)
		}
		p.own(t, there)
		p.stage(t, source, columns, there, staged)
		p.indexOwners(cfg, t, staged)
		if !fits {
			p.view(t, columns, cfg.Release.Mode)
		}
		p.noSamples(t, columns, staged)
		p.grantAndComment(t, columns, there.copying && !staged)
	}
	p.releaseMode(cfg.Release.Mode)
	return p
}

// fits reports whether v shows just these columns of the right table.
func (v *view) fits(columns []Column, staged bool) bool {
	over := RowsSchema
	if staged {
		over = ReleasedSchema
	}
	return v != nil && v.over == over &&
		slices.EqualFunc(v.columns, columns, func(name string, c Column) bool { return name == c.Name })
}

// wanted returns what t has of columns, and what it has beyond them.
func (t *table) wanted(columns []Column) []Column {
	var have []Column
	for _, c := range columns {
		if old, ok := t.column(c.Name); ok {
			have = append(have, old)
		}
	}
	if len(have) < len(t.columns) {
		return t.columns
	}
	return have
}

// Columns returns the published columns in the order of the source.
func Columns(t *config.Table, source *catalog.Table) []Column {
	var columns []Column
	for _, in := range source.Columns {
		c, ok := t.Column(in.Name)
		if !ok {
			continue
		}
		if dataType, err := c.ReplicaType(in.Type); err == nil && dataType != "" {
			columns = append(columns, Column{in.Name, dataType, c.Treatment()})
		}
	}
	return columns
}

// ColumnNames returns the names of columns.
func ColumnNames(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// dropUnmapped drops tables of which nothing is published any more.
func (p *Plan) dropUnmapped(cfg *config.Config, have *Existing) {
	for _, t := range have.sorted() {
		if m, ok := cfg.Table(t.schema, t.name); ok && len(m.Published()) > 0 {
			continue
		}
		p.takeDown(t)
		p.say("table %s.%s is not published any more: dropped", t.schema, t.name)
	}
}

// takeDown drops one table and what the vault has of its rows, where the rows are
// named by their keys. Without its mark in deid.snapshot the table is copied again.
func (p *Plan) takeDown(t *table) {
	if t.view != nil {
		p.do("drop view %s", quote.Name(t.schema, t.name))
	}
	p.unstage(t)
	id := t.schema + "." + t.name
	rows := quote.Name(RowsSchema, rowsName(id))
	if t.key != nil {
		p.do("drop table %s", rows)
		p.Dropped = append(p.Dropped, rows)
	}
	p.do("delete from deid.generated where kind = 'table' and name = %s", quote.Literal(id))
	p.do("delete from deid.row_order where place = format('%%I.%%I', %s, %s)", quote.Literal(RowsSchema), quote.Literal(rowsName(id)))
	for _, vault := range []string{"note_provenance", "quarantine", "snapshot"} {
		p.do("delete from deid.%s where table_name = %s", vault, quote.Literal(id))
	}
}

// rekeyed says why the rows of a table that is there can't be found again by their
// key, or returns "".
func rekeyed(key []string, hashed string, columns []Column, there *table) string {
	if there.key == nil {
		return ""
	}
	if !slices.Equal(there.key, key) || key[0] == KeyColumn && there.hashed != hashed {
		return "its primary key is another one"
	}
	for _, c := range columns {
		if old, ok := there.column(c.Name); ok && slices.Contains(there.key, c.Name) && (old.Type != c.Type || old.policy != c.policy) {
			return "key column " + c.Name + " has another policy or type"
		}
	}
	return ""
}

func (p *Plan) schema(name string, have *Existing) {
	if !slices.Contains(have.schemas, name) {
		p.do("create schema %s", quote.Name(name))
		p.do("comment on schema %s is 'research: views of de-identified tables, with the names that they have in the EHR'", quote.Name(name))
		p.do("insert into deid.generated values ('schema', %s) on conflict do nothing", quote.Literal(name))
	}
	p.do("grant usage on schema %s to %s", quote.Name(name), roles.Analyst)
}

func (p *Plan) create(t *config.Table, source *catalog.Table, columns []Column, lz4 bool) {
	lines := make([]string, 0, len(columns)+2)
	for _, c := range columns {
		lines = append(lines, definition(c, lz4))
	}
	key := RowKey(source, t)
	if key[0] == KeyColumn {
		lines = append(lines, quote.Name(KeyColumn)+" uuid")
	}
	if t.HasPatient() {
		lines = append(lines, PatientColumn+" text")
	}
	lines = append(lines, "primary key ("+quote.Names(key)+")")
	name := RowsTable(t)
	p.do("create table %s (%s)", name, strings.Join(lines, ", "))
	if key[0] == KeyColumn {
		p.do("comment on column %s.%s is %s", name, quote.Name(KeyColumn), quote.Literal(HashedKey(source.PrimaryKey)))
	}
	p.do("revoke all on table %s from public", name)
	p.do("insert into deid.generated values ('table', %s) on conflict do nothing", quote.Literal(t.FullName()))
	if index := patientIndex(t, source); index != "" {
		p.do("create index %s on %s (%s)", quote.Name(index), name, quote.Names(t.Patient.Columns()))
	}
	if noteIndex(t, source) {
		p.do("create index on %s (%s)", name, quote.Names(t.Note.Key))
	}
	p.say("table %s created", t.FullName())
}

// own gives rows of a table that is there the patient whose they are: null until they are
// written again.
func (p *Plan) own(t *config.Table, there *table) {
	switch {
	case there.key == nil || there.owned == t.HasPatient():
	case there.owned:
		p.do("alter table %s drop column %s", RowsTable(t), PatientColumn)
	default:
		p.do("alter table %s add column %s text", RowsTable(t), PatientColumn)
		p.say("table %s: whose rows are is known of those that are written from now on", t.FullName())
	}
}

// indexOwners makes the rows of a patient quick to find where patients may leave the
// replica at any time.
func (p *Plan) indexOwners(cfg *config.Config, t *config.Table, staged bool) {
	if !cfg.Filtered() && !cfg.Merging() || !t.HasPatient() {
		return
	}
	for _, place := range places(t, staged) {
		p.do("create index if not exists %s on %s (%s)", quote.Name(ownerIndex(t)), place, PatientColumn)
	}
}

func definition(c Column, lz4 bool) string {
	d := quote.Name(c.Name) + " " + c.Type
	if lz4 && slices.Contains([]string{"text", "json", "jsonb", "xml"}, c.Type) {
		d += " compression lz4"
	}
	return d
}

// patientIndex names the index on the patient's pseudonym, by which analysts
// join; "" where there is no such column or the key starts with it.
func patientIndex(t *config.Table, source *catalog.Table) string {
	columns, key := t.Patient.Columns(), RowKey(source, t)
	for _, name := range columns {
		if c, ok := t.Column(name); !ok || c.Publish == config.Drop || !t.Patient.Direct() {
			return ""
		}
	}
	if len(key) >= len(columns) && slices.Equal(key[:len(columns)], columns) {
		return ""
	}
	return shorten(t.Name, 40) + "_pgdeid_patient"
}

// noteIndex reports whether notes of many rows need an index of their own, by which their lines
// are found.
func noteIndex(t *config.Table, source *catalog.Table) bool {
	if t.Note == nil {
		return false
	}
	key := RowKey(source, t)
	return len(key) < len(t.Note.Key) || !catalog.SameColumns(key[:len(t.Note.Key)], t.Note.Key)
}

// alter brings a table, whose key stays, to the mapping. A column whose policy or type changed is
// emptied: what it holds was made under the old policy.
func (p *Plan) alter(t *config.Table, columns []Column, there *table, lz4 bool) {
	for _, old := range there.columns {
		if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == old.Name }) {
			p.onAll(t, there, "drop column "+quote.Name(old.Name))
			p.forget(t, old.Name)
			p.Dropped = append(p.Dropped, RowsTable(t))
			p.say("column %s.%s is not published any more: dropped", t.FullName(), old.Name)
		}
	}
	for _, c := range columns {
		old, ok := there.column(c.Name)
		switch {
		case ok && old.Type == c.Type && old.policy == c.policy:
		case ok:
			p.onAll(t, there, fmt.Sprintf("drop column %s, add column %s", quote.Name(c.Name), definition(c, lz4)))
			p.forget(t, c.Name)
			p.Dropped = append(p.Dropped, RowsTable(t))
			p.say("column %s.%s has another policy or type: emptied until \"pgdeid snapshot --resync\"", t.FullName(), c.Name)
		default:
			p.onAll(t, there, "add column "+definition(c, lz4))
			p.say("column %s.%s added, empty until \"pgdeid snapshot --resync\"", t.FullName(), c.Name)
		}
	}
}

// forget deletes what the vault says of texts that are gone, so that they are not
// taken for texts that need no second pass.
func (p *Plan) forget(t *config.Table, column string) {
	p.do("delete from deid.note_provenance where table_name = %s and column_name = %s", quote.Literal(t.FullName()), quote.Literal(column))
}

// view makes what analysts read: the columns of the table under its name in the EHR.
func (p *Plan) view(t *config.Table, columns []Column, mode config.ReleaseMode) {
	name := quote.Name(t.Schema, t.Name)
	p.do("create view %s as select %s from %s", name, quote.Names(ColumnNames(columns)), VisibleTable(t, mode))
	p.do("revoke all on table %s from public", name)
	p.say("view %s created", t.FullName())
}

// grantRows lets the service write the rows of a table.
func (p *Plan) grantRows(t *config.Table) {
	rows := RowsTable(t)
	p.do("grant select, insert, update, delete, truncate on %s to %s", rows, roles.Service)
	p.do("comment on table %s is %s", rows, quote.Literal("rows of "+t.FullName()+"; analysts read the view of that name"))
}

func (p *Plan) grantAndComment(t *config.Table, columns []Column, copying bool) {
	name := quote.Name(t.Schema, t.Name)
	if copying {
		p.do("revoke select on %s from %s", name, roles.Analyst)
	} else {
		p.do("grant select on %s to %s", name, roles.Analyst)
	}
	p.grantRows(t)
	p.do("comment on view %s is %s", name, quote.Literal("de-identified "+t.FullName()+" of the EHR; "+
		"deid_info.column_policy lists what was done to each column"))
	for _, c := range columns {
		p.do("comment on column %s.%s is %s", name, quote.Name(c.Name), quote.Literal(c.policy+": "+config.Explain(c.policy)))
	}
}
