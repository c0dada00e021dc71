package remote

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Networks run over windows that another process sent: [onnx.Runtime].
type Networks interface {
	Answer(ctx context.Context, windows []byte) ([]byte, error)
}

// Paths of the protocol.
const (
	helloPath   = "/hello"
	windowsPath = "/windows"
)

// processHeader names the server that a client has agreed with.
const processHeader = "Pgdeid-Process"

// Server answers windows.
type Server struct {
	hello    Hello
	networks Networks
	log      *slog.Logger
	grace    time.Duration
	room     *semaphore.Weighted
	requests *prometheus.CounterVec // by outcome
}

// Outcomes of requests.
const (
	answered = "answered"
	unfit    = "unfit"    // the networks failed over the windows
	refused  = "refused"  // these were no windows of these networks, or of a client that agreed with another process
	gaveUp   = "given_up" // the client went away, or the server was stopped
)

// requestsPerCore bounds how many requests are in memory: others wait in their connections.
const requestsPerCore = 16

// NewServer returns a server that works with networks as hello says, and finishes what it began within grace.
func NewServer(hello Hello, networks Networks, grace time.Duration, log *slog.Logger) *Server {
	hello.Process = rand.Text()
	s := &Server{
		hello: hello, networks: networks, log: log, grace: grace, room: semaphore.NewWeighted(int64(requestsPerCore * hello.Cores)),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "pgdeid", Name: "detect_requests_total", Help: "Requests of other processes to run networks, by outcome.",
		}, []string{"outcome"}),
	}
	for _, outcome := range []string{answered, unfit, refused, gaveUp} {
		s.requests.WithLabelValues(outcome)
	}
	return s
}

// Metrics returns the server's counters.
func (s *Server) Metrics() prometheus.Collector { return s.requests }

// Serve answers until ctx is done, then finishes what it began. Clients have to show a certificate, as secured says.
func (s *Server) Serve(ctx context.Context, l net.Listener, secured *tls.Config) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+helloPath, s.sayHello)
	mux.HandleFunc("POST "+windowsPath, s.answer)
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler: mux, TLSConfig: secured, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 5 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return work },
	}
	var g errgroup.Group
	done := make(chan struct{})
	g.Go(func() error {
		defer close(done)
		if err := server.ServeTLS(l, "", ""); !errors.Is(err, http.ErrServerClosed) {
			return fault.New("serve detection on "+l.Addr().String(), err, "")
		}
		return nil
	})
	g.Go(func() error {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
		}
		last, end := context.WithTimeout(work, s.grace)
		defer end()
		if server.Shutdown(last) != nil { // what is left is run where it came from
			cancel()
			_ = server.Close()
		}
		return nil
	})
	return g.Wait()
}

func (s *Server) sayHello(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(&s.hello) // the client went away
}

// answer runs networks over windows. Why they failed is not said: the sender runs over the windows itself, and sees it.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(processHeader) != s.hello.Process {
		s.end(w, refused, http.StatusConflict)
		return
	}
	ctx := r.Context()
	if s.room.Acquire(ctx, 1) != nil {
		s.end(w, gaveUp, http.StatusServiceUnavailable)
		return
	}
	defer s.room.Release(1)
	windows, err := io.ReadAll(http.MaxBytesReader(w, r.Body, onnx.MaxRequest))
	if err != nil {
		s.end(w, refused, http.StatusBadRequest)
		return
	}
	var scores []byte
	err = ensemble.Guarded("the networks", func() (err error) {
		scores, err = s.networks.Answer(ctx, windows)
		return err
	})
	switch {
	case err == nil:
		s.requests.WithLabelValues(answered).Inc()
		_, _ = w.Write(scores) // the client went away
	case ctx.Err() != nil, errors.Is(err, onnx.ErrClosed):
		s.end(w, gaveUp, http.StatusServiceUnavailable)
	case errors.Is(err, onnx.ErrWindows):
		s.end(w, refused, http.StatusBadRequest)
	default:
		s.end(w, unfit, http.StatusUnprocessableEntity)
	}
}

func (s *Server) end(w http.ResponseWriter, outcome string, status int) {
	s.requests.WithLabelValues(outcome).Inc()
	w.WriteHeader(status)
}
