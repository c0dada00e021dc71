package phone_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/phone"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, phone.Find)
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	rulestest.Repeats(t, phone.Find, "call (617) 555-0142 or page 34567")
}

func FuzzFind(f *testing.F) {
	rulestest.Fuzz(f, phone.Find, phi.Phone, phi.Fax, phi.Pager)
}
