package sql

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

func lineMapping(key ...string) (*config.Table, *CatalogTable) {
	t := &config.Table{
		Schema: "ehr", Name: "line", Note: &config.Note{Key: key, Order: "n", Text: "body", Join: config.JoinLine},
		Columns: []config.Column{{Name: "note_id", Publish: config.Pseudonym}, {Name: "part", Publish: config.Keep}, {Name: "n", Publish: config.Keep}},
	}
	in := &CatalogTable{PrimaryKey: []string{"note_id", "part", "n"}}
	for _, name := range append(in.PrimaryKey, "body") {
		in.Columns = append(in.Columns, CatalogColumn{Name: name, Type: "integer"})
	}
	return t, in
}

func TestKeysOfNotesAreInThePrimaryKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key     []string
		problem string
	}{
		{[]string{"note_id"}, ""},
		{[]string{"part", "note_id"}, ""},
		{[]string{"note_id", "body"}, "table ehr.line column body"},
	} {
		table, in := lineMapping(tt.key...)
		var fs Findings
		examineNote(&fs, "table ehr.line", table, in)
		if len(fs) > 0 != (tt.problem != "") || len(fs) > 0 && fs[0].Subject != tt.problem {
			t.Errorf("%v: %v", tt.key, fs)
		}
	}
	var fs Findings
	table, in := lineMapping("body")
	table.Note = nil
	if examineNote(&fs, "x", table, in); len(fs) > 0 {
		t.Errorf("rows that are notes: %v", fs)
	}
}

func TestNotesHaveAnIndexWhereTheKeyDoesNotBeginWithThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key  []string
		want bool
	}{
		{[]string{"note_id"}, false},
		{[]string{"part", "note_id"}, false},
		{[]string{"part"}, true},
		{[]string{"note_id", "n"}, true},
	} {
		table, in := lineMapping(tt.key...)
		if got := noteIndex(table, in); got != tt.want {
			t.Errorf("%v: %v", tt.key, got)
		}
	}
	table, in := lineMapping("part")
	table.Note = nil
	if noteIndex(table, in) {
		t.Error("an index for rows that are notes")
	}
}

func TestRowsThatLookLikeTheOtherKind(t *testing.T) {
	t.Parallel()
	lengths := func(full, others int) []int {
		list := slices.Repeat([]int{80}, full)
		for i := range others {
			list = append(list, 10+i%60)
		}
		return list
	}
	for _, tt := range []struct {
		name    string
		join    config.Join
		lengths []int
		want    string
	}{
		{"lines", config.JoinLine, lengths(1, 99), ""},
		{"some lines are as long as the longest", config.JoinLine, lengths(10, 90), ""},
		{"pieces", config.JoinLine, lengths(60, 40), "join: none"},
		{"pieces that are said to be some", config.JoinNone, lengths(60, 40), ""},
		{"lines that are said to be pieces", config.JoinNone, lengths(1, 99), "join: line"},
		{"too few to tell", config.JoinLine, lengths(10, 2), ""},
		{"words", config.JoinLine, slices.Repeat([]int{3}, 100), ""},
	} {
		p := &preflight{}
		p.judgeLines("table ehr.line", tt.join, tt.lengths)
		if len(p.Findings) > 0 != (tt.want != "") || tt.want != "" && !strings.Contains(p.Findings[0].Remedy, tt.want) {
			t.Errorf("%s: %v", tt.name, p.Findings)
		}
	}
}
