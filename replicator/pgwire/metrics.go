package pgwire

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts what clients ask for. No label and no value tells anything of a patient. It is a [prometheus.Collector].
type Metrics struct {
	sessions    prometheus.Gauge
	held        prometheus.Gauge
	connections *prometheus.CounterVec // by outcome
	statements  *prometheus.CounterVec // by outcome
	cancels     *prometheus.CounterVec // by outcome
	panics      prometheus.Counter
}

// NewMetrics returns metrics that are registered nowhere yet.
func NewMetrics() *Metrics {
	m := &Metrics{
		sessions:    prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "sessions", Help: "Clients that are logged in."}),
		held:        prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "held_bytes", Help: "Memory held for all sessions: messages, parameters, inboxes."}),
		connections: vector("connections_total", "Connections, by what became of them.", "outcome"),
		statements:  vector("statements_total", "Statements, by what became of them.", "outcome"),
		cancels:     vector("cancel_requests_total", "Requests to cancel a query, by whether there was one.", "outcome"),
		panics:      prometheus.NewCounter(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "panics_total", Help: "Sessions that a fault of the program ended."}),
	}
	m.initialise()
	return m
}

// initialise gives every label its series, so that alarms on it work from the first scrape.
func (m *Metrics) initialise() {
	for _, outcome := range []string{"logged_in", "broken", "too_many", "refused", "wrong_password"} {
		m.connections.WithLabelValues(outcome)
	}
	for _, outcome := range []string{"done", "failed"} {
		m.statements.WithLabelValues(outcome)
	}
	for _, outcome := range []string{"cancelled", "none"} {
		m.cancels.WithLabelValues(outcome)
	}
}

func vector(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: name, Help: help}, labels)
}

func (m *Metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.sessions, m.held, m.connections, m.statements, m.cancels, m.panics}
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
