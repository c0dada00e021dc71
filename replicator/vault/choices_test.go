package vault

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/surrogate"
)

func entry(kind, hash, text string) surrogate.Entry {
	return surrogate.Entry{Kind: kind, Hash: []byte(hash), Surrogate: text}
}

// three returns choices for patients a, b and c; c has no more than a shift.
func three() *Choices {
	c := &Choices{}
	c.AddEntries("b", []surrogate.Entry{entry("name", "1", "Hamilton"), entry("place", "1", "Arlon")})
	c.AddEntries("a", []surrogate.Entry{entry("name", "1", "Lee")})
	c.AddShift("c", -7)
	c.AddShift("a", 40)
	return c
}

// list returns the surrogates that are to be stored.
func (c *Choices) list() []surrogate.Entry { return slices.Collect(maps.Values(c.entries)) }

func TestChoicesHoldEachOnce(t *testing.T) {
	t.Parallel()
	c := three()
	c.AddEntries("a", []surrogate.Entry{entry("name", "1", "Moor")})
	if len(c.entries) != 3 || c.entries[entryID{"a", "name", "1"}].Surrogate != "Moor" {
		t.Errorf("%d entries, want 3, the last of two for one original", len(c.entries))
	}
	if got := c.Patients(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("patients %v", got)
	}
}

func TestAmong(t *testing.T) {
	t.Parallel()
	c := three()
	both := []surrogate.Entry{entry("name", "1", "Lee"), entry("place", "1", "Arlon")}
	for patient, want := range map[string]int{"a": 1, "b": 2, "c": 0} {
		if got := c.Among(patient, both); len(got) != want {
			t.Errorf("%s: %d, want %d", patient, len(got), want)
		}
	}
}

func TestChoicesAreParted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		part *Choices
		want []string
	}{
		{"without none", three().Without(nil), []string{"a", "b", "c"}},
		{"without one", three().Without(map[string]bool{"b": true}), []string{"a", "c"}},
		{"false leaves nobody out", three().Without(map[string]bool{"b": false}), []string{"a", "b", "c"}},
		{"without all", three().Without(map[string]bool{"a": true, "b": true, "c": true}), nil},
		{"first half", three().halves()[0], []string{"a"}},
		{"second half", three().halves()[1], []string{"b", "c"}},
	} {
		if got := c.part.Patients(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if c.part.Empty() != (len(c.want) == 0) {
			t.Errorf("%s: Empty is %v", c.name, c.part.Empty())
		}
	}
}

func TestChoicesByPatientTogetherAreAll(t *testing.T) {
	t.Parallel()
	whole, sum := three(), &Choices{}
	for patient, part := range whole.ByPatient() {
		if got := part.Patients(); !slices.Equal(got, []string{patient}) {
			t.Errorf("the part of %s has %v", patient, got)
		}
		for id, e := range part.entries {
			sum.AddEntries(id.patient, []surrogate.Entry{e})
		}
		for name, days := range part.shifts {
			sum.AddShift(name, days)
		}
	}
	if !maps.EqualFunc(sum.entries, whole.entries, func(a, b surrogate.Entry) bool { return reflect.DeepEqual(a, b) }) ||
		!maps.Equal(sum.shifts, whole.shifts) {
		t.Errorf("the parts make %+v", sum)
	}
}

func TestEmptyChoices(t *testing.T) {
	t.Parallel()
	var c Choices
	if !c.Empty() || c.HasEntries() || len(c.Patients()) != 0 || len(c.ByPatient()) != 0 {
		t.Error("the zero value is not empty")
	}
	c.AddEntries("a", nil)
	if !c.Empty() {
		t.Error("no entries are something")
	}
	c.AddShift("a", 1)
	if c.Empty() || c.HasEntries() {
		t.Error("a shift is something, and no entry")
	}
	full := three()
	full.Clear()
	if !full.Empty() {
		t.Error("Clear leaves something")
	}
	full.AddShift("a", 1)
	if full.Empty() {
		t.Error("nothing can be added after Clear")
	}
}

// Of patients whose rows are others' now, names of the record stay: notes have them.
func TestChoicesOfPatientsWhoLeave(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		out, forgotten map[string]bool
		want           string
	}{
		{"nobody", nil, nil, "a name, a record, a shift, b name, b record"},
		{"moved", map[string]bool{"a": true}, nil, "a record, b name, b record"},
		{"out", map[string]bool{"a": true}, map[string]bool{"a": true}, "b name, b record"},
		{"false", map[string]bool{"a": false}, map[string]bool{"a": false}, "a name, a record, a shift, b name, b record"},
		{"names alone", nil, map[string]bool{"b": true}, "a name, a record, a shift, b name"},
	} {
		all := &Choices{}
		for _, patient := range []string{"a", "b"} {
			all.AddEntries(patient, []surrogate.Entry{{Kind: "name", Hash: []byte("h")}, {Kind: RecordKind, Hash: []byte("h")}})
		}
		all.AddShift("a", 7)
		left := all.Leaving(c.out, c.forgotten)
		var got []string
		for id := range left.entries {
			got = append(got, id.patient+" "+id.kind)
		}
		for patient := range left.shifts {
			got = append(got, patient+" shift")
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
