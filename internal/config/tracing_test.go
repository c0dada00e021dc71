package config

import (
	"strings"
	"testing"
)

func TestTracing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lines string
		want        Tracing
		problem     string
	}{
		{"none", "", Tracing{}, ""},
		{"a collector on this machine", "tracing: {endpoint: \"http://127.0.0.1:4318\"}\n", Tracing{"http://127.0.0.1:4318", defaultSample}, ""},
		{"another one", "tracing: {endpoint: \"https://otel.example.org/v1/traces\", sample: 0.5}\n", Tracing{"https://otel.example.org/v1/traces", .5}, ""},
		{"all notes", "tracing: {endpoint: \"http://localhost:4318\", sample: 1}\n", Tracing{"http://localhost:4318", 1}, ""},
		{"in the clear over the network", "tracing: {endpoint: \"http://otel.example.org\"}\n", Tracing{}, "https"},
		{"a password", "tracing: {endpoint: \"https://me:secret@otel.example.org\"}\n", Tracing{}, "OTEL_EXPORTER_OTLP_HEADERS"},
		{"no address", "tracing: {sample: 0.5}\n", Tracing{}, "collector"},
		{"another protocol", "tracing: {endpoint: \"grpc://127.0.0.1:4317\"}\n", Tracing{}, "collector"},
		{"more than all", "tracing: {endpoint: \"http://localhost:4318\", sample: 2}\n", Tracing{}, "from 0 to 1"},
	} {
		cfg, err := Parse([]byte(minimal+c.lines), nil)
		switch {
		case c.problem == "" && (err != nil || cfg.Tracing != c.want):
			t.Errorf("%s: %+v, %v", c.name, cfg, err)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %v", c.name, err)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
