package surrogate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/date"
)

// Each format, moved back 190 days, in a note without any other date.
var dateForms = []struct{ in, want string }{
	{"3/5/2014", "8/27/2013"},
	{"03/05/2014", "08/27/2013"},
	{"03/05/14", "08/27/13"},
	{"3/5/14", "8/27/13"},
	{"3-5-2014", "8-27-2013"},
	{"03.05.2014", "08.27.2013"},
	{"10/12/14", "04/05/14"},
	{"10/5/14", "3/29/14"},
	{"3 / 5 / 2014", "8 / 27 / 2013"},
	{"2014-03-05", "2013-08-27"},
	{"2014/3/5", "2013/8/27"},
	{"2014.03.05", "2013.08.27"},
	{"20140305", "20130827"},
	{"03052014", "08272013"},
	{"030514", "082713"},
	{"20130718111836-0400", "20130109111836-0400"},
	{"20130718T111836Z", "20130109T111836Z"},
	{"2014-03-05T14:30:15.123Z", "2013-08-27T14:30:15.123Z"},
	{"2014-03-05T14:30:15+05:30", "2013-08-27T14:30:15+05:30"},
	{"2014-03-05 14:30", "2013-08-27 14:30"},
	{"3/5/14 at 2:30 pm", "8/27/13 at 2:30 pm"},
	{"3/5/2014 1430", "8/27/2013 1430"},
	{"3/5/2014 1430 hrs", "8/27/2013 1430 hrs"},
	{"March 5th, 2014", "August 27th, 2013"},
	{"March 5, 2014", "August 27, 2013"},
	{"March 05, 2014", "August 27, 2013"},
	{"March 29th, 2014", "September 20th, 2013"},
	{"December 28th, 2014", "June 21st, 2014"},
	{"MARCH 5TH, 2014", "AUGUST 27TH, 2013"},
	{"march 5th 2014", "august 27th 2013"},
	{"Mar 5, 2014", "Aug 27, 2013"},
	{"Mar. 5, 2014", "Aug. 27, 2013"},
	{"MAR 5 14", "AUG 27 13"},
	{"5 Mar 2014", "27 Aug 2013"},
	{"05 MAR 2014", "27 AUG 2013"},
	{"5 March '14", "27 August '13"},
	{"5th of March, 2014", "27th of August, 2013"},
	{"the fifth of March", "the twenty-seventh of August"},
	{"March fifth", "August twenty-seventh"},
	{"11-July-2013", "02-January-2013"},
	{"11Jul2013", "02Jan2013"},
	{"05-Mar-14", "27-Aug-13"},
	{"15-MAY-2014", "06-NOV-2013"},
	{"2014-Mar-05", "2013-Aug-27"},
	{"2014 March 5", "2013 August 27"},
	{"Mar-05-2014", "Aug-27-2013"},
	{"Sept 9, 2014", "Mar 3, 2014"},
	{"Mar '14", "Sep '13"},
	{"Mar ’14", "Sep ’13"},
	{"MAR 2014", "SEP 2013"},
	{"March 2014", "September 2013"},
	{"March of 2014", "September of 2013"},
	{"Mar 98", "Sep 97"},
	{"early March", "early September"},
	{"3/2014", "9/2013"},
	{"03/2014", "09/2013"},
	{"2014-03", "2013-09"},
	{"3/98", "9/97"},
	{"2014", "2013"},
	{"2013-2014", "2012-2013"},
	{"2013-14", "2012-13"},
	{"'14", "'13"},
	{"FY14", "FY13"},
	{"late 60s", "late 60s"},
	{"the 1960s", "the 1960s"},
	{"the '60s", "the '60s"},
	{"mid-1970's", "mid-1970's"},
	{"3/5", "8/27"},
	{"03/05", "08/27"},
	{"3-5", "8-27"},
	{"2/29", "8/23"},
	{"25/12/2013", "18/06/2013"},
	{"25.12.", "18.06."},
	{"the 29th", "the 23rd"},
	{"Tuesday", "Monday"},
	{"TUES", "MON"},
	{"thurs", "wed"},
	{"Mondays", "Sundays"},
	{"Sat.", "Fri."},
	{"Tuesday, March 4, 2014", "Monday, August 26, 2013"},
	{"Tue 3/4/14", "Mon 8/26/13"},
	{"summer of 2012", "winter of 2012"},
	{"Fall 2012", "Spring 2012"},
	{"SPRING", "FALL"},
	{"Q1 2014", "Q3 2013"},
	{"Christmas", "June 18"},
	{"CHRISTMAS EVE", "JUNE 17"},
	{"Christmas 2013", "June 18, 2013"},
	{"Thanksgiving Day, 2013", "May 22, 2013"},
	{"New Year's Eve", "June 24"},
	{"St. Patrick's Day 2014", "September 8, 2013"},
	{"Easter 2014", "October 12, 2013"},
	{"4th of July", "26th of December"},
	{"Memorial Day 2014", "November 17, 2013"},
	{"Labor Day weekend 2014", "February 23, 2014"},
	{"March 3-5, 2014", "August 25-27, 2013"},
	{"March 5 - 7", "August 27 - 29"},
	{"March 8-12, 2014", "August 30-September 3, 2013"},
	{"3/5-3/7/14", "8/27-8/29/13"},
	{"12/28-1/3/2014", "6/21-6/27/2013"},
	{"3/5/14 to 3/7/14", "8/27/13 to 8/29/13"},
	{"Janurary 5, 2014", "June 29, 2013"},
	{"yesterday", "yesterday"},
	{"3 days ago", "3 days ago"},
	{"2-3 weeks", "2-3 weeks"},
	{"07:26 AM", "07:26 AM"},
	{"5 de marzo de 2014", "27 de agosto de 2013"},
	{"5 de Marzo del 2014", "27 de Agosto del 2013"},
	{"marzo de 2014", "septiembre de 2013"},
	{"10 o'clock", "10 o'clock"},
	{"twentieth of July, nineteen eighty-two", "eleventh of January, nineteen eighty-two"},
	{"the Twentieth of July, Nineteen Eighty-Two", "the Eleventh of January, Nineteen eighty-two"},
	{"July twentieth 1982", "January eleventh 1982"},
	{"JULY THE TWENTY-FIRST, NINETEEN EIGHTY TWO", "JANUARY THE TWELFTH, NINETEEN EIGHTY-TWO"},
	{"5th of May, two thousand and four", "28th of October, two thousand three"},
	{"twentieth day of July 1982", "eleventh day of January 1982"},
	{"20 July nineteen ninety-five", "11 January nineteen ninety-five"},
	{"20.III.1982", "11.IX.1981"},
	{"20/iii/82", "11/ix/81"},
	{"20 III 1982", "11 IX 1981"},
	{"day 79 of 1981", "day 255 of 1980"},
	{"79th day of 1981", "255th day of 1980"},
	{"day seventy-nine of nineteen eighty-one", "day two hundred fifty-five of nineteen eighty"},
	{"seventy-ninth day of the year 1981", "two hundred fifty-fifth day of the year 1980"},
}

func TestDateForms(t *testing.T) {
	for _, c := range dateForms {
		t.Run(c.in, func(t *testing.T) {
			b := testBook(t, "p", nil, -190)
			if got := one(t, b, phi.Date, c.in); got != c.want {
				t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestDatesThatAreNone(t *testing.T) {
	b := testBook(t, "p", nil, -190)
	for _, in := range []string{
		"99999", "13/45/2014", "00/00/0000", "123456789", "2/31", "99/99", "Wintermas", "la Candelaria",
		"٣/٥/٢٠١٤", "1/2/3/4/5",
	} {
		got := one(t, b, phi.Date, in)
		if got == in || strings.Contains(got, in) {
			t.Errorf("%q stays: %q", in, got)
		}
		if got != one(t, b, phi.Date, in) {
			t.Errorf("%q becomes something else each time", in)
		}
	}
}

func TestPartialDatesFollowWholeOnes(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// 2016 is a leap year: the day before March 1st is February 29th.
		{"{DATE|3/1/2016}, {DATE|3/1}", "2/29/2016, 2/29"},
		{"{DATE|3/1/2015}, {DATE|3/1}", "2/28/2015, 2/28"},
		{"{DATE|3/1}, then {DATE|3/1/2016}", "2/29, then 2/29/2016"},
		{"{DATE|3/1/2015}, {DATE|3/2/2016}, {DATE|3/1}", "2/28/2015, 3/1/2016, 2/29"},
		{"{DATE|June 3, 2014}, back on {DATE|the 1st}", "June 2, 2014, back on the 31st"},
		{"{DATE|July 3, 2014}, back on {DATE|the 1st}", "July 2, 2014, back on the 30th"},
		// The order shown by one date applies to the others.
		{"{DATE|11/12/2013}, {DATE|1/2/2014}", "11/11/2013, 1/1/2014"},
		{"{DATE|10/12/2013}, {DATE|1/2/2014}", "10/11/2013, 1/1/2014"},
		{"{DATE|10/10/2013}, {DATE|11/02/2014}", "10/09/2013, 11/01/2014"},
		{"{DATE|10/10/2013}, {DATE|11/2/2014}", "10/9/2013, 11/1/2014"},
		{"{DATE|2013-10-10}, {DATE|11-2-2014}", "2013-10-09, 11-1-2014"},
		{"{DATE|25/12/2013}, {DATE|1/2/2014}", "24/12/2013, 31/1/2014"},
		{"{DATE|12/25/2013}, {DATE|1/2/2014}", "12/24/2013, 1/1/2014"},
	} {
		if got := replaced(t, testBook(t, "p", nil, -1), c.in); got != c.want {
			t.Errorf("%s becomes %q, want %q", c.in, got, c.want)
		}
	}
}

// Dates of a form show the order of that form; dots never show that of slashes.
func TestOrderOfDates(t *testing.T) {
	t.Parallel()
	born := record.Record{record.BirthDate: {"1980-10-04"}}
	for _, c := range []struct {
		name     string
		order    date.Order
		rec      record.Record
		in, want string
	}{
		{
			"dots are none for slashes", date.MonthFirst, nil, "{DATE|04/10/2024}, {DATE|05/02/2024} geb. {DATE|18.06.2013}",
			"04/09/2024, 05/01/2024 geb. 17.06.2013",
		},
		{"slashes are none for dots", date.MonthFirst, nil, "{DATE|25/12/2013} geb. {DATE|04.10.2024}", "24/12/2013 geb. 04.09.2024"},
		{"of one form", date.MonthFirst, nil, "{DATE|18.06.2013}, {DATE|04.10.2024}", "17.06.2013, 03.10.2024"},
		{"slashes are for dashes", date.MonthFirst, nil, "{DATE|25/12/2013}, {DATE|04-10-2024}", "24/12/2013, 03-10-2024"},
		{
			"the form before the note", date.MonthFirst, nil, "{DATE|25/12/2013}, {DATE|04-10-2024}, {DATE|04-25-2024}",
			"24/12/2013, 04-09-2024, 04-24-2024",
		},
		{
			"the more of a form", date.MonthFirst, nil, "{DATE|25/12/2013}, {DATE|26/12/2013}, {DATE|12/27/2013}, {DATE|04/10/2024}",
			"24/12/2013, 25/12/2013, 12/26/2013, 03/10/2024",
		},
		{"the site", date.DayFirst, nil, "{DATE|04/10/2024}, {DATE|04.10.2024}, {DATE|04102024}", "03/10/2024, 03.10.2024, 03102024"},
		{"the note before the site", date.DayFirst, nil, "{DATE|04/10/2024}, {DATE|12/25/2023}", "04/09/2024, 12/24/2023"},
		{"the birth date", date.MonthFirst, born, "DOB {DATE|04/10/1980}, seen {DATE|05/02/2024}", "DOB 03/10/1980, seen 04/02/2024"},
		{"the birth date, US", date.DayFirst, born, "DOB {DATE|10/04/1980}, seen {DATE|05/02/2024}", "DOB 10/03/1980, seen 05/01/2024"},
		{"another form's birth date", date.MonthFirst, born, "DOB {DATE|04.10.1980}, seen {DATE|05/02/2024}", "DOB 03.10.1980, seen 05/01/2024"},
	} {
		m := testMaker(t, Options{Dates: DateShift{Order: c.order}})
		if got := replaced(t, m.Patient("p", record.NewGazetteer(c.rec), nil, -1), c.in); got != c.want {
			t.Errorf("%s: %s becomes %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// wholeForms are formats of a complete date, for writing and reading back.
var wholeForms = []string{
	"1/2/2006", "01/02/2006", "1-2-2006", "2006-01-02", "2006/01/02", "20060102", "January 2, 2006", "Jan 2, 2006", "2 Jan 2006",
	"02-Jan-2006", "02Jan2006", "JAN 2 2006", "Monday, January 2, 2006", "2006-01-02T15:04:05Z", "01.02.2006", "1/2/06",
}

func parseForm(t *testing.T, form, text string) time.Time {
	t.Helper()
	if !strings.Contains(form, "January") { // "May" is long and short: what it becomes may be either
		for _, name := range date.MonthNames[1:] {
			text = strings.Replace(text, name, name[:3], 1)
			text = strings.Replace(text, strings.ToUpper(name), name[:3], 1)
		}
	}
	for _, mark := range "/.-" { // next to "3/5", "10/12" may follow the style of "3/5"
		form = strings.Replace(form, fmt.Sprintf("01%c02%c2006", mark, mark), fmt.Sprintf("1%c2%c2006", mark, mark), 1)
	}
	got, err := time.Parse(form, text)
	if err != nil {
		t.Fatalf("%q is not of format %q: %v", text, form, err)
	}
	return got
}

func TestIntervalsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		shift := rng.IntN(731) - 365
		if shift == 0 {
			shift = 1
		}
		b := testBook(t, fmt.Sprint(i), nil, shift)
		day := func() time.Time {
			return time.Date(1950+rng.IntN(80), time.January, 1+rng.IntN(366), 0, 0, 0, 0, time.UTC)
		}
		d1, d2 := day(), day()
		f1, f2 := wholeForms[rng.IntN(len(wholeForms)-1)], wholeForms[rng.IntN(len(wholeForms)-1)]
		out := replaced(t, b, fmt.Sprintf("{DATE|%s} and {DATE|%s}", upperMonth(d1, f1), upperMonth(d2, f2)))
		s1, s2, _ := strings.Cut(out, " and ")
		g1, g2 := parseForm(t, lowerMonth(f1), s1), parseForm(t, lowerMonth(f2), s2)
		if g2.Sub(g1) != d2.Sub(d1) || !g1.Equal(d1.AddDate(0, 0, shift)) {
			t.Fatalf("shift %d: %s, %s -> %s, %s", shift, d1.Format(f1), d2.Format(f2), s1, s2)
		}
		if got := b.ShiftTime(d1); !got.Equal(g1) {
			t.Fatalf("the column shows %v, the note %v", got, g1)
		}
	}
}

// upperMonth formats a date; "JAN" means a month in capitals.
func upperMonth(d time.Time, form string) string {
	s := d.Format(lowerMonth(form))
	if strings.Contains(form, "JAN") {
		s = strings.ToUpper(s)
	}
	return s
}

func lowerMonth(form string) string { return strings.Replace(form, "JAN", "Jan", 1) }

func TestOneDayInEveryFormat(t *testing.T) {
	day := time.Date(2012, 2, 29, 0, 0, 0, 0, time.UTC)
	for _, form := range wholeForms {
		got := one(t, testBook(t, "p", nil, -366), phi.Date, upperMonth(day, form))
		if want := upperMonth(day.AddDate(0, 0, -366), form); got != want && strings.ReplaceAll(got, "0", "") != strings.ReplaceAll(want,
			"0", "") {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}

func TestShift(t *testing.T) {
	for _, c := range []struct {
		dates DateShift
		ok    func(int) bool
	}{
		{DateShift{}, func(n int) bool { return -365 <= n && n <= -30 }},
		{DateShift{Direction: Forward, MinDays: 30, MaxDays: 60}, func(n int) bool { return 30 <= n && n <= 60 }},
		{DateShift{Direction: Both, MinDays: 1, MaxDays: 10}, func(n int) bool { return -10 <= n && n <= 10 && n != 0 }},
		{DateShift{WholeWeeks: true}, func(n int) bool { return -365 <= n && n <= -35 && n%7 == 0 }},
		{DateShift{WholeWeeks: true, MinDays: 8, MaxDays: 14}, func(n int) bool { return n == -14 }},
		{DateShift{MinDays: 400}, func(n int) bool { return n == -400 }},
	} {
		m, seen := testMaker(t, Options{Dates: c.dates}), map[int]bool{}
		for i := range 2000 {
			n := m.Shift(fmt.Sprint(i))
			if !c.ok(n) || n != m.Shift(fmt.Sprint(i)) {
				t.Fatalf("%+v: shift %d", c.dates, n)
			}
			seen[n] = true
		}
		if c.dates == (DateShift{}) && len(seen) < 300 {
			t.Errorf("only %d of 336 shifts come up", len(seen))
		}
	}
}

func TestShiftTimeKeepsTheClock(t *testing.T) {
	b := testBook(t, "p", nil, -10)
	at := time.Date(2016, 3, 5, 14, 30, 15, 123456000, time.FixedZone("", -5*3600))
	if got, want := b.ShiftTime(at), time.Date(2016, 2, 24, 14, 30, 15, 123456000, time.FixedZone("", -5*3600)); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestDatesThatTellAnAgeOver89(t *testing.T) {
	shift := -10
	cases := []struct{ text, want string }{
		{"3/5/1931", "2/23/1936"},
		{"February 29, 1928", "February 19, 1936"},
		{"2/29/1936", "2/19/1936"},
		{"10 March 1920", "28 February 1936"}, // February had a 29th in 1920, which 1936 need not have
		{"1915", "1936"},
		{"3/5/1940", "2/24/1940"},
		{"3/5", "2/23"},
	}
	m := testMaker(t, Options{})
	m.now = func() time.Time { return time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC) }
	b := m.Patient("p", nil, nil, shift)
	for _, c := range cases {
		got, err := b.Replace(c.text, []phi.Span{{End: len(c.text), Type: phi.Date}})
		if err != nil || got.Text != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.text, got.Text, err, c.want)
		}
	}
	if got, want := b.ShiftTime(time.Date(1930, 3, 5, 0, 0, 0, 0, time.UTC)), time.Date(1936, 2, 23, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("ShiftTime: got %v, want %v", got, want)
	}
	limited := testMaker(t, Options{Profile: Limited})
	limited.now = m.now
	if got := limited.Patient("p", nil, nil, shift).ShiftTime(time.Date(1930, 3, 15, 0, 0, 0, 0, time.UTC)); got.Year() != 1930 {
		t.Errorf("a limited data set keeps ages, but a date of 1930 became one of %d", got.Year())
	}
}
