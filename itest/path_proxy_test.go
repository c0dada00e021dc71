package itest

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// echoing answers every connection with what it sends.
func echoing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var g errgroup.Group
	g.Go(func() error {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			if err != nil {
				return err
			}
			g.Go(func() error {
				defer c.Close()
				_, _ = io.Copy(c, c)
				return nil
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		if err := g.Wait(); err != nil {
			t.Errorf("echo: %v", err)
		}
	})
	return l.Addr().String()
}

func newTestProxy(t *testing.T) *proxy {
	t.Helper()
	p, err := newProxy(echoing(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

func dial(t *testing.T, p *proxy) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// say sends a word and returns the error of reading it back.
func say(c net.Conn, word string, wait time.Duration) error {
	if _, err := io.WriteString(c, word); err != nil {
		return err
	}
	return hear(c, word, wait)
}

// sayAnew says a word over a connection of its own. A reset may already come while it is
// being opened.
func sayAnew(p *proxy, word string) error {
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		return err
	}
	defer c.Close()
	return say(c, word, time.Minute)
}

func hear(c net.Conn, word string, wait time.Duration) error {
	if err := c.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return err
	}
	got := make([]byte, len(word))
	if _, err := io.ReadFull(c, got); err != nil {
		return err
	}
	if string(got) != word {
		return errors.New("heard " + string(got))
	}
	return nil
}

func TestProxyCut(t *testing.T) {
	t.Parallel()
	p := newTestProxy(t)
	c := dial(t, p)
	if err := say(c, "one", time.Minute); err != nil {
		t.Fatal(err)
	}
	p.Cut()
	if err := hear(c, "x", time.Minute); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("open connection after the cut: %v", err)
	}
	if err := sayAnew(p, "two"); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("new connection during the cut: %v", err)
	}
	p.Resume()
	if err := say(dial(t, p), "three", time.Minute); err != nil {
		t.Errorf("after Resume: %v", err)
	}
}

func TestProxyStall(t *testing.T) {
	t.Parallel()
	p := newTestProxy(t)
	c := dial(t, p)
	if err := say(c, "one", time.Minute); err != nil {
		t.Fatal(err)
	}
	p.Stall()
	p.Stall()
	if err := say(c, "two", 50*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("while stalled: %v", err)
	}
	late := dial(t, p)
	if err := say(late, "three", 50*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("new connection while stalled: %v", err)
	}
	p.Resume()
	if err := errors.Join(hear(c, "two", time.Minute), hear(late, "three", time.Minute)); err != nil {
		t.Errorf("held bytes after Resume: %v", err)
	}
}

func TestProxyClosesWhileStalled(t *testing.T) {
	t.Parallel()
	p := newTestProxy(t)
	c := dial(t, p)
	p.Stall()
	_ = say(c, "x", time.Millisecond) // the cleanup's Close must not hang on it
}
