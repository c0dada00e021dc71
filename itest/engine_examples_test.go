package itest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// examples returns the SQL of the section of sql/README.md that shows how to ask.
func examples(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../sql/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "### Examples\n")
	section, _, ok := strings.Cut(rest, "### Which form\n")
	if !ok {
		t.Fatal("the section is not there")
	}
	var statements []string
	for _, block := range regexp.MustCompile(`(?m)(^    (select|create|call|refresh)[^;]*;\n)`).FindAllString(section, -1) {
		statements = append(statements, strings.TrimSpace(block))
	}
	return statements
}

// What the documentation shows works as it stands there.
func TestEngineExamples(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, `alter table ward.note rename body to note; create table cohort as select note_id from ward.note where note_id < 20;
		grant create on schema ward, public to job, analyst; grant pgdeid_preview to job; grant select on cohort to analyst; set session authorization job`)
	shown := examples(t)
	if len(shown) != 7 {
		t.Fatalf("%d statements: %q", len(shown), shown)
	}
	for _, statement := range shown {
		switch {
		case strings.Contains(statement, "create table ward.clean ("):
			do(t, conn, "drop table ward.clean")
		case strings.Contains(statement, "materialized view"):
			do(t, conn, "set session authorization default; set session authorization analyst")
		}
		do(t, conn, statement)
	}
	do(t, conn, "reset session authorization; revoke pgdeid_preview from job")
	got := texts(t, conn, "select count(deid_note)::text from ward.clean union all select count(deid_note)::text from cohort_note")
	if !slices.Equal(got, []string{"250", "18"}) {
		t.Errorf("notes: %v", got)
	}
}
