package proposal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// madeOf returns a database with the tables of a preset, their names changed by as.
func madeOf(t *testing.T, preset string, as func(string) string) *database {
	t.Helper()
	cfg, err := readPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	db := &database{}
	for _, m := range cfg.Tables {
		tab := &table{schema: as("dbo"), name: as(m.Name)}
		add := func(name string) {
			if name != "" && tab.columnAlike(name) == nil {
				tab.columns = append(tab.columns, &column{name: as(name), dataType: "text"})
			}
		}
		add(m.Patient.Column)
		for _, c := range m.Columns {
			add(c.Name)
		}
		db.tables = append(db.tables, tab)
	}
	return db
}

func TestPresetsAreRecognised(t *testing.T) {
	t.Parallel()
	for _, preset := range config.Presets() {
		for how, as := range map[string]func(string) string{"as it is": strings.Clone, "in capitals": strings.ToUpper} {
			db := madeOf(t, preset, as)
			name, seen, err := db.recognise(Auto)
			if err != nil || name != preset || !strings.Contains(seen, "looks like "+preset) {
				t.Errorf("%s %s: taken for %q, %q, %v", preset, how, name, seen, err)
			}
			if name, seen, err := db.recognise(""); err != nil || name != "" || !strings.Contains(seen, "--preset "+preset) {
				t.Errorf("%s %s, without auto: %q, %q, %v", preset, how, name, seen, err)
			}
			cfg, err := presetFor(preset, db)
			if err != nil {
				t.Fatal(err)
			}
			for i := range cfg.Tables {
				m := &cfg.Tables[i]
				tab := db.table(m.Schema, m.Name)
				if tab == nil {
					t.Errorf("%s %s: table %s is not found", preset, how, m.FullName())
					continue
				}
				for _, c := range m.Columns {
					if tab.column(c.Name) == nil {
						t.Errorf("%s %s: column %s.%s is not found", preset, how, m.FullName(), c.Name)
					}
				}
				if p := m.Patient; p.Table != "" {
					if _, ok := cfg.Next(m); !ok || tab.column(p.Column) == nil {
						t.Errorf("%s %s: the path of %s leads nowhere: %+v", preset, how, m.FullName(), p)
					}
				}
			}
		}
	}
}

func TestNoPresetFits(t *testing.T) {
	t.Parallel()
	db := &database{tables: []*table{{schema: "ehr", name: "person"}, {schema: "ehr", name: "visit"}, {schema: "ehr", name: "obs"}}}
	if name, seen, err := db.recognise(Auto); err != nil || name != "" || !strings.Contains(seen, "No preset fits") {
		t.Errorf("%q, %q, %v", name, seen, err)
	}
	if name, seen, err := db.recognise("omop"); err != nil || name != "omop" || seen != "" {
		t.Errorf("a preset that was named: %q, %q, %v", name, seen, err)
	}
	if _, _, err := db.recognise(""); err != nil {
		t.Error(err)
	}
}

// What the preset says of a column comes out of init as it stands there.
func TestPresetsAreWrittenAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, preset := range config.Presets() {
		cfg, err := readPreset(preset)
		if err != nil {
			t.Fatal(err)
		}
		var tables []written
		for _, m := range cfg.Tables {
			w := written{table: &table{schema: m.Schema, name: m.Name, key: []string{"k"}}, path: m.Patient, patient: m.HasPatient(), note: m.Note}
			for _, c := range m.Columns {
				w.choices = append(w.choices, choice{c, "as the preset says"})
			}
			tables = append(tables, w)
		}
		out := write("host=/tmp dbname=a", "host=/tmp dbname=b", nil, &people{key: []string{"k"}, kind: cfg.PatientKey}, reachable(tables))
		again, err := config.Parse(out, nil)
		if err != nil {
			t.Errorf("%s: %v", preset, err)
			continue
		}
		if again.SchemaHash() != cfg.SchemaHash() {
			t.Errorf("%s: what was written says something else:\n%s", preset, out)
		}
	}
}

// What the lists of FHIR say is written by their names, with the paths that the file has itself.
func TestListsOfFHIRAreWrittenByName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{fhir: Patient}": "        fhir: Patient\n",
		"{fhir: Resource, domain: resource, paths: {$(Patient).birthDate: {tells: birth_date, publish: year}}}": "        fhir: Resource\n        domain: resource\n" +
			"        paths:\n          \"$(Patient).birthDate\": {tells: birth_date, publish: year}\n",
		"{paths: {$.code: text}}": "        paths:\n          \"$.code\": text\n",
	} {
		file := "version: 1\nsource: {dsn: host=a}\nreplica: {dsn: host=b}\nkey_file: key\ntables:\n  ehr.r:\n    patient: id\n    columns: {id: pseudonym, body: " + text + "}\n"
		cfg, err := config.Parse([]byte(file), nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for _, c := range cfg.Tables[0].Columns {
			if c.Name == "body" {
				writeChoice(&b, choice{Column: c})
			}
		}
		if got := b.String(); got != "      body:\n"+want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
