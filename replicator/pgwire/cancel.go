package pgwire

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"sync"
)

// cancels knows which key cancels which session's statement.
type cancels struct {
	mu   sync.Mutex
	keys map[uint32]*cancelKey
}

// cancelKey belongs to one session.
type cancelKey struct {
	pid    uint32
	secret [4]byte // as long as protocol 3.0 allows

	mu   sync.Mutex
	stop context.CancelCauseFunc // of the statement that runs; nil: none
}

// add makes a key that no other session has.
func (c *cancels) add() (*cancelKey, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return nil, err
		}
		k := &cancelKey{pid: binary.BigEndian.Uint32(b[:4]) & 0x7fffffff, secret: [4]byte(b[4:])}
		if k.pid != 0 && c.keys[k.pid] == nil {
			c.keys[k.pid] = k
			return k, nil
		}
	}
}

func (c *cancels) remove(k *cancelKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.keys, k.pid)
}

var errUserCancel = failf(stateCanceled, "canceling statement due to user request")

// cancel cancels the statement that runs in the session of a key, and reports whether
// there was one.
func (c *cancels) cancel(pid uint32, secret []byte) bool {
	c.mu.Lock()
	k := c.keys[pid]
	c.mu.Unlock()
	if k == nil || subtle.ConstantTimeCompare(k.secret[:], secret) != 1 {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop == nil {
		return false
	}
	k.stop(errUserCancel)
	return true
}

// running notes how to stop the statement that runs; nil: none does.
func (k *cancelKey) running(stop context.CancelCauseFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stop = stop
}
