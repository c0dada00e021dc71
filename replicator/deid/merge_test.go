package deid

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// siteTable has rows of patients who are named by a site and a number there: site, number, mrn, body.
func siteTable(key ...int) *schema.Table {
	t := &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "visit", Patient: config.Path{Column: "site", More: []config.Link{{Column: "mrn"}}}},
		ID:    "ehr.visit", Key: key, Via: 4,
	}
	for _, c := range []config.Column{
		{Name: "site", Publish: config.Keep},
		{Name: "number", Publish: config.Pseudonym, Domain: "number"},
		{Name: "mrn", Publish: config.Pseudonym, Domain: "patient 2"},
		{Name: "body", Publish: config.Text},
	} {
		t.Columns = append(t.Columns, schema.Column{Column: c, Typ: "text"})
	}
	t.Columns[0].Typ = "smallint"
	t.Columns = append(t.Columns, schema.Column{Column: config.Column{Name: "(site, mrn)", Publish: config.Drop}, Typ: "text", Parts: []int{0, 2}})
	return t
}

// mergesOf returns a deidentifier with merges of pairs of ids.
func mergesOf(t *testing.T, kind config.KeyType, pairs ...string) *Deidentifier {
	t.Helper()
	d := &Deidentifier{config: &config.Config{PatientKey: kind, Filters: []config.Filter{{Kind: config.Merges}}}, Reg: keyedRegister(t)}
	for i := 0; i < len(pairs); i += 2 {
		d.Reg.Merges.Set(map[patient.MergeRow]patient.Merge{{Filter: "f", Hash: pairs[i]}: {From: pairs[i], Into: pairs[i+1]}})
	}
	return d
}

// The columns of a key change together, and those of the primary key not at all.
func TestMergedKeysOfSeveralColumns(t *testing.T) {
	t.Parallel()
	const m1, m2, other, none = `["1","M-1"]`, `["1","M-2"]`, `["2","M-9"]`, `["70000","M-1"]`
	for _, c := range []struct {
		name  string
		key   []int
		pairs []string
		row   string
		want  string // site, number and mrn
	}{
		{"nobody merged", []int{1}, nil, "1 7 M-1", "1 7 M-1"},
		{"within a site", []int{1}, []string{m1, m2}, "1 7 M-1", "1 7 M-2"},
		{"the survivor", []int{1}, []string{m1, m2}, "1 7 M-2", "1 7 M-2"},
		{"to another site", []int{1}, []string{m1, other}, "1 7 M-1", "2 7 M-9"},
		{"a chain", []int{1}, []string{m1, m2, m2, other}, "1 7 M-1", "2 7 M-9"},
		{"another site's patient of that number", []int{1}, []string{m1, other}, "3 7 M-1", "3 7 M-1"},
		{"within a site that is in the key", []int{0, 1}, []string{m1, m2}, "1 7 M-1", "1 7 M-2"},
		{"from a site that is in the key", []int{0, 1}, []string{m1, other}, "1 7 M-1", "1 7 M-1"},
		{"all of it in the key", []int{0, 2}, []string{m1, m2}, "1 7 M-1", "1 7 M-1"},
		{"a circle", []int{1}, []string{m1, m2, m2, m1}, "1 7 M-1", "1 7 M-1"},
		{"a number that the column can't hold", []int{1}, []string{m1, none}, "1 7 M-1", "1 7 M-1"},
	} {
		table, d := siteTable(c.key...), mergesOf(t, config.TextKey, c.pairs...)
		row := append(present(append(strings.Fields(c.row), "Quarkstein came.")...), schema.Value{})
		table.Compose(row)
		var got []string
		for col := range 3 {
			got = append(got, d.merged(table, row, col))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		if body := d.merged(table, row, 3); body != "Quarkstein came." {
			t.Errorf("%s: the text became %q", c.name, body)
		}
	}
}

func TestMergedKeysThatLack(t *testing.T) {
	t.Parallel()
	table, d := siteTable(1), mergesOf(t, config.TextKey, `["1","M-1"]`, `["2","M-9"]`)
	row := append(present("1", "7", "", "x"), schema.Value{})
	row[2].State = schema.Null
	table.Compose(row)
	if got := d.merged(table, row, 0); got != "1" {
		t.Errorf("the site of a row of nobody is %s", got)
	}
}

func TestMergedKeysOfOneColumn(t *testing.T) {
	t.Parallel()
	d := mergesOf(t, config.Integer, "7", "9", "3", "4", "4", "3")
	for _, c := range []struct {
		name, text, want string
		change           func(*schema.Table)
	}{
		{"merged", "7", "9", func(*schema.Table) {}},
		{"with zeros", "7.0", "9", func(*schema.Table) {}},
		{"not merged", "8", "8", func(*schema.Table) {}},
		{"a circle", "3", "", func(*schema.Table) {}},
		{"in the primary key", "7", "7", func(t *schema.Table) { t.Key = []int{1} }},
		{"of something else", "7", "7", func(t *schema.Table) { t.Columns[1].Domain = "visit" }},
	} {
		table := schematest.NoteTable()
		c.change(table)
		if got := d.merged(table, present("1", c.text, "s", "x"), 1); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	d.config.Filters = nil
	if got := d.merged(schematest.NoteTable(), present("1", "7", "s", "x"), 1); got != "7" {
		t.Errorf("without merges: %q", got)
	}
}
