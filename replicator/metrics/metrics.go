package metrics

import (
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Metrics counts what a run does. No label and no value says anything of a
// patient. The zero value is not usable: see [New].
type Metrics struct {
	registry      *prometheus.Registry
	notes, bytes  prometheus.Counter
	Leaks         prometheus.Counter
	VoidRepairs   prometheus.Counter
	Dropped       prometheus.Counter
	Requeued      prometheus.Counter
	Redone        prometheus.Counter
	parts         *prometheus.GaugeVec   // by state
	Restarts      *prometheus.CounterVec // by cause
	Commits       prometheus.Counter
	Rows          *prometheus.CounterVec // by op
	Quarantined   *prometheus.CounterVec // by reason
	Withheld      *prometheus.CounterVec // by column
	DetectSeconds prometheus.Histogram
	queueBytes    prometheus.Gauge
	LagSeconds    prometheus.Gauge
	LagBytes      prometheus.Gauge
	Aside         *prometheus.GaugeVec // by reason
	slotWAL       *prometheus.GaugeVec // by status
	slotActive    prometheus.Gauge
	safeWAL       prometheus.Gauge
	retainedWAL   prometheus.Gauge
	applied       prometheus.Gauge
	read          prometheus.Gauge
	NewColumns    prometheus.Gauge
	healthy       prometheus.Gauge
	ready         prometheus.Gauge
	heard         prometheus.Gauge
	state         *prometheus.GaugeVec // by state
	refused       *prometheus.GaugeVec // by reason
	requeued      *prometheus.GaugeVec // by queue
	waiting       *prometheus.GaugeVec // by queue
	origin        *prometheus.GaugeVec // by system identifier
	timeline      prometheus.Gauge
	epoch         prometheus.Gauge
	build         *prometheus.GaugeVec // by version
	queues        map[Queue]time.Time  // since when each has not been seen empty
	Queue         atomic.Int64
	NoteCount     atomic.Int64
	ByteCount     atomic.Int64
}

// New returns metrics with a registry of their own, and more of them where others
// count: nothing of a patient may be in those either.
func New(more ...prometheus.Collector) *Metrics {
	all := prometheus.NewRegistry()
	add := promauto.With(all)
	counter := func(name, help string) prometheus.Counter {
		return add.NewCounter(prometheus.CounterOpts{Namespace: "pgdeid", Name: name, Help: help})
	}
	vector := func(name, help, label string) *prometheus.CounterVec {
		return add.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Name: name, Help: help}, []string{label})
	}
	gauge := func(name, help string) prometheus.Gauge {
		return add.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Name: name, Help: help})
	}
	gaugeVector := func(name, help, label string) *prometheus.GaugeVec {
		return add.NewGaugeVec(prometheus.GaugeOpts{Namespace: "pgdeid", Name: name, Help: help}, []string{label})
	}
	m := &Metrics{
		registry:    all,
		notes:       counter("notes_total", "Texts that were de-identified."),
		bytes:       counter("text_bytes_total", "Bytes of source text that were de-identified."),
		Leaks:       counter("leak_total", "Texts that the leak check held back."),
		VoidRepairs: counter("void_repairs_total", "Repairs of single places without an effect when their note was made, as its text has changed."),
		Dropped:     counter("dropped_columns_total", "Columns in the stream that the mapping does not name."),
		Requeued:    counter("requeued_patients_total", "Patients whose notes were read again because their record changed."),
		Redone:      counter("copy_parts_redone_total", "Parts of tables that are copied again because the process died that copied them."),
		parts:       gaugeVector("copy_parts", "Parts of the table that several processes copy, by state.", "state"),
		Restarts:    vector("restarts_total", "Times the stream was taken up again after an error, by its cause.", "cause"),
		Commits:     counter("commits_total", "Transactions committed in the replica."),
		Rows:        vector("rows_total", "Row changes applied, by operation.", "op"),
		Quarantined: vector("quarantine_total", "Rows set aside, by reason.", "reason"),
		Withheld:    vector("withheld_values_total", "Values published as NULL, since they do not fit their column's policy.", "column"),
		DetectSeconds: add.NewHistogram(prometheus.HistogramOpts{
			Namespace: "pgdeid", Name: "detect_seconds", Help: "Detection of one text.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 11),
		}),
		queueBytes: gauge("queue_bytes", "Bytes between reader and committer."),
		LagSeconds: gauge("lag_seconds", "Age of the last applied transaction when it was applied."),
		LagBytes:   gauge("lag_bytes", "WAL between the source's end and the applied position."),
		Aside:      gaugeVector("quarantine_rows", "Rows that are set aside, by reason; NaN until they are counted.", "reason"),
		slotWAL:    gaugeVector("slot_wal_status", "1 for the slot's wal_status, 0 for the others; NaN until it is looked at.", "status"),
		slotActive: gauge("slot_active", "1 if the source says that a process streams from the slot."),
		safeWAL: gauge("slot_safe_wal_bytes",
			"WAL that the source can write until the slot is lost; +Inf without a limit, NaN until it is looked at."),
		retainedWAL: gauge("slot_retained_wal_bytes", "WAL that the source keeps for the slot; NaN until it is looked at."),
		applied:     gauge("applied_timestamp_seconds", "When the last applied transaction was committed at the source; 0 if there was none yet."),
		read:        gauge("read_timestamp_seconds", "When both databases were last asked for what gauges show; 0 if they were not yet."),
		NewColumns:  gauge("new_columns", "Columns of mapped tables that appeared since the last 'migrate up': they are not published."),
		healthy:     gauge("healthy", "1 if /healthz answers 200."),
		ready:       gauge("ready", "1 if /readyz answers 200."),
		heard:       gauge("source_heard_timestamp_seconds", "When the source last sent anything, be it that it has nothing; 0 if it has not yet."),
		state:       gaugeVector("state", "1 for what the process does now, 0 for the others.", "state"),
		refused:     gaugeVector("refused", "1 for the reason why nothing is streamed until a person acts, 0 for the others.", "reason"),
		requeued:    gaugeVector("requeue_requests", "Requests to make rows anew, by queue; NaN until they are counted.", "queue"),
		waiting:     gaugeVector("requeue_waiting_seconds", "For how long this process has not seen the queue empty.", "queue"),
		origin:      gaugeVector("source_info", "1 for the system identifier of the source.", "system_id"),
		timeline:    gauge("source_timeline", "Timeline of the source; NaN until it is asked for."),
		epoch:       gauge("key_epoch", "Epoch of the key that the replica is written with; NaN until it is read."),
		build:       gaugeVector("build_info", "1 for the version of the program.", "version"),
		queues:      map[Queue]time.Time{},
	}
	m.initialise()
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(more...)
	return m
}

// Add takes in more of them: nothing of a patient may be in those either.
func (m *Metrics) Add(more prometheus.Collector) { m.registry.MustRegister(more) }

// Collector returns all of them as one.
func (m *Metrics) Collector() prometheus.Collector { return m.registry }

// initialise gives every label its series: an alarm on one that is not there is none.
func (m *Metrics) initialise() {
	unknown := math.NaN()
	for _, reason := range vault.Reasons {
		m.Quarantined.WithLabelValues(string(reason))
		m.Aside.WithLabelValues(string(reason)).Set(unknown)
	}
	for _, op := range operations {
		m.Rows.WithLabelValues(op)
	}
	for _, state := range walStates {
		m.slotWAL.WithLabelValues(state).Set(unknown)
	}
	for _, cause := range Causes {
		m.Restarts.WithLabelValues(string(cause))
	}
	for _, reason := range Refusals {
		m.refused.WithLabelValues(string(reason))
	}
	for _, queue := range []Queue{Patients, Paths} {
		m.requeued.WithLabelValues(string(queue)).Set(unknown)
		m.waiting.WithLabelValues(string(queue))
	}
	for _, g := range []prometheus.Gauge{m.safeWAL, m.retainedWAL, m.timeline, m.epoch} {
		g.Set(unknown)
	}
	m.Parts(0, 0, 0)
	m.State(Starting)
}

// Handler answers with the metrics, for Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Note counts a text of that many bytes.
func (m *Metrics) Note(bytes int) {
	m.NoteCount.Add(1)
	m.ByteCount.Add(int64(bytes))
	m.notes.Inc()
	m.bytes.Add(float64(bytes))
}

// Queued counts bytes that came into the pipeline or, below 0, left it.
func (m *Metrics) Queued(n int64) { m.queueBytes.Set(float64(m.Queue.Add(n))) }

// InitialiseWithheld makes the counters of all columns whose values can be withheld: an
// alarm on a series that is not there never rings.
func (m *Metrics) InitialiseWithheld(p *schema.Plan) {
	for _, t := range p.Tables {
		for _, c := range t.Publish {
			col := &t.Columns[c]
			whole := col.Publish == config.Keep || col.Publish == config.Text && len(col.Paths) == 0
			if !whole && !t.Identifies(c) {
				m.Withheld.WithLabelValues(t.ID + "." + col.Name)
			}
		}
	}
}

// What became of a row, in metrics.
const (
	OpAside    = "quarantine"
	OpDelete   = "delete"
	OpRewrite  = "rewrite"
	OpWrite    = "write"
	OpTruncate = "truncate"
)

var operations = []string{OpAside, OpDelete, OpRewrite, OpWrite, OpTruncate}
