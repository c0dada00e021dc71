package corpus

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestReadLabels(t *testing.T) {
	labels, err := ReadLabels(strings.NewReader("# ours\nclinician = doctor, USERNAME\nDATE = ignore\n"))
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := labels.Meaning("Clinician"); !ok || m.Types != SetOf(phi.Doctor, phi.Username) || m.Main != phi.Doctor {
		t.Errorf("CLINICIAN: %+v %v", m, ok)
	}
	if m, _ := labels.Meaning("DATE"); !m.Ignored() {
		t.Error("DATE is not ignored")
	}
	for _, bad := range []string{"NAME", "\n\nX = NOTHING"} {
		if _, err := ReadLabels(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// TestBuiltinLabels checks that every meaning is valid and that our own type names are known.
func TestBuiltinLabels(t *testing.T) {
	labels := BuiltinLabels()
	for label, m := range labels {
		if label != strings.ToUpper(label) {
			t.Errorf("%s is not upper case", label)
		}
		if m.Types != 0 && !m.Types.Has(m.Main) {
			t.Errorf("%s: main type %s is not among its types", label, m.Main)
		}
	}
	for _, typ := range phi.Types() {
		if m, ok := labels.Meaning(typ.String()); !ok || !m.Types.Has(typ) {
			t.Errorf("%s does not mean itself", typ)
		}
	}
}
