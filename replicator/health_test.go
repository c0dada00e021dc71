package replicator

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/config"
)

// notices is a log that signals each line.
type notices struct {
	mu   sync.Mutex
	text bytes.Buffer
	line chan struct{}
}

func (n *notices) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	select {
	case n.line <- struct{}{}:
	default:
	}
	return n.text.Write(p)
}

func TestHTTPWaitsForItsAddress(t *testing.T) {
	t.Parallel()
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := &notices{line: make(chan struct{}, 1)}
	o := &Options{Config: &config.Config{HTTP: first.Addr().String()}, Metrics: NewMetrics(), Log: slog.New(slog.NewTextHandler(log, nil))}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var g errgroup.Group
	g.Go(func() error { return newHealth(o).serve(ctx, ctx) })
	<-log.line // it has met the other one
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	<-log.line // and has the address
	resp, err := (&http.Client{Timeout: time.Minute}).Get("http://" + o.Config.HTTP + "/metrics")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", resp, err)
	}
	_ = resp.Body.Close()
	cancel()
	if err := g.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	if got := log.text.String(); !strings.Contains(got, "in use; waiting") || !strings.Contains(got, "has its address now") {
		t.Errorf("log: %s", got)
	}
	o.Config.HTTP = "256.0.0.1:1"
	if err := newHealth(o).serve(t.Context(), t.Context()); err == nil {
		t.Error("an address that can't be is waited for")
	}
}
