package proposal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// odd are names that mean something else in YAML, or that are hard to write.
var odd = []string{
	"null", "yes", "true", "~", "1", "1.5", "- a", "a: b", "#x", "x #y", "{a}", "[b]", "&c", "*d", "!e", "|", ">", "%", "@f", "`g",
	"'q'", `"r"`, `back\slash`, "tab\tname", "line\nbreak", "né", "名前", " lead", "trail ", "none", "patient", "Mixed Case", "a,b", "?", "? k", ":", "x:", "0x1f", ".inf", "2021-03-04",
}

var dataTypes = []string{
	"integer", "bigint", "smallint", "uuid", "text", "character varying(20)", "date", "timestamp with time zone", "numeric(10,2)", "boolean",
	"bytea", "jsonb", "text[]", "double precision", "inet",
}

var (
	labels = []string{
		"MASKED WITH FUNCTION anon.fake_city()", "MASKED WITH FUNCTION anon.lorem_ipsum()", "MASKED WITH VALUE NULL", "NOT MASKED",
	}
	comments = []string{"the patient's family name", "PHI: must not be shown", "line\nbreak: # and so on", "date of birth"}
)

var usual = []string{"patient_id", "first_name", "last_name", "dob", "zip", "state", "phone", "note_text", "age", "id", "note_id", "city", "mrn", "ssn", "created", "year_of_birth"}

// randomDatabase makes tables, keys, foreign keys and shapes by chance.
func randomDatabase(r *rand.Rand) *database {
	db := &database{}
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	formats := append(config.Formats(), "")
	encodings := append(config.Encodings(), "", "base64+gzip")
	for i := range 1 + r.IntN(6) {
		t := &table{schema: pick([]string{"ehr", "public", "Odd one"}), name: fmt.Sprintf("%s_%d", pick(append(odd, "patient", "note", "staff", "site")), i)}
		if r.IntN(4) == 0 {
			t.name = pick([]string{"patient", "patients", "encounters", "notes", "a.b"})
		}
		if db.table(t.schema, t.name) != nil {
			continue
		}
		for range 1 + r.IntN(8) {
			c := &column{name: pick(append(odd, usual...)), dataType: pick(dataTypes), enum: r.IntN(9) == 0}
			if t.column(c.name) != nil {
				continue
			}
			c.shape = shape{values: r.IntN(100), longest: r.IntN(300), distinct: r.IntN(40), words: r.IntN(100), emails: r.IntN(100), total: r.IntN(9000)}
			c.shape.days, c.shape.twoWays, c.shape.monthly, c.shape.daily = r.IntN(100), r.IntN(9), r.IntN(100), r.IntN(100)
			c.shape.persons, c.shape.never = r.IntN(100), r.IntN(3)
			for range r.IntN(3) {
				c.shape.addLists(pick([]string{"617-555-0100; 617-555-0111", "a@example.org|b@example.org", "2024-01-02\n2024-01-03", "Ann;Bea", "02139, 02140"}))
			}
			for range r.IntN(3) {
				c.shape.addKind(kind{formats[r.IntN(len(formats))], encodings[r.IntN(len(encodings))]})
			}
			if r.IntN(9) == 0 {
				c.label = pick(labels)
			}
			if r.IntN(9) == 0 {
				c.comment = pick(comments)
			}
			t.columns = append(t.columns, c)
			if r.IntN(3) == 0 {
				t.key = append(t.key, c.name)
			}
		}
		if len(t.key) > 1 && r.IntN(2) == 0 {
			t.lines = &lines{config.Note{Key: t.key[:1], Order: t.key[1], Text: t.columns[0].name, Join: config.JoinNone}, 9, 9}
		}
		if r.IntN(9) == 0 {
			t.unseen = "no values were looked at (SQLSTATE 42501)"
		}
		db.tables = append(db.tables, t)
	}
	for range r.IntN(6) {
		from, to := db.tables[r.IntN(len(db.tables))], db.tables[r.IntN(len(db.tables))]
		if len(to.key) > 0 {
			l := link{table: to}
			for i, target := range to.key {
				if i == len(from.columns) || i > 0 && r.IntN(2) == 0 {
					break
				}
				l.columns, l.targets = append(l.columns, from.columns[i].name), append(l.targets, target)
			}
			from.links = append(from.links, l)
		}
	}
	return db
}

// Whatever the database, the proposal is a file that can be read, but for what only
// a person can say.
func TestEveryProposalCanBeRead(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		db := randomDatabase(r)
		p := db.findPeople()
		out := write("host=/tmp dbname=a", "host=/tmp dbname=b", nil, p, db.propose(p, nil))
		_, err := config.Parse(out, nil)
		var problems config.Problems
		if err != nil && !errors.As(err, &problems) {
			t.Fatal(err)
		}
		for _, problem := range problems {
			if !strings.Contains(problem.Text, "no column has policy text") && !strings.Contains(problem.Text, "no table is mapped") {
				t.Fatalf("seed %d: %v\n%s", seed, problem, out)
			}
		}
	}
}
