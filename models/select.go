package models

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

// Row is a row of the main paper's Supplementary Table 1: the purpose of a tandem.
type Row struct {
	Name      string     `json:"row"`
	Class     string     `json:"class"` // of its figures
	Normalize bool       `json:"normalised"`
	Types     []phi.Type `json:"-"`
}

// Rows lists the rows of the table, in the order of their priority.
func Rows() []Row {
	names := []phi.Type{phi.Patient, phi.Doctor}
	return []Row{
		{"name", "NAME", false, names},
		{"name-normalised", "NAME", true, names},
		{"location", "LOCATION", false, []phi.Type{
			phi.Street, phi.City, phi.State, phi.Country, phi.Zip, phi.LocationOther,
		}},
		{"age", "AGE", false, []phi.Type{phi.Age}},
		{"organisation", "ORG", false, []phi.Type{phi.Hospital, phi.Organization}},
	}
}

// Choice is a version chosen for a row, with its performance there.
type Choice struct {
	Row       Row     `json:"row"`
	Version   Version `json:"version"`
	Recall    float64 `json:"recall"` // over the sets, by words
	Precision float64 `json:"precision"`
	Gold      int64   `json:"gold"`
}

// Selection is the outcome of [Select].
type Selection struct {
	Floor   float64  `json:"floor"`
	Choices []Choice `json:"choices"` // by row, the best first
	// Remarks list the rows that could not be filled as intended.
	Remarks []string `json:"remarks,omitempty"`
}

// tandem is how many versions of a row run together (main paper: "the two best").
const tandem = 2

// Select picks for each row the two versions with the best recall among those whose precision
// reaches the floor. The second is the best one of another kind, if there is one, as different
// members make different errors. Recall and precision are over all words of the sets (none: those
// that all versions with the row have).
func Select(versions []Version, floor float64, sets []string) (*Selection, error) {
	usable := slices.DeleteFunc(slices.Clone(versions), func(v Version) bool { return v.Problem != "" })
	if len(usable) == 0 {
		return nil, errNone
	}
	s := &Selection{Floor: floor}
	for _, row := range Rows() {
		s.fill(row, usable, sets)
	}
	return s, nil
}

func (s *Selection) fill(row Row, versions []Version, sets []string) {
	by := Key{Class: row.Class, Normalised: row.Normalize}
	if row.Normalize && !slices.ContainsFunc(versions, func(v Version) bool { return len(v.figures(by)) > 0 }) {
		by.Normalised = false
		s.remark(row, "no version was measured on normalised text: figures on the text as it is decide")
	}
	if len(sets) == 0 {
		sets = commonSets(versions, by)
	}
	var able []Choice
	measured := 0
	for _, v := range versions {
		c, ok := v.score(row, by, sets)
		if !ok {
			continue
		}
		measured++
		if c.Precision >= s.Floor {
			able = append(able, c)
		}
	}
	slices.SortStableFunc(able, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(b.Recall, a.Recall), cmp.Compare(b.Precision, a.Precision), cmp.Compare(a.Version.Folder, b.Version.Folder))
	})
	picked := pick(able)
	switch {
	case measured == 0:
		s.remark(row, "no version has figures of class %s on all of the sets", row.Class)
	case len(picked) == 0:
		s.remark(row, "none of %d versions reaches a precision of %g", measured, s.Floor)
	case len(picked) < tandem:
		s.remark(row, "only one of %d versions reaches a precision of %g", measured, s.Floor)
	case picked[0].Version.Card.Kind == picked[1].Version.Card.Kind:
		s.remark(row, "both versions are of one kind (%s): they will err alike", picked[0].Version.Card.Kind)
	}
	s.Choices = append(s.Choices, picked...)
}

func (s *Selection) remark(row Row, format string, args ...any) {
	s.Remarks = append(s.Remarks, row.Name+": "+fmt.Sprintf(format, args...))
}

// pick returns the best and then the best of another kind, otherwise the second best.
func pick(able []Choice) []Choice {
	if len(able) <= tandem {
		return able
	}
	second := 1
	for i, c := range able[1:] {
		if c.Version.Card.Kind != able[0].Version.Card.Kind {
			second = i + 1
			break
		}
	}
	return []Choice{able[0], able[second]}
}

// figures returns a version's figures with the same key except for the set, by set.
func (v *Version) figures(of Key) map[string]Figure {
	by := map[string]Figure{}
	for _, f := range v.Card.Own() {
		if of.Set = f.Set; f.Key() == of {
			by[f.Set] = f
		}
	}
	return by
}

// commonSets returns the sets on which every version with figures for the row was measured:
// figures on different sets can't be compared.
func commonSets(versions []Version, of Key) []string {
	var common []string
	first := true
	for _, v := range versions {
		by := v.figures(of)
		switch {
		case len(by) == 0:
		case first:
			common, first = slices.Sorted(maps.Keys(by)), false
		default:
			common = slices.DeleteFunc(common, func(set string) bool { _, ok := by[set]; return !ok })
		}
	}
	return common
}

// score pools a version's figures over the sets; ok is false if one is missing.
func (v *Version) score(row Row, of Key, sets []string) (c Choice, ok bool) {
	by := v.figures(of)
	var right, marked, gold float64
	for _, set := range sets {
		f, ok := by[set]
		if !ok {
			return c, false
		}
		r, m := f.found()
		right, marked, gold = right+r, marked+m, gold+float64(f.Gold)
	}
	if gold == 0 || marked == 0 {
		return c, false
	}
	return Choice{Row: row, Version: *v, Recall: right / gold, Precision: right / marked, Gold: int64(gold)}, true
}

// Models converts a selection to definitions: a model for each version, a member for each row that
// it was chosen for. Folders are below base.
func (s *Selection) Models(base string) []config.Model {
	var defs []config.Model
	for _, c := range s.Choices {
		folder := filepath.Join(base, c.Version.Folder)
		i := slices.IndexFunc(defs, func(d config.Model) bool { return d.Folder == folder })
		if i < 0 {
			i = len(defs)
			defs = append(defs, config.Model{Folder: folder, Sums: c.Version.Sums})
		}
		defs[i].Members = append(defs[i].Members, config.Member{
			Name: c.member(), Types: c.Row.Types, Normalize: c.Row.Normalize,
		})
	}
	return defs
}

// member returns the name of a choice's member: "names-lstm-v3.age".
func (c *Choice) member() string {
	row := strings.ReplaceAll(c.Row.Name, "-", "")
	model := config.MemberName(fmt.Sprintf("%s-v%d", c.Version.Card.Name, c.Version.Card.Version))
	return model[:min(len(model), 39-len(row))] + "." + row
}
