package pgwire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// serveHTTP answers /healthz, /readyz and /metrics until work is done.
func (s *Server) serveHTTP(stop, work context.Context) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") }) // the client went away
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if stop.Err() != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	if s.opts.HTTPMetrics != nil {
		mux.Handle("GET /metrics", s.opts.HTTPMetrics)
	}
	listener, err := (&net.ListenConfig{}).Listen(work, "tcp", s.opts.HTTP)
	if err != nil {
		return fault.New("listen for HTTP on "+s.opts.HTTP, err, "choose another address with --http, or \"\" for none")
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(work, func() { _ = server.Close() })() // open requests are not worth waiting for
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fault.New("serve HTTP on "+s.opts.HTTP, err, "")
	}
	return nil
}
