package preflight

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
	"github.com/pgdeid/pgdeid/sql/finding"
)

func TestFindingsAboutWorkers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		level  finding.Level
		remedy string
	}{
		"well":        {nil, finding.OK, ""},
		"dead":        {errors.New("connection refused"), finding.Warning, "pgdeid work --detect"},
		"another":     {&remote.Mismatch{}, finding.Problem, "install the same package"},
		"no files":    {fault.New("read certificate", errors.New("absent"), "both must be PEM"), finding.Warning, "both must be PEM"},
		"wrapped too": {errors.Join(&remote.Mismatch{}), finding.Problem, "install the same package"},
	} {
		f := workerFinding("d1:9190", c.err)
		if f.Level != c.level || !strings.Contains(f.Remedy, c.remedy) || !strings.Contains(f.Subject, "d1:9190") || f.Text == "" && c.err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	set := &models.Set{}
	if fs := workerFindings(t.Context(), "dev", &config.Workers{}, set); fs != nil {
		t.Errorf("without workers: %+v", fs)
	}
	if fs := workerFindings(t.Context(), "dev", &config.Workers{Addresses: []string{"d1:9190"}}, set); len(fs) != 1 || fs[0].Level != finding.Warning {
		t.Errorf("without networks: %+v", fs)
	}
}
