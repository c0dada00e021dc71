package pgwire

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Metrics counts what clients ask for. No label and no value says anything of a patient.
type Metrics struct {
	prometheus.Collector // of all that follow

	sessions    prometheus.Gauge
	held        prometheus.Gauge
	connections *prometheus.CounterVec // by outcome
	statements  *prometheus.CounterVec // by outcome
	cancels     *prometheus.CounterVec // by outcome
	panics      prometheus.Counter
}

// NewMetrics returns metrics that are registered nowhere yet. Every label has its series, so that alarms on it work from the
// first scrape.
func NewMetrics() *Metrics {
	all := prometheus.NewRegistry()
	add := promauto.With(all)
	byOutcome := func(name, help string, outcomes ...string) *prometheus.CounterVec {
		v := add.NewCounterVec(prometheus.CounterOpts{Namespace: "pgdeid", Subsystem: "sql", Name: name, Help: help}, []string{"outcome"})
		for _, outcome := range outcomes {
			v.WithLabelValues(outcome)
		}
		return v
	}
	return &Metrics{
		Collector: all,
		sessions:  add.NewGauge(prometheus.GaugeOpts{Namespace: "pgdeid", Subsystem: "sql", Name: "sessions", Help: "Clients that are logged in."}),
		held: add.NewGauge(prometheus.GaugeOpts{
			Namespace: "pgdeid", Subsystem: "sql", Name: "held_bytes", Help: "Memory held for all sessions: messages, parameters, inboxes.",
		}),
		connections: byOutcome("connections_total", "Connections, by what became of them.",
			"logged_in", "broken", "too_many", "refused", "wrong_password"),
		statements: byOutcome("statements_total", "Statements, by what became of them.", "done", "failed"),
		cancels:    byOutcome("cancel_requests_total", "Requests to cancel a query, by whether there was one.", "cancelled", "none"),
		panics: add.NewCounter(prometheus.CounterOpts{
			Namespace: "pgdeid", Subsystem: "sql", Name: "panics_total", Help: "Sessions that a fault of the program ended.",
		}),
	}
}
