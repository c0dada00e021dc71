package preflight

import (
	"context"
	"errors"
	"slices"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
	"github.com/pgdeid/pgdeid/sql/finding"
)

// workerFindings asks every detection worker once.
func workerFindings(ctx context.Context, version string, w *config.Workers, set *models.Set) (fs finding.List) {
	if len(w.Addresses) == 0 {
		return nil
	}
	if set.Runtime() == nil {
		return finding.List{{
			Level: finding.Warning, Subject: "detect.workers", Text: "there is nothing to do for workers: detect.models has no networks",
			Remedy: "take workers out, or say models: default",
		}}
	}
	found := detector.NewPool(version, w, set.Runtime()).Check(ctx)
	for _, address := range slices.Sorted(slices.Values(w.Addresses)) {
		fs = append(fs, workerFinding(address, found[address]))
	}
	return fs
}

// workerFinding says whether a worker works. The stream goes on without it, but for one that must not work something is to be done.
func workerFinding(address string, err error) finding.Finding {
	f := finding.Finding{Level: finding.OK, Subject: "detection worker " + address, Text: "has the same version and networks, and finds the same"}
	if err == nil {
		return f
	}
	f.Level, f.Text, f.Remedy = finding.Warning, err.Error(), "start 'pgdeid work --detect' there, and see its log; without it this machine does its share"
	if hint := fault.Hint(err); hint != "" {
		f.Remedy = hint
	}
	var other *remote.Mismatch
	if errors.As(err, &other) {
		f.Level, f.Text, f.Remedy = finding.Problem, "is refused: "+err.Error(), other.Hint()
	}
	return f
}
