package itest

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/config/proposal"
	"github.com/pgdeid/pgdeid/internal/note"
)

// system is what a preset is for, in a folder of testdata/presets: its tables (ddl.sql), with patients of people.sql in them
// (fill.sql); what happens while the stream runs (live.sql); what must not come out besides what is known of the people
// (planted.txt); what has to hold at the end (holds.txt, "answer | query of the replica"); and, where there are such, rows that
// lead to no patient (aside.txt, "table | condition of the source"), and queries of the replica for its resources of FHIR and for what
// references lead to (resources.txt).
type system struct {
	name  string
	files map[string]string
}

func readSystem(t *testing.T, name string) *system {
	t.Helper()
	s := &system{name: name, files: map[string]string{}}
	for _, file := range []string{"people.sql", name + "/ddl.sql", name + "/fill.sql", name + "/live.sql", name + "/planted.txt", name + "/holds.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "presets", file))
		if err != nil {
			t.Fatal(err)
		}
		s.files[filepath.Base(file)] = string(data)
	}
	for _, file := range []string{"aside.txt", "resources.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "presets", name, file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		s.files[file] = string(data)
	}
	return s
}

// aside returns which rows of a table lead to no patient, as a condition.
func (s *system) aside(table string) string {
	for line := range strings.Lines(s.files["aside.txt"]) {
		if name, condition, _ := strings.Cut(strings.TrimSpace(line), " | "); name == table {
			return condition
		}
	}
	return "false"
}

// tables returns the part of the system's preset that says what is mapped.
func (s *system) tables(t *testing.T) string {
	t.Helper()
	data, err := config.Preset(s.name)
	if err != nil {
		t.Fatal(err)
	}
	_, mapped, ok := strings.Cut(string(data), "\npatient_key:")
	if !ok {
		t.Fatalf("preset %s has no patient_key", s.name)
	}
	return "patient_key:" + mapped
}

// everyPresetWithAFolder returns the systems, in the order of their names.
func everyPresetWithAFolder(t *testing.T) []*system {
	t.Helper()
	var all []*system
	folders, err := filepath.Glob("testdata/presets/*/ddl.sql")
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d systems, %v", len(folders), err)
	}
	for _, f := range folders {
		all = append(all, readSystem(t, filepath.Base(filepath.Dir(f))))
	}
	return all
}

// Every preset copies its system and follows it, and nothing of anybody comes out.
func TestPresetsCopyAndFollow(t *testing.T) {
	t.Parallel()
	for _, s := range everyPresetWithAFolder(t) {
		t.Run(s.name, func(t *testing.T) {
			r := newReplicationOf(t, newPair(t), s.files["people.sql"]+s.files["ddl.sql"]+s.files["fill.sql"], s.tables(t))
			for _, f := range attention(findingsOf(t, r.cfg)) {
				t.Errorf("check: %s: %s (%s)", f.Subject, f.Text, f.Remedy)
			}
			marks := s.marks(t, r)
			r.run(t, exactDetector(t))
			r.caughtUp(t)
			s.isPublishedWhole(t, r, marks)
			do(t, r.src, s.files["live.sql"])
			r.caughtUp(t)
			s.isPublishedWhole(t, r, marks)
			for line := range strings.Lines(s.files["holds.txt"]) {
				answer, query, _ := strings.Cut(strings.TrimSpace(line), " | ")
				want(t, r.dst, answer, "select v::text from ("+query+") q (v)")
			}
			s.publishesResources(t, r)
			s.isRecognised(t, r, marks)
		})
	}
}

// marks returns what must not come out.
func (s *system) marks(t *testing.T, r *replication) []string {
	t.Helper()
	marks := texts(t, r.src, `select distinct unnest(array[given, family, mrn, ssn, replace(ssn, '-', ''), phone, replace(phone, '-', ''), email, street,
		split_part(street, ' ', 2), city, to_char(born, 'MM/DD/YYYY'), split_part(kin, ' ', 1)]) from people`)
	return append(marks, strings.Fields(s.files["planted.txt"])...)
}

// isPublishedWhole checks that every row and every value is there that the mapping publishes, and no mark.
func (s *system) isPublishedWhole(t *testing.T, r *replication, marks []string) {
	t.Helper()
	found, readable := r.decodedMarks(t, marks)
	for _, f := range found {
		t.Errorf("found in the replica: %s", f)
	}
	if readable < 10 {
		t.Errorf("%d notes can be read, of 10", readable)
	}
	for _, column := range texts(t, r.dst, "select table_name || '.' || column_name from deid.withheld") {
		t.Errorf("withheld: %s", column)
	}
	for i := range r.cfg.Tables {
		s.isWhole(t, r, &r.cfg.Tables[i])
	}
}

// isWhole checks that a table's rows are there but for those that lead to no patient, which are set aside.
func (s *system) isWhole(t *testing.T, r *replication, table *config.Table) {
	t.Helper()
	alone := s.aside(table.FullName())
	inSource := "select count(*)::text from " + place(table) + " where " + alone
	query := `select count(*)::text from deid.quarantine where table_name = '` + table.FullName() + `' and reason `
	if got, want := one(t, r.dst, query+"= 'no_patient'"), one(t, r.src, inSource); got != want && len(table.Texts()) > 0 {
		t.Errorf("%s: %s rows set aside without a patient, want %s", table.FullName(), got, want)
	}
	if got := one(t, r.dst, query+"<> 'no_patient'"); got != "0" {
		t.Errorf("%s: %s rows set aside", table.FullName(), got)
	}
	for _, c := range table.Published() {
		query := fmt.Sprintf(`select count(*) || ' rows, ' || count(%q) from %s`, c.Name, place(table))
		if got, want := one(t, r.dst, query), one(t, r.src, query+" where not ("+alone+")"); got != want {
			t.Errorf("%s.%s: %s values in the replica, %s in the source", table.FullName(), c.Name, got, want)
		}
	}
}

// publishesResources checks that the replica's resources of FHIR are valid, and that each reference among them leads to one.
func (s *system) publishesResources(t *testing.T, r *replication) {
	t.Helper()
	queries := strings.Split(strings.TrimSpace(s.files["resources.txt"]), "\n")
	if len(queries) != 2 {
		return
	}
	resources := texts(t, r.dst, queries[0])
	targets := texts(t, r.dst, queries[1])
	references := 0
	for _, resource := range resources {
		everyText(parsed(t, resource), "", func(path, text string) {
			if !strings.HasSuffix(path, ".reference") {
				return
			}
			if references++; !slices.Contains(targets, text) {
				t.Errorf("the reference at %s leads nowhere", path)
			}
		})
	}
	if len(resources) < 50 || references < 100 {
		t.Errorf("%d resources with %d references", len(resources), references)
	}
	validateFHIR(t, resources)
}

func place(t *config.Table) string { return pgx.Identifier{t.Schema, t.Name}.Sanitize() }

// decodedMarks returns where the replica holds any mark, in any case, encoded or not, and the number of notes that can be read.
func (r *replication) decodedMarks(t *testing.T, marks []string) (found []string, readable int) {
	t.Helper()
	for _, table := range texts(t, r.dst, `select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_catalog|pg_toast|information_schema)$' or c.oid = 'pg_statistic'::regclass order by 1`) {
		for _, row := range texts(t, r.dst, "select to_jsonb(x)::text from "+table+" x") {
			for _, reading := range readings(row) {
				if in := marksInText(reading, marks); len(in) > 0 {
					found = append(found, fmt.Sprintf("%s: %q in %.300s", table, in, reading))
				}
				if strings.Contains(reading, "and slept.") {
					readable++
				}
			}
		}
	}
	for i := range r.cfg.Tables {
		for _, text := range r.notesInRows(t, &r.cfg.Tables[i]) {
			if in := marksInText(text, marks); len(in) > 0 {
				found = append(found, fmt.Sprintf("rows of %s put together: %q in %.300s", r.cfg.Tables[i].FullName(), in, text))
			}
			if strings.Contains(text, "and slept.") {
				readable++
			}
		}
	}
	return found, readable
}

// notesInRows returns the texts of notes that lie in several rows of a table of the replica.
func (r *replication) notesInRows(t *testing.T, table *config.Table) []string {
	t.Helper()
	if table.Note == nil {
		return nil
	}
	column, _ := table.Column(table.Note.Text)
	typ := one(t, r.dst, fmt.Sprintf(`select pg_typeof((select %q from %s limit 1))`, column.Name, place(table)))
	rows, err := r.dst.Query(t.Context(), fmt.Sprintf(`select array_agg(%q::text order by %q) from %s where %[1]q is not null group by %[4]q`,
		column.Name, table.Note.Order, place(table), table.Note.Key[0]))
	if err != nil {
		t.Fatal(err)
	}
	texts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var values []string
		if err := row.Scan(&values); err != nil {
			return "", err
		}
		lines, err := note.FormOf(column, typ).OpenLines(values, table.Note.Join.Separator())
		if err != nil {
			return "", err
		}
		return lines.Text(), nil
	})
	if err != nil {
		t.Errorf("the rows of %s make up no notes: %v", table.FullName(), err)
	}
	return texts
}

var (
	hexDigits    = regexp.MustCompile(`\\\\x([0-9a-f]{2,})`)
	base64Digits = regexp.MustCompile(`[A-Za-z0-9+/]{16,}={0,2}`)
)

// readings returns a row as it is written, and what is encoded in it.
func readings(row string) []string {
	all := []string{row}
	for _, m := range hexDigits.FindAllStringSubmatch(row, -1) {
		data, err := hex.DecodeString(m[1])
		if err != nil {
			continue
		}
		all = append(all, string(data))
		if doc, _, err := encoding.Decode(encoding.OCF, data); err == nil {
			all = append(all, string(doc))
		}
	}
	for _, m := range base64Digits.FindAllString(row, -1) {
		if data, err := base64.StdEncoding.DecodeString(m); err == nil {
			all = append(all, string(data))
		}
	}
	return all
}

// isRecognised checks that init knows the system by its preset, and that what it proposes without the preset keeps nothing
// of anybody.
func (s *system) isRecognised(t *testing.T, r *replication, marks []string) {
	t.Helper()
	init := func(preset string) *config.Config {
		out, err := proposal.Propose(t.Context(), r.src, proposal.Options{Preset: preset})
		if err != nil {
			t.Fatal(err)
		}
		if found := marksInText(string(out), marks); len(found) > 0 {
			t.Errorf("init prints %v", found)
		}
		if !strings.Contains(string(out), "# This looks like "+s.name+",") {
			t.Errorf("init does not recognise %s:\n%s", s.name, out)
		}
		// A mapping needs a text, which is not to be recognised everywhere.
		cfg, err := config.Parse(append(out, "  other.note: {patient: k, columns: {k: pseudonym, body: text}}\n"...), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		cfg.Tables = cfg.Tables[:len(cfg.Tables)-1]
		return cfg
	}
	asPreset := init(proposal.Auto)
	for i := range r.cfg.Tables {
		m := &r.cfg.Tables[i]
		if got, ok := asPreset.Table(m.Schema, m.Name); !ok || !reflect.DeepEqual(got.Patient, m.Patient) || len(got.Published()) != len(m.Published()) || len(got.Tells()) != len(m.Tells()) {
			t.Errorf("init --preset auto maps %s otherwise than the preset", m.FullName())
		}
	}
	r.keepsNobody(t, init(""), marks)
}

// keepsNobody checks that no column of policy keep has a mark in the source.
func (r *replication) keepsNobody(t *testing.T, cfg *config.Config, marks []string) {
	t.Helper()
	for i := range cfg.Tables {
		table := &cfg.Tables[i]
		for _, c := range table.Published() {
			if c.Publish != config.Keep {
				continue
			}
			for _, value := range texts(t, r.src, fmt.Sprintf(`select distinct coalesce(%q::text, '') from %s`, c.Name, place(table))) {
				if found := marksInText(value, marks); len(found) > 0 {
					t.Errorf("init would keep %s.%s, which holds %v", table.FullName(), c.Name, found)
					break
				}
			}
		}
	}
}
