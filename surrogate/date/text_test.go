package date

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// moved returns texts with their dates moved by days, and digits that are no dates as X.
func moved(days int, born []Civil, site Order, texts ...string) []string {
	read := make([]Text, len(texts))
	for i, s := range texts {
		read[i] = Read(s)
	}
	last := Relate(read, born, site)
	var out []string
	for _, t := range read {
		out = append(out, t.Write(func(p *Piece) Civil {
			if p.Scrambled {
				return Civil{2002, 7, 1}
			}
			last = p.Resolve(last)
			return last.Plus(days)
		}, func(s string) string { return strings.Repeat("X", len(s)) }))
	}
	return out
}

func TestWriteKeepsTheForm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"3/5/2014", "3/6/2014"},
		{"03/09/14", "03/10/14"},
		{"2014-12-31T14:30", "2015-01-01T14:30"},
		{"March 5th, 2014", "March 6th, 2014"},
		{"5 MAR 2014", "6 MAR 2014"},
		{"Tuesday", "Wednesday"},
		{"March 30-31", "March 31-April 1"},
		{"Christmas 2013", "December 26, 2013"},
		{"day 79 of 1981", "day 80 of 1981"},
		{"ref 44719", "ref XXXXX"},
		{"no date in it", "no date in it"},
		{"", ""},
	} {
		if got := moved(1, nil, MonthFirst, tt.text)[0]; got != tt.want {
			t.Errorf("%q a day later: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestRelate(t *testing.T) {
	t.Parallel()
	born := []Civil{{1980, 10, 4}}
	for name, tt := range map[string]struct {
		born        []Civil
		site        Order
		texts, want []string
	}{
		"the year of another":             {nil, MonthFirst, []string{"2/28/2012", "2/28"}, []string{"2/29/2012", "2/29"}},
		"the year of the next":            {nil, MonthFirst, []string{"12/31-1/2/15"}, []string{"1/1-1/3/15"}},
		"the month of another":            {nil, MonthFirst, []string{"March 3, 2014", "the 29th"}, []string{"March 4, 2014", "the 30th"}},
		"day first by another":            {nil, MonthFirst, []string{"25/12/2013", "04/10/2013"}, []string{"26/12/2013", "05/10/2013"}},
		"day first by the site":           {nil, DayFirst, []string{"04/10/2013"}, []string{"05/10/2013"}},
		"month first by another":          {nil, DayFirst, []string{"12/25/2013", "04/10/2013"}, []string{"12/26/2013", "04/11/2013"}},
		"day first by the birth date":     {born, MonthFirst, []string{"04/10/1980", "05/02/2013"}, []string{"05/10/1980", "06/02/2013"}},
		"dots are no evidence for dashes": {nil, MonthFirst, []string{"25.12.2013", "04-10-2013"}, []string{"26.12.2013", "04-11-2013"}},
		"unpadded as another":             {nil, MonthFirst, []string{"3/5/2013", "10/12/2013"}, []string{"3/6/2013", "10/13/2013"}},
		"both widths":                     {nil, MonthFirst, []string{"03/05/2013", "3/9/2013"}, []string{"03/06/2013", "3/10/2013"}},
		"none":                            {nil, MonthFirst, nil, nil},
	} {
		got := moved(1, tt.born, tt.site, tt.texts...)
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: %q becomes %q, want %q", name, tt.texts, got, tt.want)
		}
	}
}

func TestFirstDateOfADocument(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		texts []string
		want  Civil
	}{
		{[]string{"Monday", "3/5", "3/7/14", "4/1/2015"}, Civil{2014, 3, 7}},
		{[]string{"3/5-3/7/14"}, Civil{2014, 3, 5}},
		{[]string{"3/5", "March"}, Civil{}},
	} {
		var read []Text
		for _, s := range tt.texts {
			read = append(read, Read(s))
		}
		if got := Relate(read, nil, MonthFirst); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.texts, got, tt.want)
		}
	}
}

func TestIsOne(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"1941-03-05": true, "1941": true, " 3/5/1941 ": true, "(March 1941)": true, "1941-03-05T14:30:00Z": true, "3/5/1941 2:30 pm": true,
		"": false, "unknown": false, "born 1941": false, "3/5/1941 or 3/6/1941": false, "1941-03-05 at home": false, "00482913-7": false,
	} {
		if got := Read(value).IsOne(); got != want {
			t.Errorf("%q is one date: %v, want %v", value, got, want)
		}
	}
}

func TestIsVague(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"three days ago": true, "this morning": true, "3 days ago": true, "the end of the week": true,
		"the day of the wedding": false, "Ramadan": false,
	} {
		if got := IsVague(s); got != want {
			t.Errorf("%q is vague: %v, want %v", s, got, want)
		}
	}
}

func TestPiecesThatAreNoDates(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]struct{ pieces, scrambled int }{
		"14:30": {0, 0}, "3 days": {0, 0}, "3/5": {1, 0}, "88812": {1, 1}, "3/5/2014 and 88812": {2, 1},
	} {
		pieces, scrambled := Read(s).Pieces(), 0
		for _, p := range pieces {
			if p.Scrambled {
				scrambled++
			}
		}
		if len(pieces) != want.pieces || scrambled != want.scrambled {
			t.Errorf("%q: %d pieces, %d of them scrambled, want %v", s, len(pieces), scrambled, want)
		}
	}
}

func TestTextsPrintRedacted(t *testing.T) {
	t.Parallel()
	x := Read("born 3/5/1941")
	if got := fmt.Sprintf("%v %+v %#v %s", x, x, x, x.LogValue()); strings.Contains(got, "born") || strings.Contains(got, "1941") {
		t.Errorf("prints itself: %s", got)
	}
}

// FuzzRead checks that the slots of a text's dates lie within the text, in order, and that texts come back as they were where
// nothing is moved.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"3/5/2014", "March 3-5", "day 79 of 1981", "'98", "Q1 2014", "nineteen eighty-two", "2014-03-05T14:30", "29th"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if text.Check(body) != nil {
			return
		}
		read, at := Read(body), 0
		for _, p := range read.Pieces() {
			for _, s := range p.slots {
				if s.start < at || s.end < s.start || s.end > len(body) || !utf8.ValidString(body[s.start:s.end]) {
					t.Fatalf("slot %d to %d after %d of %d bytes", s.start, s.end, at, len(body))
				}
				at = s.end
			}
		}
		if len(read.Pieces()) == 0 && read.Write(nil, nil) != body {
			t.Fatal("a text without dates changed")
		}
	})
}
