package web

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Station is a server with what it listens with.
type Station struct {
	Options Options
	TLS     *certificate.Certificate // nil: in the clear, for browsers of this machine
}

// errClear means that other machines could connect in the clear.
var errClear = errors.New("other machines could connect in the clear")

// Listen opens an address. Without a certificate it has to be one of this machine alone.
func (s *Station) Listen(ctx context.Context, address string) (net.Listener, error) {
	const op = "listen for browsers"
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fault.New(op+" on "+address, err, "choose another address with --listen")
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); s.TLS == nil && (!ok || !tcp.IP.IsLoopback()) {
		err := fault.New(op+" on "+address, errClear, "give it a certificate with --tls-cert and --tls-key, or listen on 127.0.0.1")
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Reload reads users and certificate again. After an error they stay as they are.
func (s *Station) Reload() error {
	var errs []error
	if s.Options.Users != nil {
		errs = append(errs, s.Options.Users.Reload())
	}
	if s.TLS != nil {
		errs = append(errs, s.TLS.Reload())
	}
	return errors.Join(errs...)
}

// grace is how long requests that run may take after the station is told to stop.
const grace = 10 * time.Second

// Serve answers browsers until ctx is done.
func (s *Station) Serve(ctx context.Context, l net.Listener) error {
	// Browsers come over TLS where there is a certificate, or a proxy of this machine that has one.
	s.Options.Secure = s.TLS != nil || s.Options.Origin != nil && s.Options.Origin.Scheme == "https"
	server, err := New(s.Options)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	h := &http.Server{
		Handler: server.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 5 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(s.Options.Log.Handler(), slog.LevelDebug), // of handshakes, most of them scans
	}
	if s.TLS != nil {
		h.TLSConfig = s.TLS.HTTP()
		l = tls.NewListener(l, h.TLSConfig)
	}
	stopped := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		defer close(stopped)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		_ = h.Shutdown(last) // what runs longer is cut off
	})()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fault.New("answer browsers", err, "")
	}
	<-stopped
	return nil
}
