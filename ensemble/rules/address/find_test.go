package address_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/address"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

var types = []phi.Type{phi.Street, phi.City, phi.State, phi.Zip}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, address.Find, "12 Elm Avenue Apt 4B, Boston, MA 02115", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, address.Find, types...) }
