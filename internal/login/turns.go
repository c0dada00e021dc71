package login

import (
	"context"
	"net/netip"
	"sync"
)

// Turns let only few passwords for one name from one origin be checked at a time: a wrong one keeps its turn until its refusal is sent,
// so that guesses over many connections are no faster than over few. Who guesses from elsewhere takes no turn away.
type Turns struct {
	mu sync.Mutex
	by map[TurnKey]*turn
}

// NewTurns returns turns of which none is taken.
func NewTurns() *Turns { return &Turns{by: map[TurnKey]*turn{}} }

// TurnKey is a name and where it is said.
type TurnKey struct {
	User string
	From netip.Prefix
}

// turn is what logins with one key share, as long as there are any.
type turn struct {
	places chan struct{}
	users  int // those with a place, and those who wait for one
}

// parallelLogins is how many passwords for one key are checked at a time.
const parallelLogins = 4

// Take waits for a turn, until ctx is done. What it returns ends the turn.
func (t *Turns) Take(ctx context.Context, key TurnKey) (end func(), err error) {
	t.mu.Lock()
	own := t.by[key]
	if own == nil {
		own = &turn{places: make(chan struct{}, parallelLogins)}
		t.by[key] = own
	}
	own.users++
	t.mu.Unlock()
	select {
	case own.places <- struct{}{}:
		return func() {
			<-own.places
			t.forget(key, own)
		}, nil
	case <-ctx.Done():
		t.forget(key, own)
		return nil, ctx.Err()
	}
}

// forget drops what is not used any more.
func (t *Turns) forget(key TurnKey, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own.users--
	if own.users == 0 {
		delete(t.by, key)
	}
}
