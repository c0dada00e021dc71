package pgwire

import "github.com/prometheus/client_golang/prometheus"

// Metrics counts what clients ask for. No label and no value tells anything of a
// patient. It is a [prometheus.Collector].
type Metrics struct {
	sessions    prometheus.Gauge
	held        prometheus.Gauge
	connections *prometheus.CounterVec // by outcome
	statements  *prometheus.CounterVec // by outcome
	notes       *prometheus.CounterVec // by table and outcome
	bytes       *prometheus.CounterVec // by table
	limited     *prometheus.CounterVec // by user and limit
	cancels     *prometheus.CounterVec // by outcome
	panics      prometheus.Counter
	batches     prometheus.Histogram
}

// NewMetrics returns metrics that are registered nowhere yet.
func NewMetrics() *Metrics {
	m := &Metrics{
		sessions:    prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "sessions", Help: "Clients that are logged in."}),
		held:        prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "held_bytes", Help: "Memory held for all sessions: messages, parameters, inboxes."}),
		connections: vector("connections_total", "Connections, by what became of them.", "outcome"),
		statements:  vector("statements_total", "Statements, by what became of them.", "outcome"),
		notes:       vector("notes_total", "Notes that were asked about, by table and by what became of them.", "table", "outcome"),
		bytes:       vector("text_bytes_total", "Bytes of identified text that were answered, by table.", "table"),
		limited:     vector("limited_total", "Questions that a limit of their user refused, by user and limit.", "user", "limit"),
		cancels:     vector("cancel_requests_total", "Requests to cancel a query, by whether there was one.", "outcome"),
		panics:      prometheus.NewCounter(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "panics_total", Help: "Sessions that a fault of the program ended."}),
		batches: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "pgdeid", Subsystem: "sql", Name: "batch_notes", Help: "Notes of one batch, which may be of several sessions.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
	}
	m.initialise()
	return m
}

// initialise gives every label but the users' its series, so that alarms on it work
// from the first scrape.
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
	for _, t := range tables() {
		m.bytes.WithLabelValues(t.name)
		for _, outcome := range []string{"answered", "refused"} {
			m.notes.WithLabelValues(t.name, outcome)
		}
	}
}

func vector(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: name, Help: help}, labels)
}

func (m *Metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.sessions, m.held, m.connections, m.statements, m.notes, m.bytes, m.limited, m.cancels, m.panics, m.batches}
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

func (m *Metrics) asked(table string, notes, bytes, failed int64) {
	if notes > 0 {
		m.notes.WithLabelValues(table, "answered").Add(float64(notes))
		m.bytes.WithLabelValues(table).Add(float64(bytes))
	}
	if failed > 0 {
		m.notes.WithLabelValues(table, "refused").Add(float64(failed))
	}
}
