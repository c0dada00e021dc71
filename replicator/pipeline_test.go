package replicator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/surrogate"
)

// plainTable has rows that belong to no patient.
func plainTable() *table {
	t := &table{Table: &config.Table{Schema: "ehr", Name: "ward"}, id: "ehr.ward", via: -1}
	t.columns = []column{{Column: config.Column{Name: "id", Publish: config.Keep}, typ: "integer", replica: "integer"}}
	t.publish, t.key = []int{0}, []int{0}
	t.sql = newStatements(t)
	return t
}

func testDeidentifier(t *testing.T) *deidentifier {
	t.Helper()
	key := testKey(t)
	maker, err := surrogate.New(key, surrogate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := &settings{
		Now:    time.Now,
		Config: &config.Config{PatientKey: config.TextKey, Limits: config.Limits{NoteTimeout: 50 * time.Millisecond}}, Key: key,
		Metrics: NewMetrics(), Log: slog.New(slog.DiscardHandler),
	}
	reg, err := newRegister(&plan{config: o.Config, hash: "h"}, key, maker, &directory{})
	if err != nil {
		t.Fatal(err)
	}
	return newDeidentifier(reg, o)
}

// Items leave in the order in which they came, whoever worked on them, and what is
// on its way never exceeds the budget.
func TestPipelineKeepsOrderWithinItsBudget(t *testing.T) {
	const items, limit = 3000, 20 * rowCost
	s := testDeidentifier(t)
	p := newPipeline(s, 4, limit)
	ward := plainTable()
	g, ctx := errgroup.WithContext(t.Context())
	g.Go(func() error {
		defer close(p.in)
		for i := range items {
			row := []value{{fmt.Sprint(i), present}}
			if err := p.put(ctx, rowItem(&change{op: insertOp, table: ward, row: row, read: true})); err != nil {
				return err
			}
		}
		return nil
	})
	g.Go(func() error { return p.run(ctx, &resolver{lookups: &lookups{register: s.reg}}) })
	next := 0
	for it := range p.ordered {
		<-it.done
		if it.out.reason != "" || *it.out.values[0] != fmt.Sprint(next) {
			t.Fatalf("item %d: %v %q", next, it.out.values, it.out.reason)
		}
		if held := s.metrics.queue.Load(); held > limit {
			t.Fatalf("%d bytes are on their way", held)
		}
		p.written(it)
		next++
	}
	if err := g.Wait(); err != nil || next != items {
		t.Errorf("%d items, %v", next, err)
	}
	if held := s.metrics.queue.Load(); held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

func TestPipelineStopsWithItsContext(t *testing.T) {
	s := testDeidentifier(t)
	p := newPipeline(s, 1, 10*rowCost)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.run(ctx, &resolver{lookups: &lookups{register: s.reg}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type detectFunc func(context.Context, *ensemble.Note) ([]phi.Span, error)

func (f detectFunc) Detect(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
	return f(ctx, n)
}

func TestDetectionFailsForOneNoteOnly(t *testing.T) {
	s := testDeidentifier(t)
	table := noteTable()
	for want, detect := range map[reason]detectFunc{
		detectorFail:  func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, errors.New("broken") },
		detectorPanic: func(_ context.Context, n *ensemble.Note) ([]phi.Span, error) { panic(n.Text) },
		timedOut: func(ctx context.Context, _ *ensemble.Note) ([]phi.Span, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"": func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, nil },
	} {
		s.detector = detect
		row := []value{{"1", present}, {"9", present}, {"s", present}, {"Zebulon ate.", present}}
		it := rowItem(&change{op: insertOp, table: table, row: row})
		it.patient = &patient{key: "9", pseudonym: "p9", ledger: &ledger{}}
		s.deidentify(t.Context(), it)
		if it.out.reason != want || (it.out.values[3] == nil) != (want != "") {
			t.Errorf("want %q, got %q", want, it.out.reason)
		}
	}
}

func TestTextThatIsNoneIsSetAside(t *testing.T) {
	s := testDeidentifier(t)
	s.detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, nil })
	for _, text := range []string{"a\x00b", "a\xffb"} {
		it := rowItem(&change{op: insertOp, table: noteTable(), row: []value{{"1", present}, {"9", present}, {}, {text, present}}})
		it.patient = &patient{key: "9", pseudonym: "p9", ledger: &ledger{}}
		if s.deidentify(t.Context(), it); it.out.reason != badText {
			t.Errorf("%q: %q", text, it.out.reason)
		}
	}
}

func TestHealthTellsTheTruth(t *testing.T) {
	now := time.Unix(1000, 0)
	o := &Options{Config: &config.Config{}, Metrics: NewMetrics()}
	h := newHealth(o)
	h.now = func() time.Time { return now }
	ask := func() (int, string) {
		w := httptest.NewRecorder()
		h.answer(w, func(r Health) bool { return r.OK })
		return w.Code, w.Body.String()
	}
	check := func(what string, want int, says string) {
		t.Helper()
		if code, body := ask(); code != want || !strings.Contains(body, says) {
			t.Errorf("%s: %d %s", what, code, body)
		}
	}
	check("before anything", http.StatusServiceUnavailable, "starting")
	h.copying(false)
	check("first copy", http.StatusOK, "copying")
	h.streaming(true)
	check("stream", http.StatusOK, "streaming")
	h.slot(&source.Slot{Active: false, WAL: "reserved"})
	check("slot without a reader", http.StatusServiceUnavailable, "nobody streams")
	h.slot(&source.Slot{Active: true, WAL: "unreserved"})
	check("slot about to be lost", http.StatusServiceUnavailable, "throw away")
	h.slot(&source.Slot{Active: true, WAL: "reserved"})
	now = now.Add(maxSilence + time.Second)
	check("silence", http.StatusServiceUnavailable, "sends nothing")
	o.Metrics.queued(1)
	check("silence while there is work", http.StatusOK, "streaming")
	h.session(source.ErrSilent)
	check("interrupted", http.StatusServiceUnavailable, "which the log has")
	h.streaming(true)
	check("again", http.StatusOK, "streaming")
}
