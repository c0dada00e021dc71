package itest

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/risk"
	"github.com/pgdeid/pgdeid/internal/risk/survey"
)

// surveyed is a mapping whose tables riskTables makes as a replica has them.
const surveyed = `version: 1
source: {dsn: "host=127.0.0.1 dbname=ehr"}
replica: {dsn: "host=127.0.0.1 dbname=research"}
key_file: key
tables:
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      sex: keep
      birth_date: {tells: birth_date, publish: year}
      race: keep
      language: keep
      diet: keep
      answers: {paths: {$.smoker: keep, "$.born[*].year": {publish: year}}}
  ehr.address:
    patient: patient_id
    columns: {patient_id: pseudonym, zip: {tells: zip, publish: zip3}}
  ehr.encounter:
    patient: patient_id
    columns: {encounter_id: pseudonym, patient_id: pseudonym, started_at: date_shift, reason: keep, note: text}
`

// riskTables fills a database with patients who were never anywhere else, as a replica has them: columns at random, but the same in
// every run, and two to nine visits from Monday to Friday over five years, moved by 30 to 365 days.
const riskTables = `
	create schema rows;
	create function pg_temp.chance(seed text, below int) returns int language sql immutable parallel safe as
		$$select abs(('x' || left(md5(seed), 7))::bit(28)::int) %% below$$;
	create table rows."ehr.patient" as
	select md5(i::text) as owner, i as patient_id, case pg_temp.chance('sex' || i, 2) when 0 then 'F' else 'M' end as sex,
		1935 + pg_temp.chance('born' || i, 80) as birth_date,
		'race ' || greatest(0, pg_temp.chance('race' || i, 20) - 15) as race,
		'language ' || greatest(0, pg_temp.chance('language' || i, 60) - 50) as language, 'diet ' || pg_temp.chance('diet' || i, 3) as diet,
		jsonb_build_object('smoker', i %% 2 = 0, 'born', jsonb_build_array(jsonb_build_object('year', 1950 + i %% 2))) as answers
	from generate_series(1, %[1]d) i;
	create table rows."ehr.address" as
	select md5(i::text) as owner, i as patient_id, (100 + pg_temp.chance('zip' || i, 12))::text as zip from generate_series(1, %[1]d) i;
	create table rows."ehr.encounter" as
	select md5(i::text) as owner, i * 100 + v as encounter_id, i as patient_id, 'reason ' || pg_temp.chance('reason' || i || v, 40) as reason,
		'n' as note, timestamp '2020-01-06' + pg_temp.chance(i || 'week' || v, 260) * interval '7 days'
		+ pg_temp.chance(i || 'day' || v, 5) * interval '1 day' + (8 * 3600 + pg_temp.chance(i || 'time' || v, 36000)) * interval '1 second'
		- (30 + pg_temp.chance('shift' || i, 336)) * interval '1 day' as started_at
	from generate_series(1, %[1]d) i, generate_series(1, 2 + i %% 8) v`

// surveyTables measures a database of riskTables, whose role needs no schema of pgdeid.
func surveyTables(t *testing.T, conn *pgx.Conn, file string, o survey.Options) *risk.Report {
	t.Helper()
	cfg, err := config.Parse([]byte(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	places := survey.Places{
		Rows: func(m *config.Table) string { return pgx.Identifier{"rows", m.FullName()}.Sanitize() }, Owner: "owner",
	}
	o.Today = time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	report, err := survey.Run(t.Context(), conn, cfg, places, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// riskPatients is how many patients the tables have: few, unless PGDEID_RISK_PATIENTS says how many.
func riskPatients(t *testing.T) int {
	t.Helper()
	text := os.Getenv("PGDEID_RISK_PATIENTS")
	if text == "" {
		return 2000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func fillRiskTables(t *testing.T, conn *pgx.Conn, patients int) {
	t.Helper()
	do(t, conn, fmt.Sprintf(riskTables, patients))
}
