package synth

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// TestLayoutSlotsMark checks that each slot of layouts marks what it is named for,
// always, and no blanks around it, and that it comes in several forms.
func TestLayoutSlotsMark(t *testing.T) {
	h := hospital(t, 11, Options{Patients: 60, Notes: 1})
	first := map[string]phi.Type{
		"l.pt": phi.Patient, "l.pt.comma": phi.Patient, "l.pt.plain": phi.Patient, "l.pt.last": phi.Patient, "l.pt.first": phi.Patient,
		"l.pt.middle": phi.Patient, "l.pt.alias": phi.Patient, "l.pt.init": phi.Patient, "l.row": phi.Patient, "l.kin": phi.Patient,
		"l.dr": phi.Doctor, "l.drt": phi.Doctor, "l.drc": phi.Doctor, "l.rn": phi.Doctor, "l.rn.first": phi.Doctor, "l.met": phi.Doctor,
		"l.slash": phi.Doctor, "l.typist": phi.Doctor, "l.login": phi.Username, "l.d": phi.Date, "l.dt": phi.Date, "l.hl7": phi.Date,
		"l.age": phi.Age, "l.hosp": phi.Hospital, "l.lab": phi.Hospital, "l.addr": phi.Street, "l.addr3": phi.Street, "l.csz": phi.City,
		"l.armed": phi.Street, "l.abroad": phi.Street, "l.country": phi.Country, "l.bed": phi.LocationOther, "l.ph": phi.Phone,
		"l.pg": phi.Pager, "l.email": phi.Email, "l.url": phi.URL, "l.mrn": phi.MedicalRecord, "l.acct": phi.Account, "l.id": phi.IDNum,
		"l.member": phi.HealthPlan, "l.npi": phi.License, "l.serial": phi.Device, "l.lot": phi.IDNum, "l.ssn": phi.SSN,
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
