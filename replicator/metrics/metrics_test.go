package metrics

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/vault"
)

// scrape returns what a fresh process exposes.
func scrape(t *testing.T) string {
	t.Helper()
	w := httptest.NewRecorder()
	New().Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

var documented = regexp.MustCompile("`(pgdeid_[a-z_]+)(?:\\{([a-z_]+)=\"([a-z_]+)\"\\})?")

// An alarm on a series that is not there never rings.
func TestDocumentedMetricsAreThereFromTheFirstScrape(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(readme), "| what | where | alarm |")
	table, _, _ = strings.Cut(table, "\n\n")
	found := documented.FindAllStringSubmatch(table, -1)
	if !ok || len(found) < 8 {
		t.Fatalf("the table of alarms names %d metrics", len(found))
	}
	exposed := scrape(t)
	for _, m := range found {
		series := "\n" + m[1]
		if m[2] != "" {
			series += "{" + m[2] + "=\"" + m[3] + "\"}"
		}
		if !strings.HasPrefix(m[1], "pgdeid_model_") && !strings.Contains(exposed, series) {
			t.Errorf("%s is documented and not exposed", strings.TrimSpace(series))
		}
	}
	for _, r := range vault.Reasons {
		for _, series := range []string{"pgdeid_quarantine_total", "pgdeid_quarantine_rows"} {
			if !strings.Contains(exposed, "\n"+series+"{reason=\""+string(r)+"\"}") {
				t.Errorf("no %s for %s", series, r)
			}
		}
		if !strings.Contains(string(readme), "`"+string(r)+"`") {
			t.Errorf("the README does not say what to do about %s", r)
		}
	}
	for _, op := range operations {
		if !strings.Contains(exposed, "\npgdeid_rows_total{op=\""+op+"\"} 0") {
			t.Errorf("no pgdeid_rows_total for %s", op)
		}
	}
}
