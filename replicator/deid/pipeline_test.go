package deid

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

func testDeidentifier(t testing.TB) *Deidentifier {
	t.Helper()
	key := schematest.Key(t)
	maker, err := surrogate.New(key, surrogate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := &Settings{
		Now:    time.Now,
		Config: &config.Config{PatientKey: config.TextKey, Limits: config.Limits{NoteTimeout: time.Minute}}, Key: key,
		Metrics: metrics.New(), Log: slog.New(slog.DiscardHandler),
	}
	reg, err := patient.NewRegister(&schema.Plan{Config: o.Config, Hash: "h"}, key, maker, &patient.Directory{})
	if err != nil {
		t.Fatal(err)
	}
	return New(reg, o)
}

// Items leave in the order in which they came, whoever worked on them, and what is
// on its way never exceeds the budget.
func TestPipelineKeepsOrderWithinItsBudget(t *testing.T) {
	const items, limit = 3000, 20 * schema.RowCost
	s := testDeidentifier(t)
	p := NewPipeline(s, 4, limit)
	ward := schematest.PlainTable()
	g, ctx := errgroup.WithContext(t.Context())
	g.Go(func() error {
		defer close(p.In)
		for i := range items {
			row := []schema.Value{{Text: fmt.Sprint(i), State: schema.Present}}
			if err := p.Put(ctx, RowItem(&schema.Change{Op: schema.InsertOp, Table: ward, Row: row, Read: true})); err != nil {
				return err
			}
		}
		return nil
	})
	g.Go(func() error { return p.Run(ctx, &Resolver{Lookups: &patient.Lookups{Register: s.Reg}}) })
	next := 0
	for it := range p.Ordered {
		<-it.Done
		if it.Out.Reason != "" || *it.Out.Values[0] != fmt.Sprint(next) {
			t.Fatalf("item %d: %v %q", next, it.Out.Values, it.Out.Reason)
		}
		if held := s.metrics.Queue.Load(); held > limit {
			t.Fatalf("%d bytes are on their way", held)
		}
		p.Written(it)
		next++
	}
	if err := g.Wait(); err != nil || next != items {
		t.Errorf("%d items, %v", next, err)
	}
	if held := s.metrics.Queue.Load(); held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

func TestPipelineStopsWithItsContext(t *testing.T) {
	s := testDeidentifier(t)
	p := NewPipeline(s, 1, 10*schema.RowCost)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Run(ctx, &Resolver{Lookups: &patient.Lookups{Register: s.Reg}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type detectFunc func(context.Context, *ensemble.Note) ([]phi.Span, error)

func (f detectFunc) Detect(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
	return f(ctx, n)
}

func TestDetectionFailsForOneNoteOnly(t *testing.T) {
	s := testDeidentifier(t)
	table := schematest.NoteTable()
	for want, detect := range map[vault.Reason]detectFunc{
		vault.DetectorFail:  func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, errors.New("broken") },
		vault.DetectorPanic: func(_ context.Context, n *ensemble.Note) ([]phi.Span, error) { panic(n.Text) },
		vault.TimedOut: func(ctx context.Context, _ *ensemble.Note) ([]phi.Span, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"": func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, nil },
	} {
		if s.Detector, s.timeout = detect, time.Minute; want == vault.TimedOut {
			s.timeout = time.Millisecond
		}
		row := []schema.Value{{Text: "1", State: schema.Present}, {Text: "9", State: schema.Present}, {Text: "s", State: schema.Present}, {Text: "Zebulon ate.", State: schema.Present}}
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: row})
		it.Patient = &patient.Patient{Key: "9", Pseudonym: "p9", Ledger: &patient.Ledger{}}
		s.Deidentify(t.Context(), it)
		if it.Out.Reason != want || (it.Out.Values[3] == nil) != (want != "") {
			t.Errorf("want %q, got %q", want, it.Out.Reason)
		}
	}
}

func TestTextThatIsNoneIsSetAside(t *testing.T) {
	s := testDeidentifier(t)
	s.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, nil })
	for _, text := range []string{"a\x00b", "a\xffb"} {
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: schematest.NoteTable(), Row: []schema.Value{{Text: "1", State: schema.Present}, {Text: "9", State: schema.Present}, {}, {Text: text, State: schema.Present}}})
		it.Patient = &patient.Patient{Key: "9", Pseudonym: "p9", Ledger: &patient.Ledger{}}
		if s.Deidentify(t.Context(), it); it.Out.Reason != vault.BadText {
			t.Errorf("%q: %q", text, it.Out.Reason)
		}
	}
}

func TestShardPrefersTheStreamAndStarvesNothing(t *testing.T) {
	t.Parallel()
	s := shard{make(chan *Item, 100), make(chan *Item, 100)}
	streamed, rewritten := &Item{}, &Item{}
	for range 2*rewriteShare + 4 {
		s.stream <- streamed
	}
	for range 3 {
		s.rewrites <- rewritten
	}
	var order []bool // true: of the stream
	n := 0
	for range 2*rewriteShare + 4 + 2 {
		order = append(order, s.next(t.Context(), &n) == streamed)
	}
	want := slices.Repeat([]bool{true}, rewriteShare)
	want = append(append(append(want, false), want...), false)
	want = append(want, true, true, true, true)
	if !slices.Equal(order, want) {
		t.Errorf("got %v", order)
	}
	if s.next(t.Context(), &n) != rewritten {
		t.Error("an idle worker leaves a row that waits")
	}
	close(s.stream)
	if s.next(t.Context(), &n) != nil {
		t.Error("something came after the end of the stream")
	}
}

func TestShardEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	if (shard{make(chan *Item), make(chan *Item)}).next(ctx, &n) != nil {
		t.Error("something came from nowhere")
	}
}

// Rows to be rewritten meet the worker of their patient, one at a time, in their order.
func TestRewritesGoToThePatientsWorker(t *testing.T) {
	t.Parallel()
	s := testDeidentifier(t)
	p := NewPipeline(s, 4, 20*schema.RowCost)
	var mu sync.Mutex
	seen := map[string][]int{}
	var items []*Item
	number := map[*Item]int{}
	for i := range 40 {
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: schematest.PlainTable(), Row: []schema.Value{{Text: fmt.Sprint(i), State: schema.Present}}, Read: true})
		it.Patient = &patient.Patient{Key: fmt.Sprint(i % 5), Ledger: &patient.Ledger{}}
		number[it] = i
		items = append(items, it)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var g errgroup.Group
	for _, sh := range p.shards {
		g.Go(func() error {
			for n := 0; ; {
				it := sh.next(ctx, &n)
				if it == nil {
					return nil
				}
				mu.Lock()
				seen[it.Patient.Key] = append(seen[it.Patient.Key], number[it])
				mu.Unlock()
				close(it.Done)
			}
		})
	}
	if err := p.Rewrite(ctx, items); err != nil {
		t.Fatal(err)
	}
	for _, sh := range p.shards {
		close(sh.stream)
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	for who, list := range seen {
		if len(list) != 8 || !slices.IsSorted(list) {
			t.Errorf("patient %s: %v", who, list)
		}
	}
}

func TestRewritesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	p := NewPipeline(testDeidentifier(t), 1, 20*schema.RowCost)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Rewrite(ctx, []*Item{RowItem(&schema.Change{Table: schematest.PlainTable()})}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
