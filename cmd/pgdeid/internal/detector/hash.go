package detector

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/surrogate"
)

// MadeHash returns the hash of everything but the text and its patient that decides what is published: the
// one that the vault has of texts that are made now.
func MadeHash(ctx context.Context, cfg *config.Config, key *surrogate.Key) (string, error) {
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return "", fault.New("choose detectors", err, "correct detect.detectors and detect.models in "+cfg.Path)
	}
	digest, err := listsDigest(ctx, cfg, key, plan.Digest())
	return deid.ConfigHash(cfg.Hash(), digest), err
}
