package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

func TestPresets(t *testing.T) {
	want := []string{"clarity", "fhirbase", "hapi", "i2b2", "medplum", "millennium", "mimic-iii", "mimic-iv", "omop", "openemr", "openmrs", "pcornet", "synthea"}
	if got := Presets(); !slices.Equal(got, want) {
		t.Fatalf("presets %v, want %v", got, want)
	}
	for _, name := range want {
		data, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		texts, tells := 0, 0
		for i := range c.Tables {
			texts += len(c.Tables[i].Texts())
			tells += len(c.Tables[i].Tells())
		}
		if texts == 0 || tells == 0 {
			t.Errorf("%s: %d columns of text, %d that tell something", name, texts, tells)
		}
	}
	if _, err := Preset("epic"); !strings.Contains(fault.Hint(err), "omop") {
		t.Errorf("unknown preset: %v", err)
	}
	if _, err := Preset("../preset"); err == nil {
		t.Error("left the folder")
	}
}
