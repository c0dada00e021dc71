package replicator

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Whatever verb prints them, and wherever they stand, these types show nothing of a row.
func TestRowsPrintRedacted(t *testing.T) {
	t.Parallel()
	const secret, days = "Zorvakian", 123456
	tab := &table{Table: &config.Table{}, id: "ehr.note"}
	text := secret
	c := &change{table: tab, row: []value{{state: present, text: secret}}}
	kept := vault.Origin{Key: []string{secret}}
	it := &item{change: c, key: []string{secret}, leads: []pathChange{{target: target{table: tab}, value: secret}}}
	for _, v := range []any{
		it, &version{table: tab, source: []string{secret}, values: []*string{&text}, key: []string{secret}},
		requeue{sourceKey: secret},
		&requeue{sourceKey: secret}, kept, &aside{Origin: kept},
		pathChange{target: target{table: tab}, value: secret},
		c, c.row[0], &patient{key: secret},
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
