package login

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Lobby holds the places of clients that have not logged in yet: so many in all, and so many from one address. Where there is no place,
// the client that has been there longest makes room, before others one that has said nothing.
type Lobby struct {
	all, each int
	now       func() time.Time

	mu     sync.Mutex
	guests map[*Guest]struct{}
}

// Guest is a client that has not logged in yet.
type Guest struct {
	Conn   net.Conn
	From   netip.Prefix
	since  time.Time
	spoke  bool
	Cancel context.CancelFunc // ends the login
}

const (
	// silentPatience is how long a client that says nothing keeps its place from others.
	silentPatience = time.Second
	// loginPatience is the same for one that began to log in, which takes less than that.
	loginPatience = 5 * time.Second
)

// NewLobby returns a lobby with so many places.
func NewLobby(all, each int, now func() time.Time) *Lobby {
	return &Lobby{all: all, each: each, now: now, guests: map[*Guest]struct{}{}}
}

// Enter gives a client a place, or returns nil. It closes the connection of the client that makes room, and calls cancel when that is
// this client.
func (l *Lobby) Enter(c net.Conn, cancel context.CancelFunc) *Guest {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := &Guest{Conn: c, From: origin(c.RemoteAddr()), since: l.now(), Cancel: cancel}
	same := 0
	for other := range l.guests {
		if other.From == g.From {
			same++
		}
	}
	switch {
	case same >= l.each && !l.makeRoom(func(other *Guest) bool { return other.From == g.From }):
		return nil
	case len(l.guests) >= l.all && !l.makeRoom(func(*Guest) bool { return true }):
		return nil
	}
	l.guests[g] = struct{}{}
	return g
}

// makeRoom sends away one of those who may have to go, and reports whether there was one.
func (l *Lobby) makeRoom(may func(*Guest) bool) bool {
	var first *Guest
	for g := range l.guests {
		patience := silentPatience
		if g.spoke {
			patience = loginPatience
		}
		if !may(g) || l.now().Sub(g.since) < patience {
			continue
		}
		earlier := first == nil || first.spoke && !g.spoke || first.spoke == g.spoke && g.since.Before(first.since)
		if earlier {
			first = g
		}
	}
	if first == nil {
		return false
	}
	delete(l.guests, first)
	first.Cancel()
	_ = first.Conn.Close() // nothing can be done about it
	return true
}

// Heard notes that a client has said something.
func (l *Lobby) Heard(g *Guest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g.spoke = true
}

// Leave gives a place back, of a client that has logged in or is gone. It may be called twice.
func (l *Lobby) Leave(g *Guest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.guests, g)
}

// origin returns where a client comes from.
func origin(a net.Addr) netip.Prefix {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	return Origin(tcp.AddrPort().Addr())
}

// Origin returns where a client comes from: its address or, of IPv6, the network that one customer has.
func Origin(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap()
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	from, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return from
}
