package itest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/risk"
	"github.com/pgdeid/pgdeid/internal/risk/survey"
)

// Patients who were planted are found, by what they were planted with, and no other; their values are nowhere in the report.
func TestRiskFindsPlantedPatients(t *testing.T) {
	t.Parallel()
	conn := newPair(t).onReplica(t)
	fillRiskTables(t, conn, riskPatients(t))
	coarse := survey.Options{
		Choice:    risk.Choice{Columns: []string{"ehr.patient.sex", "ehr.patient.race", "ehr.patient.diet", "ehr.encounter.reason"}},
		Sensitive: []string{"ehr.patient.diet"}, Depth: 2,
	}
	if before := surveyTables(t, conn, surveyed, coarse); before.Together.Unique != 0 || before.Codes[0].Rare != 0 {
		t.Fatalf("%+v", before.Together)
	}
	do(t, conn, `
		insert into rows."ehr.patient" values ('planted 1', -1, 'F', 1980, 'Plantedrace', 'language 0', 'diet 0', '{}');
		insert into rows."ehr.patient" values ('planted 2', -2, 'Plantedsex', 1980, 'race 1', 'language 0', 'diet 0', '{}');
		insert into rows."ehr.patient" values ('planted 3', -3, 'Plantedsex', 1980, 'race 2', 'language 0', 'diet 0', '{}');
		insert into rows."ehr.encounter" values ('planted 1', -1, -1, 'Plantedreason', 'n', '2021-02-03 10:00')`)
	after := surveyTables(t, conn, surveyed, coarse)
	if after.Together.Unique != 3 || after.Together.K != 1 {
		t.Errorf("%+v", after.Together)
	}
	found := map[string][2]int64{}
	for _, s := range after.Sets {
		found[strings.Join(s.Columns, " ")] = [2]int64{s.Unique, s.Minimal}
	}
	if len(found) != 2 || found["ehr.patient.race"] != [2]int64{1, 1} || found["ehr.patient.sex ehr.patient.race"][1] != 2 {
		t.Errorf("sets %v", found)
	}
	if c := after.Codes[0]; c.Rare != 1 || c.Alone != 1 || c.Patients != 1 {
		t.Errorf("codes %+v", c)
	}
	if d := after.Sensitive[0]; d.L != 1 || d.Uniform != 3 {
		t.Errorf("sensitive %+v", d)
	}
	if last := after.Plan[len(after.Plan)-1].After; last.AtRisk != 0 {
		t.Errorf("after the whole plan %+v", last)
	}
	marks := []string{"planted", "race 0", "diet 0", "reason 0"}
	for _, out := range reportsOf(t, after) {
		if found := marksInText(out, marks); len(found) > 0 {
			t.Errorf("%v in a report", found)
		}
	}
}

// reportsOf returns a report in all of its forms.
func reportsOf(t *testing.T, r *risk.Report) []string {
	t.Helper()
	var text, page strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return []string{text.String(), page.String(), string(data)}
}

// What visits tell follows from how they were drawn: from Monday to Friday, with a time of day.
func TestRiskOfVisits(t *testing.T) {
	t.Parallel()
	conn := newPair(t).onReplica(t)
	fillRiskTables(t, conn, riskPatients(t))
	started := time.Now()
	report := surveyTables(t, conn, surveyed, survey.Options{
		Population: 10_000_000, Choice: risk.Choice{Ignore: []string{"ehr.patient.answers.smoker", "ehr.patient.answers.born[*].year"}},
	})
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d patients with %d visits: %s, %d MB", report.Patients, report.Visits.Visits, time.Since(started).Round(time.Second), m.Sys>>20)
	outputs := reportsOf(t, report)
	t.Log(outputs[0])
	if path := os.Getenv("PGDEID_RISK_PAGE"); path != "" {
		if err := os.WriteFile(path, []byte(outputs[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := report.Visits
	if !v.TimeOfDay || v.Shifts != 336 || v.Patients != int64(riskPatients(t)) || v.Visits*2 != v.Patients*11 {
		t.Errorf("%+v", v)
	}
	weekdays := v.Left[0]
	if weekdays.Contradicted != 0 || weekdays.Fewest != 48 || weekdays.Median > 144 || !weekdays.Holds() {
		t.Errorf("%+v", weekdays)
	}
	for _, u := range v.Unicity {
		if u.Grain == "to the second" && u.Visits == 2 && u.Share < 0.9 || u.Grain == "to the day" && u.Visits == 2 && u.Share > 0.1 {
			t.Errorf("%+v", u)
		}
	}
	if len(report.Plan) == 0 || report.Plan[0].After.AtRisk >= report.Together.AtRisk {
		t.Errorf("plan %+v", report.Plan)
	}
	if j := report.Journalist; j == nil || !j.Estimated || j.Highest >= report.Together.Highest {
		t.Errorf("%+v", j)
	}
}

// A register of the population is counted, and names its columns.
func TestRiskByRegister(t *testing.T) {
	t.Parallel()
	conn := newPair(t).onReplica(t)
	fillRiskTables(t, conn, 500)
	register, err := survey.ReadRegister(strings.NewReader("sex,diet,count\nF,diet 0,1000\nF,diet 1,2000\nF,diet 2,1000\nM,diet 0,500\nM,diet 1,400\nM,diet 2,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	report := surveyTables(t, conn, surveyed, survey.Options{Register: register})
	j := report.Journalist
	byID := map[string]risk.Facts{}
	for _, c := range report.Columns {
		byID[c.Column] = c
	}
	if s, y := byID["ehr.patient.answers.smoker"], byID["ehr.patient.answers.born[*].year"]; s.Categories != 2 || y.Categories != 2 || y.Kind != risk.Number {
		t.Errorf("paths of JSON: %+v", byID)
	}
	small := one(t, conn, `select count(*)::text from rows."ehr.patient" where sex = 'M' and diet = 'diet 2'`)
	if j.Estimated || j.Population != 4905 || !slices.Equal(j.Columns, []string{"ehr.patient.sex", "ehr.patient.diet"}) {
		t.Errorf("%+v", j)
	}
	if want := one(t, conn, "select greatest(5, "+small+")::text"); fmt.Sprintf("%.6f", 1/j.Highest) != want+".000000" || j.AtRisk != 0 && small < "11" {
		t.Errorf("%+v, %s of the smallest class in the sample", j, small)
	}
}

// The program measures a replica that it made, as the role that migrated, and prints no value of it.
func TestRiskOfAReplica(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), `
		create schema ehr;
		create table ehr.patient (patient_id int primary key, given text, sex text, born date, zip text);
		create table ehr.visit (visit_id int primary key, patient_id int, at timestamp, kind text);
		create table ehr.note (note_id int primary key, patient_id int, body text);
		insert into ehr.patient select i, 'Given', case when i = 7 then 'Plantedsex' else 'F' end, date '1970-01-01', '02139' from generate_series(1, 40) i;
		insert into ehr.visit select i, i % 40 + 1, timestamp '2022-03-07 10:00' + i * interval '25 hours', 'clinic' from generate_series(1, 120) i`, `
tables:
  ehr.patient:
    patient: patient_id
    columns: {patient_id: pseudonym, given: {tells: name.first, publish: surrogate}, sex: keep, born: {tells: birth_date, publish: year}, zip: {tells: zip, publish: zip3}}
  ehr.visit:
    patient: patient_id
    columns: {visit_id: pseudonym, patient_id: pseudonym, at: date_shift, kind: keep}
  ehr.note:
    patient: patient_id
    columns: {note_id: pseudonym, body: text}
`)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	run.stop(t)
	page := r.file(t, "risk.html", "")
	table := r.file(t, "people.csv", "")
	got := runPgdeid(t, nil, "risk", "-c", r.cfg.Path, "--json", "--html", page, "--table", table, "--ignore", "ehr.patient.born")
	var report risk.Report
	if err := json.Unmarshal([]byte(got.stdout), &report); got.code != 0 || err != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	if report.Patients != 40 || report.Together.Unique != 1 || report.Mapping != r.cfg.Hash() || len(report.Columns) != 2 || report.Visits.Visits != 120 {
		t.Errorf("%+v", report)
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "ehr.visit.at") {
		t.Errorf("page: %v", err)
	}
	people, err := os.ReadFile(table)
	lines := strings.Split(strings.TrimSpace(string(people)), "\n")
	if err != nil || len(lines) != 41 || lines[0] != "ehr.patient.sex,ehr.patient.zip" || lines[40] != "Plantedsex,021" || lines[1] != "F,021" {
		t.Errorf("table of %d lines, %v: %q", len(lines), err, lines)
	}
	if found := marksInText(got.stdout+got.stderr+string(html), []string{"plantedsex"}); len(found) > 0 {
		t.Error("a value was printed")
	}
	if got := runPgdeid(t, nil, "risk", "-c", r.cfg.Path, "--columns", "ehr.patient.ssn"); got.code != 1 || !strings.Contains(got.stderr, "ehr.patient.ssn") {
		t.Errorf("an unknown column: %+v", got)
	}
}

// What is measured is what others measure in the same table: "make test-risk" installs them.
func TestRiskAgreesWithOthers(t *testing.T) {
	t.Parallel()
	python, err := filepath.Abs("../build/risk/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("pycanon is not installed: make test-risk")
	}
	conn := newPair(t).onReplica(t)
	fillRiskTables(t, conn, 3000)
	for _, columns := range []string{"sex", "sex,birth_date", "sex,race,language", "sex,birth_date,race,language"} {
		names := strings.Split(columns, ",")
		var ids []string
		for _, name := range append(names, "diet") {
			ids = append(ids, "ehr.patient."+name)
		}
		const population = 90_000
		var table bytes.Buffer
		r := surveyTables(t, conn, surveyed, survey.Options{
			Choice: risk.Choice{Columns: ids}, Sensitive: []string{"ehr.patient.diet"}, Population: population, Depth: 1, Table: &table,
		})
		quasi := strings.Join(ids[:len(names)], ",")
		cmd := exec.CommandContext(t.Context(), python, "risk/measure.py", quasi, "ehr.patient.diet", fmt.Sprint(population), "11")
		cmd.Stdin, cmd.Stderr = &table, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			K, L, Classes, Unique int64
			T, Average            float64
			AtRisk                int64   `json:"at_risk"`
			Highest               float64 `json:"journalist_highest"`
			Mean                  float64 `json:"journalist_average"`
		}
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s", columns, out)
		a, d, j := r.Together, r.Sensitive[0], r.Journalist
		if a.K != want.K || a.Classes != want.Classes || a.Unique != want.Unique || a.AtRisk != want.AtRisk || d.L != want.L {
			t.Errorf("%s: %+v, %+v; others say %s", columns, a, d, out)
		}
		for name, pair := range map[string][2]float64{
			"t": {d.T, want.T}, "average": {a.Average, want.Average}, "journalist, highest": {j.Highest, want.Highest}, "journalist, average": {j.Average, want.Mean},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-6*math.Abs(pair[1]) {
				t.Errorf("%s: %s %v, others say %v", columns, name, pair[0], pair[1])
			}
		}
	}
}
