package text

import (
	"slices"
	"testing"
)

func TestGluedLabels(t *testing.T) {
	for text, want := range map[string][]string{
		"NotePt: Ann Moss":      {"Note", "Pt", ":", "Ann", "Moss"},
		"MossMC # 12":           {"Moss", "MC", "#", "12"},
		"MossMRN:12":            {"Moss", "MRN", ":", "12"},
		"12Date: 3/5":           {"12", "Date", ":", "3", "/", "5"},
		"byDr.Moss":             {"by", "Dr", ".", "Moss"},
		"McDonald: yes":         {"McDonald", ":", "yes"},
		"MossMC went":           {"MossMC", "went"},
		"NotePt. next":          {"NotePt", ".", "next"},
		"HealthCare # 4":        {"HealthCare", "#", "4"},
		"ADate: 3":              {"ADate", ":", "3"},
		"Date: 3":               {"Date", ":", "3"},
		"MossDepartment: ":      {"MossDepartment", ":"},
		"Mo\u00dfMC # 1 MossMC": {"Mo\u00df", "MC", "#", "1", "MossMC"},
	} {
		var got []string
		for _, tok := range Tokenize(text) {
			got = append(got, text[tok.Start:tok.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	tokens := Tokenize("MossMC # 12")
	if tokens[0].Case != Title || tokens[1].Case != Upper || tokens[1].Space {
		t.Errorf("%+v", tokens[:2])
	}
}
