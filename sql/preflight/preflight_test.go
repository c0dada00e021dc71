package preflight

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/finding"
)

func TestFailedCheckHidesNoOther(t *testing.T) {
	p := &run{}
	fine := func(subject string) check {
		return check{subject: subject, run: func(context.Context, *pgx.Conn) error { p.OK(subject, "looked at"); return nil }}
	}
	fails := check{subject: "b", run: func(context.Context, *pgx.Conn) error { return errors.New("no such function") }}
	hints := check{subject: "d", run: func(context.Context, *pgx.Conn) error { return fault.New("ask", errors.New("no"), "do this") }}
	blind := fine("c")
	blind.catalog = true
	p.runAll(t.Context(), nil, []check{fine("a"), fails, blind, hints, fine("e")})
	var got []string
	for _, f := range p.List {
		if f.Level == finding.Problem && f.Remedy == "" {
			t.Errorf("no remedy: %+v", f)
		}
		got = append(got, f.Subject+" "+string(f.Level))
	}
	if want := []string{"a ok", "b problem", "c problem", "d problem", "e ok"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if p.List[3].Remedy != "do this" {
		t.Errorf("the check's own hint is lost: %+v", p.List[3])
	}
}
