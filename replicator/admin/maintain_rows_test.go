package admin

import (
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/surrogate"
)

// people has a row for each person: a birth date, an age and a date of something that happened.
func people(birth, age, happened schema.Column) *schema.Table {
	birth.Name, birth.Tells, age.Name, happened.Name = "born", "birth_date", "age", "seen"
	return &schema.Table{Table: &config.Table{Schema: "ehr", Name: "person"}, ID: "ehr.person", Columns: []schema.Column{birth, age, happened}, Publish: []int{0, 1, 2}}
}

func published(policy config.Policy, typ string) schema.Column {
	return schema.Column{Column: config.Column{Publish: policy}, Typ: typ, Replica: typ}
}

// In 2026 those born in 1936 or before are capped; rows that need not be looked at are passed over.
func TestRowsThatMayHaveToBeCapped(t *testing.T) {
	t.Parallel()
	maker, err := surrogate.New(schematest.Key(t), surrogate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &session.Session{
		Now:  func() time.Time { return time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC) },
		Deid: &deid.Deidentifier{Maker: maker},
	}
	age, note := published(config.AgeCap, "integer"), published(config.Keep, "text")
	for name, c := range map[string]struct {
		table  *schema.Table
		column int
		which  string // a part; "": no row
	}{
		"a year of birth":                         {people(published(config.Year, "integer"), age, note), 0, `t."born" is not null`},
		"an age beside a year of birth":           {people(published(config.Year, "integer"), age, note), 1, `t."born" <= 1936`},
		"an age beside a year as text":            {people(published(config.Year, "text"), age, note), 1, `t."born" <= '1936' collate "C"`},
		"an age beside a birth date":              {people(published(config.ShiftDate, "date"), age, note), 1, `isfinite(t."born") and t."born" < make_date(1937, 1, 1)`},
		"an age without either":                   {people(published(config.Drop, "date"), age, note), 1, ""},
		"a year of something else":                {people(published(config.Drop, "date"), age, published(config.Year, "integer")), 2, ""},
		"a date":                                  {people(published(config.Drop, "date"), age, published(config.ShiftDate, "date")), 2, `isfinite(t."seen") and t."seen" < make_date(1936, 1, 1)`},
		"a date as text":                          {people(published(config.Drop, "date"), age, published(config.ShiftDate, "text")), 2, `t."seen" is not null`},
		"a column that shows nothing of the kind": {people(published(config.Drop, "date"), age, note), 2, ""},
	} {
		which, recap := capOf(r, c.table, &c.table.Columns[c.column])
		if which == "" && c.which == "" {
			continue
		}
		if c.which == "" || !strings.Contains(which, c.which) {
			t.Errorf("%s: rows where %q, want %q", name, which, c.which)
		} else if recap == nil {
			t.Errorf("%s: nothing becomes of a value", name)
		}
	}
}
