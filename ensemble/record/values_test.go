package record

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// markedCase is a text with what is found in it between brackets, and its type.
type markedCase struct {
	text string
	typ  phi.Type
}

// checkMarkedBy checks that exactly what is between brackets is found, of the type.
func checkMarkedBy(t *testing.T, g *Gazetteer, cases []markedCase) {
	t.Helper()
	for _, c := range cases {
		body := strings.NewReplacer("[", "", "]", "").Replace(c.text)
		spans := findIn(t, g, body)
		got, done := "", 0
		for _, s := range spans {
			got += body[done:s.Start] + "[" + body[s.Start:s.End] + "]"
			done = s.End
			if c.typ != phi.None && s.Type != c.typ {
				t.Errorf("%q: %q is %s, want %s", c.text, body[s.Start:s.End], s.Type, c.typ)
			}
		}
		if got += body[done:]; got != c.text {
			t.Errorf("\n got %q\nwant %q", got, c.text)
		}
	}
}

var numbers = NewGazetteer(Record{
	MRN: {"E4863352", "2-202-947"}, Phone: {"617-555-0142"}, SSN: {"178-52-8495"}, Plan: {"XQZ376870898", "1EG4-TE4-MK45"}, Zip: {"78135-0042"},
	Account: {"ACCT25981399"}, BirthDate: {"1956-10-14"}, Vehicle: {"2IA 1493"}, Username: {"wqs9"}, License: {"L 77-410"},
})

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, numbers, []markedCase{
		{"MRN [E4863352].", phi.MedicalRecord},
		{"MRN [e-48-63-352], [E 4863352]", phi.MedicalRecord},
		{"[2-202-947] and [2202947] and [2.202.947]", phi.MedicalRecord},
		{"fax [617-555-0142]", phi.Fax},
		{"pager: [617-555-0142]", phi.Pager},
		{"call [617-555-0142], [(617) 555-0142], [+1 617 555 0142], [6175550142]", phi.Phone},
		{"SSN [178-52-8495] or [178528495]", phi.SSN},
		{"last four of SSN [8495]", phi.SSN},
		{"8495 cells were seen; 8495", phi.None},
		{"policy [XQZ376870898], [1EG4TE4MK45]", phi.HealthPlan},
		{"ZIP [78135], [78135-0042]", phi.Zip},
		{"plate [2IA 1493]", phi.Vehicle},
		{"0.178528", phi.None},
		{"617-555-0143 and 178-52-8496", phi.None},
		{"E4863353, E48633, 2-202-94", phi.None},
		{"178-52\n\n\n8495", phi.None},
	})
}

// Letters that look like digits are digits in a number, and digits letters.
func TestScannedIdentifiers(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, numbers, []markedCase{
		{"MRN [E486335Z].", phi.MedicalRecord},
		{"MRN [E48633s2].", phi.MedicalRecord},
		{"MRN [E4B63352].", phi.MedicalRecord},
		{"call [6I7-55S-0l42]", phi.Phone},
		{"call [617-555-O142]", phi.Phone},
		{"SSN [l78-52-849S]", phi.SSN},
		{"plan [XQ2376870898], [lEG4-TE4-MK4s]", phi.HealthPlan},
		{"acct [ACCTZ5981399]", phi.Account},
		{"plate [21A 1493]", phi.Vehicle},
		{"call 6I7-55S-0l43", phi.None},
		{"L4 to S1, B12, 5O", phi.None},
	})
}

// A line may end in an identifier, and the blank behind it may be missing.
func TestIdentifiersOverLinesAndGlued(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, numbers, []markedCase{
		{"MRN [E48-\n63352]", phi.MedicalRecord},
		{"MRN [E\n4863352]", phi.MedicalRecord},
		{"acct [AC\nCT25981399]", phi.Account},
		{"plan [XQ-\nZ376870898]", phi.HealthPlan},
		{"call [617-\n555-0142]", phi.Phone},
		{"[E4863352]was", phi.MedicalRecord},
		{"[E4863352]Visit: today", phi.MedicalRecord},
		{"[2-202-947]26 Oct", phi.MedicalRecord},
		{"Whitting[2-202-947]Dec", phi.MedicalRecord},
		{"ZIP [78135]\nand 617\n555", phi.Zip},
	})
}

func TestBirthDates(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, numbers, []markedCase{
		{"born [10/14/1956], [10/14/56], [10-14-1956], [14.10.1956], [1956-10-14]", phi.Date},
		{"born [October 14, 1956], [Oct 14th, 1956], [14 Oct 1956], [14th of October 1956]", phi.Date},
		{"DOB:[14OCT1956] [14Oct56] [Oct141956] [10141956]", phi.Date},
		{"DOB [14OC-\nT1956], [14OCT1\n956], [14\nOct 1956]", phi.Date},
		{"DOB [l4OCT1956], [14OCTI956], [1O/14/1956], [Oet 14, 1956], [0ctober 14, 1956]", phi.Date},
		{"DOB [Octobre 14, 1956]", phi.Date},
		{"DOB [one zero one four one nine five six]", phi.Date},
		{"seen 10/15/1956, October 14, 1957, 14/11/1956, 10/14", phi.None},
	})
}

// Whatever marks divide an identifier, and whatever is around it, it is found.
func TestEveryIdentifierIsFound(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 6))
	for range 500 {
		mrn := fmt.Sprintf("%s%07d", string(rune('A'+rng.IntN(26))), 1000000+rng.IntN(8999999))
		g := NewGazetteer(Record{MRN: {mrn}})
		at := 2 + rng.IntN(5)
		for _, form := range []string{mrn, strings.ToLower(mrn), mrn[:at] + "-" + mrn[at:], mrn[:at] + "\n" + mrn[at:]} {
			body := "the number " + form + ", as was said"
			if got := written(body, findIn(t, g, body)); len(got) != 1 || got[0] != form {
				t.Fatalf("%q of %s: %q", body, mrn, got)
			}
		}
	}
}

func TestEmails(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameLast: {"Morgan"}, Email: {"aaron.morgan@example.com", "kq57@families.example.org"}})
	checkMarkedBy(t, g, []markedCase{
		{"mail [aaron.morgan@example.com], please", phi.Email},
		{"mail [AARON.MORGAN@EXAMPLE.COM]", phi.Email},
		{"mail [aaron.morgan@exmple.com] now", phi.Email},
		{"mail [aaron.morgna@example.com]\nRace: declined", phi.Email},
		{"mail [aaron.rnorgan@exarnple.corn]", phi.Email},
		{"mail [kq57@farnilies.example.org]", phi.Email},
		{"mail [aaron.morgan@exam-\nple.com] now", phi.Email},
		{"mail [a a r o n.m o r g a n@e x a m p l e.com] now", phi.Email},
		{"mail baron@example.com and kq@example.org, @home, a@b", phi.None},
	})
}
