package main

import (
	"log/slog"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/surrogate"
)

// load reads the configuration file that --config names.
func (g *globals) load() (*config.Config, error) {
	cfg, err := config.Load(g.config)
	if err != nil {
		return nil, err
	}
	for _, w := range cfg.Warnings() {
		slog.Warn(w)
	}
	return cfg, nil
}

// readOldKey reads the key file of the epoch before, if one is named.
func readOldKey(cfg *config.Config) (*surrogate.Key, error) {
	if cfg.OldKeyFile == "" {
		return nil, nil //nolint:nilnil // the key is not being changed
	}
	return surrogate.ReadKey(cfg.OldKeyFile)
}

// loadWithKey reads the configuration and the key file that it names.
func (g *globals) loadWithKey() (*config.Config, *surrogate.Key, error) {
	cfg, err := g.load()
	if err != nil {
		return nil, nil, err
	}
	key, err := surrogate.ReadKey(cfg.KeyFile)
	return cfg, key, err
}
