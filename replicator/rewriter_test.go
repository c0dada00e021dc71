package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/surrogate"
)

func TestStreamedRemembersWhileABatchIsOut(t *testing.T) {
	t.Parallel()
	note, ward := noteTable(), plainTable()
	row := func(key string) []value { return []value{{key, present}, {}, {}, {}} }
	read := func(key string) *change { return &change{op: insertOp, table: note, row: row(key), read: true} }
	for _, c := range []struct {
		name string
		came []*change
		want map[string]bool // by key
	}{
		{"nothing", nil, map[string]bool{"1": false}},
		{"an insert", []*change{{op: insertOp, table: note, row: row("1")}}, map[string]bool{"1": true, "2": false}},
		{"a deletion", []*change{{op: deleteOp, table: note, old: row("1")}}, map[string]bool{"1": true, "2": false}},
		{"another key", []*change{{op: updateOp, table: note, old: row("1"), row: row("2")}}, map[string]bool{"1": true, "2": true, "3": false}},
		{"a truncation", []*change{{op: truncateOp, table: note}}, map[string]bool{"1": true, "2": true}},
		{"another table", []*change{{op: insertOp, table: ward, row: []value{{"1", present}}}}, map[string]bool{"1": false}},
		{"another table's truncation", []*change{{op: truncateOp, table: ward}}, map[string]bool{"1": false}},
	} {
		s := &streamed{}
		s.add(&change{op: insertOp, table: note, row: row("3")}) // before the batch
		s.begin()
		for _, ch := range c.came {
			s.add(ch)
		}
		for key, want := range c.want {
			if got := s.has(read(key)); got != want {
				t.Errorf("%s: row %s: got %v", c.name, key, got)
			}
		}
		s.end()
		if s.has(read("1")) {
			t.Errorf("%s: remembered after the end", c.name)
		}
	}
}

func TestShardPrefersTheStreamAndStarvesNothing(t *testing.T) {
	t.Parallel()
	s := shard{make(chan *item, 100), make(chan *item, 100)}
	streamed, rewritten := &item{}, &item{}
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
	if (shard{make(chan *item), make(chan *item)}).next(ctx, &n) != nil {
		t.Error("something came from nowhere")
	}
}

// Rows to be rewritten meet the worker of their patient, one at a time, in their order.
func TestRewritesGoToThePatientsWorker(t *testing.T) {
	t.Parallel()
	s := testDeidentifier(t)
	p := newPipeline(s, 4, 20*rowCost)
	var mu sync.Mutex
	seen := map[string][]int{}
	var items []*item
	number := map[*item]int{}
	for i := range 40 {
		it := rowItem(&change{op: insertOp, table: plainTable(), row: []value{{fmt.Sprint(i), present}}, read: true})
		it.patient = &patient{key: fmt.Sprint(i % 5), ledger: &ledger{}}
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
				seen[it.patient.key] = append(seen[it.patient.key], number[it])
				mu.Unlock()
				close(it.done)
			}
		})
	}
	if err := p.rewrite(ctx, items); err != nil {
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
	p := newPipeline(testDeidentifier(t), 1, 20*rowCost)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.rewrite(ctx, []*item{rowItem(&change{table: plainTable()})}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A row of the stream that is written before a rewritten one brings the surrogates along
// that were chosen for that one: it may have them.
func TestSurrogatesOfRewritesAreStoredWithWhateverIsWrittenFirst(t *testing.T) {
	t.Parallel()
	who := &patient{pseudonym: "a", shiftStored: true, memorised: true, ledger: &ledger{}}
	rewritten := done(noteTable(), insertOp, "1", "", "x", who)
	rewritten.change.read = true
	rewritten.remember([]surrogate.Entry{{Kind: "name", Hash: []byte("h"), Surrogate: "Ada"}})
	first, second := newGroup(), newGroup()
	first.add(done(noteTable(), insertOp, "2", "", "Ada", who))
	if !first.choices.HasEntries() {
		t.Error("the row of the stream leaves the surrogate to the rewritten one")
	}
	second.add(done(noteTable(), insertOp, "3", "", "Ada", who))
	if second.choices.HasEntries() {
		t.Error("the surrogate is stored twice")
	}
	second.add(rewritten)
	if !second.choices.HasEntries() {
		t.Error("the rewritten row lost its surrogate")
	}
}
