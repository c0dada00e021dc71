package phone_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/phone"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

var types = []phi.Type{phi.Phone, phi.Fax, phi.Pager}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, phone.Find, "call (617) 555-0142 or page 34567", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, phone.Find, types...) }
