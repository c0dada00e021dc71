package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
	"github.com/pgdeid/pgdeid/replicator/metrics"
)

const alerts = "../../replicator/metrics/alerts"

// exported returns the names of what "pgdeid run" and "pgdeid work" expose, those that have no series yet too.
func exported() []string {
	m := metrics.New((&models.Set{}).Collector(), remote.NewPool(remote.Options{}).Metrics())
	return append(describe(m.Collector()), describe(remote.NewServer(remote.Hello{}, nil, 0, nil).Metrics())...)
}

// fqName is how a description says its metric's name; it has no method for that.
var fqName = regexp.MustCompile(`fqName: "([^"]+)"`)

func describe(c prometheus.Collector) []string {
	descs := make(chan *prometheus.Desc, 1000)
	c.Describe(descs)
	close(descs)
	var names []string
	for d := range descs {
		names = append(names, fqName.FindStringSubmatch(d.String())[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(alerts, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rule is an alert of rules.yaml.
type rule struct {
	Alert, Expr string
	Labels      map[string]string
	Annotations map[string]string
}

func readRules(t *testing.T) []rule {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []rule
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "rules.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	var rules []rule
	for _, g := range file.Groups {
		rules = append(rules, g.Rules...)
	}
	if len(rules) < 10 {
		t.Fatalf("%d rules", len(rules))
	}
	return rules
}

// panel is a panel of dashboard.json.
type panel struct {
	ID      int
	Type    string
	Title   string
	GridPos struct{ X, Y, W, H int }
	Options struct{ ColorMode string }
	Targets []struct {
		RefID, Expr, LegendFormat string
		Instant                   bool
	}
	FieldConfig struct {
		Defaults struct{ Thresholds *struct{} }
	}
}

func readDashboard(t *testing.T) []panel {
	t.Helper()
	var board struct {
		SchemaVersion int
		Panels        []panel
	}
	if err := json.Unmarshal([]byte(read(t, "dashboard.json")), &board); err != nil {
		t.Fatal(err)
	}
	if board.SchemaVersion < 37 || len(board.Panels) < 10 {
		t.Fatalf("schema %d, %d panels", board.SchemaVersion, len(board.Panels))
	}
	return board.Panels
}

// expressions returns what dashboard and rules ask Prometheus.
func expressions(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, r := range readRules(t) {
		all = append(all, r.Expr)
	}
	for _, p := range readDashboard(t) {
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	return all
}

var metricName = regexp.MustCompile(`\b(pgdeid|process|go)_[a-z0-9_]+`)

// An alert on a metric that is not there never rings.
func TestAlertsAndDashboardNameMetricsThatExist(t *testing.T) {
	t.Parallel()
	have := exported()
	for _, expr := range expressions(t) {
		for _, name := range metricName.FindAllString(expr, -1) {
			base := strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum")
			if !slices.Contains(have, name) && !slices.Contains(have, base) {
				t.Errorf("%s is asked for and not exposed: %s", name, expr)
			}
		}
	}
}

// What is exposed is shown, rings, or is explained: a counter that nobody knows of helps nobody.
func TestEveryMetricIsShownOrExplained(t *testing.T) {
	t.Parallel()
	known := strings.Join(expressions(t), "\n")
	readme, err := os.ReadFile("../../replicator/README.md")
	if err != nil {
		t.Fatal(err)
	}
	known += string(readme)
	for _, name := range exported() {
		if strings.HasPrefix(name, "pgdeid_") && !regexp.MustCompile(`\b`+name+`(_bucket|_sum)?\b`).MatchString(known) {
			t.Errorf("%s is in no panel, no alert and no table of replicator/README.md", name)
		}
	}
}

// Names and units as Prometheus has them: base units, and _total for what only grows.
func TestNamesOfMetrics(t *testing.T) {
	t.Parallel()
	for _, name := range exported() {
		for _, unit := range []string{"_ms", "_milliseconds", "_minutes", "_hours", "_kb", "_mb", "_percent", "_count"} {
			if strings.HasPrefix(name, "pgdeid_") && strings.Contains(name+"_", unit+"_") {
				t.Errorf("%s is not in a base unit", name)
			}
		}
	}
}

func TestEveryAlertHasATestAndASectionOfTheRunbook(t *testing.T) {
	t.Parallel()
	runbook, tests := read(t, "RUNBOOK.md"), read(t, "rules-test.yaml")
	sections := regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(runbook, -1)
	var named []string
	for _, r := range readRules(t) {
		named = append(named, r.Alert)
		_, section, ok := strings.Cut(runbook, "\n## "+r.Alert+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if !ok || !strings.Contains(section, "**Means.**") || !strings.Contains(section, "**Do.**") && !strings.Contains(section, "**See and do.**") ||
			!strings.Contains(section, "\n    ") {
			t.Errorf("the runbook does not say what to do about %s", r.Alert)
		}
		if strings.Count(tests, "alertname: "+r.Alert+"\n") < 2 {
			t.Errorf("no test where %s rings, and where it must not", r.Alert)
		}
		if !slices.Contains([]string{"page", "ticket", "note"}, r.Labels["severity"]) || r.Annotations["summary"] == "" {
			t.Errorf("%s: severity %q, summary %q", r.Alert, r.Labels["severity"], r.Annotations["summary"])
		}
	}
	for _, s := range sections {
		if !slices.Contains(named, s[1]) {
			t.Errorf("the runbook has a section for %s, which never rings", s[1])
		}
	}
}

// Grafana draws panels that overlap one over the other, and takes one of two with a number.
func TestPanelsHaveAPlaceOfTheirOwn(t *testing.T) {
	t.Parallel()
	taken := map[[2]int]string{}
	ids := map[int]string{}
	for _, p := range readDashboard(t) {
		if other, ok := ids[p.ID]; ok || p.Title == "" || len(p.Targets) == 0 || p.GridPos.W == 0 {
			t.Errorf("panel %d %q: also %q, %d targets", p.ID, p.Title, other, len(p.Targets))
		}
		ids[p.ID] = p.Title
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%q lies over %q or beyond the edge", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
}

// Grafana names a series without a legend by all its labels. A stat that asks for a range shows what was as what is: every state
// that the process ever was in. Without thresholds of its own it is red from 80 on.
func TestPanelsSayWhatTheyShow(t *testing.T) {
	t.Parallel()
	for _, p := range readDashboard(t) {
		for _, target := range p.Targets {
			if target.LegendFormat == "" || target.Instant != (p.Type == "stat") {
				t.Errorf("%q, query %s: legend %q, instant %v", p.Title, target.RefID, target.LegendFormat, target.Instant)
			}
		}
		if p.Type == "stat" && p.Options.ColorMode != "none" && p.FieldConfig.Defaults.Thresholds == nil {
			t.Errorf("%q colours its value and has no thresholds", p.Title)
		}
	}
}
