package remote

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// State is what a worker does.
type State string

// The states of a worker.
const (
	Up      State = "up"
	Down    State = "down"    // it does not answer, or answers nonsense
	Refused State = "refused" // it has other networks or another version
)

// poolMetrics count what workers do. They are by address, and of a window they know that there was one.
type poolMetrics struct {
	state    *prometheus.GaugeVec   // by worker and state
	windows  *prometheus.CounterVec // by worker
	failures *prometheus.CounterVec // by worker
	seconds  *prometheus.HistogramVec
	waiting  prometheus.GaugeFunc
}

func newPoolMetrics(addresses []string, sender Sender) *poolMetrics {
	name := func(name, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "pgdeid", Name: name, Help: help}
	}
	m := &poolMetrics{
		state: prometheus.NewGaugeVec(prometheus.GaugeOpts(
			name("detect_worker_state", "1 for what a detection worker does, 0 for the others.")), []string{"worker", "state"}),
		windows: prometheus.NewCounterVec(prometheus.CounterOpts(
			name("detect_worker_windows_total", "Windows of words that a detection worker's networks ran over.")), []string{"worker"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts(
			name("detect_worker_failures_total", "Times that a detection worker failed or was refused.")), []string{"worker"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "pgdeid", Name: "detect_worker_seconds", Help: "Time of a request to a detection worker.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 7),
		}, []string{"worker"}),
		waiting: prometheus.NewGaugeFunc(prometheus.GaugeOpts(
			name("detect_waiting_windows", "Windows of words that wait for a core, here or on a detection worker.")),
			func() float64 { return float64(sender.Waiting()) }),
	}
	for _, a := range addresses {
		m.set(a, Down)
		m.windows.WithLabelValues(a)
		m.failures.WithLabelValues(a)
		m.seconds.WithLabelValues(a)
	}
	return m
}

func (m *poolMetrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.state, m.windows, m.failures, m.seconds, m.waiting}
}

// Describe implements [prometheus.Collector].
func (m *poolMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, c := range m.all() {
		c.Describe(out)
	}
}

// Collect implements [prometheus.Collector].
func (m *poolMetrics) Collect(out chan<- prometheus.Metric) {
	for _, c := range m.all() {
		c.Collect(out)
	}
}

// set says what a worker does.
func (m *poolMetrics) set(address string, now State) {
	for _, s := range []State{Up, Down, Refused} {
		value := 0.
		if s == now {
			value = 1
		}
		m.state.WithLabelValues(address, string(s)).Set(value)
	}
}

func (m *poolMetrics) failed(address string, err error) {
	m.failures.WithLabelValues(address).Inc()
	now := Down
	if errors.As(err, new(*Mismatch)) {
		now = Refused
	}
	m.set(address, now)
}

func (m *poolMetrics) answered(address string, windows int, in time.Duration) {
	m.windows.WithLabelValues(address).Add(float64(windows))
	m.seconds.WithLabelValues(address).Observe(in.Seconds())
}
