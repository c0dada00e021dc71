package pgwire

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// budget bounds the memory that all sessions hold: messages on their way in, parameters, notes in inboxes, rows that wait to be sorted.
// Who can't get what it needs is refused at once, as those who wait might hold what the others wait for.
type budget struct {
	limit int64
	held  atomic.Int64
	gauge prometheus.Gauge
}

func (b *budget) take(n int64) bool {
	now := b.held.Add(n)
	if now > b.limit {
		b.held.Add(-n)
		return false
	}
	b.gauge.Set(float64(now))
	return true
}

func (b *budget) giveBack(n int64) { b.gauge.Set(float64(b.held.Add(-n))) }

// sessionBudget is one session's part of a budget. It belongs to one goroutine.
type sessionBudget struct {
	all   *budget
	limit int64
	held  int64
}

func (b *sessionBudget) take(n int64) *Error {
	if b.held+n > b.limit {
		return failf(stateNoMemory, "the session would hold more than %d MB", b.limit>>20).
			hinted("work in smaller batches, or raise --session-memory")
	}
	if !b.all.take(n) {
		return failf(stateNoMemory, "all sessions together would hold more than %d MB", b.all.limit>>20).
			hinted("try again later, work in smaller batches, or raise --memory")
	}
	b.held += n
	return nil
}

// keep takes n and adds it to what an owner holds, who gives it back.
func (b *sessionBudget) keep(n int64, held *int64) *Error {
	if err := b.take(n); err != nil {
		return err
	}
	*held += n
	return nil
}

func (b *sessionBudget) giveBack(n int64) {
	b.held -= n
	b.all.giveBack(n)
}

// end gives back all that is held.
func (b *sessionBudget) end() { b.giveBack(b.held) }
