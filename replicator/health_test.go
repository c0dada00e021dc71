package replicator

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// What any client may read on the port for health names no host, role or object.
func TestHealthKeepsErrorsToTheLog(t *testing.T) {
	t.Parallel()
	for err, state := range map[error]metrics.State{
		fault.New("connect to the source", &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("lookup ehr-primary.ward.example")}, ""): metrics.Interrupted,
		fault.New("read slot", &pgconn.PgError{Code: "42501", Message: `permission denied for role ehr_reader`}, ""):                     metrics.Refused,
	} {
		h := &health{metrics: metrics.New(), now: nil}
		h.session(err)
		w := httptest.NewRecorder()
		h.answer(w, func(r Health) bool { return r.OK })
		body := w.Body.String()
		if w.Code != http.StatusServiceUnavailable || strings.Contains(body, "ehr") || !strings.Contains(body, string(state)) {
			t.Errorf("%d %s", w.Code, body)
		}
		if state := fault.State(err); !strings.Contains(body, state) {
			t.Errorf("%s: no SQLSTATE %s", body, state)
		}
	}
}

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
	o := &session.Options{Config: &config.Config{HTTP: first.Addr().String()}, Metrics: metrics.New(), Log: slog.New(slog.NewTextHandler(log, nil))}
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

func TestHealthTellsTheTruth(t *testing.T) {
	now := time.Unix(1000, 0)
	o := &session.Options{Config: &config.Config{}, Metrics: metrics.New()}
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
	o.Metrics.Queued(1)
	check("silence while there is work", http.StatusOK, "streaming")
	h.session(source.ErrSilent)
	h.session(session.Refuse(metrics.OtherHistory, errors.New("ehr-primary is another cluster")))
	check("a person has to act", http.StatusServiceUnavailable, refusals[metrics.OtherHistory])
	h.session(source.ErrSilent)
	check("interrupted", http.StatusServiceUnavailable, "which the log has")
	h.streaming(true)
	check("again", http.StatusOK, "streaming")
}

// What /healthz and /readyz answer, and since when the source is silent, is in the metrics too.
func TestHealthIsInTheMetrics(t *testing.T) {
	t.Parallel()
	o := &session.Options{Config: &config.Config{}, Metrics: metrics.New()}
	h := newHealth(o)
	h.now = func() time.Time { return time.Unix(1000, 0) }
	stop, end := context.WithCancel(t.Context())
	shows := func(what string, want ...string) {
		t.Helper()
		h.observe(stop)
		w := httptest.NewRecorder()
		o.Metrics.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		for _, series := range want {
			if !strings.Contains(w.Body.String(), "\npgdeid_"+series+"\n") {
				t.Errorf("%s: no %s", what, series)
			}
		}
	}
	shows("before anything", "healthy 0", "ready 0", `state{state="starting"} 1`, "source_heard_timestamp_seconds 0")
	h.copying(false)
	shows("first copy", "healthy 1", "ready 0", `state{state="copying"} 1`)
	h.streaming(true)
	shows("stream", "healthy 1", "ready 1", `state{state="streaming"} 1`, "source_heard_timestamp_seconds 1000")
	h.session(session.Refuse(metrics.WrongKey, errors.New("another key")))
	shows("a person has to act", "healthy 0", "ready 0", `state{state="refused"} 1`, `refused{reason="key"} 1`)
	h.session(source.ErrSilent)
	shows("interrupted", "healthy 0", `state{state="interrupted"} 1`, `refused{reason="key"} 0`)
	h.streaming(true)
	end()
	shows("the end is near", "healthy 1", "ready 0")
	for _, why := range metrics.Refusals {
		if refusals[why] == "" {
			t.Errorf("nothing is said of %s", why)
		}
	}
}
