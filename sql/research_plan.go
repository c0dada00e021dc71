package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
)

// researchPlan is what has to be done to the research tables. Whatever was
// published under another policy is taken away, never left standing.
type researchPlan struct {
	statements []string
	changes    []string // in words, for the log
	dropped    []string // tables that rows are lost of, quoted
	problems   Findings
}

func (p *researchPlan) do(format string, args ...any) {
	p.statements = append(p.statements, fmt.Sprintf(format, args...))
}

func (p *researchPlan) say(format string, args ...any) {
	p.changes = append(p.changes, fmt.Sprintf(format, args...))
}

func planResearch(cfg *config.Config, cat *Catalog, have *research) *researchPlan {
	p := &researchPlan{}
	p.dropUnmapped(cfg, have)
	granted := map[string]bool{}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		source := cat.Tables[t.FullName()]
		columns := researchColumns(t, source)
		if len(columns) == 0 {
			continue
		}
		if !granted[t.Schema] {
			granted[t.Schema] = true
			p.schema(t.Schema, have)
		}
		there := have.tables[t.FullName()]
		if there != nil && !there.ours {
			p.problems.problem("table "+t.FullName(), "is in the replica already and was not made by pgdeid",
				"use an empty database for the replica, or rename that table")
			continue
		}
		if there == nil {
			there = &researchTable{}
		}
		if why := rekeyed(source.RowKey(t), HashedKey(source.PrimaryKey), columns, there); why != "" {
			p.takeDown(there)
			p.say("table %s is made anew, as %s: empty until \"pgdeid run\" (or, where the mapping changed, \"pgdeid snapshot --resync\") copies it",
				t.FullName(), why)
			there = &researchTable{}
		}
		staged := cfg.Release.Mode != config.Live
		fits := there.view.fits(columns, staged) && slices.Equal(there.wanted(columns), columns)
		if there.view != nil && !fits {
			p.do("drop view %s", ident(t.Schema, t.Name))
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
			p.view(t, columns, staged)
		}
		p.noSamples(t, columns, staged)
		p.grantAndComment(t, columns, there.copying && !staged)
	}
	p.releaseMode(cfg.Release.Mode)
	return p
}

// fits reports whether v shows just these columns of the right table.
func (v *researchView) fits(columns []researchColumn, staged bool) bool {
	over := RowsSchema
	if staged {
		over = ReleasedSchema
	}
	return v != nil && v.over == over &&
		slices.EqualFunc(v.columns, columns, func(name string, c researchColumn) bool { return name == c.name })
}

// wanted returns what t has of columns, and what it has beyond them.
func (t *researchTable) wanted(columns []researchColumn) []researchColumn {
	var have []researchColumn
	for _, c := range columns {
		if old, ok := t.column(c.name); ok {
			have = append(have, old)
		}
	}
	if len(have) < len(t.columns) {
		return t.columns
	}
	return have
}

// researchColumns returns the published columns in the order of the source.
func researchColumns(t *config.Table, source *CatalogTable) []researchColumn {
	var columns []researchColumn
	for _, in := range source.Columns {
		c, ok := t.Column(in.Name)
		if !ok {
			continue
		}
		if dataType, err := c.ReplicaType(in.Type); err == nil && dataType != "" {
			columns = append(columns, researchColumn{in.Name, dataType, c.Treatment()})
		}
	}
	return columns
}

// dropUnmapped drops tables of which nothing is published any more.
func (p *researchPlan) dropUnmapped(cfg *config.Config, have *research) {
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
func (p *researchPlan) takeDown(t *researchTable) {
	if t.view != nil {
		p.do("drop view %s", ident(t.schema, t.name))
	}
	p.unstage(t)
	id := t.schema + "." + t.name
	rows := ident(RowsSchema, rowsName(id))
	if t.key != nil {
		p.do("drop table %s", rows)
		p.dropped = append(p.dropped, rows)
	}
	p.do("delete from deid.generated where kind = 'table' and name = %s", literal(id))
	p.do("delete from deid.row_order where place = format('%%I.%%I', %s, %s)", literal(RowsSchema), literal(rowsName(id)))
	for _, vault := range []string{"note_provenance", "quarantine", "snapshot"} {
		p.do("delete from deid.%s where table_name = %s", vault, literal(id))
	}
}

// rekeyed says why the rows of a table that is there can't be found again by their
// key, or returns "".
func rekeyed(key []string, hashed string, columns []researchColumn, there *researchTable) string {
	if there.key == nil {
		return ""
	}
	if !slices.Equal(there.key, key) || key[0] == KeyColumn && there.hashed != hashed {
		return "its primary key is another one"
	}
	for _, c := range columns {
		if old, ok := there.column(c.name); ok && slices.Contains(there.key, c.name) && (old.dataType != c.dataType || old.policy != c.policy) {
			return "key column " + c.name + " has another policy or type"
		}
	}
	return ""
}

func (p *researchPlan) schema(name string, have *research) {
	if !slices.Contains(have.schemas, name) {
		p.do("create schema %s", ident(name))
		p.do("comment on schema %s is 'research: views of de-identified tables, with the names that they have in the EHR'", ident(name))
		p.do("insert into deid.generated values ('schema', %s) on conflict do nothing", literal(name))
	}
	p.do("grant usage on schema %s to %s", ident(name), AnalystRole)
}

func (p *researchPlan) create(t *config.Table, source *CatalogTable, columns []researchColumn, lz4 bool) {
	lines := make([]string, 0, len(columns)+2)
	for _, c := range columns {
		lines = append(lines, definition(c, lz4))
	}
	key := source.RowKey(t)
	if key[0] == KeyColumn {
		lines = append(lines, ident(KeyColumn)+" uuid")
	}
	if t.HasPatient() {
		lines = append(lines, PatientColumn+" text")
	}
	lines = append(lines, "primary key ("+idents(key)+")")
	name := RowsTable(t)
	p.do("create table %s (%s)", name, strings.Join(lines, ", "))
	if key[0] == KeyColumn {
		p.do("comment on column %s.%s is %s", name, ident(KeyColumn), literal(HashedKey(source.PrimaryKey)))
	}
	p.do("revoke all on table %s from public", name)
	p.do("insert into deid.generated values ('table', %s) on conflict do nothing", literal(t.FullName()))
	if index := patientIndex(t, source); index != "" {
		p.do("create index %s on %s (%s)", ident(index), name, idents(t.Patient.Columns()))
	}
	if noteIndex(t, source) {
		p.do("create index on %s (%s)", name, idents(t.Note.Key))
	}
	p.say("table %s created", t.FullName())
}

// own gives rows of a table that is there the patient whose they are: null until they are
// written again.
func (p *researchPlan) own(t *config.Table, there *researchTable) {
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
func (p *researchPlan) indexOwners(cfg *config.Config, t *config.Table, staged bool) {
	if !cfg.Filtered() && !cfg.Merging() || !t.HasPatient() {
		return
	}
	places := []string{RowsTable(t)}
	if staged {
		places = append(places, WaitingTable(t), ReleasedTable(t))
	}
	for _, place := range places {
		p.do("create index if not exists %s on %s (%s)", ident(ownerIndex(t)), place, PatientColumn)
	}
}

func definition(c researchColumn, lz4 bool) string {
	d := ident(c.name) + " " + c.dataType
	if lz4 && slices.Contains([]string{"text", "json", "jsonb", "xml"}, c.dataType) {
		d += " compression lz4"
	}
	return d
}

// patientIndex names the index on the patient's pseudonym, by which analysts
// join; "" where there is no such column or the key starts with it.
func patientIndex(t *config.Table, source *CatalogTable) string {
	columns, key := t.Patient.Columns(), source.RowKey(t)
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
func noteIndex(t *config.Table, source *CatalogTable) bool {
	if t.Note == nil {
		return false
	}
	key := source.RowKey(t)
	return len(key) < len(t.Note.Key) || !sameSet(key[:len(t.Note.Key)], t.Note.Key)
}

func shorten(s string, most int) string {
	for len(s) > most {
		r := []rune(s)
		s = string(r[:len(r)-1])
	}
	return s
}

// alter brings a table, whose key stays, to the mapping. A column whose policy or type changed is
// emptied: what it holds was made under the old policy.
func (p *researchPlan) alter(t *config.Table, columns []researchColumn, there *researchTable, lz4 bool) {
	for _, old := range there.columns {
		if !slices.ContainsFunc(columns, func(c researchColumn) bool { return c.name == old.name }) {
			p.onAll(t, there, "drop column "+ident(old.name))
			p.forget(t, old.name)
			p.dropped = append(p.dropped, RowsTable(t))
			p.say("column %s.%s is not published any more: dropped", t.FullName(), old.name)
		}
	}
	for _, c := range columns {
		old, ok := there.column(c.name)
		switch {
		case ok && old.dataType == c.dataType && old.policy == c.policy:
		case ok:
			p.onAll(t, there, fmt.Sprintf("drop column %s, add column %s", ident(c.name), definition(c, lz4)))
			p.forget(t, c.name)
			p.dropped = append(p.dropped, RowsTable(t))
			p.say("column %s.%s has another policy or type: emptied until \"pgdeid snapshot --resync\"", t.FullName(), c.name)
		default:
			p.onAll(t, there, "add column "+definition(c, lz4))
			p.say("column %s.%s added, empty until \"pgdeid snapshot --resync\"", t.FullName(), c.name)
		}
	}
}

// forget deletes what the vault says of texts that are gone, so that they are not
// taken for texts that need no second pass.
func (p *researchPlan) forget(t *config.Table, column string) {
	p.do("delete from deid.note_provenance where table_name = %s and column_name = %s", literal(t.FullName()), literal(column))
}

// view makes what analysts read: the columns of the table under its name in the EHR.
func (p *researchPlan) view(t *config.Table, columns []researchColumn, staged bool) {
	over := RowsTable(t)
	if staged {
		over = ReleasedTable(t)
	}
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.name
	}
	name := ident(t.Schema, t.Name)
	p.do("create view %s as select %s from %s", name, idents(list), over)
	p.do("revoke all on table %s from public", name)
	p.say("view %s created", t.FullName())
}

// grantRows lets the service write the rows of a table.
func (p *researchPlan) grantRows(t *config.Table) {
	rows := RowsTable(t)
	p.do("grant select, insert, update, delete, truncate on %s to %s", rows, ServiceRole)
	p.do("comment on table %s is %s", rows, literal("rows of "+t.FullName()+"; analysts read the view of that name"))
}

func (p *researchPlan) grantAndComment(t *config.Table, columns []researchColumn, copying bool) {
	name := ident(t.Schema, t.Name)
	if copying {
		p.do("revoke select on %s from %s", name, AnalystRole)
	} else {
		p.do("grant select on %s to %s", name, AnalystRole)
	}
	p.grantRows(t)
	p.do("comment on view %s is %s", name, literal("de-identified "+t.FullName()+" of the EHR; "+
		"deid_info.column_policy lists what was done to each column"))
	for _, c := range columns {
		p.do("comment on column %s.%s is %s", name, ident(c.name), literal(c.policy+": "+config.Explain(c.policy)))
	}
}
