package login

import (
	"sync"
	"time"
)

// Guard makes wrong passwords slow: the more of them came for a name of late, the longer the next one waits for its refusal. A right one
// does not wait.
type Guard struct {
	mu     sync.Mutex
	failed map[string]*failures
}

// NewGuard returns a guard that remembers nothing.
func NewGuard() *Guard { return &Guard{failed: map[string]*failures{}} }

type failures struct {
	count int
	last  time.Time
}

const (
	// guardNames bounds the names that are remembered: made-up ones must not fill memory.
	guardNames = 10_000
	// guardMemory is how long failures count.
	guardMemory = 10 * time.Minute
	// guardMost is the longest wait, in multiples of the first one.
	guardMost = 8
)

// FailedFor notes a failure, and returns how many times the first wait this one gets.
func (g *Guard) FailedFor(name string, now time.Time) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.failed[name]
	if f == nil || now.Sub(f.last) > guardMemory {
		if f == nil && len(g.failed) >= guardNames {
			g.sweep(now)
		}
		f = &failures{}
		g.failed[name] = f
	}
	f.count++
	f.last = now
	return min(1<<min(f.count-1, 10), guardMost)
}

// sweep forgets what is old, or everything if that leaves no room.
func (g *Guard) sweep(now time.Time) {
	for name, f := range g.failed {
		if now.Sub(f.last) > guardMemory {
			delete(g.failed, name)
		}
	}
	if len(g.failed) >= guardNames {
		clear(g.failed)
	}
}
