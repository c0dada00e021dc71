package config

import "net/url"

// Tracing says where traces of single notes on their way go. The zero value is nowhere.
type Tracing struct {
	Endpoint string  // of a collector that takes OTLP by HTTP: http://127.0.0.1:4318
	Sample   float64 // the share of notes that are traced, default 0.001
}

// defaultSample is a note in a thousand.
const defaultSample = 0.001

func (c *Config) readTracing(n node) {
	t := &c.Tracing
	t.Sample = defaultSample
	n.setters(map[string]func(node){
		"endpoint": text(&t.Endpoint),
		"sample":   decimal(&t.Sample, 0, 1),
	})
	u, err := url.Parse(t.Endpoint)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		n.fail("endpoint: want the address of a collector that takes OTLP by HTTP, such as http://127.0.0.1:4318")
	case u.User != nil:
		n.fail("endpoint: passwords go into the environment: OTEL_EXPORTER_OTLP_HEADERS")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		n.fail("endpoint: want https, unless the collector is on this machine")
	}
}
