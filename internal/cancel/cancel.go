// Package cancel keeps the keys by which clients cancel what runs in their sessions.
package cancel

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"sync"
)

// Keys knows which key cancels which session's statement.
type Keys struct {
	mu   sync.Mutex
	keys map[uint32]*Key
	why  error
}

// NewKeys returns no keys yet. A statement that is cancelled gets why as the cause of its context.
func NewKeys(why error) *Keys { return &Keys{keys: map[uint32]*Key{}, why: why} }

// Len returns how many keys there are.
func (c *Keys) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.keys)
}

// Key belongs to one session.
type Key struct {
	PID    uint32
	Secret [4]byte // as long as protocol 3.0 allows

	mu   sync.Mutex
	stop context.CancelCauseFunc // of the statement that runs; nil: none
}

// Add makes a key that no other session has.
func (c *Keys) Add() (*Key, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return nil, err
		}
		k := &Key{PID: binary.BigEndian.Uint32(b[:4]) & 0x7fffffff, Secret: [4]byte(b[4:])}
		if k.PID != 0 && c.keys[k.PID] == nil {
			c.keys[k.PID] = k
			return k, nil
		}
	}
}

// Remove forgets a key.
func (c *Keys) Remove(k *Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.keys, k.PID)
}

// Cancel cancels the statement that runs in the session of a key, and reports whether there was one.
func (c *Keys) Cancel(pid uint32, secret []byte) bool {
	c.mu.Lock()
	k := c.keys[pid]
	c.mu.Unlock()
	if k == nil || subtle.ConstantTimeCompare(k.Secret[:], secret) != 1 {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop == nil {
		return false
	}
	k.stop(c.why)
	return true
}

// Running notes how to stop the statement that runs; nil: none does.
func (k *Key) Running(stop context.CancelCauseFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stop = stop
}
