package preflight

import (
	"context"
	"errors"
	"fmt"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/finding"
)

// verifiedFindings reports which verified sentences and templates are used. A vault that can't
// be read is among the findings already.
func verifiedFindings(ctx context.Context, cfg *config.Config) finding.List {
	const subject = "verified sentences"
	list, err := detector.Verified(ctx, cfg)
	var vault *detector.VaultError
	switch {
	case errors.As(err, &vault):
		return nil
	case err != nil:
		return finding.List{{Level: finding.Problem, Subject: subject, Text: err.Error(), Remedy: fault.Hint(err)}}
	}
	sentences := list.Inclusion().Len()
	return finding.List{{
		Level: finding.Note, Subject: subject,
		Text: fmt.Sprintf("%d sentences (from %s) and %d templates (from %s) of the site's own",
			sentences, cfg.Detect.Inclusion, len(list)-sentences, cfg.Detect.Templates),
	}}
}
