package address_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/address"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, address.Find)
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	rulestest.Repeats(t, address.Find, "12 Elm Avenue Apt 4B, Boston, MA 02115")
}

func FuzzFind(f *testing.F) {
	rulestest.Fuzz(f, address.Find, phi.Street, phi.City, phi.State, phi.Zip)
}
