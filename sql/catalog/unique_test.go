package catalog

import (
	"strings"
	"testing"
)

func TestUniqueKeys(t *testing.T) {
	t.Parallel()
	u := Unique{{"id"}, {"number", "site"}}
	for columns, want := range map[string]bool{"id": true, "site": false, "number": false, "site number": true, "site number ward": true, "ward id": true} {
		if got := u.Has(strings.Fields(columns)); got != want {
			t.Errorf("%s: %v", columns, got)
		}
	}
}
