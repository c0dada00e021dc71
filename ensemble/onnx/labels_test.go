package onnx

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestSplitLabel(t *testing.T) {
	for name, want := range map[string]struct {
		prefix rune
		label  string
	}{
		"B-PATIENT": {'B', "PATIENT"}, "i_per": {'I', "PER"}, "L-LOCATION-OTHER": {'L', "LOCATION-OTHER"}, "O": {0, "O"}, "o": {0, "O"},
		"HCW": {0, "HCW"}, "LOCATION-OTHER": {0, "LOCATION-OTHER"}, "U-ID": {'U', "ID"}, "S-X": {'S', "X"}, "E-X": {'E', "X"},
		"M-X": {'M', "X"}, "X-RAY": {0, "X-RAY"}, "": {0, ""}, "B-": {0, "B-"},
	} {
		if prefix, label := splitLabel(name); prefix != want.prefix || label != want.label {
			t.Errorf("%q: %c %q, want %c %q", name, prefix, label, want.prefix, want.label)
		}
	}
}

func TestParseLabels(t *testing.T) {
	conll := map[string]phi.Type{
		"PER": phi.Patient, "LOC": phi.LocationOther, "ORG": phi.Organization, "MISC": phi.None,
	}
	set, err := parseLabels([]string{"O", "B-MISC", "I-MISC", "b-per", "I-PER", "B-ORG", "I-LOC"}, conll)
	if err != nil {
		t.Fatal(err)
	}
	if want := []phi.Type{phi.Patient, phi.Organization, phi.LocationOther}; !slices.Equal(set.types, want) {
		t.Errorf("types %v, want %v", set.types, want)
	}
	if want := []int{-1, -1, -1, 0, 0, 1, 2}; !slices.Equal(set.class, want) {
		t.Errorf("classes %v, want %v", set.class, want)
	}
	if want := []bool{false, true, false, true, false, true, false}; !slices.Equal(set.first, want) {
		t.Errorf("first %v, want %v", set.first, want)
	}
}

// The labels of networks that are trained here need no map.
func TestParseLabelsByName(t *testing.T) {
	names := []string{"O"}
	for _, l := range strings.Fields("PATIENT DOCTOR HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP LOCATION-OTHER AGE DATE " +
		"ID CONTACT PROFESSION") {
		names = append(names, "B-"+l, "I-"+l)
	}
	set, err := parseLabels(names, nil)
	if err != nil || len(set.types) != 15 {
		t.Errorf("%d types, %v", len(set.types), err)
	}
}

func TestParseLabelsRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		names  []string
		labels map[string]phi.Type
		want   string
	}{
		"unknown":      {[]string{"O", "B-VENDOR"}, nil, `"VENDOR"`},
		"not mapped":   {[]string{"O", "B-PER", "B-LOC"}, map[string]phi.Type{"PER": phi.Patient}, `"LOC"`},
		"all ignored":  {[]string{"O", "B-PER"}, map[string]phi.Type{"PER": phi.None}, "no label"},
		"no O":         {[]string{"PATIENT", "DOCTOR"}, nil, `"O"`},
		"no meaning":   {[]string{"LABEL_0", "LABEL_1"}, nil, "LABEL"},
		"nothing":      {nil, nil, `"O"`},
		"only outside": {[]string{"O"}, nil, "no label"},
	} {
		if _, err := parseLabels(c.names, c.labels); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %s", name, err, c.want)
		}
	}
}

func TestOrderLabels(t *testing.T) {
	if got, err := orderLabels(map[string]string{"1": "B", "0": "A"}); err != nil || !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("%q, %v", got, err)
	}
	for name, bad := range map[string]map[string]string{
		"empty": {}, "gap": {"0": "A", "2": "B"}, "no number": {"x": "A"}, "twice": {"0": "A", "00": "B"}, "negative": {"-1": "A", "0": "B"},
	} {
		if got, err := orderLabels(bad); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}
