package deid

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// passed reports whether a mark was announced.
func passed(mark <-chan struct{}) bool {
	select {
	case <-mark:
		return true
	default:
		return false
	}
}

func TestMarksAreAnnouncedToWhoExpectsThem(t *testing.T) {
	t.Parallel()
	p := NewPipeline(testDeidentifier(t), 1, 20*schema.RowCost)
	one, two := p.Expect("one"), p.Expect("two")
	for _, c := range []struct {
		mark     string
		one, two bool
	}{{"of another process", false, false}, {"two", false, true}, {"two", false, true}, {"one", true, true}} {
		p.Announce(c.mark)
		if passed(one) != c.one || passed(two) != c.two {
			t.Errorf("after %q: %v, %v", c.mark, passed(one), passed(two))
		}
	}
	if len(p.expected) != 0 {
		t.Errorf("%d marks are still expected", len(p.expected))
	}
	if again := p.Expect("one"); passed(again) {
		t.Error("a mark that is expected again has come already")
	}
}

// Marks come to the committer in their place: whoever commits what came before announces them.
func TestMarksKeepTheirPlace(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	p := NewPipeline(d, 2, 20*schema.RowCost)
	mark := p.Expect("here")
	row := &schema.Change{Op: schema.InsertOp, Table: schematest.PlainTable(), Row: present("1"), Read: true}
	for _, it := range []*Item{RowItem(row), PassedItem("of another process"), PassedItem("here"), MarkItem(Position{LSN: 9})} {
		if err := p.Put(t.Context(), it); err != nil {
			t.Fatal(err)
		}
	}
	close(p.In)
	g, ctx := errgroup.WithContext(t.Context())
	g.Go(func() error { return p.Run(ctx, &Resolver{Lookups: &patient.Lookups{Register: d.Reg}}) })
	var seen []*Item
	for it := range p.Ordered {
		<-it.Done
		p.Written(it)
		seen = append(seen, it)
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 4 || seen[0].Change != row || seen[1].Passed != "of another process" || seen[2].Passed != "here" || seen[3].Mark.LSN != 9 {
		t.Errorf("%d items", len(seen))
	}
	if passed(mark) {
		t.Error("a mark was announced before anything was committed")
	}
	if held := d.metrics.Queue.Load(); held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

func TestPutWaitsForRoom(t *testing.T) {
	t.Parallel()
	p := NewPipeline(testDeidentifier(t), 1, schema.RowCost)
	big := RowItem(&schema.Change{Table: schematest.PlainTable(), Row: present(string(make([]byte, 9*schema.RowCost)))})
	if err := p.Put(t.Context(), big); err != nil || big.Held != schema.RowCost {
		t.Fatalf("a row larger than all the room: %v, %d bytes held", err, big.Held)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Put(ctx, MarkItem(Position{})); !errors.Is(err, context.Canceled) {
		t.Errorf("there was room where there is none: %v", err)
	}
	p.Written(big)
	if err := p.Put(t.Context(), MarkItem(Position{})); err != nil {
		t.Errorf("there is no room after the row was written: %v", err)
	}
}

func TestPatientsHaveOneWorker(t *testing.T) {
	t.Parallel()
	p := NewPipeline(testDeidentifier(t), 4, 20*schema.RowCost)
	used := map[shard]bool{}
	for n := range 40 {
		first := p.shardOf(&Item{Resolved: Resolved{Patient: &patient.Patient{Key: string(rune('a' + n))}}}, n)
		second := p.shardOf(&Item{Resolved: Resolved{Patient: &patient.Patient{Key: string(rune('a' + n))}}}, n+1)
		if first != second {
			t.Fatal("two workers have one patient")
		}
		used[p.shardOf(&Item{}, n)] = true
	}
	if len(used) != 4 {
		t.Errorf("rows of nobody go to %d workers", len(used))
	}
}
