package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"strings"
	"testing"
)

func TestClinicalNames(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"underwent a Whipple procedure", "Whipple", phi.Patient, false},
		{"UNDERWENT WHIPPLE PROCEDURE", "WHIPPLE", phi.Doctor, false},
		{"may-thurner syndrome on CT", "may", phi.Date, false},
		{"Legg–Calvé–Perthes disease", "Calvé", phi.Patient, false},
		{"Hunt & Hess scale of 2", "Hunt & Hess", phi.Doctor, false},
		{"the circle of Willis is intact", "Willis", phi.Patient, false},
		{"pouches of Douglas were clear", "Douglas", phi.Patient, false},
		{"two Jackson-Pratt drains", "Jackson-Pratt", phi.Patient, false},
		{"a Kansas City cardiomyopathy questionnaire", "Kansas City", phi.City, false},
		{"West Nile virus in the county", "West Nile", phi.City, false},
		{"seen by Dr. Whipple procedure", "Whipple", phi.Doctor, true},
		{"seen by Dr. Whipple", "Whipple", phi.Doctor, true},
		{"Whipple\nprocedure", "Whipple", phi.Patient, true},
		{"Whipple, procedure", "Whipple", phi.Patient, true},
		{"Miller's hysterectomy", "Miller", phi.Patient, true},
		{"moved to Kansas City last week", "Kansas City", phi.City, true},
		{"Douglas was in the pouch", "Douglas", phi.Patient, true},
	})
}

func TestSingleClinicalWords(t *testing.T) {
	const learned, rule = 2, 1
	tests := []takenBack{
		{"Lovenox bridge tonight", "Lovenox", phi.Patient, false},
		{"given LEXAPRO", "LEXAPRO", phi.Hospital, false},
		{"given Smith", "Smith", phi.Patient, true},
	}
	checkTakenBack(t, learned, learned, tests)
	checkTakenBack(t, rule, learned, tests)
}

func BenchmarkClinicalNames(b *testing.B) {
	text := strings.Repeat("Patient had a Whipple procedure by Dr. Whipple at the Kansas City office. ", 20)
	note := &Note{Text: text}
	var spans []phi.Span
	for at := 0; ; {
		i := strings.Index(text[at:], "Whipple")
		if i < 0 {
			break
		}
		spans = append(spans, phi.Span{Start: at + i, End: at + i + 7, Type: phi.Doctor, By: 1})
		at += i + 7
	}
	b.ReportAllocs()
	for b.Loop() {
		v := vocabulary{reading: read(note)}
		for _, s := range spans {
			v.clinicalName(s, 0)
		}
	}
}
