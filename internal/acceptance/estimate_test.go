package acceptance

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func names(present, missed int) map[phi.Type]Counts {
	return map[phi.Type]Counts{phi.Patient: {Present: present, Missed: missed, Shown: present - missed}}
}

func rowOf(t *testing.T, rows []Row, name string) Row {
	t.Helper()
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no row %q", name)
	return Row{}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	notes := []Note{
		{Patient: "a", Weight: 1, Counts: map[phi.Type]Counts{
			phi.Patient: {Present: 4, Missed: 1, Shown: 3}, phi.Date: {Present: 2, Shown: 3, Wrong: 1},
			phi.Doctor: {Present: 2, Shown: 2},
		}},
		{Patient: "a", Weight: 1, Counts: names(2, 0)},
		{Patient: "b", Weight: 2, Counts: map[phi.Type]Counts{
			phi.Age: {Present: 1, Missed: 1}, phi.Time: {Present: 3, Missed: 3}, phi.Hospital: {Present: 1, Shown: 1},
		}},
		{Weight: 1},
	}
	e := Measure(notes, .95)
	if e.Notes != 4 || e.Patients != 3 {
		t.Errorf("%d notes of %d patients, want 4 of 3", e.Notes, e.Patients)
	}
	for _, c := range []struct {
		rows                        []Row
		name                        string
		notes, patients, items, bad int
		point                       float64
		shown, wrong                int
	}{
		{e.Groups, "A", 2, 1, 8, 1, 1 - 1./8, 8, 1},
		{e.Groups, "B", 2, 1, 10, 1, 1 - 1./10, 10, 1},
		{e.Groups, "C", 3, 2, 11, 1, 1 - 1./12, 11, 1},
		{e.Groups, "all", 3, 2, 12, 2, 1 - 3./14, 11, 1},
		{e.Classes, "NAME", 2, 1, 8, 1, 1 - 1./8, 7, 0},
		{e.Classes, "DATE", 1, 1, 2, 0, 1, 3, 1},
		{e.Types, "AGE", 1, 1, 1, 1, 0, 0, 0},
	} {
		r := rowOf(t, c.rows, c.name)
		got := []int{r.Notes, r.Patients, r.Recall.Items, r.Recall.Bad, r.Precision.Items, r.Precision.Bad}
		want := []int{c.notes, c.patients, c.items, c.bad, c.shown, c.wrong}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		near(t, c.name+" recall", r.Recall.Point, c.point, 1e-9)
	}
	for _, rows := range [][]Row{e.Classes, e.Types} {
		for _, r := range rows {
			if r.Name == "CONTACT" || r.Name == "PHONE" {
				t.Errorf("row %s of nothing", r.Name)
			}
		}
	}
}

func TestMeasureNothing(t *testing.T) {
	t.Parallel()
	e := Measure(nil, .95)
	if len(e.Groups) != int(score.NumGroups) || e.Classes != nil || e.Types != nil {
		t.Errorf("of no note: %+v", e)
	}
	if r := e.Groups[0].Recall; r.Point != 1 || r.Bounded != anything || r.Exact != anything || r.Robust != anything {
		t.Errorf("of no note: %+v", r)
	}
}

// sample returns notes of as many patients with ten names each; the first have misses.
func sample(patients int, missed ...int) []Note {
	var notes []Note
	for i := range patients {
		n := Note{Patient: string(rune('a' + i)), Weight: 1, Counts: names(10, 0)}
		if i < len(missed) {
			n.Counts = names(10, missed[i])
		}
		notes = append(notes, n)
	}
	return notes
}

func TestJudge(t *testing.T) {
	t.Parallel()
	claim := Claim{.99, .95}
	for _, c := range []struct {
		name  string
		notes []Note
		want  bool
	}{
		{"nothing was read", nil, false},
		{"no miss in 298 notes", sample(298), false},
		{"no miss in 299 notes", sample(299), true},
		{"one miss in 299 notes", sample(299, 1), false},
		{"one miss in 330 notes", sample(330, 1), true},
		{"one note that was missed whole in 330", sample(330, 10), false},
		{"one note that was missed whole in 473", sample(473, 10), true},
	} {
		got := Judge(c.notes, Class(phi.ClassName), claim)
		if got.Proven != c.want || got.Claim != claim || got.Proven != (got.Low >= claim.Recall) {
			t.Errorf("%s: %+v, want %t", c.name, got, c.want)
		}
	}
	var one []Note
	for range 299 {
		one = append(one, Note{Patient: "a", Weight: 1, Counts: names(10, 0)})
	}
	if v := Judge(one, Class(phi.ClassName), claim); v.Proven {
		t.Error("299 notes of one patient prove something of all patients")
	}
	if v := Judge(sample(299), Class(phi.ClassDate), claim); v.Proven {
		t.Error("names prove something of dates")
	}
}

func TestPerNote(t *testing.T) {
	t.Parallel()
	mean, spread := PerNote([]int{2, 4, 4, 4, 5, 5, 7, 9})
	near(t, "mean", mean, 5, 1e-9)
	near(t, "spread", spread, .4, 1e-9)
	for _, none := range [][]int{nil, {0, 0}} {
		if mean, spread := PerNote(none); mean != 0 || spread != 0 {
			t.Errorf("of %v: %v, %v", none, mean, spread)
		}
	}
}

func TestWeakest(t *testing.T) {
	t.Parallel()
	row := func(name string, low float64) Row { return Row{Name: name, Recall: Share{Bounded: Interval{low, 1}}} }
	rows := Weakest([]Row{row("a", .9), row("b", .5), row("c", .99), row("d", .5)})
	var got string
	for _, r := range rows {
		got += r.Name
	}
	if got != "bdac" {
		t.Errorf("order %s, want bdac", got)
	}
}

func TestParseTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, canonical string
		in, out         phi.Type
	}{
		{"c", "C", phi.Hospital, phi.Profession},
		{"A", "A", phi.Patient, phi.Doctor},
		{"All", "all", phi.Profession, phi.Time},
		{"name", "NAME", phi.Doctor, phi.Hospital},
		{"CONTACT", "CONTACT", phi.Phone, phi.SSN},
		{"patient", "PATIENT", phi.Patient, phi.Doctor},
		{"location-other", "LOCATION-OTHER", phi.LocationOther, phi.City},
	} {
		in, canonical, err := ParseTypes(c.name)
		if err != nil || canonical != c.canonical || !in(c.in) || in(c.out) {
			t.Errorf("%s: %s, %v", c.name, canonical, err)
		}
	}
	for _, name := range []string{"", "names of all", "TIME", "NONE", "D"} {
		if _, _, err := ParseTypes(name); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}

func TestNamesBy(t *testing.T) {
	t.Parallel()
	of := func(present, missed int) Counts { return Counts{Present: present, Missed: missed} }
	notes := []Note{
		{Patient: "a", Weight: 1, Counts: names(3, 1), Names: Names{map[string]Counts{"x": of(2, 1), "y": of(1, 0)}, map[string]Counts{"f": of(3, 1)}}},
		{Patient: "b", Weight: 2, Counts: names(1, 0), Names: Names{Origins: map[string]Counts{"x": of(1, 0)}}},
		{Patient: "c", Weight: 1},
	}
	e := Measure(notes, .95)
	e.NamesBy(notes, []string{"x", "y", "z"}, []string{"f"})
	x, y, z, f := e.Origins[0], e.Origins[1], e.Origins[2], e.Sexes[0]
	if x.Patients != 2 || x.Recall.Items != 3 || x.Recall.Bad != 1 || x.Precision.Items != 0 || y.Notes != 1 || f.Recall.Bad != 1 {
		t.Errorf("%+v", e)
	}
	near(t, "recall of x", x.Recall.Point, 1-1./4, 1e-9)
	if z.Name != "z" || z.Recall.Items != 0 || z.Recall.Bounded.Low != 0 || z.Recall.Bounded.High != 1 {
		t.Errorf("a group without names: %+v", z)
	}
}

// Few says what its comment says: of fewer patients, no sample without a miss shows 90%.
func TestFew(t *testing.T) {
	t.Parallel()
	for _, patients := range []int{1, enoughPatients - 1, enoughPatients, 200} {
		var clusters []Cluster
		for range patients {
			clusters = append(clusters, Cluster{Items: 1})
		}
		shown := Bounded(clusters, .95).complement().Low > .9
		if r := (Row{Patients: patients}); r.Few() == shown {
			t.Errorf("%d patients: few %t, more than 90%% shown %t", patients, r.Few(), shown)
		}
	}
}
