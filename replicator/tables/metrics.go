package tables

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// Metrics counts what is asked. No label and no value says anything of a patient. It is a [prometheus.Collector].
type Metrics struct {
	notes   *prometheus.CounterVec // by table and outcome
	bytes   *prometheus.CounterVec // by table
	limited *prometheus.CounterVec // by user and limit
	panics  prometheus.Counter
	batches prometheus.Histogram
}

func newMetrics() *Metrics {
	m := &Metrics{
		notes:   vector("notes_total", "Notes that were asked about, by table and by what became of them.", "table", "outcome"),
		bytes:   vector("text_bytes_total", "Bytes of identified text that were answered, by table.", "table"),
		limited: vector("limited_total", "Questions that a limit of their user refused, by user and limit.", "user", "limit"),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "pgdeid", Subsystem: "sql", Name: "engine_panics_total", Help: "Batches that a fault of the program ended.",
		}),
		batches: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "pgdeid", Subsystem: "sql", Name: "batch_notes", Help: "Notes of one batch, which may be of several sessions.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
	}
	for _, t := range list() { // alarms on a series work from the first scrape
		m.bytes.WithLabelValues(t.Name)
		for _, outcome := range []string{"answered", "refused"} {
			m.notes.WithLabelValues(t.Name, outcome)
		}
	}
	return m
}

func vector(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: name, Help: help}, labels)
}

func (m *Metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.notes, m.bytes, m.limited, m.panics, m.batches}
}

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.all() {
		c.Describe(ch)
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	for _, c := range m.all() {
		c.Collect(ch)
	}
}

func (m *Metrics) add(table string, n *pgwire.Counts) {
	m.notes.WithLabelValues(table, "answered").Add(float64(n.Notes))
	m.bytes.WithLabelValues(table).Add(float64(n.Bytes))
	m.notes.WithLabelValues(table, "refused").Add(float64(n.Refused))
}
