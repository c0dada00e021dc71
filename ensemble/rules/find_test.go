package rules_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// find is Find without a context.
func find(v *text.View, dst []phi.Span) []phi.Span {
	dst, err := rules.Find(context.Background(), v, dst)
	if err != nil {
		panic(err)
	}
	return dst
}

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, find)
}

func FuzzFind(f *testing.F) {
	rulestest.Fuzz(f, find, phi.Types()...)
}

func TestFindStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	spans, err := rules.Find(ctx, text.NewView(ensembletest.BenchNote), nil)
	if !errors.Is(err, context.Canceled) || len(spans) > 0 {
		t.Errorf("%d spans, error %v", len(spans), err)
	}
}
