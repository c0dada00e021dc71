package review

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	reviewreport "github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/signature"
)

func TestReviewPlan(t *testing.T) {
	t.Parallel()
	out, _, err := runWords(t, "", "review", "plan", "--types", "name", "--recall", ".99", "--per-note", "8", "--spread", ".5", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var plan reviewPlan
	if err := json.Unmarshal([]byte(out), &plan); err != nil {
		t.Fatal(err)
	}
	if plan.Types != "NAME" || plan.Expect.Recall != .9975 || plan.Sizes.Bounded.Notes < 299 || plan.Sizes.Exact.Notes > plan.Sizes.Robust.Notes ||
		plan.Sizes.Robust.Notes > plan.Sizes.Bounded.Notes {
		t.Errorf("%+v", plan)
	}
	out, _, err = runWords(t, "", "review", "plan", "--per-note", "8")
	if err != nil || !strings.Contains(out, "claims are judged so") || !strings.Contains(out, "recall of NAME is at least 0.99") {
		t.Errorf("%s, %v", out, err)
	}
	for _, words := range [][]string{
		{"--types", "everything", "--per-note", "8"},
		{"--recall", "1.2", "--per-note", "8"},
		{"--recall", ".99", "--expect", ".98", "--per-note", "8"},
		{"--per-note", "-3"},
		{"--count", "0"},
	} {
		if _, _, err := runWords(t, "", append([]string{"review", "plan"}, words...)...); command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%q: %v", words, err)
		}
	}
}

func TestParseClaims(t *testing.T) {
	t.Parallel()
	claims, err := parseClaims([]string{"name=.99", "C=0.97"}, .95)
	if err != nil || len(claims) != 2 || claims[0] != (review.Claim{Types: "NAME", Claim: acceptance.Claim{Recall: .99, Confidence: .95}}) {
		t.Errorf("%v, %v", claims, err)
	}
	for _, word := range []string{"NAME", "NAME=", "NAME=1", "NAME=x", "=.9", "TIME=.9"} {
		if _, err := parseClaims([]string{word}, .95); command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%q: %v", word, err)
		}
	}
	if _, err := parseClaims(nil, .2); err == nil {
		t.Error("a confidence of .2 was accepted")
	}
}

func TestParseOver(t *testing.T) {
	t.Parallel()
	over, err := parseOver(map[string]string{"radiology / 2024": "2.5"})
	if err != nil || len(over) != 1 || over["radiology / 2024"] != 2.5 {
		t.Errorf("%v, %v", over, err)
	}
	for _, times := range []string{"", "0", "-1", "x", "NaN", "1e9"} {
		if _, err := parseOver(map[string]string{"a": times}); command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%q: %v", times, err)
		}
	}
	for _, words := range [][]string{{"--claim", "NAME=.99"}, {"--over", "a=2"}} {
		_, _, err := runWords(t, "", append([]string{"review", "draw", "r", "--kind", "doubt"}, words...)...)
		if command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%q of doubtful notes: %v", words, err)
		}
	}
}

func TestColumnOfNotes(t *testing.T) {
	t.Parallel()
	text := func(names ...string) (list []config.Column) {
		for _, name := range names {
			list = append(list, config.Column{Name: name, Publish: config.Text})
		}
		return append(list, config.Column{Name: "id", Publish: config.Keep})
	}
	one := &config.Config{Tables: []config.Table{{Schema: "ehr", Name: "note", Columns: text("body")}, {Schema: "ehr", Name: "site", Columns: text()}}}
	two := &config.Config{Tables: []config.Table{{Schema: "ehr", Name: "note", Columns: text("title", "body")}}}
	none := &config.Config{Tables: []config.Table{{Schema: "ehr", Name: "note", Columns: text()}}}
	for _, c := range []struct {
		cfg           *config.Config
		table, column string
		want          string
	}{
		{one, "", "", "ehr.note body"},
		{one, "ehr.note", "body", "ehr.note body"},
		{one, "ehr.site", "", "--table ehr.note --column body"},
		{two, "", "", "--table ehr.note --column title, or --table ehr.note --column body"},
		{two, "", "body", "ehr.note body"},
		{none, "", "", "has no column of notes"},
	} {
		table, column, err := columnOfNotes(c.cfg, c.table, c.column)
		got := table + " " + column
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q, %q: %s, want %s", c.table, c.column, got, c.want)
		}
	}
}

func TestReportHint(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{reviewreport.ErrNotRandom: "review draw", reviewreport.ErrNothingRead: "review serve", errors.ErrUnsupported: ""} {
		if got := reportHint(err); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%v: %q", err, got)
		}
	}
}

func TestReportFiles(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 2, 9, 0, 0, 0, time.UTC)
	r, err := reviewreport.New(&reviewreport.Input{
		Round: review.Round{Name: "spring", Kind: review.Acceptance}, Items: []review.Item{{Place: 1, Patient: "p"}},
		Readings: []review.Reading{{Place: 1, Reader: "ann", Part: review.Reviewer, OpenedAt: at, FinishedAt: at}}, At: at,
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	secret, name := filepath.Join(folder, "board.key"), filepath.Join(folder, "spring")
	out, _, err := runWords(t, "", "key", "signing", secret)
	if err != nil || !strings.Contains(out, "board.key.pub") {
		t.Fatalf("%s, %v", out, err)
	}
	key, err := signature.ReadKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeReport(r, name, &key); err != nil {
		t.Fatal(err)
	}
	if err := writeReport(r, name, &key); command.ExitCode(err) != command.ExitUsage {
		t.Errorf("a report was written over: %v", err)
	}
	verify := []string{"review", "verify", "--public-key", secret + ".pub", name + ".json", name + ".html"}
	out, _, err = runWords(t, "", verify...)
	if err != nil || strings.Count(out, key.Public().Fingerprint()) != 2 {
		t.Errorf("%s, %v", out, err)
	}
	page, err := os.ReadFile(name + ".html")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".html", []byte(strings.Replace(string(page), "spring", "Spring", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := runWords(t, "", verify...); err == nil || !strings.Contains(err.Error(), "not what was signed") {
		t.Errorf("a letter was changed: %v", err)
	}
	if _, _, err := runWords(t, "", "review", "verify", name+".json"); command.ExitCode(err) != command.ExitUsage {
		t.Errorf("nobody's signature: %v", err)
	}
	if _, _, err := runWords(t, "", "review", "report", "spring", "--sign", secret); command.ExitCode(err) != command.ExitUsage {
		t.Errorf("--sign without --output: %v", err)
	}
}
