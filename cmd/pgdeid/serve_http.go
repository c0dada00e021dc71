package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// healthServer answers /healthz, /readyz and /metrics.
type healthServer struct {
	addr    string // "": none
	metrics http.Handler
}

// serve answers until ctx is done. When stop is done, the server that it speaks of is not ready any more.
func (h healthServer) serve(ctx, stop context.Context) error {
	if h.addr == "" {
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
	mux.Handle("GET /metrics", h.metrics)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", h.addr)
	if err != nil {
		return fault.New("listen for HTTP on "+h.addr, err, "choose another address with --http, or \"\" for none")
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })() // open requests are not worth waiting for
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fault.New("serve HTTP on "+h.addr, err, "")
	}
	return nil
}
