package models

import (
	"errors"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
)

// Fast opens the ensemble of the built-in members and of the built-in models that need no native
// code. The caller must close the set.
func Fast() (*ensemble.Ensemble, *Set, error) {
	plan, err := NewPlan([]config.Model{{Default: true, Fast: true}}, nil)
	if err != nil {
		return nil, nil, err
	}
	set, err := plan.Open()
	if err != nil {
		return nil, nil, err
	}
	ens, err := set.Ensemble(0)
	if err != nil {
		return nil, nil, errors.Join(err, set.Close())
	}
	return ens, set, nil
}
