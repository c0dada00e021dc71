package run

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// A worker that could do nothing for others says so and ends.
func TestDetectionWorkerRefusals(t *testing.T) {
	t.Parallel()
	whole := certificatetest.New(t, t.TempDir()).Issue(t, "worker")
	missing := whole
	missing.AuthorityFile = "absent"
	for name, c := range map[string]struct {
		files certificate.Mutual
		why   string
	}{
		"no certificate": {certificate.Mutual{}, "there is no certificate"},
		"no authority":   {missing, "absent"},
		"no networks":    {whole, "has no networks"},
	} {
		cfg := &config.Config{Detect: config.Detect{Models: []config.Model{{Default: true, Fast: true}}, Workers: config.Workers{Certificate: c.files}}}
		d := &detectionWorker{listen: "127.0.0.1:0"}
		if err := d.run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), c.why) || fault.Hint(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
