package itest

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"golang.org/x/sync/errgroup"
)

// proxy forwards TCP connections to a target and can break the path: [proxy.Cut]
// resets connections and takes no new ones, [proxy.Stall] keeps them open and moves
// no byte, as a network that swallows packets does. [proxy.Resume] ends either.
type proxy struct {
	listener net.Listener
	target   string
	group    errgroup.Group
	cancel   context.CancelFunc

	mu    sync.Mutex
	conns map[net.Conn]struct{}
	cut   bool
	open  chan struct{} // closed while bytes may pass
}

// newProxy listens on a free port of 127.0.0.1 and forwards to target ("host:port")
// until Close.
func newProxy(target string) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &proxy{listener: l, target: target, cancel: cancel, conns: make(map[net.Conn]struct{}), open: make(chan struct{})}
	close(p.open)
	p.group.Go(func() error { return p.accept(ctx) })
	return p, nil
}

// Addr returns the host and port to connect to.
func (p *proxy) Addr() string { return p.listener.Addr().String() }

// Port returns the TCP port on 127.0.0.1 to connect to.
func (p *proxy) Port() int { return p.listener.Addr().(*net.TCPAddr).Port }

// Cut resets every connection; new ones are reset at once, until Resume.
func (p *proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	p.resetAll()
}

// Stall holds every byte back, in both directions, until Resume.
func (p *proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.open:
		p.open = make(chan struct{})
	default: // stalled already
	}
}

// Resume lets connections and bytes pass again.
func (p *proxy) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
	select {
	case <-p.open:
	default:
		close(p.open)
	}
}

// Close ends the proxy and its connections.
func (p *proxy) Close() error {
	p.cancel()
	err := p.listener.Close()
	p.mu.Lock()
	p.cut = true
	p.resetAll()
	p.mu.Unlock()
	return errors.Join(err, p.group.Wait())
}

// resetAll closes what is open with RST instead of FIN. The caller holds the lock.
func (p *proxy) resetAll() {
	for c := range p.conns {
		reset(c)
	}
	clear(p.conns)
}

func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // without it the peer sees an orderly end
	}
	_ = c.Close()
}

func (p *proxy) accept(ctx context.Context) error {
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		if !p.keep(client) {
			continue
		}
		p.group.Go(func() error {
			p.forward(ctx, client)
			return nil // what breaks on the way is the client's to notice
		})
	}
}

// keep notes a connection, or resets it and returns false while the path is cut.
func (p *proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		reset(c)
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *proxy) drop(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	_ = c.Close()
}

// forward connects a client to the target and copies both ways until either ends.
func (p *proxy) forward(ctx context.Context, client net.Conn) {
	defer p.drop(client)
	if !p.pass(ctx) {
		return
	}
	var dialer net.Dialer
	server, err := dialer.DialContext(ctx, "tcp", p.target)
	if err != nil {
		return
	}
	if !p.keep(server) {
		return
	}
	defer p.drop(server)
	var both errgroup.Group
	both.Go(func() error { return p.copy(ctx, server, client) })
	both.Go(func() error { return p.copy(ctx, client, server) })
	_ = both.Wait()
}

// copy moves bytes one way and, at their end, ends both connections.
func (p *proxy) copy(ctx context.Context, dst, src net.Conn) error {
	defer dst.Close()
	defer src.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			if !p.pass(ctx) {
				return ctx.Err()
			}
			if _, err := dst.Write(buf[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// pass waits until bytes may pass; false means that the proxy is closing.
func (p *proxy) pass(ctx context.Context) bool {
	p.mu.Lock()
	open := p.open
	p.mu.Unlock()
	select {
	case <-open:
		return true
	case <-ctx.Done():
		return false
	}
}
