package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
)

// state returns what the metrics say that a worker does.
func state(t *testing.T, p *Pool, address string) State {
	t.Helper()
	for _, s := range []State{Up, Down, Refused} {
		if value(t, p.metrics.state.WithLabelValues(address, string(s))) == 1 {
			return s
		}
	}
	return ""
}

func TestAWorkerAnswers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := s.serve(t, greeting, capitals, time.Second)
	l, log := newLender(), &lockedLog{}
	p := s.pool(l, log, d.address)
	if got := state(t, p, d.address); got != Down {
		t.Errorf("state %q before it was asked", got)
	}
	start(t, p)
	l.windows <- []byte("ann moss")
	eventually(t, "an answer", func() bool { return l.said("ann moss") == "ANN MOSS" })
	if state(t, p, d.address) != Up || value(t, p.metrics.windows.WithLabelValues(d.address)) != 8 {
		t.Errorf("state %q, %g windows", state(t, p, d.address), value(t, p.metrics.windows.WithLabelValues(d.address)))
	}
	for name, text := range map[string]string{"stream": log.String(), "worker": d.log.String()} {
		if strings.Contains(strings.ToLower(text), "moss") {
			t.Errorf("log of the %s: %s", name, text)
		}
	}
	if n := series(t, p.Metrics()); n != 7 {
		t.Errorf("%d series", n)
	}
}

// Whatever is wrong with a worker, its windows come back, others work, and it is asked again.
func TestFailuresOfAWorker(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer networks
		status string // of the answer, in the log
	}{
		"an error of the networks": {func(context.Context, []byte) ([]byte, error) { return nil, errors.New("not finite: Moss") }, ""},
		"a panic":                  {func(context.Context, []byte) ([]byte, error) { panic("over Moss") }, ""},
		"other networks":           {func(context.Context, []byte) ([]byte, error) { return nil, onnx.ErrWindows }, "status 400"},
		"models that are closed":   {func(context.Context, []byte) ([]byte, error) { return nil, onnx.ErrClosed }, "status 503"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			var broken atomic.Bool
			broken.Store(true)
			d := s.serve(t, greeting, func(ctx context.Context, w []byte) ([]byte, error) {
				if broken.Load() && string(w) != "specimen" {
					return c.answer(ctx, w)
				}
				return capitals(ctx, w)
			}, time.Second)
			l, log := newLender(), &lockedLog{}
			p := s.pool(l, log, d.address)
			start(t, p)
			l.windows <- []byte("moss")
			eventually(t, "windows come back", func() bool { return l.returned() == 1 })
			broken.Store(false)
			l.windows <- []byte("next")
			eventually(t, "the worker works again", func() bool { return l.said("next") == "NEXT" })
			if text := log.String() + d.log.String(); strings.Contains(text, "Moss") || !strings.Contains(text, c.status) {
				t.Errorf("logs: %s", text)
			}
			failures := value(t, p.metrics.failures.WithLabelValues(d.address))
			if unfit := c.status == ""; (failures == 0) != unfit {
				t.Errorf("%g failures", failures)
			}
		})
	}
}

func TestADeadWorkerIsLeftToOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	good := s.serve(t, greeting, capitals, time.Second)
	gone := s.serve(t, greeting, capitals, time.Second)
	if err := gone.stop(); err != nil {
		t.Fatal(err)
	}
	l, log := newLender(), &lockedLog{}
	p := s.pool(l, log, gone.address, good.address)
	start(t, p)
	l.windows <- []byte("a")
	eventually(t, "the other one answers", func() bool { return l.said("a") == "A" })
	eventually(t, "it is said that one is down", func() bool { return strings.Contains(log.String(), gone.address) })
	if state(t, p, gone.address) != Down || state(t, p, good.address) != Up {
		t.Errorf("states %q, %q", state(t, p, gone.address), state(t, p, good.address))
	}
	if n := strings.Count(log.String(), "does not work"); n != 1 {
		t.Errorf("said %d times:\n%s", n, log)
	}
}

// A stream that has nothing to send notices as well that a worker is gone.
func TestADeadWorkerIsNoticedWhileNothingIsSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := s.serve(t, greeting, capitals, time.Second)
	log := &lockedLog{}
	p := s.pool(newLender(), log, d.address)
	p.lookEvery = time.Millisecond
	start(t, p)
	eventually(t, "it is up", func() bool { return state(t, p, d.address) == Up })
	if err := d.stop(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is down", func() bool { return state(t, p, d.address) == Down })
	eventually(t, "that is said", func() bool { return strings.Contains(log.String(), "does not work") })
}

// A worker is asked for as long as it is there, and another process at its address has to be compared first.
func TestAQuietWorkerIsWatched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := s.serve(t, greeting, capitals, time.Second)
	p := s.pool(newLender(), &lockedLog{}, d.address)
	p.lookEvery = time.Millisecond
	c, err := p.connect(d.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if _, err := p.agree(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var answers atomic.Int64
	watched := make(chan error, 1)
	go func() { watched <- p.watch(ctx, c, &answers) }()
	eventually(t, "it answers again and again", func() bool { return answers.Load() > 5 })
	cancel()
	if err := <-watched; err != nil {
		t.Errorf("of a worker that is there: %v", err)
	}
	c.process = "the one before"
	if err := p.watch(t.Context(), c, &answers); !errors.Is(err, errOther) {
		t.Errorf("of another process: %v", err)
	}
}

func TestAWorkerThatHangsIsLeft(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	release := make(chan struct{})
	d := s.serve(t, greeting, func(ctx context.Context, w []byte) ([]byte, error) {
		if string(w) != "specimen" {
			select {
			case <-ctx.Done():
			case <-release:
			}
		}
		return capitals(ctx, w)
	}, 0)
	defer close(release)
	l, log := newLender(), &lockedLog{}
	p := s.pool(l, log, d.address)
	p.answerTime = 200 * time.Millisecond
	start(t, p)
	l.windows <- []byte("a")
	eventually(t, "windows come back", func() bool { return l.returned() == 1 })
	eventually(t, "it is said", func() bool { return strings.Contains(log.String(), errHung.Error()) })
}

func TestWorkersThatAreRefused(t *testing.T) {
	t.Parallel()
	change := func(f func(*Hello)) Hello {
		h := greeting
		f(&h)
		return h
	}
	for name, c := range map[string]struct {
		hello  Hello
		answer networks
		why    string
	}{
		"another version": {change(func(h *Hello) { h.Version = "1.2.4" }), capitals, "it is version 1.2.4, this is 1.2.3"},
		"another runtime": {change(func(h *Hello) { h.Runtime = "1.0" }), capitals, "ONNX Runtime 1.0"},
		"no networks":     {change(func(h *Hello) { h.Networks = nil }), capitals, "does not have model lstm"},
		"other files":     {change(func(h *Hello) { h.Networks = []onnx.Network{{Name: "lstm", Digest: "bb"}} }), capitals, "model lstm has other files"},
		"no cores":        {change(func(h *Hello) { h.Cores = 0 }), capitals, "no cores"},
		"other answers":   {greeting, func(_ context.Context, w []byte) ([]byte, error) { return bytes.ToLower(w), nil }, "something else"},
		"no answers":      {greeting, func(context.Context, []byte) ([]byte, error) { return nil, errors.New("") }, "failed over these"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			d := s.serve(t, change(func(h *Hello) { *h = c.hello; h.Cores = max(h.Cores, 1) }), c.answer, time.Second)
			if c.hello.Cores == 0 {
				d = s.serve(t, c.hello, c.answer, time.Second)
			}
			l, log := newLender(), &lockedLog{}
			p := s.pool(l, log, d.address)
			l.windows <- []byte("moss")
			start(t, p)
			eventually(t, "it is refused", func() bool { return state(t, p, d.address) == Refused })
			eventually(t, "why", func() bool { return strings.Contains(log.String(), c.why) })
			if len(l.windows) != 1 || !strings.Contains(log.String(), "install the same package") {
				t.Errorf("%d windows wait: %s", len(l.windows), log)
			}
			var other *Mismatch
			if err := p.Check(t.Context())[d.address]; !errors.As(err, &other) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("check: %v", err)
			}
		})
	}
	// More networks than are needed are no fault.
	more := change(func(h *Hello) { h.Networks = append([]onnx.Network{{Name: "own", Digest: "cc"}}, h.Networks...) })
	if why := greeting.mismatch(&more); why != "" {
		t.Error(why)
	}
}

// What is begun is finished when a worker is stopped; what comes then goes elsewhere.
func TestAWorkerIsStoppedInOrder(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	begun, release := make(chan struct{}), make(chan struct{})
	d := s.serve(t, greeting, func(ctx context.Context, w []byte) ([]byte, error) {
		if string(w) == "last" {
			close(begun)
			<-release
		}
		return capitals(ctx, w)
	}, time.Minute)
	l, log := newLender(), &lockedLog{}
	p := s.pool(l, log, d.address)
	start(t, p)
	l.windows <- []byte("last")
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- d.stop() }()
	eventually(t, "it takes no connections", func() bool {
		conn, err := net.Dial("tcp", d.address)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	close(release)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	eventually(t, "the last windows are answered", func() bool { return l.said("last") == "LAST" })
	l.windows <- []byte("more")
	eventually(t, "it is down", func() bool { return state(t, p, d.address) == Down })
}

// A worker that is stopped does not wait for networks beyond its time of grace.
func TestAWorkerEndsAfterItsGrace(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	begun := make(chan struct{})
	d := s.serve(t, greeting, func(ctx context.Context, w []byte) ([]byte, error) {
		if string(w) == "last" {
			close(begun)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return capitals(ctx, w)
	}, time.Millisecond)
	l := newLender()
	start(t, s.pool(l, &lockedLog{}, d.address))
	l.windows <- []byte("last")
	<-begun
	if err := d.stop(); err != nil {
		t.Error(err)
	}
	eventually(t, "windows come back", func() bool { return l.returned() == 1 })
}

// Only clients with a certificate of the site's authority are answered, and only such servers get words of notes.
func TestStrangers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var asked atomic.Int64
	d := s.serve(t, greeting, func(ctx context.Context, w []byte) ([]byte, error) {
		asked.Add(1)
		return capitals(ctx, w)
	}, time.Second)
	strangers := &site{stream: certificatetest.New(t, t.TempDir()).Issue(t, "stranger")}
	strangers.stream.AuthorityFile = s.stream.AuthorityFile
	l := newLender()
	if err := strangers.pool(l, &lockedLog{}, d.address).Check(t.Context())[d.address]; err == nil {
		t.Error("a stranger was answered")
	}
	other := &site{stream: s.stream}
	other.stream.AuthorityFile = strangers.stream.CertFile
	if err := other.pool(l, &lockedLog{}, d.address).Check(t.Context())[d.address]; err == nil {
		t.Error("a worker of another authority was asked")
	}
	broken := s.pool(l, &lockedLog{}, d.address)
	broken.Secured = func() (*tls.Config, error) { return nil, errors.New("no certificate") }
	if err := broken.Check(t.Context())[d.address]; err == nil || asked.Load() != 0 {
		t.Errorf("%v, %d requests", err, asked.Load())
	}
}

// A server that is no worker is not taken for one.
func TestAnswersOfOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	secured, err := s.worker.Server()
	if err != nil {
		t.Fatal(err)
	}
	for name, handler := range map[string]http.HandlerFunc{
		"a web page": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.org/", http.StatusFound)
		},
		"no end": func(w http.ResponseWriter, _ *http.Request) {
			for range 3 << 10 {
				_, _ = w.Write(make([]byte, 1<<10))
			}
		},
		"not found": http.NotFound,
	} {
		l, err := tls.Listen("tcp", "127.0.0.1:0", secured)
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(l) }()
		address := l.Addr().String()
		if err := s.pool(newLender(), &lockedLog{}, address).Check(t.Context())[address]; err == nil {
			t.Errorf("%s was taken for a worker", name)
		}
		_ = server.Close()
	}
}

func TestTooManyWindowsAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var asked atomic.Int64
	d := s.serve(t, greeting, func(context.Context, []byte) ([]byte, error) {
		asked.Add(1)
		return nil, nil
	}, time.Second)
	c, err := s.pool(newLender(), &lockedLog{}, d.address).connect(d.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	hello, err := c.hello(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.process = hello.Process
	if _, err := c.exchange(t.Context(), make([]byte, onnx.MaxRequest+1)); err == nil || asked.Load() != 0 {
		t.Errorf("%v, %d requests", err, asked.Load())
	}
}

// A pool ends when its process sends nothing any more, and with its context.
func TestAPoolEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := s.serve(t, greeting, capitals, time.Second)
	l := newLender()
	close(l.windows)
	s.pool(l, &lockedLog{}, d.address).Run(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.pool(newLender(), &lockedLog{}, d.address, "127.0.0.1:1").Run(ctx)
}

// What was compared with a worker does not hold for the next process at its address.
func TestAnotherProcessIsComparedAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := s.serve(t, greeting, capitals, time.Second)
	c, err := s.pool(newLender(), &lockedLog{}, d.address).connect(d.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if _, err := c.exchange(t.Context(), []byte("a")); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("asked without a greeting: %v", err)
	}
	first, err := c.hello(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.process = first.Process
	if got, err := c.exchange(t.Context(), []byte("a")); err != nil || string(got) != "A" {
		t.Errorf("%q, %v", got, err)
	}
	c.address = s.serve(t, greeting, capitals, time.Second).address
	if _, err := c.exchange(t.Context(), []byte("a")); err == nil {
		t.Error("another process answered")
	}
}
