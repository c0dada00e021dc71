package itest

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/finding"
)

const doubtful = `
create table ehr.doubt (id bigint primary key, patient_id int, age text, dob int, seen text, visit date, visit_ymd int, visit_at timestamptz, visit_year int, ward_year int, fine int, until date);
insert into ehr.doubt select n, 1, case n when 1 then '45 yo, Zarkovinmark' else n::text end, 19790305, '03/05/2024', '2024-03-05'::date + n,
	to_char('2024-03-05'::date + n, 'yyyymmdd')::int, '2024-03-05 12:00+00'::timestamptz + make_interval(days => n), extract(year from '2024-03-05'::date + n),
	1000 + n, n, '2019-01-01' from generate_series(1, 60) n;
insert into ehr.doubt (id, patient_id, visit) values (61, 1, 'infinity'), (62, 1, null);`

const doubtfulMapping = `  ehr.doubt:
    patient: patient_id
    columns:
      id: pseudonym
      patient_id: pseudonym
      age: age_cap
      dob: age_cap
      seen: date_shift
      visit: date_shift
      visit_ymd: keep
      visit_at: keep
      visit_year: keep
      ward_year: keep
      fine: keep
      until: keep
`

// The check says which columns can't hold what their policy means, and which give a
// shift away, without a value.
func TestCheckLooksAtValues(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), ward+doubtful)
	cfg := p.config(t, p.settings(t)+wardTables+doubtfulMapping)
	look := func() finding.List {
		var fs finding.List
		for _, f := range findingsOf(t, cfg) {
			if strings.HasPrefix(f.Subject, "table ehr.doubt column") {
				fs = append(fs, f)
			}
			if strings.Contains(f.Text+f.Remedy, "Zarkovinmark") || strings.Contains(f.Text, "19790305") {
				t.Errorf("a value is told: %+v", f)
			}
		}
		return fs
	}
	migrateUp(t, cfg)
	fs := look()
	for _, want := range []struct {
		column string
		level  finding.Level
		text   string
	}{
		{"age", finding.Warning, "1 of 60 values looked at can't be what policy age_cap means"},
		{"dob", finding.Problem, "60 are a date"},
		{"seen", finding.Problem, "60 of 60 values looked at are dates that can be read month first or day first"},
		{"visit_ymd", finding.Problem, "has the same day in 60 of 60 rows looked at as column visit"},
		{"visit_at", finding.Problem, "has the same day in 60 of 60 rows looked at as column visit"},
		{"visit_year", finding.Problem, "has the year of the same day in 60 of 60"},
		{"until", finding.Warning, "is a date of a patient and kept as it is"},
	} {
		has := func(f finding.Finding) bool {
			return f.Subject == "table ehr.doubt column "+want.column && f.Level == want.level && strings.Contains(f.Text, want.text) && f.Remedy != ""
		}
		if !slices.ContainsFunc(fs, has) {
			t.Errorf("%s: nothing like %q", want.column, want.text)
		}
	}
	if len(fs) != 7 {
		t.Errorf("%d findings: %+v", len(fs), fs)
	}
	// What was refused is mended.
	do(t, p.onSource(t), "update ehr.doubt set visit_ymd = null, visit_at = null, visit_year = null, until = null, age = null, dob = null, seen = '13/05/2024'")
	if fs := look(); len(fs) != 2 { // dates that are kept, by their type
		t.Errorf("after mending: %+v", fs)
	}
}
