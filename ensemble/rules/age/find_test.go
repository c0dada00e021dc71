package age_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/age"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

var types = []phi.Type{phi.Age}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, age.Find, "a 67-year-old, aged 45", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, age.Find, types...) }
