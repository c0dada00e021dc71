package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

func measured(name string, version int, kind string, figures ...Figure) Version {
	return Version{
		Folder: fmt.Sprintf("%s/v%d", name, version),
		Card:   &Card{Name: name, Version: version, Kind: kind, Figures: figures},
		Sums:   map[string]string{"model.onnx": strings.Repeat("0", 64)},
	}
}

// chosen returns what was picked for a row.
func chosen(s *Selection, row string) (ids []string) {
	for _, c := range s.Choices {
		if c.Row.Name == row {
			ids = append(ids, c.Version.ID())
		}
	}
	return ids
}

func remarked(s *Selection, row string) string {
	for _, r := range s.Remarks {
		if text, ok := strings.CutPrefix(r, row+": "); ok {
			return text
		}
	}
	return ""
}

func TestSelect(t *testing.T) {
	normalised := figure("s", "NAME", 0.7, 0.99, 100)
	normalised.Normalised = true
	group := figure("s", "NAME", 0.1, 0.1, 100)
	group.Group = "white"
	versions := []Version{
		measured("lstm", 1, "lstm", figure("s", "NAME", 0.95, 0.97, 100), figure("s", "AGE", 0.9, 0.99, 50), normalised),
		measured("lstm", 2, "lstm", figure("s", "NAME", 0.98, 0.96, 100), figure("s", "AGE", 0.99, 0.90, 50)),
		measured("lstm", 3, "lstm", figure("s", "NAME", 0.97, 0.96, 100), figure("s", "AGE", 0.80, 0.95, 50), figure("s", "ORG", 0.9, 0.5, 10)),
		measured("bert", 1, "bert", figure("s", "NAME", 0.96, 0.95, 100), figure("other", "NAME", 0.1, 0.1, 100), group),
		{Folder: "broken", Problem: "words.txt is missing", Card: &Card{Kind: "bert", Figures: []Figure{figure("s", "NAME", 1, 1, 100)}}},
	}
	s, err := Select(versions, 0.95, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		row    string
		want   []string
		remark string
	}{
		{"name", []string{"lstm v2", "bert v1"}, ""}, // of another kind, though lstm v3 finds more
		{"name-normalised", []string{"lstm v1"}, "only one of 1"},
		{"location", nil, "no version has figures of class LOCATION"},
		{"age", []string{"lstm v1", "lstm v3"}, "of one kind (lstm)"}, // lstm v2 is below the floor
		{"organisation", nil, "none of 1 versions reaches a precision of 0.95"},
	} {
		if got := chosen(s, tt.row); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.row, got, tt.want)
		}
		if got := remarked(s, tt.row); !strings.Contains(got, tt.remark) || (got == "") != (tt.remark == "") {
			t.Errorf("%s: remark %q, want %q", tt.row, got, tt.remark)
		}
	}
	without := measured("lstm", 1, "lstm", figure("s", "NAME", 0.9, 0.99, 100))
	if s, err = Select([]Version{without}, 0.95, nil); err != nil || len(chosen(s, "name-normalised")) != 1 ||
		!strings.Contains(remarked(s, "name-normalised"), "as it is decide") {
		t.Errorf("never measured on normalised text: %v, %v", s, err)
	}
	if _, err := Select(versions[4:], 0.5, nil); !errors.Is(err, errNone) {
		t.Errorf("nothing usable: %v", err)
	}
}

func TestSelectPoolsSets(t *testing.T) {
	versions := []Version{
		measured("a", 1, "lstm", figure("x", "NAME", 1, 1, 100), figure("y", "NAME", 0.5, 1, 900)),
		measured("b", 1, "lstm", figure("x", "NAME", 0.8, 1, 100), figure("y", "NAME", 0.8, 1, 900), figure("z", "NAME", 0, 0, 9)),
	}
	s, err := Select(versions, 0.95, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := chosen(s, "name"); !slices.Equal(got, []string{"b v1", "a v1"}) {
		t.Errorf("all common sets: %v", got)
	}
	if c := s.Choices[1]; c.Gold != 1000 || c.Recall < 0.549 || c.Recall > 0.551 {
		t.Errorf("pooled: %+v", c)
	}
	if s, err = Select(versions, 0.95, []string{"x"}); err != nil || !slices.Equal(chosen(s, "name"), []string{"a v1", "b v1"}) {
		t.Errorf("one set: %v, %v", chosen(s, "name"), err)
	}
}

func TestSelectionBecomesDefinitions(t *testing.T) {
	both := figure("s", "NAME", 0.9, 0.99, 100)
	normalised := both
	normalised.Normalised = true
	s, err := Select([]Version{measured("names", 3, "lstm", both, normalised, figure("s", "LOCATION", 0.9, 0.99, 100))}, 0.95, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Write(&b, s.Models("/opt/models")); err != nil {
		t.Fatal(err)
	}
	defs, err := config.ParseModels([]byte(b.String()), false)
	if err != nil || len(defs) != 1 || defs[0].Folder != "/opt/models/names/v3" {
		t.Fatalf("%v\n%s", err, b.String())
	}
	var got []string
	for _, m := range defs[0].Members {
		got = append(got, fmt.Sprintf("%s %d", m.Name, m.Rank()))
	}
	if want := []string{"names-v3.name 1", "names-v3.namenormalised 2", "names-v3.location 3"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWriteIsReadBack(t *testing.T) {
	roberta, _ := config.LabelMap("obi/deid_roberta_i2b2")
	sums := map[string]string{"model.onnx": strings.Repeat("7", 64), "config.json": strings.Repeat("ab", 32)}
	defs := []config.Model{
		{Default: true},
		{Folder: "/opt/models/a b: {c}", Sums: sums, Labels: roberta, Cache: 7, Members: []config.Member{{
			Name: "no", Types: []phi.Type{phi.Patient, phi.LocationOther}, Normalize: true, Priority: 3, Threshold: 0.25,
			Alone: 0.75, RecallBias: -1.5, Thresholds: map[phi.Type]float64{phi.Patient: 0.1, phi.LocationOther: 0.0005},
		}}},
		{
			Folder: "x/123", Sums: sums, Labels: map[string]phi.Type{"12": phi.Age, "MISC": phi.None},
			Members: []config.Member{{Name: "1e5"}, {Name: "0x1f"}},
		},
	}
	for _, want := range [][]config.Model{defs, {}} {
		var b strings.Builder
		if err := Write(&b, want); err != nil {
			t.Fatal(err)
		}
		got, err := config.ParseModels([]byte(b.String()), false)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v\n%s\n%s", err, diff, b.String())
		}
	}
}
