package detector

import (
	"context"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/site"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/surrogate"
)

// siteList reads the site's phrases from the vault; nil where there are none, or none count.
func siteList(ctx context.Context, cfg *config.Config, key *surrogate.Key) (*site.List, error) {
	if cfg.Detect.Site == config.NoInclusion {
		return nil, nil //nolint:nilnil // no phrases are no error
	}
	phrases, _, err := admin.ReadPhrases(ctx, cfg, key)
	if err != nil {
		return nil, err
	}
	list, err := review.SiteList(phrases)
	return list, fault.New("read the phrases of the site", err,
		"a later version of pgdeid may have written them: run that, or say site: none under detect")
}

// withLists returns the ensemble with what people verified and with the site's phrases, and a digest of all that makes
// notes out of date when something of it changes.
func withLists(
	ctx context.Context, cfg *config.Config, key *surrogate.Key, ens *ensemble.Ensemble, digest string,
) (*ensemble.Ensemble, string, error) {
	ens, digest, err := withVerified(ctx, cfg, ens, digest)
	if err != nil {
		return nil, "", err
	}
	list, err := siteList(ctx, cfg, key)
	if err != nil {
		return nil, "", err
	}
	ens, err = ens.WithSite(list)
	return ens, siteDigest(digest, list), fault.New("add the site's phrases to the ensemble", err, "correct detect.detectors in "+cfg.Path)
}

// listsDigest returns the digest of [withLists] without an ensemble.
func listsDigest(ctx context.Context, cfg *config.Config, key *surrogate.Key, digest string) (string, error) {
	verified, err := Verified(ctx, cfg)
	if err != nil {
		return "", err
	}
	if len(verified) > 0 {
		digest = verifiedDigest(digest, verified)
	}
	list, err := siteList(ctx, cfg, key)
	return siteDigest(digest, list), err
}

func siteDigest(digest string, list *site.List) string {
	if list.Len() == 0 {
		return digest
	}
	return strings.Join([]string{digest, "site", list.Digest()}, " ")
}
