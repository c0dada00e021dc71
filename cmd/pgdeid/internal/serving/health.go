package serving

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Health answers /healthz, /readyz and /metrics.
type Health struct {
	Addr    string // "": none
	Metrics http.Handler
}

// Serve answers until ctx is done. When stop is done, the server that it speaks of is not ready any more.
func (h Health) Serve(ctx, stop context.Context) error {
	if h.Addr == "" {
		<-ctx.Done()
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") }) // the client went away
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if stop.Err() != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	mux.Handle("GET /metrics", h.Metrics)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", h.Addr)
	if err != nil {
		return fault.New("listen for HTTP on "+h.Addr, err, "choose another address with --http, or \"\" for none")
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })() // open requests are not worth waiting for
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fault.New("serve HTTP on "+h.Addr, err, "")
	}
	return nil
}
