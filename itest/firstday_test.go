package itest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// preset is one day of a DBA: the published schema of a data model, with rows that
// carry marks, and what has to come out of it.
type preset struct {
	name  string
	marks []string          // stand nowhere in the replica
	same  map[string]string // of the replica: a query and its answer
	alike []string          // queries with one answer in both
}

var presets = []preset{
	{
		name: "omop",
		marks: []string{
			"7719283", "Vandermolen", "hvandermo", "Larkenmoor", "Wexcombe", "Brackwater", "Thornhythe", "482-0147",
			"UDI-88ZQ40017", "1629384756", "July 14, 1931", "02/03/1958", "LOCSRC", "42.3736",
		},
		same: map[string]string{
			// Whoever is over 89 must not show a year that says so.
			"select (min(year_of_birth) > 1931)::text from omop.person":                                                                                  "true",
			"select string_agg(state || zip, ' ' order by zip) from omop.location":                                                                       "MA021 MA021",
			"select count(*)::text from omop.note n join omop.person using (person_id) join omop.visit_occurrence using (visit_occurrence_id)":           "1",
			"select count(*)::text from omop.person p join omop.location using (location_id) join omop.care_site using (care_site_id)":                   "2",
			"select (visit_end_date - visit_start_date)::text from omop.visit_occurrence where preceding_visit_occurrence_id is null":                    "4",
			"select count(*)::text from omop.visit_occurrence v join omop.visit_occurrence p on p.visit_occurrence_id = v.preceding_visit_occurrence_id": "1",
			"select coalesce(to_regclass('omop.note_nlp')::text, 'none') || coalesce(to_regclass('omop.death')::text, 'none')":                           "nonenone",
			"select (note_text like '%BP 131/82.')::text from omop.note where note_title like 'Discharge summary%'":                                      "true",
		},
		alike: []string{
			"omop.person", "omop.location", "omop.provider", "omop.care_site", "omop.observation_period", "omop.visit_occurrence", "omop.visit_detail",
			"omop.note", "omop.condition_occurrence", "omop.drug_exposure", "omop.procedure_occurrence", "omop.device_exposure", "omop.measurement",
			"omop.observation",
		},
	},
	{
		name:  "mimic-iii",
		marks: []string{"Vandermolen", "Hesper", "Oriel", "Wexcombe", "77192834", "Larkenmoor", "482-0147", "1931-7-14", "93810006", "914142345"},
		same: map[string]string{
			"select (dob > 1931)::text from mimiciii.patients where gender = 'F'":                                                                               "true",
			"select count(*)::text from mimiciii.noteevents n join mimiciii.admissions using (hadm_id) join mimiciii.patients p on p.subject_id = n.subject_id": "1",
			"select (dischtime - admittime)::text from mimiciii.admissions":                                                                                     "4 days 04:00:00",
			"select (text is null)::text from mimiciii.noteevents where category = 'Radiology'":                                                                 "true",
			"select description from mimiciii.noteevents where category = 'Radiology'":                                                                          "CHEST (PORTABLE AP)",
			"select (text like '%in good health%')::text from mimiciii.noteevents where category = 'Discharge summary'":                                         "true",
		},
		alike: []string{
			"mimiciii.patients", "mimiciii.admissions", "mimiciii.icustays", "mimiciii.noteevents", "mimiciii.caregivers", "mimiciii.diagnoses_icd",
			"mimiciii.procedures_icd", "mimiciii.services", "mimiciii.labevents", "mimiciii.prescriptions",
		},
	},
	{
		name:  "mimic-iv",
		marks: []string{"Vandermolen", "Hesper", "Oriel", "Wexcombe", "77192834", "482-0147", "7/14/1931", "10000032", "10000048", "P49AFC"},
		same: map[string]string{
			"select max(anchor_age)::text from mimiciv_hosp.patients":                                                    "90",
			"select count(*)::text from mimiciv_note.discharge join mimiciv_hosp.admissions using (hadm_id, subject_id)": "1",
			"select (text like '%EXAMINATION:  CHEST (PA AND LAT)%')::text from mimiciv_note.radiology":                  "true",
			"select coalesce(to_regclass('mimiciv_note.discharge_detail')::text, 'none')":                                "none",
		},
		alike: []string{
			"mimiciv_hosp.patients", "mimiciv_hosp.admissions", "mimiciv_hosp.diagnoses_icd", "mimiciv_hosp.procedures_icd", "mimiciv_hosp.labevents",
			"mimiciv_icu.icustays", "mimiciv_note.discharge", "mimiciv_note.radiology",
		},
	},
	{
		name: "synthea",
		marks: []string{
			"Vandermolen", "Hesper12", "Oriel921", "Wexcombe", "Tansy40", "Ostrimov", "Corbin33", "Larkenmoor", "Brackwater", "Thornhythe",
			"999-61-4523", "S99917283", "X77190026X", "02/03/1990", "00000000-0000-4000-8000",
		},
		same: map[string]string{
			"select count(*)::text from synthea.notes n join synthea.patients p on p.id = n.patient":                                                              "2",
			"select count(*)::text from synthea.encounters e join synthea.providers p on p.id = e.provider join synthea.organizations o on o.id = e.organization": "1",
			"select bool_and(position(first in text) > 0)::text from synthea.notes n join synthea.patients p on p.id = n.patient":                                 "true",
			"select count(distinct zip)::text || max(zip) from synthea.patients":                                                                                  "1021",
		},
		alike: []string{"synthea.patients", "synthea.organizations", "synthea.providers", "synthea.encounters", "synthea.notes"},
	},
	{
		name:  "i2b2",
		marks: []string{"Vandermolen", "Hesper", "Oriel", "Wexcombe", "7719283", "482-0147", "7/14/1931", "1000000001", "914471185", "Brackwater", "D000109064"},
		same: map[string]string{
			"select max(age_in_years_num)::text from i2b2demodata.patient_dimension":                                                        "90",
			"select count(*)::text from i2b2demodata.observation_fact join i2b2demodata.concept_dimension using (concept_cd)":               "2",
			"select count(*)::text from i2b2demodata.observation_fact join i2b2demodata.visit_dimension using (encounter_num, patient_num)": "2",
		},
		alike: []string{"i2b2demodata.patient_dimension", "i2b2demodata.visit_dimension", "i2b2demodata.observation_fact", "i2b2demodata.concept_dimension"},
	},
}

// The way of the README, with the program itself, from a preset to what an analyst reads.
func TestFirstDayWithPresets(t *testing.T) {
	t.Parallel()
	for _, day := range presets {
		t.Run(day.name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			source, replica := p.onSource(t), p.onReplica(t)
			ddl, err := os.ReadFile(filepath.Join("testdata", "firstday", day.name+".sql"))
			if err != nil {
				t.Fatal(err)
			}
			do(t, source, string(ddl))
			looked := mustRun(t, []string{"PGDEID_SOURCE_ADMIN_PASSWORD=" + p.source.Password()}, "init", "--preset", day.name,
				"--dsn", p.source.DSN(p.source.Superuser(), p.name))
			p.configFile(t, "proposed.yaml", looked.stdout)
			if found := marksInText(looked.stdout+looked.stderr, day.marks); len(found) > 0 {
				t.Errorf("init prints %v", found)
			}
			proposed := mustRun(t, nil, "init", "--preset", day.name)
			config := p.file(t, "pgdeid.yaml", p.address(t, proposed.stdout))
			mustRun(t, nil, "key", "new", filepath.Join(p.dir, "key"))
			mustRun(t, nil, "migrate", "up", "--config", config)
			contentWithSetup(t, config)

			d := startPgdeid(t, nil, "run", "--config", config)
			r := &replication{pair: p, slot: p.name, src: source, dst: replica}
			r.caughtUp(t)
			if code := d.terminate(t); code != 0 {
				t.Errorf("exit status %d", code)
			}
			day.holds(t, source, replica, p.analyst(t))
			if found := marksInText(d.output(t), day.marks); len(found) > 0 {
				t.Errorf("found %v in the log", found)
			}
		})
	}
}

// holds compares the replica, as an analyst sees it, with what has to be there.
func (day preset) holds(t *testing.T, source, replica, analyst *pgx.Conn) {
	t.Helper()
	if found := marksInDatabase(t, replica, day.marks); len(found) > 0 {
		t.Errorf("found marks in %v", found)
	}
	for _, q := range texts(t, replica, "select table_name || ': ' || reason from deid.quarantine") {
		t.Errorf("set aside: %s", q)
	}
	for _, table := range day.alike {
		if n, m := count(t, source, table), count(t, analyst, table); n != m || n == "0" {
			t.Errorf("%s: %s rows in the source, %s in the replica", table, n, m)
		}
	}
	for query, answer := range day.same {
		want(t, analyst, answer, query)
	}
	if t.Failed() {
		for _, table := range day.alike {
			t.Logf("%s: %s", table, strings.Join(texts(t, analyst, fmt.Sprintf("select x::text from %s x", table)), "\n"))
		}
	}
}

// address does what a DBA does to a preset: hosts, databases and secrets.
func (p *pair) address(t *testing.T, preset string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(p.dir, "secrets"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, password := range map[string]string{
		"replication": "a test's password", "reader": "a test's password", "service": "a test's password",
		"source-admin": p.source.Password(), "replica-admin": p.replica.Password(),
	} {
		p.file(t, filepath.Join("secrets", name), password+"\n")
	}
	var b strings.Builder
	for line := range strings.Lines(preset) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		server, superuser := p.source, p.source.Superuser()
		if strings.Contains(value, "research.example.org") {
			server, superuser = p.replica, p.replica.Superuser()
		}
		switch {
		case key == "dsn" && server == p.source:
			line = fmt.Sprintf("  dsn: %s\n  slot: %s\n", server.DSN(roles.Replication, p.name), p.name)
		case key == "dsn":
			line = fmt.Sprintf("  dsn: %s\n", server.DSN(roles.Service, p.name))
		case key == "admin_dsn":
			line = fmt.Sprintf("  admin_dsn: %s\n", server.DSN(superuser, p.name))
		}
		b.WriteString(line)
	}
	b.WriteString("http: \"\"\n")
	if !onnx.Built {
		b.WriteString("detect: {models: fast}\n")
	}
	return b.String()
}

// mustRun runs the program, which must succeed.
func mustRun(t *testing.T, env []string, args ...string) result {
	t.Helper()
	got := runPgdeid(t, env, args...)
	if got.code != 0 {
		t.Fatalf("pgdeid %s: exit status %d\n%s%s", strings.Join(args, " "), got.code, got.stdout, got.stderr)
	}
	return got
}

// contentWithSetup runs "pgdeid check", which must find nothing but what is usual here.
func contentWithSetup(t *testing.T, config string) {
	t.Helper()
	var report struct{ Findings finding.List }
	if err := json.Unmarshal([]byte(runPgdeid(t, nil, "check", "--json", "--config", config).stdout), &report); err != nil {
		t.Fatal(err)
	}
	for _, f := range attention(report.Findings) {
		t.Errorf("check: %s: %s (%s)", f.Subject, f.Text, f.Remedy)
	}
}

// analyst connects as a person whose only role is pgdeid_analyst.
func (p *pair) analyst(t *testing.T) *pgx.Conn {
	t.Helper()
	name := "ann_" + p.name
	admin := p.onReplica(t)
	do(t, admin, fmt.Sprintf("create role %s login password 'analyst'; grant %s to %[1]s", name, roles.Analyst))
	t.Cleanup(func() {
		if _, err := admin.Exec(context.Background(), "drop role "+name); err != nil {
			t.Error(err)
		}
	})
	conf, err := pgx.ParseConfig(p.replica.DSN(name, p.name))
	if err == nil {
		conf.Password = "analyst"
	}
	return as(t, conf, err)
}
