package replicator

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

// A panic of a row costs that row, and the log says where it was and not what it said.
func TestRowThatBreaksIsSetAside(t *testing.T) {
	var log bytes.Buffer
	s := &store{log: slog.New(slog.NewTextHandler(&log, nil))}
	table, who := noteTable(), &patient{pseudonym: "a", shiftStored: true, memorised: true}
	bad := done(table, updateOp, "1", "", "", who)
	bad.out.keep = []bool{false, true} // more than it has texts
	g := newGroup()
	for _, it := range []*item{done(table, insertOp, "1", "", "x", who), bad, done(table, insertOp, "2", "", "y", who)} {
		s.addTo(g, it)
	}
	if len(g.order) != 2 || g.order[0].aside == nil || g.order[0].aside.reason != broken || !g.order[0].remove || g.order[1].aside != nil {
		t.Errorf("versions %v", g.order)
	}
	if !strings.Contains(log.String(), "group.go:") {
		t.Errorf("log: %s", log.String())
	}
}

func TestBrokenDetectorIsNamedInTheLog(t *testing.T) {
	var log bytes.Buffer
	s := &deidentifier{log: slog.New(slog.NewTextHandler(&log, nil)), metrics: NewMetrics(), timeout: 1 << 40}
	for name, d := range map[string]detectorFunc{
		"detector": func(context.Context, *ensemble.Note) ([]phi.Span, error) { panic("Quarkstein") },
		"model lstm": func(context.Context, *ensemble.Note) ([]phi.Span, error) {
			return nil, ensemble.Guarded("model lstm", func() error { panic("Quarkstein") })
		},
	} {
		log.Reset()
		s.detector = d
		if _, why := s.detect(t.Context(), &ensemble.Note{Text: "x"}); why != detectorPanic {
			t.Errorf("%s: reason %s", name, why)
		}
		if text := log.String(); !strings.Contains(text, name) || !strings.Contains(text, "broken_test.go:") || strings.Contains(text, "Quarkstein") {
			t.Errorf("%s: log %s", name, text)
		}
	}
}

type detectorFunc func(context.Context, *ensemble.Note) ([]phi.Span, error)

func (f detectorFunc) Detect(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
	return f(ctx, n)
}

func TestPanicOfAGoroutineIsAnError(t *testing.T) {
	var log bytes.Buffer
	err := guarded(slog.New(slog.NewTextHandler(&log, nil)), "the committer", func() error { panic("Quarkstein") })()
	if !errors.As(err, new(*ensemble.Broken)) || transient(err) || strings.Contains(err.Error()+log.String(), "Quarkstein") {
		t.Errorf("error %v, log %s", err, log.String())
	}
}

// Where looking up a batch breaks, its rows are looked up one by one.
func TestRowThatBreaksTheLookup(t *testing.T) {
	var log bytes.Buffer
	paths, err := lru.New[pathKey, string](8)
	if err != nil {
		t.Fatal(err)
	}
	reg := &register{cache: newPatients(1 << 20), paths: paths, plan: &plan{config: &config.Config{}}}
	r := &resolver{lookups: &lookups{register: reg}, log: slog.New(slog.NewTextHandler(&log, nil))}
	table := &table{Table: &config.Table{Schema: "ehr", Name: "code"}, id: "ehr.code", via: -1}
	good := rowItem(&change{op: insertOp, table: table, row: []value{}, read: true})
	bad := rowItem(&change{op: insertOp, read: true, row: []value{}})
	bad.change.table = brokenTable()
	if err := r.resolveEach(t.Context(), []*item{good, bad, good}); err != nil {
		t.Fatal(err)
	}
	if good.reason != "" || bad.reason != broken {
		t.Errorf("reasons %q and %q", good.reason, bad.reason)
	}
	if !strings.Contains(log.String(), "ehr.broken") {
		t.Errorf("log %s", log.String())
	}
}

// brokenTable has a path column that its rows do not have.
func brokenTable() *table {
	return &table{
		Table: &config.Table{Schema: "ehr", Name: "broken", Patient: config.Path{Column: "x"}}, id: "ehr.broken", via: 7,
		columns: []column{{}},
	}
}
