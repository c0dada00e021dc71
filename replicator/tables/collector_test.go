package tables

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/desk"
)

// gate is an engine that waits before each batch until it is let through.
type gate struct {
	upperEngine

	open    chan struct{}
	arrived atomic.Int64 // batches
}

func (g *gate) Ask(ctx context.Context, asked []desk.Question) ([]desk.Answer, error) {
	g.arrived.Add(1)
	select {
	case <-g.open:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return g.upperEngine.Ask(ctx, asked)
}

func collecting(t *testing.T, e Engine, batches int) *Collector {
	t.Helper()
	c := NewCollector(e, batches, newMetrics())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return c
}

func (c *Collector) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue)
}

// What comes while a batch is at work becomes the next one, and everybody gets the
// answers to their own questions.
func TestQuestionsGather(t *testing.T) {
	g := &gate{open: make(chan struct{})}
	c := collecting(t, g, 1)
	var wg sync.WaitGroup
	ask := func(i int) {
		wg.Go(func() {
			text := fmt.Sprint("note ", i)
			got, err := c.Ask(context.Background(), []desk.Question{{Patient: "1", Text: text}, {Patient: "2", Text: text}})
			if err != nil || len(got) != 2 || got[1].Text != "2:"+strings.ToUpper(text) {
				t.Errorf("%s: %v, %v", text, got, err)
			}
		})
	}
	ask(0)
	awaitTrue(t, "nobody takes the first question", func() bool { return g.arrived.Load() == 1 })
	for i := range 20 {
		ask(i + 1)
	}
	awaitTrue(t, "the questions do not wait", func() bool { return c.waiting() == 20 })
	close(g.open)
	wg.Wait()
	if len(g.batches) != 2 || g.batches[1] != 40 {
		t.Errorf("batches of %v questions", g.batches)
	}
}

// A question that breaks the engine, or waits for ever, does no harm to the others.
func TestQuestionsDoNotHarmOthers(t *testing.T) {
	g := &gate{open: make(chan struct{})}
	c := collecting(t, g, 1)
	var wg sync.WaitGroup
	for i, text := range []string{"first", "panic", "fine"} {
		wg.Go(func() {
			got, err := c.Ask(context.Background(), []desk.Question{{Patient: "1", Text: text}})
			if (err != nil) != (text == "panic") || err == nil && got[0].Text != "1:"+strings.ToUpper(text) {
				t.Errorf("%s: %v, %v", text, got, err)
			}
		})
		if i == 0 {
			awaitTrue(t, "nobody takes the first question", func() bool { return g.arrived.Load() == 1 })
		}
	}
	awaitTrue(t, "the questions do not wait", func() bool { return c.waiting() == 2 })
	close(g.open)
	wg.Wait()
}

// A batch that nobody waits for any more ends.
func TestBatchEndsWithItsAskers(t *testing.T) {
	e := &upperEngine{}
	c := collecting(t, e, 1)
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error, 1)
	go func() {
		_, err := c.Ask(ctx, []desk.Question{{Patient: "1", Text: "wait"}})
		failed <- err
	}()
	awaitTrue(t, "the engine is not asked", func() bool { return e.asked() == 1 })
	cancel()
	if err := <-failed; err == nil {
		t.Error("no error")
	}
	if _, err := c.Ask(t.Context(), []desk.Question{{Patient: "1", Text: "next"}}); err != nil {
		t.Error(err)
	}
}

func TestCollectorThatStopped(t *testing.T) {
	c := NewCollector(&upperEngine{}, 2, newMetrics())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(t.Context(), []desk.Question{{}}); err == nil {
		t.Error("a collector that stopped answers")
	}
}
