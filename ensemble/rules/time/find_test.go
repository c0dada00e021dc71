package time_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
	"github.com/pgdeid/pgdeid/ensemble/rules/time"
)

var types = []phi.Type{phi.Time}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, time.Find, "at 10:30 and by 0600", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, time.Find, types...) }
