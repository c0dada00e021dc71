package desk

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Whatever verb prints them, and wherever they stand, these types show nothing of a row.
func TestRowsPrintRedacted(t *testing.T) {
	t.Parallel()
	const secret, days = "Zorvakian", 123456
	tab := &schema.Table{Table: &config.Table{}, ID: "ehr.note"}
	text := secret
	c := &schema.Change{Table: tab, Row: []schema.Value{{State: schema.Present, Text: secret}}}
	kept := vault.Origin{Key: []string{secret}}
	it := &deid.Item{Change: c, Resolved: deid.Resolved{Key: []string{secret}, Leads: []patient.PathChange{{Target: schema.Target{Table: tab}, Value: secret}}}}
	for _, v := range []any{
		it, &apply.Version{Table: tab, Source: []string{secret}, Values: []*string{&text}, Key: []string{secret}},
		deid.Requeue{SourceKey: secret},
		&deid.Requeue{SourceKey: secret}, kept, &apply.Aside{Origin: kept},
		patient.PathChange{Target: schema.Target{Table: tab}, Value: secret},
		c, c.Row[0], &patient.Patient{Key: secret},
		Question{Patient: secret, Text: secret},
		Answer{Text: secret},
		NoteKeys{Keys: []string{secret}},
		&asking{Question: &Question{Text: secret}, key: secret},
		NoteAnswer{Answer: Answer{Text: secret}, Key: secret},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			for _, in := range []any{v, []any{v}, map[string]any{"x": v}} {
				got := fmt.Sprintf(verb, in)
				inHex := fmt.Sprintf("%x", secret)
				if strings.Contains(got, secret) || strings.Contains(got, inHex) || strings.Contains(got, fmt.Sprint(days)) {
					t.Errorf("%T with %s: %s", v, verb, got)
				}
			}
		}
		var b strings.Builder
		slog.New(slog.NewTextHandler(&b, nil)).Info("x", "v", v)
		if strings.Contains(b.String(), secret) || strings.Contains(b.String(), fmt.Sprint(days)) {
			t.Errorf("%T in a log: %s", v, b.String())
		}
	}
}
