package command

import (
	"errors"
	"log/slog"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Load reads the configuration file that --config names.
func (g *Globals) Load() (*config.Config, error) {
	cfg, err := config.Load(g.Config)
	if err != nil {
		return nil, err
	}
	for _, w := range cfg.Warnings() {
		slog.Warn(w)
	}
	return cfg, nil
}

// ReadOldKey reads the key file of the epoch before, if one is named.
func ReadOldKey(cfg *config.Config) (*surrogate.Key, error) {
	if cfg.OldKeyFile == "" {
		return nil, nil //nolint:nilnil // the key is not being changed
	}
	return surrogate.ReadKey(cfg.OldKeyFile)
}

// LoadWithKey reads the configuration and the key file that it names.
func (g *Globals) LoadWithKey() (*config.Config, *surrogate.Key, error) {
	cfg, err := g.Load()
	if err != nil {
		return nil, nil, err
	}
	key, err := surrogate.ReadKey(cfg.KeyFile)
	return cfg, key, err
}

// KeyFileEnv is the environment variable with the key file, used without a flag.
const KeyFileEnv = "PGDEID_KEY_FILE"

// ReadKey reads the key file that a flag or the environment names.
func ReadKey(path string) (*surrogate.Key, error) {
	if path == "" {
		return nil, fault.New("read the key", errors.New("no key file is named"),
			"make one with 'pgdeid key new FILE' and name it with --key-file or "+KeyFileEnv)
	}
	return surrogate.ReadKey(path)
}
