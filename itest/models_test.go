//go:build native

package itest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/models/modelstest"
)

// useModel writes a configuration with a model as "models verify" prints it.
func useModel(t *testing.T, r *replication, addr, folder string) {
	t.Helper()
	printed := mustRun(t, nil, "models", "verify", folder)
	lines := "detect:\n  " + strings.ReplaceAll(strings.TrimSpace(printed.stdout), "\n", "\n  ")
	file := strings.Replace(r.settingsAgain(t), "detect: {models: fast}", lines, 1)
	r.cfg = r.config(t, file+"http: "+addr+"\n"+wardTables)
}

func TestSitesOwnModelVotes(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.src, patients)
	folder := filepath.Join(r.dir, "ward-model")
	modelstest.Make(t, folder, map[string]string{"wibbleton": "PATIENT"})
	useModel(t, r, addr, folder)
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	showsMetrics(t, addr, `pgdeid_model_sentences_total{model="ward-model"} 0`, `pgdeid_model_cache_hits_total{model="ward-model"} 0`)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'spoke with wibbleton today')")
	r.caughtUp(t)
	if body := r.body(t, 1); strings.Contains(body, "wibbleton") || !strings.HasPrefix(body, "spoke with ") {
		t.Errorf("the note is %q", body)
	}
	if got := r.foundBy(t, "PATIENT"); !slices.Equal(got, []string{"ward-model"}) {
		t.Errorf("found by %v", got)
	}
	want(t, r.dst, "true", "select (config_hash <> mapping_hash)::text from deid.note_provenance, deid.progress")
	if _, body := get(t, "http://"+addr+"/metrics"); !strings.Contains(body, `pgdeid_model_sentences_total{model="ward-model"} 1`) {
		t.Errorf("no count of the model's sentences in\n%s", body)
	}
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	// Another network in its place is refused, and, once verified, is another mapping.
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	modelstest.Make(t, folder, map[string]string{"wibbleton": "CITY"})
	refused := runPgdeid(t, nil, "run", "--config", r.cfg.Path)
	if refused.code != 1 || !strings.Contains(refused.stderr, "config.json") || !strings.Contains(refused.stderr, "models verify") {
		t.Errorf("a changed model: exit status %d\n%s", refused.code, refused.stderr)
	}
	useModel(t, r, addr, folder)
	refused = runPgdeid(t, nil, "run", "--config", r.cfg.Path)
	if refused.code != 1 || !strings.Contains(refused.stderr, "it changed since the replica was written") {
		t.Errorf("another model: exit status %d\n%s", refused.code, refused.stderr)
	}
}
