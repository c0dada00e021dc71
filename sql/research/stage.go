package research

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// stage makes the tables of what waits and of what was released, or takes them away.
// What analysts could read so far stays visible when they are made.
func (p *Plan) stage(t *config.Table, source *catalog.Table, columns []Column, there *table, want bool) {
	switch {
	case there.staged && !want:
		p.unstage(there)
		p.say("table %s shows rows as they arrive", t.FullName())
	case !there.staged && want:
		p.makeStages(t, source)
		if there.key != nil && !there.copying {
			list := ColumnNames(columns)
			key := RowKey(source, t)
			if key[0] == KeyColumn {
				list = append(list, KeyColumn)
			}
			if t.HasPatient() {
				list = append(list, PatientColumn)
			}
			p.do("insert into %s (%s) select %[2]s from %s order by %s", ReleasedTable(t), quote.Names(list), RowsTable(t), quote.Names(key))
		}
		p.say("table %s shows rows when they are released", t.FullName())
	}
	if want {
		p.do("grant select, insert, update, delete on %s, %s to %s", WaitingTable(t), ReleasedTable(t), roles.Service)
	}
}

func (p *Plan) makeStages(t *config.Table, source *catalog.Table) {
	waiting, released, key := WaitingTable(t), ReleasedTable(t), quote.Names(RowKey(source, t))
	owner := ", " + PatientColumn + " text" // where the rows do not have it
	if t.HasPatient() {
		owner = ""
	}
	p.do("create table %s (like %s including compression, %s bytea%s, %s bytea not null, "+
		"primary key (%s, %[5]s))", waiting, RowsTable(t),
		PrintColumn, owner, DueColumn, key)
	p.do("alter table %s alter column %s set not null", waiting, PatientColumn)
	p.do("create index on %s (%s)", waiting, DueColumn)
	p.do("comment on table %s is %s", waiting, quote.Literal("versions of rows of "+t.FullName()+" that are not released yet"))
	p.do("create table %s (like %s including compression, %s bytea%s, primary key (%s))", released, RowsTable(t),
		PrintColumn, owner, key)
	if patientIndex(t, source) != "" {
		p.do("create index on %s (%s)", released, quote.Names(t.Patient.Columns()))
	}
	p.do("comment on table %s is %s", released, quote.Literal("rows of "+t.FullName()+" as of the last release; "+
		"analysts read the view of that name"))
	p.do("revoke all on table %s, %s from public", waiting, released)
}

func dropStages(t *table) []string {
	if !t.staged {
		return nil
	}
	name := rowsName(t.schema + "." + t.name)
	return []string{"drop table " + strings.Join([]string{quote.Name(WaitingSchema, name), quote.Name(ReleasedSchema, name)}, ", ")}
}

func (p *Plan) unstage(t *table) {
	p.Statements = append(p.Statements, dropStages(t)...)
	p.do("delete from deid.row_order where place = format('%%I.%%I', %s, %s)", quote.Literal(ReleasedSchema),
		quote.Literal(rowsName(t.schema+"."+t.name)))
}

// onAll alters every table that holds rows of t.
func (p *Plan) onAll(t *config.Table, there *table, change string) {
	for _, place := range places(t, there.staged) {
		p.do("alter table %s %s", place, change)
	}
}

// noSamples keeps free text out of the planner's statistics, where it would stay after
// its row was repaired or withdrawn.
func (p *Plan) noSamples(t *config.Table, columns []Column, staged bool) {
	for _, c := range columns {
		if p := config.PolicyOf(c.policy); p != config.Text && p != config.ByPath {
			continue
		}
		for _, place := range places(t, staged) {
			p.do("alter table %s alter column %s set statistics 0", place, quote.Name(c.Name))
		}
	}
}

// releaseMode stores the mode. Another one begins anew: the next release is of all
// that waits then.
func (p *Plan) releaseMode(mode config.ReleaseMode) {
	p.Statements = append(p.Statements, fmt.Sprintf(`update deid.release set mode = %s, as_of = null, released_at = null,
		through = (now() at time zone 'utc')::date - 1 where mode <> %[1]s`, quote.Literal(string(mode))))
}
