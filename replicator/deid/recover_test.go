package deid

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

func TestBrokenDetectorIsNamedInTheLog(t *testing.T) {
	var log bytes.Buffer
	s := &Deidentifier{Log: slog.New(slog.NewTextHandler(&log, nil)), metrics: metrics.New(), timeout: 1 << 40}
	for name, d := range map[string]detectorFunc{
		"detector": func(context.Context, *ensemble.Note) ([]phi.Span, error) { panic("Quarkstein") },
		"model lstm": func(context.Context, *ensemble.Note) ([]phi.Span, error) {
			return nil, ensemble.Guarded("model lstm", func() error { panic("Quarkstein") })
		},
	} {
		log.Reset()
		s.Detector = d
		if _, why := s.detect(t.Context(), &ensemble.Note{Text: "x"}); why != vault.DetectorPanic {
			t.Errorf("%s: reason %s", name, why)
		}
		if text := log.String(); !strings.Contains(text, name) || !strings.Contains(text, "recover_test.go:") || strings.Contains(text, "Quarkstein") {
			t.Errorf("%s: log %s", name, text)
		}
	}
}

type detectorFunc func(context.Context, *ensemble.Note) ([]phi.Span, error)

func (f detectorFunc) Detect(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
	return f(ctx, n)
}

// Where looking up a batch breaks, its rows are looked up one by one.
func TestRowThatBreaksTheLookup(t *testing.T) {
	var log bytes.Buffer
	paths, err := lru.New[patient.PathKey, string](8)
	if err != nil {
		t.Fatal(err)
	}
	reg := &patient.Register{Cache: patient.NewCache(1 << 20), Paths: paths, Plan: &schema.Plan{Config: &config.Config{}}}
	r := &Resolver{Lookups: &patient.Lookups{Register: reg}, Log: slog.New(slog.NewTextHandler(&log, nil))}
	table := &schema.Table{Table: &config.Table{Schema: "ehr", Name: "code"}, ID: "ehr.code", Via: -1}
	good := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: []schema.Value{}, Read: true})
	bad := RowItem(&schema.Change{Op: schema.InsertOp, Read: true, Row: []schema.Value{}})
	bad.Change.Table = brokenTable()
	if err := r.ResolveEach(t.Context(), []*Item{good, bad, good}); err != nil {
		t.Fatal(err)
	}
	if good.Reason != "" || bad.Reason != vault.Broken {
		t.Errorf("reasons %q and %q", good.Reason, bad.Reason)
	}
	if !strings.Contains(log.String(), "ehr.broken") {
		t.Errorf("log %s", log.String())
	}
}

// brokenTable has a path column that its rows do not have.
func brokenTable() *schema.Table {
	return &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "broken", Patient: config.Path{Column: "x"}}, ID: "ehr.broken", Via: 7,
		Columns: []schema.Column{{}},
	}
}
