package replicator

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// health knows whether the stream is alive: how long ago the source last sent
// something, and what the source itself says of the slot.
type health struct {
	addr        string
	log         *slog.Logger
	heartbeat   time.Duration
	metrics     *metrics.Metrics
	now         func() time.Time
	lastMessage atomic.Int64 // Unix nanoseconds
	mu          sync.Mutex
	report      Health
}

// Health is what /healthz says, as JSON. It holds nothing of any patient.
type Health struct {
	OK          bool          `json:"ok"`
	State       metrics.State `json:"state"`
	Why         string        `json:"why,omitempty"`
	Remedy      string        `json:"remedy,omitempty"`
	SilentFor   float64       `json:"silent_seconds"` // since the source's last message
	SlotActive  bool          `json:"slot_active"`
	WALStatus   string        `json:"wal_status,omitempty"`
	SafeWAL     *int64        `json:"safe_wal_bytes,omitempty"`
	LagBytes    int64         `json:"lag_bytes"`
	QueueBytes  int64         `json:"queue_bytes"`
	Notes       int64         `json:"notes_total"`
	TextBytes   int64         `json:"text_bytes_total"`
	SlotChecked string        `json:"slot_checked,omitempty"` // when the slot was looked at
}

// refusals say to every client what a person has to look at.
var refusals = map[metrics.Refusal]string{
	metrics.WrongKey:     "the replica was written with another key",
	metrics.BrokenSlot:   "the slot is lost, gone or another program's",
	metrics.OtherHistory: "the source is another cluster, or was set back, or a standby was promoted that lacked changes",
	metrics.OtherMapping: "the replica was made for another mapping, or by another version of pgdeid",
	metrics.Fault:        "a fault of the program",
	metrics.OtherRefusal: "the session ended with an error that needs a person",
}

// maxSilence is how old the source's last message may be: it is asked for one at
// least every ten seconds.
const maxSilence = 45 * time.Second

func newHealth(o *session.Options) *health {
	return &health{
		addr: o.Config.HTTP, log: o.Log, heartbeat: o.Config.Source.Heartbeat, metrics: o.Metrics, now: time.Now,
		report: Health{State: metrics.Starting},
	}
}

// update changes the report.
func (h *health) update(change func(*Health)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.metrics.Refuse("")
	change(&h.report)
	h.metrics.State(h.report.State)
}

func (h *health) streaming(on bool) {
	h.lastMessage.Store(h.now().UnixNano())
	h.update(func(r *Health) {
		r.Why, r.Remedy, r.SlotChecked = "", "", "" // what was seen of the slot was before
		r.State = metrics.Interrupted
		if on {
			r.State = metrics.Streaming
		}
	})
}

// copying notes that tables are copied; again says that they were complete before,
// so that the replica is not what it should be until that is done.
func (h *health) copying(again bool) {
	h.update(func(r *Health) {
		r.State, r.Why, r.Remedy = metrics.Copying, "", ""
		if again {
			r.Why, r.Remedy = "tables are copied again that changes have passed by", "'pgdeid status' names them; it ends by itself"
		}
	})
}

// session notes how a session ended. An error's text names hosts, roles and objects,
// and every client that reaches the port can read the report: it has the SQLSTATE alone.
func (h *health) session(err error) {
	h.update(func(r *Health) {
		r.State, r.SlotActive = metrics.Interrupted, false
		if err == nil {
			return
		}
		r.Why, r.Remedy = "the session ended with an error, which the log has", ""
		if !session.Transient(err) {
			why := session.Refusal(err)
			h.metrics.Refuse(why)
			r.State, r.Why, r.Remedy = metrics.Refused, refusals[why], "the log has the error and what to do; it is tried again every minute"
		}
		if state := fault.State(err); state != "" {
			r.Why += " (SQLSTATE " + state + ")"
		}
		if errors.Is(err, session.ErrUnpublished) {
			r.Why = "the publication lacks tables or columns of the mapping: their changes pass by, and nothing is streamed"
			r.Remedy = "'pgdeid check' names them; run 'pgdeid migrate up --target source', and what passed by is copied again by itself"
		}
	})
}

func (h *health) slot(s *source.Slot) {
	h.update(func(r *Health) {
		r.SlotActive, r.WALStatus, r.SafeWAL = s.Active, s.WAL, s.Safe
		r.SlotChecked = h.now().UTC().Format(time.RFC3339)
	})
}

func (h *health) lag(bytes int64) { h.update(func(r *Health) { r.LagBytes = bytes }) }

// current judges the report.
func (h *health) current() Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.report
	r.QueueBytes = h.metrics.Queue.Load()
	r.Notes, r.TextBytes = h.metrics.NoteCount.Load(), h.metrics.ByteCount.Load()
	if last := h.lastMessage.Load(); last != 0 {
		r.SilentFor = h.now().Sub(time.Unix(0, last)).Seconds()
	}
	switch {
	case r.State == metrics.Copying:
		r.OK = r.Why == ""
	case r.State == metrics.Working || r.State == metrics.Waiting:
		r.OK = true
	case r.State != metrics.Streaming:
	case r.SilentFor > maxSilence.Seconds() && r.QueueBytes == 0:
		r.Why = "the source sends nothing"
	case r.SlotChecked != "" && !r.SlotActive:
		r.Why = "the source says that nobody streams from the slot"
	case r.WALStatus == "lost" || r.WALStatus == "unreserved":
		r.Why = "the source is about to throw away WAL that the slot needs, or has done so"
	default:
		r.OK = true
	}
	return r
}

// serve answers /healthz, /readyz and /metrics until work is done.
func (h *health) serve(stop, work context.Context) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { h.answer(w, func(r Health) bool { return r.OK }) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		h.answer(w, func(r Health) bool { return r.ready(stop) })
	})
	exposed := h.metrics.Handler()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		h.observe(stop)
		exposed.ServeHTTP(w, r)
	})
	listener, err := h.listen(work)
	if err != nil || listener == nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(work, func() { _ = server.Close() })() // open requests are not worth waiting for
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fault.New("serve HTTP on "+h.addr, err, "")
	}
	return nil
}

// ready reports whether the process does what it is there for, and will go on to: the replica
// follows the source, or parts of tables are copied.
func (r *Health) ready(stop context.Context) bool {
	does := r.State == metrics.Streaming || r.State == metrics.Working || r.State == metrics.Waiting
	return r.OK && does && stop.Err() == nil
}

// observe brings the metrics that follow from the report up to date.
func (h *health) observe(stop context.Context) {
	r := h.current()
	h.metrics.Health(r.OK, r.ready(stop))
	if last := h.lastMessage.Load(); last != 0 {
		h.metrics.Heard(time.Unix(0, last))
	}
}

// listen waits for the address while another process has it: with the same
// configuration that is one whose end this one is waiting for. It returns nil when
// ctx ends first.
func (h *health) listen(ctx context.Context) (net.Listener, error) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for tries := 0; ; tries++ {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", h.addr)
		switch {
		case ctx.Err() != nil:
			return nil, nil // it is not wanted any more
		case err != nil && !errors.Is(err, syscall.EADDRINUSE):
			return nil, fault.New("listen for HTTP on "+h.addr, err, "choose another address under http, or \"\" for none")
		case err == nil && tries > 0:
			h.log.Info("HTTP has its address now", "http", h.addr)
		}
		if err == nil {
			return listener, nil
		}
		if tries%60 == 0 {
			h.log.Warn("the HTTP address is in use; waiting for it", "http", h.addr,
				"hint", "if that is another pgdeid, this one goes on when it ends; else choose another address under http")
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

func (h *health) answer(w http.ResponseWriter, good func(Health) bool) {
	r := h.current()
	w.Header().Set("Content-Type", "application/json")
	if !good(r) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(r) // the client went away
}
