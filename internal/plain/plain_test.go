package plain

import (
	"errors"
	"regexp"
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "45": "45", " 45 ": "45", "045": "45", "89": "89", "90": "90", "103": "90", "130": "90", "131": "", "999": "",
		"91.5": "90", "89.5": "89.5", "45.37812": "45.37", "45.00": "45", "45.07": "45.07", "2.5 yrs": "2.5 years",
		"45 yo": "45 years", "45y": "45 years", "92 years": "90 years", "92-year-old": "90 years", "45 Years Old": "45 years", "18 mos": "18 months",
		"999 months": "999 months", "12 wks": "12 weeks", "400 days": "400 days", "5 h": "5 hours",
		"90+": "90", ">89": "90", "> 89": "90", ">= 90": "90", "89+ years": "90 years", "45+": "", ">45": "", "90+ days": "",
		"45 m": "", "45 male": "", "45 yo, Zarkovin of 12 Elm Street, tel 415-555-1234": "", "12/04/1956": "", "19560412": "", "30 000 days": "",
		"30000 days": "", "9e1": "", "0x5b": "", "-3": "", "+45": "", "": "", "old": "", "４５": "", "45 yo\nZarkovin": "", "1e+20": "", "NaN": "", "45 y o": "",
	} {
		got, err := Age(in)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("Age(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestOldestAge(t *testing.T) {
	for in, want := range map[string]string{"88": "90", "45.5": "90", "88 years": "90 years", "90": "", "90 years": "", "18 months": "", "old": ""} {
		if got, changed := OldestAge(in); got != want || changed != (want != "") {
			t.Errorf("OldestAge(%q) = %q, %v", in, got, changed)
		}
	}
}

func TestYear(t *testing.T) {
	for _, c := range []struct {
		in    string
		order Order
		want  string
		day   string // of the date in it, "" if none
	}{
		{"1956", "", "1956", ""},
		{"1000", "", "1000", ""},
		{"0956", "", "", ""},
		{"2300", "", "", ""},
		{"19560412", "", "1956", "1956-04-12"},
		{"19561301", "", "", ""},
		{"19560230", "", "", ""},
		{"1956-04-12", "", "1956", "1956-04-12"},
		{"1956-04-12 23:59:59.123456+00", "", "1956", "1956-04-12"},
		{"04/22/1956", "", "1956", "1956-04-22"},
		{"22.04.1956", "", "1956", "1956-04-22"},
		{"05-MAR-1979", "", "1979", "1979-03-05"},
		{"March 5, 1979", "", "1979", "1979-03-05"},
		{"04/12/1956", MonthFirst, "1956", "1956-04-12"},
		{"04/12/1956", DayFirst, "1956", "1956-12-04"},
		{"22/04/1956", MonthFirst, "", ""},
		{"4/12/56", MonthFirst, "", ""},
		{"195604121", "", "", ""},
		{"1956 Zarkovin", "", "", ""},
		{"1956-04-12 Zarkovin", "", "", ""},
		{"unknown", "", "", ""},
		{"infinity", "", "", ""},
		{"0044-03-15 BC", "", "", ""},
		{"9999-12-31", "", "", ""},
		{"", "", "", ""},
	} {
		y, err := ParseYear(c.in, c.order)
		if (err != nil) != (c.want == "") || err == nil && y.String() != c.want {
			t.Errorf("%q: %v, %v", c.in, y, err)
			continue
		}
		if day, ok := y.Day(); ok != (c.day != "") || ok && day.Format(time.DateOnly) != c.day {
			t.Errorf("%q: day %v", c.in, day)
		}
	}
	if y, err := ParseYear("04/12/1956", AnyOrder); !errors.Is(err, ErrOrder) || y.Number != 1956 {
		t.Errorf("a date of either order: %v, %v", y, err)
	}
}

// A date is written in the form that it had.
func TestDatesKeepTheirForm(t *testing.T) {
	for in, want := range map[string]string{
		"2024-03-05":                    "2024-02-24",
		"20240305":                      "20240224",
		"20240305143000":                "20240224143000",
		"202403051430":                  "202402241430",
		"20240305T143000":               "20240224T143000",
		"2024/03/05":                    "2024/02/24",
		"3/15/2024":                     "3/5/2024",
		"03/15/2024":                    "03/05/2024",
		"15/03/2024 7:05":               "",
		"15/03/2024 07:05":              "05/03/2024 07:05",
		"03-15-2024 7:05 pm":            "03-05-2024 7:05 pm",
		"03/15/2024 07:05:09 AM":        "03/05/2024 07:05:09 AM",
		"15-MAR-2024":                   "05-Mar-2024",
		"15MAR2024":                     "05Mar2024",
		"15 March 2024":                 "05 March 2024",
		"May 15, 2024":                  "May 05, 2024",
		"2024-03-05T06:07:08Z":          "2024-02-24T06:07:08Z",
		"2024-03-05T06:07:08.500-05:00": "2024-02-24T06:07:08.500-05:00",
		"2024-03-05 06:07:08.1234567":   "2024-02-24 06:07:08.1234567",
		"2024-03-05 06:07:08 +0100":     "2024-02-24 06:07:08 +0100",
		"05/03/2024":                    "", // which is the month?
		"2024-03":                       "",
		"2024-13-05":                    "",
		"2024-03-05 25:00":              "",
		"2024-03-05 tel 415-555-1234":   "",
		"12:30":                         "",
	} {
		d, err := ParseDate(in, AnyOrder)
		got := ""
		if err == nil {
			got = d.Write(d.Time().AddDate(0, 0, -10))
		}
		if got != want {
			t.Errorf("%q: got %q, %v, want %q", in, got, err, want)
		}
	}
}

// The closed forms of what is published.
var (
	publishedAge  = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,2})?( (years|months|weeks|days|hours))?$`)
	publishedYear = regexp.MustCompile(`^[12][0-9]{3}$`)
	publishedDate = regexp.MustCompile(`(?i)^([0-9]{1,4}([-/. ]?)([0-9]{1,2}|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|january|february|march|april|august|` +
		`september|october|november|december)([-/. ]?)[0-9]{1,4}|[0-9]{8,14}|(jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|january|february|march|april|august|` +
		`september|october|november|december) [0-9]{1,2},? [0-9]{4})(T?[0-9]{4,6})?([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?( ?[AP]M)?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?)?$`)
)

// Whatever comes in, what goes out has a closed form or is an error that quotes nothing.
func FuzzClosedForms(f *testing.F) {
	for _, s := range []string{
		"45 yo, Zarkovin of 12 Elm Street, tel 415-555-1234", "30 000 days", "9e1", "0x5b", "12/04/1956", "19560412", "90+", "45.5 years",
		"2024-03-05T06:07:08.500-05:00", "15-MAR-2024 7:05 pm", "March 5, 1979", "infinity", "0044-03-15 BC", "20240305T143000", "05 March 2024 07:05Z",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := Age(s); err == nil && !publishedAge.MatchString(got) || err != nil && got != "" {
			t.Errorf("age %q: %q, %v", s, got, err)
		}
		for _, order := range []Order{AnyOrder, MonthFirst, DayFirst} {
			if y, err := ParseYear(s, order); err == nil && !publishedYear.MatchString(y.String()) {
				t.Errorf("year %q: %v", s, y)
			}
			d, err := ParseDate(s, order)
			if err == nil && !publishedDate.MatchString(d.Write(d.Time().AddDate(0, 0, -17))) {
				t.Errorf("date %q: %q", s, d.Write(d.Time().AddDate(0, 0, -17)))
			}
		}
	})
}
