package surrogate

import "testing"

func TestGroupsOfDialledNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, norm, to, want string }{
		{"0113 496 0123", "01134960123", "01632960456", "01632 960 456"},
		{"(01943) 462 123", "01943462123", "01314960456", "(0131) 496 0456"},
		{"020 7123 4567", "02071234567", "01314960456", "0131 496 0456"},
		{"01943 462123", "01943462123", "02896496456", "028 96496456"},
		{"+44 (0)20 7123 4567", "4402071234567", "4401632960456", "+44 (0)1632 960 456"},
		{"+44 20 7123 4567", "442071234567", "442896496456", "+44 28 9649 6456"},
		{"0113 49 60 123", "01134960123", "01632960456", "0163 29 60 456"}, // in pairs
		{"01134960123", "01134960123", "01632960456", "01632960456"},
		{"07911 123456", "07911123456", "07700900456", "07700 900456"},
		{"0113.496.0123", "01134960123", "02920180456", "029.2018.0456"},
		{"0194 3 462 123", "01943462123", "02896496456", "0289 6 496 456"}, // the code in two groups
		{"230-4571", "2304571", "5550123", "555-0123"},
	} {
		groups, sizes := regroup(c.text, c.norm, c.to)
		got := sized(c.text, groups, sizes)
		if got = overlay(got, got, c.to); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzGroupsOfDialledNumbers(f *testing.F) {
	f.Add("0113 496 0123", "01134960123", "01632960456")
	f.Fuzz(func(t *testing.T, text, norm, to string) {
		groups, sizes := regroup(text, norm, to)
		if len(groups) != len(sizes) {
			t.Fatalf("%d groups, %d sizes", len(groups), len(sizes))
		}
		sized(text, groups, sizes)
	})
}
