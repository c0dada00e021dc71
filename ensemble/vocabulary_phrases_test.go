package ensemble

import (
	"strings"
	"testing"
)

func TestClinicalNames(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"underwent a Whipple procedure", "Whipple", Patient, false},
		{"UNDERWENT WHIPPLE PROCEDURE", "WHIPPLE", Doctor, false},
		{"may-thurner syndrome on CT", "may", Date, false},
		{"Legg–Calvé–Perthes disease", "Calvé", Patient, false},
		{"Hunt & Hess scale of 2", "Hunt & Hess", Doctor, false},
		{"the circle of Willis is intact", "Willis", Patient, false},
		{"pouches of Douglas were clear", "Douglas", Patient, false},
		{"two Jackson-Pratt drains", "Jackson-Pratt", Patient, false},
		{"a Kansas City cardiomyopathy questionnaire", "Kansas City", City, false},
		{"West Nile virus in the county", "West Nile", City, false},
		{"seen by Dr. Whipple procedure", "Whipple", Doctor, true},
		{"seen by Dr. Whipple", "Whipple", Doctor, true},
		{"Whipple\nprocedure", "Whipple", Patient, true},
		{"Whipple, procedure", "Whipple", Patient, true},
		{"Miller's hysterectomy", "Miller", Patient, true},
		{"moved to Kansas City last week", "Kansas City", City, true},
		{"Douglas was in the pouch", "Douglas", Patient, true},
	})
}

func TestSingleClinicalWords(t *testing.T) {
	const learned, rule = 2, 1
	tests := []takenBack{
		{"Lovenox bridge tonight", "Lovenox", Patient, false},
		{"given LEXAPRO", "LEXAPRO", Hospital, false},
		{"given Smith", "Smith", Patient, true},
	}
	checkTakenBack(t, learned, learned, tests)
	checkTakenBack(t, rule, learned, tests)
}

func BenchmarkClinicalNames(b *testing.B) {
	text := strings.Repeat("Patient had a Whipple procedure by Dr. Whipple at the Kansas City office. ", 20)
	note := &Note{Text: text}
	var spans []Span
	for at := 0; ; {
		i := strings.Index(text[at:], "Whipple")
		if i < 0 {
			break
		}
		spans = append(spans, Span{Start: at + i, End: at + i + 7, Type: Doctor, By: 1})
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
