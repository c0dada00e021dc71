package bench

import (
	"errors"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator/bench"
)

// openNetworks opens the default ensemble, with nothing in its caches.
func openNetworks() (*bench.Networks, error) {
	detector, set, _, err := openShipped()
	if err != nil {
		return nil, err
	}
	ran := func() (networks int, windows uint64, in time.Duration) {
		for _, s := range set.Stats() {
			if s.Windows > 0 {
				networks++
			}
			windows += s.Windows
			in += s.Running
		}
		return networks, windows, in
	}
	return &bench.Networks{Detector: detector, Ran: ran, Close: set.Close}, nil
}

// openShipped opens the ensemble of a configuration that says nothing of models.
func openShipped() (*ensemble.Ensemble, *models.Set, *models.Plan, error) {
	plan, err := models.NewPlan([]config.Model{{Default: true}}, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	set, err := plan.Open()
	if err != nil {
		return nil, nil, nil, err
	}
	detector, err := set.Ensemble(0)
	if err != nil {
		return nil, nil, nil, errors.Join(err, set.Close())
	}
	return detector, set, plan, nil
}
