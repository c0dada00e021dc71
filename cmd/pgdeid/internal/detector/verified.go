package detector

import (
	"context"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

// Verified reads the verified sentences from the place given by detect.inclusion and the
// verified templates from that of detect.templates.
func Verified(ctx context.Context, cfg *config.Config) (harvest.List, error) {
	read := map[string]harvest.List{config.NoInclusion: nil}
	var all harvest.List
	for _, from := range []struct {
		key, where string
		kind       harvest.Kind
	}{{"detect.inclusion", cfg.Detect.Inclusion, harvest.Sentence}, {"detect.templates", cfg.Detect.Templates, harvest.Template}} {
		if _, there := read[from.where]; !there {
			var err error
			if read[from.where], err = listAt(ctx, cfg, from.key, from.where); err != nil {
				return nil, err
			}
		}
		all = slices.AppendSeq(all, read[from.where].Of(from.kind))
	}
	return harvest.NewList(all), nil
}

// listAt reads the list at the place, vault or file, given under a key of the configuration.
func listAt(ctx context.Context, cfg *config.Config, key, where string) (harvest.List, error) {
	if where == config.InVault {
		list, _, err := admin.ReadVerified(ctx, cfg)
		if err != nil {
			return nil, &VaultError{err}
		}
		return list, nil
	}
	list, err := harvest.ReadList(where)
	return list, fault.New("read what was verified", err, "correct "+key+" in "+cfg.Path+
		": vault, none, or a file that 'pgdeid harvest export' wrote")
}

// VaultError marks an error as one of reading the vault.
type VaultError struct{ error }

func (e *VaultError) Unwrap() error { return e.error }

// withVerified returns the ensemble with the verified lists, and a digest of both that makes
// notes out of date when one of them changes.
func withVerified(ctx context.Context, cfg *config.Config, ens *ensemble.Ensemble, digest string) (*ensemble.Ensemble, string, error) {
	list, err := Verified(ctx, cfg)
	if err != nil || len(list) == 0 {
		return ens, digest, err
	}
	templates, err := list.Templates()
	if err != nil {
		return nil, "", fault.New("read what was verified", err,
			"a later version of pgdeid may have written it: run that, or say templates: none under detect")
	}
	ens = ens.WithInclusion(list.Inclusion()).WithTemplates(templates)
	return ens, verifiedDigest(digest, list), nil
}

func verifiedDigest(digest string, list harvest.List) string {
	return strings.Join([]string{digest, "verified", list.Digest()}, " ")
}

// includeFiles returns the ensemble with the sentences of one file and the templates of
// another; "": without.
func includeFiles(ens *ensemble.Ensemble, sentences, templates string) (*ensemble.Ensemble, error) {
	if sentences != "" {
		list, err := harvest.ReadList(sentences)
		if err != nil {
			return nil, command.UsageError("--inclusion: %w", err)
		}
		ens = ens.WithInclusion(list.Inclusion())
	}
	if templates == "" {
		return ens, nil
	}
	list, err := harvest.ReadList(templates)
	if err != nil {
		return nil, command.UsageError("--templates: %w", err)
	}
	set, err := list.Templates()
	if err != nil {
		return nil, command.UsageError("--templates: %s: %w", templates, err)
	}
	return ens.WithTemplates(set), nil
}
