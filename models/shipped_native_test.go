//go:build native

package models

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

// shippedEnsemble is what runs where nothing else is said.
func shippedEnsemble(t *testing.T) *ensemble.Ensemble {
	t.Helper()
	set := open(t, []config.Model{{Default: true}}, nil)
	e, err := set.Ensemble(0)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// marked takes the brackets out of a text and returns what stood in them.
func marked(text string) (plain string, spans []phi.Range) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "[[")
		b.WriteString(before)
		if !found {
			return b.String(), spans
		}
		inside, after, _ := strings.Cut(rest, "]]")
		spans = append(spans, phi.Range{Start: b.Len(), End: b.Len() + len(inside)})
		b.WriteString(inside)
		text = after
	}
}

// uncovered returns the words of want that no span covers.
func uncovered(text string, spans []phi.Span, want []phi.Range) []string {
	var missed []string
	for _, r := range want {
		for at := r.Start; at < r.End; {
			word := text[at:r.End]
			if i := strings.IndexAny(word, " ,\n"); i >= 0 {
				word = word[:i]
			}
			covered := slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= at && s.End >= at+len(word) })
			if word != "" && !covered {
				missed = append(missed, word)
			}
			at += len(word) + 1
		}
	}
	return missed
}

func TestShippedEnsembleFinds(t *testing.T) {
	e := shippedEnsemble(t)
	far := strings.Repeat("Lungs are clear to auscultation and there is no edema. ", 1000) // 11,000 words
	for name, text := range map[string]string{
		"age over 89":              "The patient is a [[101]]-year-old woman; her sister died at [[ninety-three]].",
		"age without a cue":        "Pt [[94]], here for a cough.",
		"capitals":                 "SEEN WITH [[MARISELA QUINTANILHA]] AND HER DAUGHTER [[ODALYS]] TODAY.",
		"lower case":               "spoke to [[thandiwe mokoena]], her son [[kwabena]] will bring her.",
		"no cue but the sentence":  "[[Oyelaran]] aware and will follow.",
		"first name of a nurse":    "Wound redressed, [[Siobhan]] RN at bedside.",
		"last, first":              "Covering: [[Abernethy-Rourke]], [[Jocasta]]",
		"at token 10,000":          far + "Discussed with [[Zbigniew Okonkwo]], who lives in [[Harrowdale]].",
		"behind an emoji":          "Feels better 😀👩‍⚕️ and thanks Dr. [[Ravindranath]] for calling.",
		"behind Hebrew":            "שלום וברכה, said [[Eliora Benveniste]] when she came in with her husband.",
		"behind Arabic":            "مرحبا - seen with Mr. [[Haddad]] from [[Beitwood]].",
		"combining marks":          "Called by Jose\u0301 Nu\u0301n\u0303ez's wife [[Ximena]] today.",
		"a facility in a sentence": "She was transferred from [[Larkmoor Valley Hospital]] on Tuesday.",
		"an employer":              "He works as a welder at [[Brindlecombe Foundry]] and smokes.",
		"a town without a state":   "Grew up in [[Tollaster]], moved here for school.",
		"a street in a sentence":   "He was found on [[Wexcombe Lane]] by a neighbor.",
	} {
		plain, want := marked(text)
		spans, err := e.Detect(t.Context(), &ensemble.Note{Text: plain})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if missed := uncovered(plain, spans, want); len(missed) > 0 {
			t.Errorf("%s: missed %q", name, missed)
		}
	}
}

func TestShippedEnsembleLeaves(t *testing.T) {
	e := shippedEnsemble(t)
	for _, text := range []string{
		"Glasgow Coma Scale 15, Braden 18, ECOG 1, Mallampati II.",
		"Parkinson's disease, Crohn's disease and Hodgkin lymphoma in the family.",
		"Started Lopressor and Zosyn; Foley removed, Jackson-Pratt drain in place.",
		"PAST MEDICAL HISTORY: HYPERTENSION, DIABETES MELLITUS, GRAVES DISEASE.",
		"Strength 5/5, reflexes 2+, Babinski down going, Romberg negative.",
		"Will follow up in clinic; may return to work.",
		"WBC 7.2, Hgb 12.1, troponin negative, LFTs normal.",
	} {
		spans, err := e.Detect(t.Context(), &ensemble.Note{Text: text})
		if err != nil || len(spans) > 0 {
			t.Errorf("%q: %d spans, error %v", text, len(spans), err)
		}
	}
}
