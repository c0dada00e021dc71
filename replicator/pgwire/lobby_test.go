package pgwire

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// addressed is a connection from an address, which notes that it was closed.
type addressed struct {
	net.Conn

	from   string
	closed bool
}

func (a *addressed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.from))
}

func (a *addressed) Close() error {
	a.closed = true
	return nil
}

// Silent clients make room, the oldest first; clients of one address take no place of others.
func TestLobby(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	l := newLobby(4, 2, func() time.Time { return now })
	enter := func(from string) (*guest, *addressed) {
		c := &addressed{from: from}
		return l.enter(c, func() {}), c
	}
	flood, flooded := enter("10.0.0.1:1")
	_, second := enter("10.0.0.1:2")
	if g, _ := enter("10.0.0.1:3"); g != nil {
		t.Error("one address has a third place at once")
	}
	if g, _ := enter("10.0.0.2:1"); g == nil {
		t.Error("another address has none")
	}
	l.heard(flood)
	now = now.Add(silentPatience)
	if g, _ := enter("10.0.0.1:4"); g == nil || flooded.closed || !second.closed {
		t.Error("the silent one did not make room")
	}
	now = now.Add(loginPatience)
	_, talker := enter("10.0.0.3:1")
	for _, from := range []string{"10.0.0.4:1", "10.0.0.5:1"} {
		if g, _ := enter(from); g == nil {
			t.Errorf("%s has no place in a full lobby", from)
		}
	}
	if flooded.closed || talker.closed {
		t.Error("one that spoke, or came last, went before silent ones")
	}
	if len(l.guests) != 4 {
		t.Errorf("%d places are taken", len(l.guests))
	}
	l.leave(flood)
	l.leave(flood)
	if g, _ := enter("10.0.0.6:1"); g == nil || len(l.guests) != 4 {
		t.Error("a place that is left stays taken")
	}
}

// Networks of IPv6 are one origin each, and IPv4 is the same in either form.
func TestOrigin(t *testing.T) {
	t.Parallel()
	from := func(s string) string { return origin(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s))).String() }
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"[2001:db8::1]:1", "[2001:db8::ffff:2]:2", true},
		{"[2001:db8::1]:1", "[2001:db8:0:1::1]:1", false},
		{"10.0.0.1:1", "[::ffff:10.0.0.1]:2", true},
		{"10.0.0.1:1", "10.0.0.2:1", false},
	} {
		if (from(c.a) == from(c.b)) != c.same {
			t.Errorf("%s and %s: %s, %s", c.a, c.b, from(c.a), from(c.b))
		}
	}
}

// A client that fills all places with connections that say nothing keeps no other out.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	s := serve(t, func(o *Options) { o.Pending = 8; o.FirstTime, o.LoginTime = time.Hour, time.Hour })
	for range 4 { // as many as one address may have
		s.dial(t)
	}
	awaitTrue(t, "the places are not taken", func() bool { return guests(s) == 4 })
	s.server.lobby.mu.Lock()
	for g := range s.server.lobby.guests {
		g.since = g.since.Add(-silentPatience)
	}
	s.server.lobby.mu.Unlock()
	s.connect(t, "")
	awaitTrue(t, "a silent connection did not go", func() bool { return guests(s) == 3 })
}

func guests(s *serving) int {
	s.server.lobby.mu.Lock()
	defer s.server.lobby.mu.Unlock()
	return len(s.server.lobby.guests)
}

// Guesses over many connections are checked as few at a time: the others wait for the
// refusals before them.
func TestGuessesTakeTurns(t *testing.T) {
	s := serve(t, func(o *Options) {
		o.RefusalTime, o.LoginTime = time.Hour, time.Hour
		o.Users = usersFrom(t, testSecret, "staging:"+verifierOf(t, testPassword), "other:"+verifierOf(t, testPassword))
	})
	const guessers = 20
	ctx, cancel := context.WithCancel(t.Context())
	g := &errgroup.Group{}
	for range guessers {
		g.Go(func() error {
			if conn, err := pgx.Connect(ctx, strings.Replace(s.dsn(""), testPassword, "wrong", 1)); err == nil {
				_ = conn.Close(ctx)
				t.Error("a guess got in")
			}
			return nil
		})
	}
	waiting := func() (n int) {
		s.server.turns.mu.Lock()
		defer s.server.turns.mu.Unlock()
		for _, own := range s.server.turns.by {
			n += own.users
		}
		return n
	}
	awaitTrue(t, "the guesses do not come", func() bool { return waiting() == guessers })
	awaitTrue(t, "not as many guesses as there are turns", func() bool { return strings.Count(s.log.String(), "login refused") == parallelLogins })
	other, err := pgx.Connect(t.Context(), strings.Replace(s.dsn(""), "user=staging", "user=other", 1)) // a name of its own
	if err != nil {
		t.Errorf("another user: %v", err)
	} else {
		_ = other.Close(t.Context())
	}
	if n := strings.Count(s.log.String(), "login refused"); n != parallelLogins {
		t.Errorf("%d guesses were checked", n)
	}
	cancel()
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	s.end(t)
	if n := waiting(); n != 0 {
		t.Errorf("%d turns are kept", n)
	}
}
