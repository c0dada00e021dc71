package corpus

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
)

// TestLayoutSlotsMark checks that each slot of layouts marks what it is named for,
// always, and no blanks around it, and that it comes in several forms.
func TestLayoutSlotsMark(t *testing.T) {
	h := hospital(t, 11, Options{Patients: 60, Notes: 1})
	first := map[string]ensemble.Type{
		"l.pt": ensemble.Patient, "l.pt.comma": ensemble.Patient, "l.pt.plain": ensemble.Patient, "l.pt.last": ensemble.Patient, "l.pt.first": ensemble.Patient,
		"l.pt.middle": ensemble.Patient, "l.pt.alias": ensemble.Patient, "l.pt.init": ensemble.Patient, "l.row": ensemble.Patient, "l.kin": ensemble.Patient,
		"l.dr": ensemble.Doctor, "l.drt": ensemble.Doctor, "l.drc": ensemble.Doctor, "l.rn": ensemble.Doctor, "l.rn.first": ensemble.Doctor, "l.met": ensemble.Doctor,
		"l.slash": ensemble.Doctor, "l.typist": ensemble.Doctor, "l.login": ensemble.Username, "l.d": ensemble.Date, "l.dt": ensemble.Date, "l.hl7": ensemble.Date,
		"l.age": ensemble.Age, "l.hosp": ensemble.Hospital, "l.lab": ensemble.Hospital, "l.addr": ensemble.Street, "l.addr3": ensemble.Street, "l.csz": ensemble.City,
		"l.armed": ensemble.Street, "l.abroad": ensemble.Street, "l.country": ensemble.Country, "l.bed": ensemble.LocationOther, "l.ph": ensemble.Phone,
		"l.pg": ensemble.Pager, "l.email": ensemble.Email, "l.url": ensemble.URL, "l.mrn": ensemble.MedicalRecord, "l.acct": ensemble.Account, "l.id": ensemble.IDNum,
		"l.member": ensemble.HealthPlan, "l.npi": ensemble.License, "l.serial": ensemble.Device, "l.lot": ensemble.IDNum, "l.ssn": ensemble.SSN,
	}
	for name, want := range first {
		var slot Template
		slot.Slot(name)
		forms := map[string]bool{}
		for i := range uint64(60) {
			s := h.Fill(rand.New(rand.NewPCG(i, 3)), nil, Setting{Plain: true}, slot)
			if len(s.Spans) == 0 || s.Spans[0].Type != want {
				t.Fatalf("{%s} of seed %d marks no %s first", name, i, want)
			}
			for _, span := range s.Spans {
				if text := s.Text[span.Start:span.End]; text == "" || text != strings.TrimSpace(text) {
					t.Fatalf("{%s} of seed %d marks %q", name, i, text)
				}
			}
			forms[s.Text] = true
		}
		if len(forms) < 6 {
			t.Errorf("{%s} comes in %d forms only", name, len(forms))
		}
	}
}

// TestNameFormsKeepTheName checks that every order and case of a name holds its last
// name, or its first letter, and that both orders come with and without capitals.
func TestNameFormsKeepTheName(t *testing.T) {
	h := hospital(t, 11, Options{Patients: 5, Notes: 1})
	n := Name{First: "Nadia", Middle: "Belle", Last: "Quarrow", Suffix: "III"}
	seen := map[string]bool{}
	for i := range uint64(400) {
		s := h.visit(rand.New(rand.NewPCG(i, 4)), Setting{Plain: true})
		for _, text := range []string{s.commaForm(n), s.plainForm(n)} {
			if !strings.Contains(strings.ToLower(text), "quarrow") && !strings.Contains(text, "Nadia Q") {
				t.Fatalf("%q lost the last name", text)
			}
			seen[text] = true
		}
	}
	for _, want := range []string{"QUARROW,NADIA B III", "Quarrow, Nadia III", "QUARROW NADIA", "Quarrow, N.", "N. Quarrow", "Nadia Q.", "NADIA B QUARROW III", "nadia quarrow", "Nadia QUARROW", "Quarrow,Nadia"} {
		if !seen[want] {
			t.Errorf("%q never comes", want)
		}
	}
}
