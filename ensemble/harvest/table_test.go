package harvest

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

func TestTableIsReadBack(t *testing.T) {
	list := proposalsOf("No fever.", "=HYPERLINK(\"x\")", "- a, \"b\"", "@sum", "two\nlines")
	var out bytes.Buffer
	if err := WriteTable(&out, list, map[string]Verdict{list[1].ID: {ID: list[1].ID, Decision: No, Reviewer: "jlee", At: when}}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
	if err != nil || len(rows) != 6 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		if text := row[len(row)-1]; strings.ContainsAny(text[:1], "=+-@") {
			t.Errorf("row %d is a formula", i)
		}
	}
	for i, decision := range []string{"y", "no", "", " Yes ", "N"} {
		rows[i+1][1] = decision
	}
	rows[4][2] = "other"
	var back bytes.Buffer
	back.WriteString("\ufeff")
	if err := csv.NewWriter(&back).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	got, err := ReadTable(&back, list, "me", when)
	if err != nil || len(got) != 4 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, want := range []Verdict{
		{ID: list[0].ID, Decision: Yes, Reviewer: "me", At: when},
		{ID: list[1].ID, Decision: No, Reviewer: "jlee", At: when},
		{ID: list[3].ID, Decision: Yes, Reviewer: "other", At: when},
		{ID: list[4].ID, Decision: No, Reviewer: "me", At: when},
	} {
		if got[i] != want {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	list := proposalsOf("No fever.")
	id := list[0].ID
	for name, tt := range map[string]struct{ table, reviewer, want string }{
		"nothing":       {"", "me", "columns"},
		"no decision":   {"id,text\n", "me", "columns"},
		"unknown id":    {"id,decision\nQuarkstein,yes\n", "me", "line 2: id"},
		"odd decision":  {"id,decision\n" + id + ",yes\n" + id + ",Quarkstein\n", "me", "line 3: decision"},
		"no reviewer":   {"decision,id\nyes," + id + "\n", "", "line 2: reviewer"},
		"a short row":   {"decision,x,id\nyes\n", "me", "line 2: id"},
		"quotes astray": {"id,decision\n\"" + id + "\"x,yes\n", "me", "line 2"},
	} {
		got, err := ReadTable(strings.NewReader(tt.table), list, tt.reviewer, when)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "Quarkstein") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func FuzzReadTable(f *testing.F) {
	list := proposalsOf("No fever.", "No chills.")
	f.Add("id,decision,reviewer\n" + list[0].ID + ",yes,jlee\n" + list[1].ID + ",n,\n")
	f.Add("decision\n\"")
	f.Add("\ufeffID;Decision\r\n\"a\"\"b\"")
	f.Fuzz(func(t *testing.T, table string) {
		got, err := ReadTable(strings.NewReader(table), list, "me", when)
		if err != nil {
			return
		}
		for _, v := range got {
			if err := v.check(); err != nil || v.ID != list[0].ID && v.ID != list[1].ID {
				t.Fatalf("%+v was read: %v", v, err)
			}
		}
	})
}
