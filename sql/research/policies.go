package research

import (
	"fmt"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// PolicyStatements write deid.column_policy anew.
func PolicyStatements(cfg *config.Config, cat *catalog.Catalog) []string {
	statements := []string{"delete from deid.column_policy"}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		for position, in := range cat.Tables[t.FullName()].Columns {
			c, ok := t.Column(in.Name)
			if !ok {
				c = &config.Column{Publish: config.Drop}
			}
			published := "null"
			if dataType, err := c.ReplicaType(in.Type); err == nil && dataType != "" {
				published = quote.Literal(dataType)
			}
			statements = append(statements, fmt.Sprintf(
				"insert into deid.column_policy (table_schema, table_name, column_name, position, policy, data_type, explanation) values "+
					"(%s, %s, %s, %d, %s, %s, %s)",
				quote.Literal(t.Schema), quote.Literal(t.Name), quote.Literal(in.Name), position+1, quote.Literal(c.Treatment()), published,
				quote.Literal(config.Explain(c.Treatment()))))
		}
	}
	return statements
}
