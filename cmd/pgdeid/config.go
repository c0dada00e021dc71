package main

import (
	"log/slog"

	"github.com/pgdeid/pgdeid/replicator/mapping"
)

// load reads the configuration file that --config names.
func (g *globals) load() (*mapping.Config, error) {
	cfg, err := mapping.Load(g.config)
	if err != nil {
		return nil, err
	}
	for _, w := range cfg.Warnings() {
		slog.Warn(w)
	}
	return cfg, nil
}
