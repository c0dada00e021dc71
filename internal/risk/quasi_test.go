package risk

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

const mapping = `version: 1
source: {dsn: "host=127.0.0.1 dbname=ehr"}
replica: {dsn: "host=127.0.0.1 dbname=research"}
key_file: key
tables:
  ehr.site:
    patient: none
    columns: {site_id: pseudonym, state: keep}
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      last_name: {tells: name.last, publish: surrogate}
      ssn: {tells: ssn}
      sex: keep
      birth_date: {tells: birth_date, publish: date_shift}
      zip: {tells: zip, publish: zip3}
      age: age_cap
      since: year
      pcp_id: {publish: pseudonym, domain: provider_id}
      answers:
        paths: {$.smoker: keep, $.note: text, "$.born": {publish: year}}
  ehr.stay:
    patient: patient_id
    columns: {stay_id: pseudonym, patient_id: pseudonym, began: date_shift, ended: date_shift}
  ehr.visit:
    patient: patient_id
    columns: {visit_id: pseudonym, patient_id: pseudonym, at: date_shift, body: text, kind: keep}
  ehr.note:
    patient: {column: visit_id, table: ehr.visit}
    columns: {note_id: pseudonym, visit_id: pseudonym, written: date_shift, body: text}
`

func parsed(t *testing.T) *config.Config {
	t.Helper()
	cfg, err := config.Parse([]byte(mapping), nil)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func ids(columns []Column) []string {
	var list []string
	for _, c := range columns {
		list = append(list, c.ID())
	}
	return list
}

func TestChoose(t *testing.T) {
	t.Parallel()
	proposed := []string{
		"ehr.patient.sex", "ehr.patient.birth_date", "ehr.patient.zip", "ehr.patient.age", "ehr.patient.since", "ehr.patient.answers.smoker",
		"ehr.patient.answers.born", "ehr.visit.kind",
	}
	for name, tt := range map[string]struct {
		choice Choice
		want   []string
	}{
		"proposed":      {Choice{}, proposed},
		"one ignored":   {Choice{Ignore: []string{"ehr.visit.kind"}}, proposed[:7]},
		"named":         {Choice{Columns: []string{"ehr.patient.zip", "ehr.patient.sex"}}, []string{"ehr.patient.sex", "ehr.patient.zip"}},
		"a pseudonym":   {Choice{Columns: []string{"ehr.patient.pcp_id"}}, []string{"ehr.patient.pcp_id"}},
		"named, but no": {Choice{Columns: []string{"ehr.patient.sex"}, Ignore: []string{"ehr.patient.sex"}}, nil},
	} {
		got, omitted, err := Choose(parsed(t), tt.choice)
		if err != nil || !slices.Equal(ids(got), tt.want) {
			t.Errorf("%s: %v, %v; want %v", name, ids(got), err, tt.want)
		}
		for _, o := range omitted {
			if o.Why == "" || slices.Contains(ids(got), o.Column) {
				t.Errorf("%s: %+v", name, o)
			}
		}
	}
}

func TestChooseRefusesWhatIsNotPublished(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"ehr.patient.ssn", "ehr.site.state", "patient.sex", "ehr.patient.nothing"} {
		for _, choice := range []Choice{{Columns: []string{id}}, {Ignore: []string{id}}} {
			if _, _, err := Choose(parsed(t), choice); err == nil || !strings.Contains(err.Error(), id) {
				t.Errorf("%+v: %v", choice, err)
			}
		}
	}
}

func TestReasonsAreSaid(t *testing.T) {
	t.Parallel()
	_, omitted, err := Choose(parsed(t), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	for _, o := range omitted {
		why[o.Column] = o.Why
	}
	for id, part := range map[string]string{
		"ehr.patient.last_name": "made up", "ehr.visit.at": "visits", "ehr.visit.body": "text", "ehr.patient.pcp_id": "pseudonym",
		"ehr.patient.answers.note": "text",
	} {
		if !strings.Contains(why[id], part) {
			t.Errorf("%s: %q", id, why[id])
		}
	}
	if _, ok := why["ehr.patient.ssn"]; ok {
		t.Error("a column that is not published is reported")
	}
}

func TestVisitColumn(t *testing.T) {
	t.Parallel()
	for named, want := range map[string]string{"": "ehr.visit.at", "ehr.stay.ended": "ehr.stay.ended", "ehr.note.written": "ehr.note.written"} {
		got, found, err := VisitColumn(parsed(t), named)
		if err != nil || !found || got.ID() != want {
			t.Errorf("%q: %v, %v, %v", named, got.ID(), found, err)
		}
	}
	if _, _, err := VisitColumn(parsed(t), "ehr.patient.sex"); err == nil {
		t.Error("a column without dates is taken for visits")
	}
	if _, found, err := VisitColumn(&config.Config{}, ""); found || err != nil {
		t.Errorf("no table: %v, %v", found, err)
	}
}
