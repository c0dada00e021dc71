package risk

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// sample is a report with every part.
func sample() *Report {
	sizes := NewSizes(Size{1, 12}, Size{4, 5}, Size{40, 3})
	after := NewSizes(Size{12, 4}, Size{52, 2})
	j := Population{People: 9000}.Estimate(sizes, 11)
	return &Report{
		Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Version: "1.2.3", Mapping: "abcdef", Patients: sizes.Records(), Smallest: 11,
		Columns: []Facts{{Column: "ehr.patient.<sex>", Policy: "keep", Kind: Category, Categories: 3, Small: 1, InSmall: 2, Unique: 1, Involved: 12}},
		Omitted: []Omitted{{"ehr.patient.name", "made up"}}, Together: sizes.Anonymity(11), Bins: sizes.Bins(11), Journalist: &j,
		Sets:      []Set{{[]string{"ehr.patient.<sex>", "ehr.address.zip"}, 12, 10}},
		Depth:     3,
		Sensitive: []Diversity{{"ehr.patient.diet", 1, 12, 0.75}},
		Codes:     []Codes{{"ehr.encounter.reason", 40, 3, 7, 1}},
		Visits: &Visits{
			Column: "ehr.encounter.at", Patients: 100, Visits: 700, TimeOfDay: true, Shifts: 336, Release: "live",
			Unicity: []Unicity{
				{"to the second", 2, 90, 88, 88. / 90, wilson(88, 90)},
				{"to the day", 2, 90, 1, 1. / 90, wilson(1, 90)},
				{"to the day", 3, 80, 60, .75, wilson(60, 80)},
				{"to the week", 3, 80, 8, .1, wilson(8, 80)},
			},
			Left: []Left{{Weekdays.String(), 99, 1, 96, 48, 0, 0}, {Past.String(), 99, 1, 90, 5, 0, 2}, {Holidays.String(), 99, 1, 60, 1, 3, 9}},
		},
		Changes: []Effect{{"publish ehr.patient.born in steps of 5", "ehr.patient.born", "how", after.Anonymity(11), .4}},
		Plan:    []Effect{{"do not publish ehr.address.zip", "ehr.address.zip", "how", after.Anonymity(11), 1}},
	}
}

func written(t *testing.T, r *Report) (text, html string) {
	t.Helper()
	var a, b strings.Builder
	if err := r.WriteText(&a); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

func TestReportSaysWhatWasFound(t *testing.T) {
	t.Parallel()
	text, html := written(t, sample())
	for _, want := range []string{"12 (7.9%)", "k = 1", "336", "ehr.encounter.reason", "publish ehr.patient.born in steps of 5", "journalist risk"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, want := range []string{"ehr.patient.&lt;sex&gt;", `id="risk-sizes-title"`, `id="risk-visits-title"`, `id="risk-plan-title"`} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"http://", "https://", "<script", "<sex>", "src=", "NaN", "Inf"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestReportOfAnEmptyReplica(t *testing.T) {
	t.Parallel()
	text, html := written(t, &Report{Smallest: 11, Bins: Sizes{}.Bins(11)})
	for _, out := range []string{text, html} {
		if strings.Contains(out, "NaN") || !strings.Contains(out, "0 patients") {
			t.Errorf("%s", out)
		}
	}
}

func TestReportGoesThroughJSON(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(sample())
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	a, b := written(t, sample())
	c, d := written(t, &back)
	if a != c || b != d {
		t.Error("a report that was read says something else")
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	all := strings.Join(sample().Visits.Advice(), "\n")
	for _, want := range []string{
		"Without times of day, 2 known visits single out 1.1% of patients instead of 97.8%", "to the week, 3 known visits single out 10.0% instead of 75.0%",
		"96 of 336", "Of 3 patients one shift alone is left", "release: live",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	quiet := &Visits{Shifts: 48, WholeWeeks: true, Release: "delayed", Left: []Left{{Weekdays.String(), 5, 0, 48, 48, 0, 0}}}
	if got := quiet.Advice(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	broken := &Visits{Shifts: 48, Left: []Left{{Weekdays.String(), 5, 50, 40, 1, 0, 0}}}
	if got := broken.Advice(); len(got) != 1 || !strings.Contains(got[0], "does not hold") {
		t.Errorf("%v", got)
	}
}
