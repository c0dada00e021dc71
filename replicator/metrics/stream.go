package metrics

import (
	"math"
	"time"

	"github.com/pgdeid/pgdeid/replicator/source"
)

// State is what a process that copies and streams does.
type State string

// The states of a process.
const (
	Starting    State = "starting"
	Copying     State = "copying"
	Streaming   State = "streaming"
	Interrupted State = "interrupted" // it tries again by itself
	Refused     State = "refused"     // it needs a person
	Working     State = "working"     // it copies a part of a table for another process
	Waiting     State = "waiting"     // it has no part to copy
)

// States are all of them.
var States = []State{Starting, Copying, Streaming, Interrupted, Refused, Working, Waiting}

// State shows what the process does now.
func (m *Metrics) State(now State) {
	for _, s := range States {
		m.state.WithLabelValues(string(s)).Set(zeroOne(s == now))
	}
}

// Refusal is why nothing is streamed until a person has acted.
type Refusal string

// What is refused.
const (
	WrongKey     Refusal = "key"     // the replica was written with another key
	BrokenSlot   Refusal = "slot"    // the slot is lost, gone or another program's
	OtherHistory Refusal = "source"  // the source is another cluster, or its WAL is another history
	OtherMapping Refusal = "mapping" // the replica was made for another mapping, or by another version
	Fault        Refusal = "fault"   // of the program
	OtherRefusal Refusal = "other"   // the log says what
)

// Refusals are all of them.
var Refusals = []Refusal{WrongKey, BrokenSlot, OtherHistory, OtherMapping, Fault, OtherRefusal}

// Refuse shows why nothing is streamed; "" takes that back.
func (m *Metrics) Refuse(why Refusal) {
	for _, r := range Refusals {
		m.refused.WithLabelValues(string(r)).Set(zeroOne(r == why))
	}
}

// Cause is why a session was interrupted.
type Cause string

// Why sessions are interrupted.
const (
	Connection Cause = "connection" // a server or the way to it is gone
	Disk       Cause = "disk"       // a server's disk is full
	OtherCause Cause = "other"      // the log says which
)

// Causes are all of them.
var Causes = []Cause{Connection, Disk, OtherCause}

// Queue is one of the queues of rows that are made anew while the stream runs.
type Queue string

// The queues.
const (
	Patients Queue = "patients"
	Paths    Queue = "paths"
)

// Requests shows how many requests a queue holds. The queues keep no times, so
// their age is counted from when this process last saw them empty.
func (m *Metrics) Requests(queue Queue, n int64, now time.Time) {
	since, seen := m.queues[queue]
	switch {
	case n == 0:
		delete(m.queues, queue)
		since = now
	case !seen:
		m.queues[queue], since = now, now
	}
	m.requeued.WithLabelValues(string(queue)).Set(float64(n))
	m.waiting.WithLabelValues(string(queue)).Set(now.Sub(since).Seconds())
}

// Health shows what /healthz and /readyz answer.
func (m *Metrics) Health(healthy, ready bool) {
	m.healthy.Set(zeroOne(healthy))
	m.ready.Set(zeroOne(ready))
}

// Parts shows how many parts of the table that is copied by several processes wait, are being copied and
// are done.
func (m *Metrics) Parts(waiting, copying, done int) {
	m.parts.WithLabelValues(partWaiting).Set(float64(waiting))
	m.parts.WithLabelValues(partCopying).Set(float64(copying))
	m.parts.WithLabelValues(partDone).Set(float64(done))
}

const (
	partWaiting = "waiting"
	partCopying = "copying"
	partDone    = "done"
)

// Heard shows when the source last sent anything.
func (m *Metrics) Heard(at time.Time) { m.heard.Set(seconds(at)) }

// Applied shows when the last applied transaction was committed at the source.
func (m *Metrics) Applied(committed, now time.Time) {
	m.LagSeconds.Set(now.Sub(committed).Seconds())
	m.applied.Set(seconds(committed))
}

// Read shows that both databases have answered.
func (m *Metrics) Read(now time.Time) { m.read.Set(seconds(now)) }

// Origin shows which cluster the source is, and on which timeline.
func (m *Metrics) Origin(o *source.Origin) {
	m.origin.Reset()
	m.origin.WithLabelValues(o.SystemID).Set(1)
	m.timeline.Set(float64(o.Timeline))
}

// Epoch shows the epoch of the replica's key.
func (m *Metrics) Epoch(epoch int) { m.epoch.Set(float64(epoch)) }

// Version shows the version of the program.
func (m *Metrics) Version(version string) {
	m.build.Reset()
	m.build.WithLabelValues(version).Set(1)
}

// walStates are the values of pg_replication_slots.wal_status.
var walStates = []string{"reserved", "extended", "unreserved", "lost"}

// Slot shows what the source says of the slot.
func (m *Metrics) Slot(s *source.Slot) {
	for _, state := range walStates {
		m.slotWAL.WithLabelValues(state).Set(zeroOne(s.WAL == state))
	}
	m.slotActive.Set(zeroOne(s.Active))
	m.retainedWAL.Set(float64(s.Retained))
	m.safeWAL.Set(math.Inf(1)) // no limit
	if s.Safe != nil {
		m.safeWAL.Set(float64(*s.Safe))
	}
}

func zeroOne(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// seconds returns a moment as Prometheus writes it.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
