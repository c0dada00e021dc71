package proposal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// tableOf returns a table of columns, "name type" each, of which the first ones are the primary key.
func tableOf(name string, keys int, columns ...string) *table {
	t := &table{schema: "ehr", name: name}
	for i, c := range columns {
		col, dataType, _ := strings.Cut(c, " ")
		t.columns = append(t.columns, &column{name: col, dataType: dataType})
		if i < keys {
			t.key = append(t.key, col)
		}
	}
	return t
}

// linked adds a foreign key to a table: "a,b" to "c,d".
func (t *table) linked(columns string, to *table, targets string) *table {
	t.links = append(t.links, link{strings.Split(columns, ","), to, strings.Split(targets, ",")})
	return t
}

// lineOf returns how the proposal has a table lead to its patient.
func lineOf(db *database, p *people, t *table) string {
	for _, w := range db.propose(p, nil) {
		if w.table != t {
			continue
		}
		var b bytes.Buffer
		w.columns, w.choices = nil, append(w.choices, choice{Column: config.Column{Name: "body", Publish: config.Text}})
		writeTable(&b, w)
		_, line, _ := strings.Cut(b.String(), "    patient: ")
		line, _, _ = strings.Cut(line, "\n")
		return line
	}
	return ""
}

func TestPathsOfSeveralColumns(t *testing.T) {
	t.Parallel()
	patient := func() *table { return tableOf("patient", 2, "site smallint", "mrn text", "last_name text") }
	for name, c := range map[string]func() (*database, *table, string){
		"the table of patients": func() (*database, *table, string) {
			p := patient()
			return &database{tables: []*table{p, tableOf("visit", 1, "visit_id integer", "site integer", "mrn text")}}, p,
				"[site, mrn] # the key of the table of patients: 2 columns together name one"
		},
		"by names": func() (*database, *table, string) {
			v := tableOf("visit", 1, "visit_id integer", "mrn text", "site integer")
			return &database{tables: []*table{patient(), v}}, v, "[site, mrn] # by the name"
		},
		"a foreign key in another order": func() (*database, *table, string) {
			p := patient()
			v := tableOf("visit", 1, "visit_id integer", "pat_no text", "pat_at smallint").linked("pat_no,pat_at", p, "mrn,site")
			return &database{tables: []*table{p, v}}, v, "[pat_at, pat_no] # a foreign key to patient"
		},
		"columns of other kinds": func() (*database, *table, string) {
			v := tableOf("lab", 1, "lab_id integer", "mrn integer", "site integer")
			other := tableOf("visit", 1, "visit_id integer", "mrn text", "site integer")
			return &database{tables: []*table{patient(), other, v}}, v, "none"
		},
		"through a foreign key": func() (*database, *table, string) {
			v := tableOf("visit", 2, "site integer", "visit_no integer", "mrn text")
			n := tableOf("note", 2, "site integer", "note_no integer", "visit integer").linked("site,visit", v, "site,visit_no")
			return &database{tables: []*table{n, patient(), v}}, n, "{column: [site, visit], table: ehr.visit, key: [site, visit_no]} # a foreign key to visit"
		},
		"through columns of the same names": func() (*database, *table, string) {
			v := tableOf("visit", 2, "site integer", "visit_no integer", "mrn text")
			n := tableOf("note", 2, "site integer", "note_no integer", "visit_no integer")
			return &database{tables: []*table{n, patient(), v}}, n,
				"{column: [site, visit_no], table: ehr.visit, key: [site, visit_no]} # by the names of the key of visit, since no foreign key says so: site, visit_no"
		},
		"through either of two": func() (*database, *table, string) {
			v, w := tableOf("visit", 2, "site integer", "visit_no integer", "mrn text"), tableOf("bill", 2, "site integer", "visit_no integer", "mrn text")
			n := tableOf("note", 2, "site integer", "note_no integer", "visit_no integer")
			return &database{tables: []*table{n, patient(), v, w}}, n, "none"
		},
		"numbers of tenants": func() (*database, *table, string) { // each table has an id, which is not the patient's
			p := tableOf("patient", 2, "tenant_id integer", "id bigint")
			v := tableOf("visit", 2, "tenant_id integer", "id bigint", "patient_id bigint").linked("tenant_id,patient_id", p, "tenant_id,id")
			return &database{tables: []*table{p, v}}, v, "[tenant_id, patient_id] # a foreign key to patient"
		},
		"tenants without a foreign key": func() (*database, *table, string) {
			p := tableOf("patient", 2, "tenant_id integer", "id bigint")
			v := tableOf("visit", 2, "tenant_id integer", "id bigint", "patient_id bigint").linked("tenant_id,patient_id", p, "tenant_id,id")
			n := tableOf("room", 2, "tenant_id integer", "id bigint")
			return &database{tables: []*table{p, v, n}}, n, "none"
		},
		"a list of a patient": func() (*database, *table, string) { // not several columns that name one
			p := tableOf("patient", 2, "patient_id integer", "line integer")
			v := tableOf("visit", 2, "patient_id integer", "line integer")
			return &database{tables: []*table{p, v}}, v, "patient_id # by the name"
		},
		"a unique number besides": func() (*database, *table, string) {
			p := tableOf("patient", 1, "patient_id integer", "site smallint", "mrn text")
			v := tableOf("visit", 1, "visit_id integer", "at smallint", "pat text").linked("at,pat", p, "site,mrn")
			return &database{tables: []*table{p, v}}, v, "{column: [at, pat], table: ehr.patient, key: [site, mrn]} # a foreign key to patient"
		},
	} {
		db, of, want := c()
		p := db.findPeople()
		if got := lineOf(db, p, of); !strings.HasPrefix(got, want) || want == "none" && got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Columns that are a part of the patient key have its domain wherever they are, so that joins hold.
func TestDomainsOfSeveralColumns(t *testing.T) {
	t.Parallel()
	patient := tableOf("patient", 2, "site smallint", "mrn text", "mother text").linked("site,mother", nil, "site,mrn")
	patient.links[0].table = patient
	visit := tableOf("visit", 2, "site integer", "visit_no numeric(10,0)", "mrn text")
	note := tableOf("note", 2, "site integer", "note_no integer", "stay numeric(10,0)").linked("site,stay", visit, "site,visit_no")
	db := &database{tables: []*table{patient, visit, note}}
	p := db.findPeople()
	d := &decider{db, p, db.keyDomains(p), nil}
	for _, c := range []struct {
		table        *table
		column, want string
	}{
		{patient, "site", "pseudonym"}, // the mapping's default: patient 1
		{patient, "mrn", "{tells: mrn, publish: pseudonym}"},
		{patient, "mother", "{publish: pseudonym, domain: patient 2}"},
		{visit, "site", "pseudonym"},
		{visit, "mrn", "pseudonym"},
		{visit, "visit_no", "pseudonym"},
		{note, "site", "{publish: pseudonym, domain: patient 1}"},
		{note, "stay", "{publish: pseudonym, domain: visit_no}"},
	} {
		if got := d.decide(c.table, c.table.column(c.column)).value(); got != c.want {
			t.Errorf("%s.%s: %s, want %s", c.table.name, c.column, got, c.want)
		}
	}
}

// A key of several columns of which other tables have one is not guessed at.
func TestDoubtAboutTheKey(t *testing.T) {
	t.Parallel()
	db := &database{tables: []*table{
		tableOf("patient", 2, "region text", "patient_id integer"),
		tableOf("note", 1, "note_id integer", "patient_id integer"),
	}}
	if p := db.findPeople(); !strings.Contains(db.doubt(p), "ehr.patient has the key region, patient_id, of which other tables have patient_id alone") {
		t.Errorf("%v: %q", p.key, db.doubt(p))
	}
	db.tables = db.tables[1:]
	if doubt := db.doubt(db.findPeople()); doubt != "" {
		t.Error(doubt)
	}
}

// Merges and opt-outs of patients whom several columns name.
func TestRemarksOfSeveralColumns(t *testing.T) {
	t.Parallel()
	db := &database{tables: []*table{
		tableOf("patient", 2, "site smallint", "mrn text"),
		tableOf("consent", 1, "consent_id integer", "site smallint", "mrn text"),
		tableOf("patient_merge", 1, "id integer", "old_site smallint", "old_mrn text", "site smallint", "mrn text"),
		tableOf("person_merges", 1, "id integer", "old_site smallint", "old_mrn text", "new_site smallint", "new_mrn text"),
		tableOf("merge_conflict", 1, "id integer", "old_site smallint", "mrn text"),
	}}
	want := []string{
		"exclude: {table: ehr.consent, patient: [site, mrn]} #",
		"merges: {table: ehr.patient_merge, from: [old_site, old_mrn], to: [site, mrn]} #",
		"merges: {table: ehr.person_merges, from: [old_site, old_mrn], to: [new_site, new_mrn]} #",
	}
	got := db.remarks(db.findPeople(), nil)
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}
