package dossier

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/risk"
	"github.com/pgdeid/pgdeid/internal/signature"
)

const mapping = `version: 1
source: {dsn: "host=127.0.0.1 dbname=ehr"}
replica: {dsn: "host=127.0.0.1 dbname=research"}
key_file: key
actions: {PROFESSION: surrogate, HOSPITAL: tag}
dates: {whole_weeks: true, max_days: 700}
release: {mode: batches, every: 168h}
exclude: {table: ehr.consent, patient: patient_id, when: "status = 'refused'"}
tables:
  ehr.patient:
    patient: patient_id
    columns: {patient_id: pseudonym, ssn: {tells: ssn}, answers: {paths: {$.smoker: keep}}}
  ehr.visit:
    patient: patient_id
    columns: {visit_id: pseudonym, patient_id: pseudonym}
  ehr.note:
    patient: {column: visit_id, table: ehr.visit}
    columns: {note_id: pseudonym, visit_id: pseudonym, body: text}
  ehr.staff:
    patient: none
    columns: {name: {tells: provider.name}}
`

func parsed(t *testing.T) *config.Config {
	t.Helper()
	cfg, err := config.Parse([]byte(mapping), nil)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func accepted() *report.Report {
	return &report.Report{
		Format: 1, By: "A. Reviewer", Version: "1.0", Config: "cfg",
		Round: report.Round{Name: "spring", DrawnBy: "A. Steward", Items: 40, Read: 40, Readers: 2},
		Verdicts: []report.Verdict{
			{Types: "NAME", Verdict: acceptance.Verdict{Claim: acceptance.Claim{Recall: .99, Confidence: .95}, Low: .9923, Proven: true}},
			{Types: "ID", Verdict: acceptance.Verdict{Claim: acceptance.Claim{Recall: .98, Confidence: .95}, Low: .97}},
		},
		Estimate: acceptance.Estimate{Confidence: .95, Groups: []acceptance.Row{{Name: "A", Recall: acceptance.Share{Items: 500, Bad: 1, Point: .998}}}},
		Remarks:  []string{"a remark <of> the report"},
	}
}

// full has every part.
func full(t *testing.T) *Dossier {
	t.Helper()
	cfg := parsed(t)
	sizes := risk.NewSizes(risk.Size{Members: 1, Classes: 3}, risk.Size{Members: 20, Classes: 2})
	return &Dossier{
		Title: "Dossier of <research>", Made: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		Versions:      []Line{{"pgdeid", "1.0"}},
		Configuration: Configuration{File: "f11e", Mapping: cfg.Hash(), Schema: cfg.SchemaHash(), Made: "cfg", Lines: SettingsOf(cfg)},
		Tables:        TablesOf(cfg),
		Models: []Model{
			{
				Name: "names-lstm v3", Kind: "lstm", Created: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Data: "made-up notes", SHA256: "abcdef0123456789abcdef",
				Figures: []Figure{{"heldout", "NAME", .991, [2]float64{.98, .995}, .97, 1234}},
			},
			{Name: "own", SHA256: "12", HasNoCard: true},
		},
		Texts:      []Texts{{"1.0", "cfg", 90, true}, {"0.9", "old", 7, false}},
		Acceptance: &Acceptance{Report: accepted(), SHA256: "5ha", Signer: "f1n6er"},
		Risk:       &risk.Report{Patients: 43, Smallest: 11, Together: sizes.Anonymity(11), Bins: sizes.Bins(11), Mapping: cfg.Hash()},
		Leaks:      &LeakScan{Patients: 43, Tables: 2, Columns: 5, Rows: 99, Values: 300, Bytes: 5e6, Leaks: 1, Found: []Leak{{"ehr.note.body", 1, 2, 3}}},
		Findings:   []Finding{{"warning", "source", "something <odd>", "do this"}},
		Aside:      []Aside{{"ehr.note", "bad_format", 4}}, Withheld: []Withheld{{"ehr.patient.born", 6}}, Open: []string{"no process streams"},
	}
}

func pageOf(t *testing.T, d *Dossier) string {
	t.Helper()
	var b strings.Builder
	if err := d.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageHasEverything(t *testing.T) {
	t.Parallel()
	html := pageOf(t, full(t))
	for _, want := range []string{
		"Dossier of &lt;research&gt;", "2026-02-03 04:05 UTC", "f11e", "ehr.patient.answers.smoker", "through visit_id to visit_id of ehr.visit",
		"rows belong to no patient", "PROFESSION: surrogate", "in whole weeks", "batches, every 168h0m0s", "by rows of ehr.consent", "names-lstm v3",
		"0.991", "It has no card", "not as now", "1 of 2 claims proven", "f1n6er", "99.2%", "not proven", "a remark &lt;of&gt; the report", "1 values show one",
		"unique patients", "something &lt;odd&gt;", "bad_format", "ehr.patient.born", "no process streams", "7 texts were made by another", "Privacy officer",
	} {
		if !strings.Contains(html, want) && !(want == "ehr.patient.answers.smoker" && strings.Contains(html, "answers.smoker")) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"http://", "https://", "<script", "refused", "host=127", "NaN", "ZgotmplZ"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestPageDiffersByTimeAlone(t *testing.T) {
	t.Parallel()
	a, b := full(t), full(t)
	b.Made = b.Made.Add(time.Hour)
	later := strings.Replace(pageOf(t, b), "2026-02-03 05:05 UTC", "2026-02-03 04:05 UTC", 1)
	if pageOf(t, a) != later {
		t.Error("two dossiers of the same state differ")
	}
}

func TestPageSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	html := pageOf(t, &Dossier{Title: "empty"})
	for _, want := range []string{"No acceptance report was given", "Not measured.", "Not made.", "None: detection is by rules", "not made", "no report"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	unsigned := full(t)
	unsigned.Acceptance.Signer, unsigned.Acceptance.Report.Config = "", "other"
	if html := pageOf(t, unsigned); !strings.Contains(html, "its signature was not checked") || !strings.Contains(html, "not that of now") {
		t.Error("an unsigned report of another configuration looks like any other")
	}
}

func TestNeedsPerson(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		d    Dossier
		want bool
	}{
		"in order":          {Dossier{Findings: []Finding{{Level: "note"}}, Leaks: &LeakScan{}, Texts: []Texts{{Now: true, Texts: 5}}}, false},
		"warning":           {Dossier{Findings: []Finding{{Level: "warning"}}}, true},
		"problem":           {Dossier{Findings: []Finding{{Level: "problem"}}}, true},
		"leak":              {Dossier{Leaks: &LeakScan{Leaks: 1}}, true},
		"set aside":         {Dossier{Aside: []Aside{{Rows: 1}}}, true},
		"of another making": {Dossier{Texts: []Texts{{Texts: 1}}}, true},
		"status":            {Dossier{Open: []string{"x"}}, true},
	} {
		if got := tt.d.NeedsPerson(); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestJSONGoesThere(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := full(t).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Dossier
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if pageOf(t, &back) != pageOf(t, full(t)) {
		t.Error("a dossier that was read says something else")
	}
}

func write(t *testing.T, name string, v any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadAcceptance(t *testing.T) {
	t.Parallel()
	path := write(t, "spring.json", accepted())
	keyFile := filepath.Join(t.TempDir(), "board.key")
	if err := signature.NewKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	key, err := signature.ReadKey(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	public := keyFile + ".pub"
	if _, err := ReadAcceptance(path, public); err == nil {
		t.Error("a report without a signature passes the check")
	}
	if err := key.SignFile(path); err != nil {
		t.Fatal(err)
	}
	a, err := ReadAcceptance(path, public)
	if err != nil || a.Signer != key.Public().Fingerprint() || a.Report.Round.Name != "spring" || len(a.SHA256) != 64 {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := ReadAcceptance(path, ""); err != nil || a.Signer != "" {
		t.Errorf("%+v, %v", a, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("0.97"), []byte("0.99"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAcceptance(path, public); err == nil {
		t.Error("a report that was changed passes the check")
	}
}

func TestReadsOnlyReports(t *testing.T) {
	t.Parallel()
	good := full(t).Risk
	if _, err := ReadRisk(write(t, "risk.json", good), good.Mapping); err != nil {
		t.Error(err)
	}
	if _, err := ReadRisk(write(t, "risk.json", good), "another"); err == nil || !strings.Contains(err.Error(), "another mapping") {
		t.Errorf("of another mapping: %v", err)
	}
	other := write(t, "other.json", map[string]string{"secretive": "value"})
	for name, err := range map[string]error{
		"no risk report":       second(ReadRisk(other, "x")),
		"no acceptance report": second(ReadAcceptance(other, "")),
		"risk for acceptance":  second(ReadAcceptance(write(t, "risk.json", good), "")),
		"no file":              second(ReadRisk(other+".none", "x")),
		"a folder":             second(ReadAcceptance(t.TempDir(), "")),
	} {
		if err == nil || strings.Contains(err.Error(), "secretive") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
