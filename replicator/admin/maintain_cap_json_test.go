package admin

import (
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Dates in documents that tell an age over 89 by now are moved up, and nothing else of them changes.
func TestCapInDocuments(t *testing.T) {
	t.Parallel()
	col := schema.Column{Column: config.Column{Name: "resource", Publish: config.Text, Format: document.JSON, Paths: []config.Column{
		{Name: "$.birthDate", Tells: "birth_date", Publish: config.ShiftDate},
		{Name: "$.year", Tells: "birth_date", Publish: config.Year},
		{Name: "$.seen", Publish: config.ShiftDate},
		{Name: "$.name", Publish: config.Text},
		{Name: "$.data", Publish: config.Text, Encoding: encoding.Base64},
	}}, Typ: "jsonb"}
	col.Describe(&config.Config{}, &schema.Table{Table: &config.Table{}})
	_, recap := inDocuments(&col, 1936, true)
	for _, tt := range []struct{ doc, want string }{
		{`{"birthDate": "1935-02-03", "name": "Ann \u0041", "data": "QW5u"}`, `{"birthDate": "1936-02-03", "name": "Ann \u0041", "data": "QW5u"}`},
		{`{"birthDate": "1930-05"}`, `{"birthDate": "1936-05"}`},
		{`{"birthDate": "1930"}`, `{"birthDate": "1936"}`},
		{`{"year": 1930, "seen": "1930-01-01T10:00:00Z"}`, `{"year": 1936, "seen": "1936-01-01T10:00:00Z"}`},
		{`{"birthDate": "1936-02-03", "seen": "2020", "name": "1930"}`, ""},
		{`{"birthDate": "1930`, ""},
	} {
		if got, changed := recap(tt.doc); got != tt.want || changed != (tt.want != "") {
			t.Errorf("%s: %s", tt.doc, got)
		}
	}
	if _, recap := inDocuments(&col, 1936, false); recap == nil {
		t.Error("years of birth are capped also where dates are not")
	}
	col.Rules = col.Rules[3:]
	if which, _ := inDocuments(&col, 1936, true); which != "" {
		t.Errorf("documents without dates are looked at: %s", which)
	}
}
