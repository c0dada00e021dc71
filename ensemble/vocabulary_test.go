package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"testing"
)

func TestProtectVocabulary(t *testing.T) {
	tests := []struct {
		text, span string
		typ        phi.Type
		sure       bool
		kept       bool
	}{
		{text: "has Parkinson's disease", span: "Parkinson", typ: phi.Patient},
		{text: "has Parkinson's disease", span: "Parkinson", typ: phi.Patient, sure: true, kept: true},
		{text: "Mr. Parkinson has pain", span: "Parkinson", typ: phi.Patient, kept: true},
		{text: "Mr. Parkinson disease free", span: "Parkinson", typ: phi.Patient, kept: true},
		{text: "his Glasgow score was 6", span: "Glasgow", typ: phi.City},
		{text: "family in Glasgow", span: "Glasgow", typ: phi.City, kept: true},
		{text: "Glasgow Coma Scale 15", span: "Glasgow", typ: phi.City},
		{text: "Hunt and Hess grade 2", span: "Hunt", typ: phi.Patient},
		{text: "a Pfannenstiel skin incision", span: "Pfannenstiel", typ: phi.Doctor},
		{text: "the knot of Henry", span: "Henry", typ: phi.Patient},
		{text: "as described by Rowland, et al", span: "Rowland", typ: phi.Doctor},
		{text: "John Smith test results", span: "John Smith", typ: phi.Patient, kept: true},
		{text: "Rodriguez exam normal", span: "Rodriguez", typ: phi.Patient, kept: true},
		{text: "started metoprolol today", span: "metoprolol", typ: phi.Patient},
		{text: "seen 4/27/04 for disease", span: "4/27/04", typ: phi.Date, kept: true},
		{text: "lot 78-32-DK disease", span: "78-32-DK", typ: phi.IDNum, kept: true},
	}
	for _, tt := range tests {
		note := &Note{Text: tt.text}
		start := indexOf(t, tt.text, tt.span)
		spans := []phi.Span{{Start: start, End: start + len(tt.span), Type: tt.typ, By: 1, Sure: tt.sure}}
		if got := len(protectVocabulary(note, spans, 0)) == 1; got != tt.kept {
			t.Errorf("%q in %q as %v, sure %v: kept is %v", tt.span, tt.text, tt.typ, tt.sure, got)
		}
	}
}

func TestCutEnds(t *testing.T) {
	for _, tt := range []struct {
		text, span string
		typ        phi.Type
		want       string
	}{
		{text: "Moss, Ann MC # 412", span: "Moss, Ann MC", typ: phi.Patient, want: "Moss, Ann"},
		{text: "Moss, Ann, F, DOB 3/4/50", span: "Moss, Ann, F", typ: phi.Patient, want: "Moss, Ann"},
		{text: "signed Ann Moss, M", span: "Ann Moss, M", typ: phi.Patient, want: "Ann Moss, M"},
		{text: "moss, ann mrn: 412", span: "moss, ann mrn", typ: phi.Patient, want: "moss, ann"},
		{text: "MOSS, ANN MC, seen", span: "MOSS, ANN MC", typ: phi.Patient, want: "MOSS, ANN MC"},
		{text: "Jersey City MC # 4", span: "Jersey City MC", typ: phi.City, want: "Jersey City MC"},
		{text: "Elm Clinic Department of Radiology", span: "Elm Clinic Department of Radiology", typ: phi.Hospital, want: "Elm Clinic"},
		{text: "ELM CLINIC EMERGENCY DEPARTMENT", span: "ELM CLINIC EMERGENCY", typ: phi.Hospital, want: "ELM CLINIC"},
		{text: "found on 12 Elm St. There is", span: "12 Elm St. There", typ: phi.Street, want: "12 Elm St"},
		{text: "attends Kiwanis on Mondays", span: "Kiwanis on", typ: phi.Organization, want: "Kiwanis"},
		{text: "EMS (Elm Springs Fire) came", span: "Elm Springs Fire", typ: phi.Organization, want: "Elm Springs"},
		{text: "from Ukraine originally; here", span: "Ukraine originally", typ: phi.Country, want: "Ukraine"},
		{text: "lives at 45 holly, rear", span: "45 holly", typ: phi.Street, want: "45 holly"},
		{text: "born in Waverly, Iowa", span: "Waverly", typ: phi.City, want: "Waverly"},
		{text: "Elm, ND Ph 391 463 3609", span: "ND Ph", typ: phi.State, want: "ND"},
		{text: "NLMG CARDIOLOGY\nNotes", span: "NLMG CARDIOLOGY", typ: phi.Hospital, want: "NLMG"},
		{text: "seen at Tennessee Oncology", span: "Tennessee Oncology", typ: phi.Hospital, want: "Tennessee Oncology"},
		{text: "Seen by Nurse Elijah", span: "Nurse Elijah", typ: phi.Doctor, want: "Elijah"},
		{text: "Mary Nurse called", span: "Mary Nurse", typ: phi.Patient, want: "Mary Nurse"},
		{text: "This is Baby Moss, well", span: "Baby Moss", typ: phi.Patient, want: "Moss"},
		{text: "Dispo: Hospice at Elm Clinic", span: "Hospice at Elm Clinic", typ: phi.Hospital, want: "Elm Clinic"},
		{text: "from at Elm Clinic today", span: "at Elm Clinic", typ: phi.Hospital, want: "Elm Clinic"},
		{text: "seen by Ann Moss RN today", span: "Ann Moss RN", typ: phi.Doctor, want: "Ann Moss"},
		{text: "the Hospital of Saint Ann", span: "Hospital of Saint Ann", typ: phi.Hospital, want: "Hospital of Saint Ann"},
		{text: "seen by Linh Do today", span: "Linh Do", typ: phi.Doctor, want: "Linh Do"},
		{text: "signed Ann M. A", span: "Ann M. A", typ: phi.Doctor, want: "Ann M. A"},
	} {
		start := indexOf(t, tt.text, tt.span)
		for learned, want := range map[phi.Votes]string{1: tt.want, 2: tt.span} {
			got := []phi.Span{{Start: start, End: start + len(tt.span), Type: tt.typ, By: 1}}
			cutEnds(&Note{Text: tt.text}, got, learned)
			if tt.text[got[0].Start:got[0].End] != want {
				t.Errorf("%q in %q, learned %b: %+v, want %q", tt.span, tt.text, learned, got, want)
			}
		}
	}
}

func TestRefutesLearned(t *testing.T) {
	tests := []struct {
		text, span string
		typ        phi.Type
		kept       bool
	}{
		{"her neighbour called 911.", "911", phi.Age, false},
		{"a CK of 99999999999999999999 today", "99999999999999999999", phi.Age, false},
		{"is 104 and well", "104", phi.Age, true},
		{"Job: police officer (13yrs).", "13", phi.Age, false},
		{"Work: mechanic (16 years), smokes", "16", phi.Age, false},
		{"a retired teacher (93 yrs)", "93", phi.Age, true},
		{"mother (43 yrs) is well", "43", phi.Age, true},
		{"ninety-one and well", "ninety-one", phi.Age, true},
		{"home health, VNA 762-0348", "VNA", phi.State, false},
		{"moved to VT in spring", "VT", phi.State, true},
		{"lives in Bayern now", "Bayern", phi.State, true},
		{"new MDS in March", "MDS", phi.Hospital, false},
		{"seen at NWRH in March", "NWRH", phi.Hospital, true},
		{"H. Glass, M.D., Pathologist", "Pathologist", phi.Doctor, false},
		{"Dr. Glazier agrees", "Glazier", phi.Doctor, true},
		{"Moss agrees", "Moss", phi.Doctor, true},
	}
	const learned, rule = 2, 1
	for _, tt := range tests {
		note := &Note{Text: tt.text}
		start := indexOf(t, tt.text, tt.span)
		for votes, want := range map[phi.Votes]bool{learned: tt.kept, learned | rule: true} {
			spans := []phi.Span{{Start: start, End: start + len(tt.span), Type: tt.typ, By: votes}}
			if got := len(protectVocabulary(note, spans, learned)) == 1; got != want {
				t.Errorf("%q in %q as %v by %b: kept is %v", tt.span, tt.text, tt.typ, votes, got)
			}
		}
	}
}

func indexOf(t *testing.T, text, part string) int {
	t.Helper()
	for i := range text {
		if len(text)-i >= len(part) && text[i:i+len(part)] == part {
			return i
		}
	}
	t.Fatalf("%q is not in %q", part, text)
	return -1
}
