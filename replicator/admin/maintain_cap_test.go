package admin

import (
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

func TestCapPublished(t *testing.T) {
	date, birth := &schema.Column{Column: config.Column{Publish: config.ShiftDate}}, &schema.Column{Column: config.Column{Publish: config.Year}}
	for _, c := range []struct {
		col        *schema.Column
		text, want string
	}{
		{birth, "1930", "1936"},
		{birth, "1936", ""},
		{birth, "", ""},
		{date, "1930-05-06", "1936-05-06"},
		{date, "1932-02-29 07:00:00", "1936-02-28 07:00:00"},
		{date, "19300506", "19360506"},
		{date, "05-Jun-1930", "05-Jun-1936"},
		{date, "1936-01-01", ""},
		{date, "infinity", ""},
	} {
		if got, changed := capPublished(c.col, c.text, 1936); got != c.want || changed != (c.want != "") {
			t.Errorf("%q: %q, %v", c.text, got, changed)
		}
	}
}
