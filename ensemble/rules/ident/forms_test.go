package ident

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func finderOf(s string) *finder {
	return &finder{Finder: cue.NewFinder(text.NewView(s), words(), nil)}
}

// Each form, what is almost one, and what goes on behind one.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want phi.Type
	}{
		{"123e4567-e89b-12d3-a456-426614174000", phi.IDNum},
		{"123e4567-e89b-12d3-a456-42661417400", phi.None},
		{"123e4567-e89b-12d3-a456-4266141740000", phi.None},
		{"123g4567-e89b-12d3-a456-426614174000", phi.None},
		{"1HGCM82633A004352", phi.Vehicle},
		{"1hgcm82633a004352", phi.Vehicle},
		{"1HGCM82633A004352,", phi.Vehicle},
		{"1HGCM82633A0043521", phi.None},
		{"1HGCM82633A004350", phi.None},
		{"1EG4TE5MK73", phi.HealthPlan},
		{"1EG4-TE5-MK73", phi.HealthPlan},
		{"0EG4TE5MK73", phi.None},
		{"1EG4TE5MKA3", phi.None},
		{"AB1234563", phi.License},
		{"ab1234563", phi.License},
		{"AB1234562", phi.None},
		{"AB12345631", phi.None},
		{"***-**-6789", phi.SSN},
		{"xxx-xx-6789", phi.SSN},
		{"###-##-6789", phi.SSN},
		{"***-**-67890", phi.None},
		{"***-*-6789", phi.None},
		{"xxx-xx-xxxx", phi.None},
		{"word", phi.None},
		{"", phi.None},
	} {
		f := finderOf(tt.in + " ")
		if len(f.Tokens) == 0 {
			continue
		}
		if got := f.written(0); got.as != tt.want {
			t.Errorf("%s: %v, want %v", tt.in, got.as, tt.want)
		}
	}
}

func TestReadRuns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want run
	}{
		{"123456", run{end: 1, digits: 6, longest: 6, groups: 1}},
		{"12-345", run{end: 3, digits: 5, longest: 3, groups: 2, marks: "-"}},
		{"AB12-3", run{end: 4, digits: 3, letters: 2, longest: 2, groups: 2, marks: "-"}},
		{"12345Name", run{end: 1, digits: 5, longest: 5, groups: 1}},
		{"12345AB", run{end: 2, digits: 5, letters: 2, longest: 5, groups: 1}},
		{"12 345", run{end: 1, digits: 2, longest: 2, groups: 1}},
		{"12-", run{end: 1, digits: 2, longest: 2, groups: 1}},
		{"12--3", run{end: 1, digits: 2, longest: 2, groups: 1}},
		{"1/2.3:4", run{end: 7, digits: 4, longest: 1, groups: 4, marks: "/.:"}},
	} {
		if got := finderOf(tt.in).read(0); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

func TestReadGroups(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"123 456 789": 9, "5 172 052": 7, "55555 2": 6, "123 456 mg": 3, "123 4/5": 3, "123  456": 3, "123 456, 7": 6, "123\n456": 3,
		"123 456 789 123 456 789 123": 18, "123456 789": 6, "12/34 567": 4,
	} {
		if got := finderOf(in).readGroups(0); got.digits != want {
			t.Errorf("%s: %d digits, want %d", in, got.digits, want)
		}
	}
}

func TestQuantity(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"123456": false, "12:30": true, "1.5": true, "12.345": true, "120/80": true, "12345.6789": false, "123/4567": false, "12-34": false,
		"123456%": true, "123456 mg": true, "A12 mg": false, "1234 M": false, "1/2/3": true,
	} {
		f := finderOf(in)
		if got := f.quantity(0, f.read(0)); got != want {
			t.Errorf("%s: %t", in, got)
		}
	}
}

func TestEnough(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		label label.Label
		want  bool
	}{
		{"123456789", label.Label{Kind: label.SSN}, true},
		{"6789", label.Label{Kind: label.SSN, Marked: true}, true},
		{"6789", label.Label{Kind: label.SSN, Least: 4}, false},
		{"12", label.Label{Kind: label.Record, Least: 3}, false},
		{"123", label.Label{Kind: label.Record, Least: 3}, true},
		{"123", label.Label{Kind: label.ID, Least: 5}, false},
		{"A123", label.Label{Kind: label.ID, Least: 4}, true},
		{"AB12", label.Label{Kind: label.ID, Least: 3, Marked: true}, true},
		{"AB12", label.Label{Kind: label.ID, Least: 3}, false},
		{"word12", label.Label{Kind: label.ID, Least: 3}, false},
		{"word123", label.Label{Kind: label.ID, Least: 3}, true},
	} {
		f := finderOf(tt.in)
		if got := f.enough(0, tt.label, f.read(0)); got != tt.want {
			t.Errorf("%s behind %+v: %t", tt.in, tt.label, got)
		}
	}
}

func TestCaseNumber(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"S12-4567": true, "SP-20-12345": true, "SP20-123": true, "SURG-20-12345": false, "s12-4567": false, "S12-45": false, "S123-4567": false,
		"S12/4567": false, "S12-4567-8": false,
	} {
		f := finderOf(in)
		if got := f.caseNumber(0, f.read(0)); got != want {
			t.Errorf("%s: %t", in, got)
		}
	}
}
