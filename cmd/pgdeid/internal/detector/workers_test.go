package detector

import (
	"errors"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// Without workers, or without networks that they could run, a command does what it did.
func TestCommandsWithoutWorkers(t *testing.T) {
	t.Parallel()
	for _, addresses := range [][]string{nil, {"127.0.0.1:1"}} {
		called := errors.New("called")
		o := session.Options{Config: &config.Config{Detect: config.Detect{Workers: config.Workers{Addresses: addresses}}}, Metrics: metrics.New()}
		if err := withWorkers(t.Context(), &models.Set{}, o, func(session.Options) error { return called }); !errors.Is(err, called) {
			t.Errorf("%v: %v", addresses, err)
		}
	}
}
