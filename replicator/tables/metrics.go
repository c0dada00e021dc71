package tables

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// Metrics counts what is asked. No label and no value says anything of a patient.
type Metrics struct {
	prometheus.Collector // of all that follow

	notes   *prometheus.CounterVec // by table and outcome
	bytes   *prometheus.CounterVec // by table
	limited *prometheus.CounterVec // by user and limit
	panics  prometheus.Counter
	batches prometheus.Histogram
}

func newMetrics() *Metrics {
	all := prometheus.NewRegistry()
	add := promauto.With(all)
	vector := func(name, help string, labels ...string) *prometheus.CounterVec {
		return add.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: name, Help: help}, labels)
	}
	m := &Metrics{
		Collector: all,
		notes:     vector("notes_total", "Notes that were asked about, by table and by what became of them.", "table", "outcome"),
		bytes:     vector("text_bytes_total", "Bytes of identified text that were answered, by table.", "table"),
		limited:   vector("limited_total", "Questions that a limit of their user refused, by user and limit.", "user", "limit"),
		panics: add.NewCounter(prometheus.CounterOpts{
			Namespace: "pgdeid", Subsystem: "sql", Name: "engine_panics_total", Help: "Batches that a fault of the program ended.",
		}),
		batches: add.NewHistogram(prometheus.HistogramOpts{
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

func (m *Metrics) add(table string, n *pgwire.Counts) {
	m.notes.WithLabelValues(table, "answered").Add(float64(n.Notes))
	m.bytes.WithLabelValues(table).Add(float64(n.Bytes))
	m.notes.WithLabelValues(table, "refused").Add(float64(n.Refused))
}
