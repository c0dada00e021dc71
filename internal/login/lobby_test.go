package login

import (
	"net"
	"net/netip"
	"testing"
	"time"
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
	l := NewLobby(4, 2, func() time.Time { return now })
	enter := func(from string) (*Guest, *addressed) {
		c := &addressed{from: from}
		return l.Enter(c, func() {}), c
	}
	flood, flooded := enter("10.0.0.1:1")
	_, second := enter("10.0.0.1:2")
	if g, _ := enter("10.0.0.1:3"); g != nil {
		t.Error("one address has a third place at once")
	}
	if g, _ := enter("10.0.0.2:1"); g == nil {
		t.Error("another address has none")
	}
	l.Heard(flood)
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
	l.Leave(flood)
	l.Leave(flood)
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
