package research

import (
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// BeforeSchema is the schema of the tables that analysts read while those of the next key are made.
const BeforeSchema = "deid_before"

// BeforeTable returns the table in which analysts read the rows of a mapped table meanwhile, quoted.
func BeforeTable(t *config.Table) string { return quote.Name(BeforeSchema, rowsName(t.FullName())) }

// NextGeneration moves the tables that analysts read aside and makes others in their place. The views follow the tables
// that they were made for.
func NextGeneration(cfg *config.Config, cat *catalog.Catalog, have *Existing) *Plan {
	p := &Plan{}
	staged := cfg.Release.Mode != config.Live
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		source := cat.Tables[t.FullName()]
		columns := Columns(t, source)
		if len(columns) == 0 {
			continue
		}
		if staged {
			p.do("drop table %s, %s", RowsTable(t), WaitingTable(t))
		}
		p.do("alter table %s set schema %s", VisibleTable(t, cfg.Release.Mode), quote.Name(BeforeSchema))
		p.do("revoke insert, update, truncate on %s from %s", BeforeTable(t), roles.Service)
		p.create(t, source, columns, have.lz4)
		p.stage(t, source, columns, &table{}, staged)
		p.indexOwners(cfg, t, staged)
		p.noSamples(t, columns, staged)
		p.grantRows(t)
	}
	return p
}
