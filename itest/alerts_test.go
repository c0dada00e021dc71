//go:build alerts

package itest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
)

const alerts = "../replicator/metrics/alerts"

// prometheus is a server that scrapes a pgdeid every second.
type prometheus struct{ url string }

// startPrometheus needs Debian's package prometheus, or another on the PATH.
func startPrometheus(t *testing.T, target string) prometheus {
	t.Helper()
	dir := t.TempDir()
	rules := filepath.Join(dir, "rules.yaml")
	// That an alert waits for its time is tested by rules-test.yaml.
	soon := regexp.MustCompile(`(?m)^( +for:) \S+$`).ReplaceAllString(fileText(t, alerts+"/rules.yaml"), "$1 2s")
	if err := os.WriteFile(rules, []byte(soon), 0o600); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%s]\n"+
		"scrape_configs:\n  - job_name: pgdeid\n    static_configs: [{targets: ['%s']}]\n", rules, target)
	path := filepath.Join(dir, "prometheus.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := ownAddress(t)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("prometheus", "--config.file="+path, "--storage.tsdb.path="+dir, "--web.listen-address="+addr)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: install prometheus", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("log of Prometheus:\n%s", tail(string(text), 20))
		}
	})
	p := prometheus{"http://" + addr}
	eventually(t, "Prometheus", func() bool { code, _ := get(t, p.url+"/-/ready"); return code == http.StatusOK })
	return p
}

// ask returns the series that an expression has now.
func (p prometheus) ask(t *testing.T, expr string) []json.RawMessage {
	t.Helper()
	_, body := get(t, p.url+"/api/v1/query?query="+url.QueryEscape(expr))
	var answer struct {
		Status, Error string
		Data          struct{ Result []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Status != "success" {
		t.Errorf("%s: %s %v", expr, answer.Error, err)
	}
	return answer.Data.Result
}

// rings reports whether an alert is firing.
func (p prometheus) rings(t *testing.T, alert string) bool {
	t.Helper()
	return len(p.ask(t, `ALERTS{alertstate="firing",alertname="`+alert+`"}`)) > 0
}

// dashboardExpressions returns what the panels ask, by title, with Grafana's variables filled in.
func dashboardExpressions(t *testing.T) map[string][]string {
	t.Helper()
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(alerts + "/dashboard.json")
	if err == nil {
		err = json.Unmarshal(text, &board)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			expr := strings.NewReplacer("$instance", ".*", "$__rate_interval", "1m").Replace(target.Expr)
			all[p.Title] = append(all[p.Title], expr)
		}
	}
	return all
}

func ruleExpressions(t *testing.T) map[string]string {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	text, err := os.ReadFile(alerts + "/rules.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, r := range file.Groups[0].Rules {
		all[r.Alert] = r.Expr
	}
	return all
}

// alertSettings are those of a site with all models, whose networks a detection worker at the address runs as well.
func alertSettings(t *testing.T, r *replication) (settings, worker string) {
	t.Helper()
	files := certificatetest.New(t, r.dir).Issue(t, "here")
	worker = ownAddress(t)
	return strings.Replace(r.settingsAgain(t), "detect: {models: fast}", fmt.Sprintf(
		"detect: {models: default, workers: {addresses: [%q], certificate_file: %s, private_key_file: %s, authority_file: %s}}",
		worker, files.CertFile, files.KeyFile, files.AuthorityFile), 1), worker
}

// detecting starts the detection worker of a configuration.
func (r *replication) detecting(t *testing.T, worker string) *daemon {
	t.Helper()
	return startPgdeid(t, nil, "work", "--detect", worker, "--http", "", "--config", r.cfg.Path)
}

// Every panel has data, and no expression of dashboard and rules is an error, with a pgdeid that works.
func TestPanelsAndRulesAtAPrometheus(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newOwnPair(t))
	addr := ownAddress(t)
	settings, worker := alertSettings(t, r)
	r.cfg = r.config(t, settings+"http: "+addr+"\n"+wardTables)
	do(t, r.src, patients)
	p := startPrometheus(t, addr)
	startPgdeid(t, nil, "run", "--stay", "--config", r.cfg.Path)
	detecting := r.detecting(t, worker)
	r.streaming(t)
	showsMetrics(t, addr, `pgdeid_detect_worker_state{state="up",worker="`+worker+`"} 1`)
	for n := range 5 { // rates need values that change from scrape to scrape
		do(t, r.src, fmt.Sprintf("insert into ehr.note select n, 1, null, 'new', 'Quarkstein was seen by Dr. Vance on 3/5/2021' from generate_series(%d, %d) n",
			1000*n+1, 1000*n+40))
		r.caughtUp(t)
		time.Sleep(2 * time.Second)
	}
	for alert, expr := range ruleExpressions(t) {
		p.ask(t, expr)
		if p.rings(t, alert) {
			t.Errorf("%s rings, and nothing is wrong", alert)
		}
	}
	for title, exprs := range dashboardExpressions(t) {
		for _, expr := range exprs {
			eventually(t, "data for "+title+": "+expr, func() bool { return len(p.ask(t, expr)) > 0 })
		}
	}
	detecting.kill()
	eventually(t, "the death of the detection worker rings", func() bool { return p.rings(t, "PgdeidDetectionWorkerDown") })
	r.detecting(t, worker)
	eventually(t, "quiet again", func() bool { return !p.rings(t, "PgdeidDetectionWorkerDown") })
}
