package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
)

// lender is a process whose windows are single bytes; their scores are the bytes in capitals.
type lender struct {
	mu       sync.Mutex
	windows  chan []byte       // to be sent; closed: there are none any more
	back     [][]byte          // that were not answered
	scores   map[string]string // by windows
	specimen string
	compare  error
}

func newLender() *lender {
	return &lender{windows: make(chan []byte, 16), scores: map[string]string{}, specimen: "specimen"}
}

// SendAway implements [Sender] as the runtime does: it ends with ctx or the first failure.
func (l *lender) SendAway(ctx context.Context, _ int, do onnx.Exchange) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case w, ok := <-l.windows:
			if !ok {
				return nil
			}
			said, err := do(ctx, len(w), w)
			l.mu.Lock()
			if err == nil {
				l.scores[string(w)] = string(said)
			} else {
				l.back = append(l.back, w)
			}
			l.mu.Unlock()
			if err != nil && !errors.Is(err, onnx.ErrUnfit) {
				return err
			}
		}
	}
}

// CompareAway implements [Sender].
func (l *lender) CompareAway(ctx context.Context, do onnx.Exchange) error {
	said, err := do(ctx, 1, []byte(l.specimen))
	switch {
	case err != nil:
		return err
	case l.compare != nil:
		return l.compare
	case !bytes.Equal(said, bytes.ToUpper([]byte(l.specimen))):
		return onnx.ErrDiffers
	}
	return nil
}

// Waiting implements [Sender].
func (l *lender) Waiting() int { return len(l.windows) }

// said returns what was answered to windows, or "".
func (l *lender) said(windows string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scores[windows]
}

func (l *lender) returned() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.back)
}

// networks is what a server asks.
type networks func(ctx context.Context, windows []byte) ([]byte, error)

func (n networks) Answer(ctx context.Context, windows []byte) ([]byte, error) { return n(ctx, windows) }

// capitals answers as a worker that works.
func capitals(_ context.Context, windows []byte) ([]byte, error) { return bytes.ToUpper(windows), nil }

var greeting = Hello{Version: "1.2.3", Runtime: "1.23.0", Networks: []onnx.Network{{Name: "lstm", Digest: "aa"}}, Cores: 2}

// site is an authority with a worker's and a stream's certificates.
type site struct{ worker, stream certificate.Mutual }

func newSite(t *testing.T) *site {
	t.Helper()
	a := certificatetest.New(t, t.TempDir())
	return &site{a.Issue(t, "worker"), a.Issue(t, "stream")}
}

// client returns what a stream connects with.
func (s *site) client() (*tls.Config, error) { return s.stream.Client() }

// daemon is a running server.
type daemon struct {
	address string
	log     *lockedLog
	stop    func() error // as SIGTERM does
}

// serve starts a worker that answers by n.
func (s *site) serve(t *testing.T, hello Hello, n networks, grace time.Duration) *daemon {
	t.Helper()
	secured, err := s.worker.Server()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := &lockedLog{}
	server := NewServer(hello, n, grace, slog.New(slog.NewTextHandler(log, nil)))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l, secured) }()
	stop := sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { _ = stop() })
	return &daemon{l.Addr().String(), log, stop}
}

// pool returns a pool that loses no time.
func (s *site) pool(l *lender, log *lockedLog, addresses ...string) *Pool {
	p := NewPool(Options{
		Addresses: addresses, Hello: greeting, Sender: l, Log: slog.New(slog.NewTextHandler(log, nil)),
		Secured: s.client,
	})
	p.first, p.longest = time.Millisecond, time.Millisecond
	return p
}

// start runs a pool until the test ends.
func start(t *testing.T, p *Pool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// lockedLog is a log that several goroutines write.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// series returns how many series a collector has.
func series(t *testing.T, c prometheus.Collector) (n int) {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(c); err != nil {
		t.Fatal(err)
	}
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		n += len(f.GetMetric())
	}
	return n
}

// value returns what a counter or gauge shows.
func value(t testing.TB, m prometheus.Metric) float64 {
	t.Helper()
	var now dto.Metric
	if err := m.Write(&now); err != nil {
		t.Fatal(err)
	}
	return now.GetCounter().GetValue() + now.GetGauge().GetValue()
}
