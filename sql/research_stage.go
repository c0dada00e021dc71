package sql

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
)

// stage makes the tables of what waits and of what was released, or takes them away.
// What analysts could read so far stays visible when they are made.
func (p *researchPlan) stage(t *config.Table, source *CatalogTable, columns []researchColumn, there *researchTable, want bool) {
	switch {
	case there.staged && !want:
		p.unstage(there)
		p.say("table %s shows rows as they arrive", t.FullName())
	case !there.staged && want:
		p.makeStages(t, source)
		if there.key != nil && !there.copying {
			var list []string
			for _, c := range columns {
				list = append(list, c.name)
			}
			key := source.RowKey(t)
			if key[0] == KeyColumn {
				list = append(list, KeyColumn)
			}
			if t.HasPatient() {
				list = append(list, PatientColumn)
			}
			p.do("insert into %s (%s) select %[2]s from %s order by %s", ReleasedTable(t), idents(list), RowsTable(t), idents(key))
		}
		p.say("table %s shows rows when they are released", t.FullName())
	}
	if want {
		p.do("grant select, insert, update, delete on %s, %s to %s", WaitingTable(t), ReleasedTable(t), ServiceRole)
	}
}

func (p *researchPlan) makeStages(t *config.Table, source *CatalogTable) {
	waiting, released, key := WaitingTable(t), ReleasedTable(t), idents(source.RowKey(t))
	owner := ", " + PatientColumn + " text" // where the rows do not have it
	if t.HasPatient() {
		owner = ""
	}
	p.do("create table %s (like %s including compression, %s bytea%s, %s bytea not null, "+
		"primary key (%s, %[5]s))", waiting, RowsTable(t),
		PrintColumn, owner, DueColumn, key)
	p.do("alter table %s alter column %s set not null", waiting, PatientColumn)
	p.do("create index on %s (%s)", waiting, DueColumn)
	p.do("comment on table %s is %s", waiting, literal("versions of rows of "+t.FullName()+" that are not released yet"))
	p.do("create table %s (like %s including compression, %s bytea%s, primary key (%s))", released, RowsTable(t),
		PrintColumn, owner, key)
	if patientIndex(t, source) != "" {
		p.do("create index on %s (%s)", released, idents(t.Patient.Columns()))
	}
	p.do("comment on table %s is %s", released, literal("rows of "+t.FullName()+" as of the last release; "+
		"analysts read the view of that name"))
	p.do("revoke all on table %s, %s from public", waiting, released)
}

func dropStages(t *researchTable) []string {
	if !t.staged {
		return nil
	}
	name := rowsName(t.schema + "." + t.name)
	return []string{"drop table " + strings.Join([]string{ident(WaitingSchema, name), ident(ReleasedSchema, name)}, ", ")}
}

func (p *researchPlan) unstage(t *researchTable) {
	p.statements = append(p.statements, dropStages(t)...)
	p.do("delete from deid.row_order where place = format('%%I.%%I', %s, %s)", literal(ReleasedSchema), literal(rowsName(t.schema+"."+t.name)))
}

// onAll alters every table that holds rows of t.
func (p *researchPlan) onAll(t *config.Table, there *researchTable, change string) {
	places := []string{RowsTable(t)}
	if there.staged {
		places = append(places, WaitingTable(t), ReleasedTable(t))
	}
	for _, place := range places {
		p.do("alter table %s %s", place, change)
	}
}

// noSamples keeps free text out of the planner's statistics, where it would stay after
// its row was repaired or withdrawn.
func (p *researchPlan) noSamples(t *config.Table, columns []researchColumn, staged bool) {
	places := []string{RowsTable(t)}
	if staged {
		places = append(places, WaitingTable(t), ReleasedTable(t))
	}
	for _, c := range columns {
		if p := config.PolicyOf(c.policy); p != config.Text && p != config.ByPath {
			continue
		}
		for _, place := range places {
			p.do("alter table %s alter column %s set statistics 0", place, ident(c.name))
		}
	}
}

// releaseMode stores the mode. Another one begins anew: the next release is of all
// that waits then.
func (p *researchPlan) releaseMode(mode config.ReleaseMode) {
	p.statements = append(p.statements, fmt.Sprintf(`update deid.release set mode = %s, as_of = null, released_at = null,
		through = (now() at time zone 'utc')::date - 1 where mode <> %[1]s`, literal(string(mode))))
}
