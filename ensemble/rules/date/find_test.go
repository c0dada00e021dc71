package date_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/date"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

var types = []phi.Type{phi.Date}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, date.Find, "on March 5th, 2014 and 3/5/2014", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, date.Find, types...) }
