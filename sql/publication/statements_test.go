package publication

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/catalog/catalogtest"
)

func TestPublicationStatements(t *testing.T) {
	cfg, cat := catalogtest.Parse(t, catalogtest.Small)
	const lists = `create publication "pgdeid" for table "ehr"."patient" ("patient_id", "zip", "name"), "ehr"."note" ("note_id", ` +
		`"patient_id", "body") ` +
		`with (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)`
	if got := makeStatements(cfg, cat, false)[0]; got != lists {
		t.Errorf("got %s", got)
	}
	if got := makeStatements(cfg, cat, true)[0]; !strings.HasPrefix(got,
		`alter publication "pgdeid" set table "ehr"."patient" ("patient_id"`) {
		t.Errorf("got %s", got)
	}
	cat.Server = 140000
	if got := makeStatements(cfg, cat, false)[0]; !strings.Contains(got, `"ehr"."patient", "ehr"."note" with`) {
		t.Errorf("PostgreSQL 14 has no column lists: %s", got)
	}
}
