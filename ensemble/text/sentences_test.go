package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// In each row "|" is where a sentence ends and another begins.
func TestSentences(t *testing.T) {
	for _, row := range []string{
		"",
		"One sentence",
		"Pain today.| No fever!| Any chills?| None",
		"Seen by Dr. Smith at St. Mary's, q.d. dosing of 2.5 mg p.o. b.i.d. with food.| Return in 2 wks.",
		"Given at 10 a.m. by J. C. Smith, M.D. in the ED.| Mr. Long left.",
		"Temp 98.6.| Pulse 72.| BP 120/80",
		"HISTORY:\n|The patient was seen today.\n|Vitals stable\n|Plan: rest",
		"The patient is a 44-year-old male with a long history of hypertension who was\nseen today for chest pain.| He is well",
		"1. Chest pain.\n|2. Hypertension\n|3) Diabetes",
		"- aspirin 81 mg\n|- lisinopril 20 mg\n|• rest",
		"First paragraph\n\n|second paragraph in lower case",
		"Allergies: none.|Medications: none",
		"CRLF one\r\n|Two\r\n\r\n|three",
		"He said \"it hurts.\"| Then he left (by car).| Done",
		"pain.|Patient denies fever",
		"Sodium 138, potassium 4.1, e.g. normal values, i.e. fine vs. before",
		"Follow up with Dr.\nSmith tomorrow",
		"😀 Zoë came.| 👩‍⚕️ left",
		"ALLERGIES: NKDA\n|MEDICATIONS: ASPIRIN",
	} {
		parts := strings.Split(row, "|")
		s := strings.Join(parts, "")
		var want []string
		for _, p := range parts {
			if p = strings.TrimSpace(p); p != "" {
				want = append(want, p)
			}
		}
		view := text.NewView(s)
		var got []string
		for _, r := range view.Sentences() {
			got = append(got, s[r.Start:r.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("\n got %q\nwant %q", got, want)
		}
	}
}

func TestSentencesCover(t *testing.T) {
	for _, text := range ensembletest.Texts() {
		checkSentences(t, text.Text)
	}
}

// checkSentences checks that every token is in exactly one sentence.
func checkSentences(t *testing.T, body string) {
	t.Helper()
	view := text.NewView(body)
	sentences, i := view.Sentences(), 0
	for _, tok := range view.Tokens {
		for i < len(sentences) && sentences[i].End <= tok.Start {
			i++
		}
		if i == len(sentences) || tok.Start < sentences[i].Start || tok.End > sentences[i].End {
			t.Fatalf("token [%d, %d) is in no sentence", tok.Start, tok.End)
		}
	}
	end := 0
	for _, s := range sentences {
		if s.Start < end || s.End <= s.Start || s.End > len(body) {
			t.Fatalf("sentence [%d, %d) after one that ends at %d, in %d bytes", s.Start, s.End, end, len(body))
		}
		end = s.End
	}
}
