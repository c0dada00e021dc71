package eval

import (
	"strings"
	"testing"
)

func TestTableQuotesOnlyWhenAsked(t *testing.T) {
	rep := report(t, "⟦Quisenberry|PATIENT⟧ came", "Quisenberry ⟦came|DATE⟧")
	var quiet, loud strings.Builder
	if err := (Result{Report: rep}).WriteTable(&quiet, 0); err != nil {
		t.Fatal(err)
	}
	if err := (Result{Report: rep}).WriteTable(&loud, 5); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(quiet.String(), "Quisenberry") || !strings.Contains(loud.String(), "⟦Quisenberry⟧") {
		t.Errorf("quiet:\n%s\nloud:\n%s", quiet.String(), loud.String())
	}
}

func TestHTMLIsEscapedAndQuotesOnlyWhenAsked(t *testing.T) {
	rep := report(t, "⟦<b>Quisenberry</b>|PATIENT⟧ came", "<b>Quisenberry</b> ⟦came|DATE⟧")
	var quiet, loud strings.Builder
	if err := (Result{Report: rep}).WriteHTML(&quiet, "a & b", 0); err != nil {
		t.Fatal(err)
	}
	if err := (Result{Report: rep}).WriteHTML(&loud, "a & b", 5); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(quiet.String(), "Quisenberry") || !strings.Contains(quiet.String(), "<h1>a &amp; b</h1>") {
		t.Error("the quiet page quotes the text or lacks its title")
	}
	if !strings.Contains(loud.String(), "<mark>&lt;b&gt;Quisenberry&lt;/b&gt;</mark>") {
		t.Error("the page does not show the miss, escaped")
	}
}

func TestDetailsQuoteNothing(t *testing.T) {
	rep := report(t, "⟦Quisenberry|PATIENT⟧ came", "Quisenberry ⟦came|DATE⟧")
	var out strings.Builder
	if err := (Result{Report: rep}).WriteDetails(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Supplementary Table 4", "HIPAA as scripted", "patient name", "PII coverage"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(out.String(), "Quisenberry") {
		t.Error("the text is quoted")
	}
}
