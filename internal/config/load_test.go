package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/surrogate/date"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

const whole = `version: 1
source:
  dsn: postgres://pgdeid_replication@ehr.example.org/ehr
  password_file: secrets/source
  admin_dsn: host=ehr.example.org dbname=ehr user=dba
  slot: research
  publication: research
  heartbeat: 5s
  reader_password_file: /etc/pgdeid/reader
  foreign_host: 10.0.0.5
replica:
  dsn: postgres://pgdeid_service@127.0.0.1:5433/research
key_file: key
gazetteers: direct
profile: limited
actions: {PROFESSION: surrogate, HOSPITAL: tag}
dates: {min_days: 7, max_days: 70, direction: both, whole_weeks: true, order: day_first}
release: {mode: batches, every: 24h}
detect: {detectors: [record, patterns], threshold: 2}
limits: {workers: 3, queue_bytes: 32MiB, group_rows: 100, linger: 20ms, cached_sentences: 5000, note_timeout: 30s, directory_interval: 6h}
http: 127.0.0.1:9999
patient_key: uuid
tables:
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      given_name: {tells: name.first, publish: surrogate}
      ssn: {tells: ssn}
      zip: {tells: zip, publish: zip3}
  ehr.encounter:
    patient: patient_id
    columns: {encounter_id: pseudonym, patient_id: pseudonym, admitted: date_shift}
  ehr.provider:
    patient: none
    columns: {provider_id: {publish: pseudonym, domain: staff}, name: {tells: provider.name}}
  ehr.note_line:
    patient: {column: encounter_id, table: ehr.encounter}
    columns: {note_id: pseudonym, line: keep, body: text}
`

func TestParse(t *testing.T) {
	got, err := Parse([]byte(whole), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Source: Source{
			DSN: "postgres://pgdeid_replication@ehr.example.org/ehr", PasswordFile: "secrets/source",
			AdminDSN: "host=ehr.example.org dbname=ehr user=dba", Slot: "research", Publication: "research",
			ReaderPasswordFile: "/etc/pgdeid/reader", ForeignHost: "10.0.0.5", Heartbeat: 5 * time.Second,
		},
		Replica:    Replica{DSN: "postgres://pgdeid_service@127.0.0.1:5433/research"},
		KeyFile:    "key",
		Gazetteers: Direct,
		Surrogates: surrogate.Options{
			Profile: surrogate.Limited,
			Actions: map[phi.Type]surrogate.Action{phi.Profession: surrogate.Replace, phi.Hospital: surrogate.Tag},
			Dates:   surrogate.DateShift{MinDays: 7, MaxDays: 70, Direction: surrogate.Both, WholeWeeks: true, Order: date.DayFirst},
		},
		Release: Release{Mode: Batches, Every: 24 * time.Hour},
		Detect:  Detect{Detectors: []string{"record", "patterns"}, Threshold: 2, Models: []Model{{Default: true}}, Inclusion: "vault", Templates: "vault", Site: "vault"},
		Limits: Limits{
			Workers: 3, QueueBytes: 32 << 20, GroupRows: 100, Linger: 20 * time.Millisecond, CachedSentences: 5000, NoteTimeout: 30 * time.Second,
			DirectoryInterval: 6 * time.Hour,
		},
		HTTP:       "127.0.0.1:9999",
		Risk:       Risk{SmallestClass: 11},
		PatientKey: UUID,
		Tables: []Table{
			{Schema: "ehr", Name: "patient", Patient: Path{Column: "patient_id"}, Columns: []Column{
				{Name: "patient_id", Publish: Pseudonym, Domain: "patient"},
				{Name: "given_name", Tells: record.NameFirst, Publish: Surrogate},
				{Name: "ssn", Tells: record.SSN, Publish: Drop},
				{Name: "zip", Tells: record.Zip, Publish: Zip3},
			}},
			{Schema: "ehr", Name: "encounter", Patient: Path{Column: "patient_id"}, Columns: []Column{
				{Name: "encounter_id", Publish: Pseudonym, Domain: "encounter_id"},
				{Name: "patient_id", Publish: Pseudonym, Domain: "patient"},
				{Name: "admitted", Publish: ShiftDate},
			}},
			{Schema: "ehr", Name: "provider", Columns: []Column{
				{Name: "provider_id", Publish: Pseudonym, Domain: "staff"},
				{Name: "name", Tells: record.ProviderName, Publish: Drop},
			}},
			{Schema: "ehr", Name: "note_line", Patient: Path{Column: "encounter_id", Table: "ehr.encounter", Key: "encounter_id"}, Columns: []Column{
				{Name: "note_id", Publish: Pseudonym, Domain: "note_id"},
				{Name: "line", Publish: Keep},
				{Name: "body", Publish: Text},
			}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// minimal is a file to which a test adds what is wrong with it.
const minimal = `version: 1
source: {dsn: "host=/tmp dbname=ehr"}
replica: {dsn: "host=/tmp dbname=research"}
key_file: key
tables:
  ehr.note:
    patient: patient_id
    columns:
      body: text
`

// The foreign server is the default only where the replica needs no secret for it.
func TestGazetteersDefault(t *testing.T) {
	for more, want := range map[string]string{
		"": Direct, "foreign_sslcert: /etc/pgdeid/reader.crt, foreign_sslkey: /etc/pgdeid/reader.key": Foreign, "reader_password_file: reader": Direct,
	} {
		c, err := Parse([]byte(strings.Replace(minimal, "source: {", "source: {"+more+strings.Repeat(", ", min(1, len(more))), 1)), nil)
		if err != nil || c.Gazetteers != want {
			t.Errorf("%q: %+v, %v", more, c, err)
		}
	}
	if _, err := Parse([]byte(strings.Replace(minimal, "source: {", "source: {foreign_sslcert: a, ", 1)), nil); err == nil {
		t.Error("a certificate without a key is taken")
	}
}

func TestDefaults(t *testing.T) {
	c, err := Parse([]byte(minimal), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.Gazetteers = Direct
	want.Source.DSN, want.Replica.DSN, want.KeyFile = c.Source.DSN, c.Replica.DSN, "key"
	want.Tables = []Table{{Schema: "ehr", Name: "note", Patient: Path{Column: "patient_id"}, Columns: []Column{{Name: "body", Publish: Text}}}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	if c.HTTP != "127.0.0.1:9187" || c.Source.Slot != "pgdeid" || c.Surrogates.Profile != surrogate.SafeHarbor {
		t.Errorf("defaults: %+v", c)
	}
}

func TestProblems(t *testing.T) {
	with := func(old, other string) string { return strings.Replace(minimal, old, other, 1) }
	tests := []struct {
		name, file string
		line       int
		key, text  string // text: a part of the message
	}{
		{"broken YAML", "version: 1\nsource: {dsn: [\n", 2, "", "not valid YAML"},
		{"tab", "version: 1\n\tsource: x\n", 0, "", "not valid YAML"},
		{"empty", "", 0, "", "one YAML document"},
		{"a list", "- a\n", 1, "", "want keys and values"},
		{"two documents", minimal + "---\nversion: 1\n", 0, "", "one YAML document"},
		{"no version", with("version: 1\n", ""), 1, "", "version: 1"},
		{"version 2", with("version: 1", "version: 2"), 1, "version", "from 1 to 1"},
		{"unknown key", minimal + "profil: limited\n", 10, "profil", "one of actions, dates"},
		{"unknown key below", with("key_file", "limits: {worker: 3}\nkey_file"), 4, "limits.worker", "unknown key"},
		{"twice", with("key_file", "key_file: a\nkey_file"), 5, "", "key_file stands here twice (first on line 4)"},
		{"column twice", minimal + "      body: keep\n", 10, "tables.ehr.note.columns", "body stands here twice"},
		{"table twice", minimal + "  ehr.note: {patient: none, columns: {a: keep}}\n", 10, "tables", "ehr.note stands here twice"},
		{"unknown policy", with("body: text", "body: txt"), 9, "tables.ehr.note.columns.body", `unknown policy "txt" (one of drop, keep, pseudonym,`},
		{"unknown role", with("body: text", "body: text\n      x: {tells: nom}"), 10, "tables.ehr.note.columns.x.tells", `unknown role "nom" (one of name.first,`},
		{"surrogate without role", minimal + "      x: surrogate\n", 10, "tables.ehr.note.columns.x", "{tells: ROLE, publish: surrogate}"},
		{"no text", with("body: text", "body: keep"), 5, "tables", "no column has policy text"},
		{"no tables", strings.Split(minimal, "tables:")[0], 0, "tables", "pgdeid init"},
		{"no columns", minimal + "  ehr.x: {patient: none}\n", 10, "tables.ehr.x", "no column is mapped"},
		{"no patient", minimal + "  ehr.x: {columns: {a: keep}}\n", 10, "tables.ehr.x", "patient: none"},
		{"no schema", minimal + "  x: {patient: none, columns: {a: keep}}\n", 10, "tables.x", "schema.table"},
		{"reserved schema", minimal + "  deid.x: {patient: none, columns: {a: keep}}\n", 10, "tables.deid.x", "schema deid"},
		{"unknown table", minimal + "  ehr.x: {patient: {column: a, table: ehr.y}, columns: {a: keep}}\n", 10, "tables.ehr.x.patient", `"ehr.y" is not in this file`},
		{
			"circle", minimal + "  ehr.x: {patient: {column: a, table: ehr.y}, columns: {a: keep}}\n  ehr.y: {patient: {column: a, table: ehr.x}, columns: {a: keep}}\n",
			10, "tables.ehr.x.patient", "circle: ehr.x, ehr.y, then ehr.x",
		},
		{"circle of one", minimal + "  ehr.x: {patient: {column: a, table: ehr.x}, columns: {a: keep}}\n", 10, "tables.ehr.x.patient", "circle"},
		{
			"dead end", minimal + "  ehr.x: {patient: {column: a, table: ehr.y}, columns: {a: keep}}\n  ehr.y: {patient: none, columns: {a: keep}}\n",
			10, "tables.ehr.x.patient", "the path ends at ehr.y",
		},
		{"text without patient", minimal + "  ehr.x: {patient: none, columns: {a: text}}\n", 10, "tables.ehr.x.columns.a", "policy text needs a patient"},
		{"patient key kept", minimal + "      patient_id: keep\n", 10, "tables.ehr.note.columns.patient_id", "pseudonym or not at all"},
		{"other domain", minimal + "      patient_id: {publish: pseudonym, domain: x}\n", 10, "tables.ehr.note.columns.patient_id", "domain patient"},
		{"domain without pseudonym", minimal + "      x: {publish: keep, domain: x}\n", 10, "tables.ehr.note.columns.x", "domain belongs"},
		{"password in URL", with(`"host=/tmp dbname=ehr"`, "postgres://u:s3cret@h/ehr"), 2, "source.dsn", "password_file"},
		{"password in query", with(`"host=/tmp dbname=ehr"`, "postgres://u@h/ehr?password=s3cret"), 2, "source.dsn", "password_file"},
		{"password in words", with("dbname=research", "password = s3cret"), 3, "replica.dsn", "password_file"},
		{"no DSN", with("dsn: \"host=/tmp dbname=ehr\"", "slot: a"), 0, "source.dsn", "PGDEID_SOURCE_DSN"},
		{"bad DSN", with("host=/tmp dbname=ehr", "s3cret"), 2, "source.dsn", "not a connection string"},
		{"bad URL", with(`"host=/tmp dbname=ehr"`, "postgres://u:s3cret@h:port/%zz"), 2, "source.dsn", "not a connection string"},
		{"the same key twice", with("key_file: key", "key_file: key\nold_key_file: key"), 0, "old_key_file", "key of before"},
		{"no key file", with("key_file: key\n", ""), 0, "key_file", "pgdeid key new"},
		{"slot", with("dbname=ehr\"", "dbname=ehr\", slot: My-Slot"), 2, "source.slot", "lower-case"},
		{"dates", minimal + "dates: {min_days: 10, max_days: 5}\n", 10, "dates", "min_days (10) is more"},
		{"weeks", minimal + "dates: {min_days: 1, max_days: 6, whole_weeks: true}\n", 10, "dates", "multiple of 7"},
		{"zero shift", minimal + "dates: {min_days: 0}\n", 10, "dates.min_days", "from 1"},
		{"direction", minimal + "dates: {direction: up}\n", 10, "dates.direction", "one of back, forward, both"},
		{"delay back in time", minimal + "release: delayed\n", 10, "release", "direction: forward"},
		{"delay of dates that stay", minimal + "release: delayed\nprofile: limited\ndates: {direction: forward}\n", 10, "release", "notes keep theirs"},
		{"release", minimal + "release: {mode: never}\n", 10, "release.mode", "one of live, batches, delayed"},
		{"order of dates", minimal + "dates: {order: dmy}\n", 10, "dates.order", "one of month_first, day_first"},
		{"action", minimal + "actions: {PROFESSION: remove}\n", 10, "actions.PROFESSION", "one of keep, surrogate, tag"},
		{"type", minimal + "actions: {JOB: keep}\n", 10, "actions.JOB", "unknown PHI type (one of [PATIENT"},
		{"threshold", minimal + "detect: {detectors: [a], threshold: 2}\n", 10, "detect", "nothing would ever be found"},
		{"detector twice", minimal + "detect: {detectors: [a, a]}\n", 10, "detect.detectors[1]", "twice"},
		{"address", minimal + "http: 9187\n", 10, "http", "host:port"},
		{"duration", minimal + "limits: {linger: 10}\n", 10, "limits.linger", "with its unit"},
		{"bytes", minimal + "limits: {queue_bytes: 9999999999999GB}\n", 10, "limits.queue_bytes", "number of bytes"},
		{"anchor", with("key_file: key", "key_file: &a key"), 4, "key_file", "anchors"},
		{"mapping for a word", with("key_file: key", "key_file: {a: b}"), 4, "key_file", "single value"},
		{"word for a mapping", with("source: {dsn: \"host=/tmp dbname=ehr\"}", "source: x"), 2, "source", "keys and values"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.file), nil)
			var ps Problems
			if !errors.As(err, &ps) {
				t.Fatalf("got %v, want problems", err)
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("a secret stands in %q", err)
			}
			for _, p := range ps {
				if (tt.line == 0 || p.Line == tt.line) && p.Key == tt.key && strings.Contains(p.Text, tt.text) {
					return
				}
			}
			t.Errorf("want line %d: %s: …%s…, got\n%v", tt.line, tt.key, tt.text, err)
		})
	}
}

func TestProblemsComeTogether(t *testing.T) {
	_, err := Parse([]byte(minimal+"profile: x\nhttps: y\ngazetteers: z\n"), nil)
	var ps Problems
	if !errors.As(err, &ps) || len(ps) != 3 || ps[0].Line != 10 || ps[2].Line != 12 {
		t.Errorf("got %v, want three problems in order", err)
	}
}

func TestOverride(t *testing.T) {
	env := map[string]string{
		"PGDEID_SOURCE_DSN": "host=/x", "PGDEID_HTTP": "", "PGDEID_KEY_FILE": "/k",
		"PGDEID_READER_PASSWORD_FILE": "/r",
	}
	lookup := func(k string) (string, bool) { v, ok := env[k]; return v, ok }
	c, err := Parse([]byte(minimal), lookup)
	if err != nil {
		t.Fatal(err)
	}
	if c.Source.DSN != "host=/x" || c.HTTP != "" || c.KeyFile != "/k" || c.Source.ReaderPasswordFile != "/r" || c.Replica.DSN != "host=/tmp dbname=research" {
		t.Errorf("got %+v", c)
	}
	env["PGDEID_SOURCE_DSN"] = "postgres://u:s3cret@h/d"
	if _, err := Parse([]byte(minimal), lookup); err == nil || strings.Contains(err.Error(), "s3cret") ||
		!strings.Contains(err.Error(), "PGDEID_SOURCE_DSN") {
		t.Errorf("got %v", err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pgdeid.yaml")
	if _, err := Load(path); fault.Hint(err) == "" {
		t.Errorf("missing file: got %v, want a hint", err)
	}
	if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.KeyFile != filepath.Join(dir, "key") || c.Source.PasswordFile != filepath.Join(dir, "secrets/source") ||
		c.Source.ReaderPasswordFile != "/etc/pgdeid/reader" || c.Replica.PasswordFile != "" || c.Path != path {
		t.Errorf("files: %+v", c)
	}
	if err := os.WriteFile(path, []byte("version: 1\nkey: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "line 2: key: unknown key") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(minimal))
	f.Add([]byte("a: [{b: c}, &x d, *x, !!str 3, <<: {e: f}]\n? [k]\n: v\n"))
	f.Add([]byte("- |\n  x\n- >-\n  y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data, nil)
		if err != nil {
			if c != nil || err.Error() == "" {
				t.Errorf("an error must come alone and say something: %v", err)
			}
			return
		}
		if c.Hash() == "" || len(c.Tables) == 0 {
			t.Errorf("accepted a file without tables")
		}
		for i := range c.Tables {
			c.Leaving(&c.Tables[i], nil)
		}
	})
}
