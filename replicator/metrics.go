package replicator

import (
	"math"
	"net/http"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics counts what a run does. No label and no value tells anything of a
// patient. The zero value is not usable: see [NewMetrics].
type Metrics struct {
	registry      *prometheus.Registry
	notes, bytes  prometheus.Counter
	leaks         prometheus.Counter
	dropped       prometheus.Counter
	requeued      prometheus.Counter
	restarts      prometheus.Counter
	commits       prometheus.Counter
	rows          *prometheus.CounterVec // by op
	quarantined   *prometheus.CounterVec // by reason
	withheld      *prometheus.CounterVec // by column
	detectSeconds prometheus.Histogram
	queueBytes    prometheus.Gauge
	lagSeconds    prometheus.Gauge
	lagBytes      prometheus.Gauge
	aside         *prometheus.GaugeVec // by reason
	slotWAL       *prometheus.GaugeVec // by status
	slotActive    prometheus.Gauge
	safeWAL       prometheus.Gauge
	queue         atomic.Int64
	noteCount     atomic.Int64
	byteCount     atomic.Int64
}

// NewMetrics returns metrics with a registry of their own, and more of them where others
// count: nothing of a patient may be in those either.
func NewMetrics(more ...prometheus.Collector) *Metrics {
	m := &Metrics{
		registry:    prometheus.NewRegistry(),
		notes:       counter("notes_total", "Texts that were de-identified."),
		bytes:       counter("text_bytes_total", "Bytes of source text that were de-identified."),
		leaks:       counter("leak_total", "Texts that the leak check held back."),
		dropped:     counter("dropped_columns_total", "Columns in the stream that the mapping does not name."),
		requeued:    counter("requeued_patients_total", "Patients whose notes were read again because their record changed."),
		restarts:    counter("restarts_total", "Times the stream was taken up again after an error."),
		commits:     counter("commits_total", "Transactions committed in the replica."),
		rows:        vector("rows_total", "Row changes applied, by operation.", "op"),
		quarantined: vector("quarantine_total", "Rows set aside, by reason.", "reason"),
		withheld:    vector("withheld_values_total", "Values published as NULL, since they do not fit their column's policy.", "column"),
		detectSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "pgdeid", Name: "detect_seconds", Help: "Detection of one text.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 11),
		}),
		queueBytes: gauge("queue_bytes", "Bytes between reader and committer."),
		lagSeconds: gauge("lag_seconds", "Age of the last applied transaction when it was applied."),
		lagBytes:   gauge("lag_bytes", "WAL between the source's end and the applied position."),
		aside:      gaugeVector("quarantine_rows", "Rows that are set aside, by reason; NaN until they are counted.", "reason"),
		slotWAL:    gaugeVector("slot_wal_status", "1 for the slot's wal_status, 0 for the others; NaN until it is looked at.", "status"),
		slotActive: gauge("slot_active", "1 if the source says that a process streams from the slot."),
		safeWAL: gauge("slot_safe_wal_bytes",
			"WAL that the source can write until the slot is lost; +Inf without a limit, NaN until it is looked at."),
	}
	m.initialise()
	m.registry.MustRegister(m.notes, m.bytes, m.leaks, m.dropped, m.requeued, m.restarts, m.commits, m.rows, m.quarantined, m.withheld,
		m.detectSeconds, m.queueBytes, m.lagSeconds, m.lagBytes, m.aside, m.slotWAL, m.slotActive, m.safeWAL,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(more...)
	return m
}

// Add takes in more of them: nothing of a patient may be in those either.
func (m *Metrics) Add(more prometheus.Collector) { m.registry.MustRegister(more) }

// initialise gives every label its series: an alarm on one that is not there is none.
func (m *Metrics) initialise() {
	unknown := math.NaN()
	for _, reason := range reasons {
		m.quarantined.WithLabelValues(string(reason))
		m.aside.WithLabelValues(string(reason)).Set(unknown)
	}
	for _, op := range operations {
		m.rows.WithLabelValues(op)
	}
	for _, state := range walStates {
		m.slotWAL.WithLabelValues(state).Set(unknown)
	}
	m.safeWAL.Set(unknown)
}

// Handler answers with the metrics, for Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "pgdeid", Name: name, Help: help})
}

func vector(name, help, label string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Name: name, Help: help}, []string{label})
}

func gaugeVector(name, help, label string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "pgdeid", Name: name, Help: help}, []string{label})
}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Name: name, Help: help})
}

func (m *Metrics) note(bytes int) {
	m.noteCount.Add(1)
	m.byteCount.Add(int64(bytes))
	m.notes.Inc()
	m.bytes.Add(float64(bytes))
}

func (m *Metrics) queued(n int64) { m.queueBytes.Set(float64(m.queue.Add(n))) }
