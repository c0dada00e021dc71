package main

import (
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
)

// vocabulary is clinical vocabulary that looks like names and is none.
type vocabulary struct {
	drugs, diseases, eponyms, short []string
}

func loadVocabulary(data folder) (vocabulary, error) {
	var v vocabulary
	for _, file := range []string{"fda_orange_book_trade_names.txt", "fda_orange_book_ingredients.txt"} {
		names, err := data.readLines("clinical-vocab/" + file)
		if err != nil {
			return v, err
		}
		for _, n := range names {
			if len(n) < 40 {
				v.drugs = append(v.drugs, n)
			}
		}
	}
	var err error
	if v.eponyms, err = data.readLines("clinical-vocab/eponyms.txt"); err != nil {
		return v, err
	}
	diseases, err := data.readLines("clinical-vocab/doid_terms.txt.gz")
	if err != nil {
		return v, err
	}
	for _, d := range diseases {
		if len(d) < 60 {
			v.diseases = append(v.diseases, d)
		}
	}
	v.short, err = abbreviations(data)
	return v, err
}

// abbreviations reads the clinical abbreviations that are made of letters.
func abbreviations(data folder) ([]string, error) {
	in, err := data.open("clinical-vocab/medical_abbreviations.csv")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	letters := regexp.MustCompile(`^[A-Za-z&/]{2,8}$`)
	var out []string
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if letters.MatchString(row[0]) {
			out = append(out, row[0])
		}
	}
}

// The contexts of negatives; "@" is replaced by the term. Terms of other kinds follow
// with "%d" (drug), "%x" (disease), "%a" (abbreviation).
var (
	drugContexts = []string{
		"Started on @ %n mg daily.", "@ %n mg PO [BID|daily|q6h|qhs]", "Continue @.", "Allergies: @", "Allergic to @ and %d.",
		"Switched from @ to %d.",
		"- @ %n mg", "He was given @ in the ED.", "Hold @ for now.", "@, %d, %d", "Patient takes @ %n mg for %x.", "s/p @ x %n days",
		"Refill @ #%n",
		"Will discontinue @ due to %x.", "on @ and %d", "Rx: @ %n mg", "@", "Medications: @, %d, %d.", "trial of @",
		"She reports that @ made her sick.", "@ level was normal.",
		"Responded well to @.", "prescribed @ per protocol", "She could not afford @.", "Home meds include @, %d and %d.",
		"@ held because of %x.", "@ changed this visit.", "@ refilled.", "No more @.", "@ and %d stopped today.", "%d, then @",
		"Out of @ since last week.", "Injected @ %n.",
	}
	diseaseContexts = []string{
		"History of @.", "PMH: @, %x", "No evidence of @.", "Family history of @ and %x.", "Assessment: @", "1. @", "- @", "Rule out @.",
		"The patient has @.",
		"Mother with @, father with %x.", "Dx: @", "consistent with @", "@ vs. %x", "Impression: @.", "treated for @ with %d", "@, stable on %d.",
		"Worried about @.",
	}
	eponymContexts = []string{
		"@ syndrome", "@ disease", "@'s disease", "@ sign negative.", "@ sign was positive on the right.", "s/p @ procedure",
		"History of @ syndrome.", "@'s sign", "Underwent @ procedure.",
		"@ test negative bilaterally.", "A @ retractor was placed.", "@ fracture of the left wrist", "classic @ phenomenon",
		"@ catheter in place.", "@ clamp was applied.", "@ score %n",
		"@ criteria were met.", "Family history of @ disease.", "evaluated for @'s", "@ classification type II",
		"The @ forceps were used to grasp the tissue.", "@ incision was made.",
		"@ maneuver was performed.", "Probable @ disease, per neurology.", "Diagnosed with @ syndrome at birth.", "@-type hernia",
		"@ stain negative", "modified @ operation", "PMH: @ disease, %x",
		"@ %n on admission", "@ class B on imaging", "Graded @ II.", "@ repair planned", "Booked for @ repair.", "By @ index the risk is low.",
		"@ [III|A|C] noted",
	}
	shortContexts = []string{
		"@ %n", "@: %a", "@ negative", "%a, @, %a", "h/o @ and %a", "Labs: @ %n, %a %n", "- @", "plan: @ in am", "ordered @ and %a", "per @",
		"s/p @", "@ wnl", "Positive @.", "@/%a",
		"Follow up @ in AM.", "NPO, @, %a", "r/o @", "repeat @", "Exam: @ intact, %a normal.", "transferred to @ for monitoring", "No @.",
		"Neuro: @ intact.",
		"Pt with @ here for review.", "[Pt|Patient|PT] with @ and %a", "A/P: @ - stable", "Dx: @ - observe", "re @: %a ordered",
		"Discussed @ with family.", "@ and %a noted", "@ since %n", "Held for @.",
		"[seen|admitted|here] for @", "PT WITH @ AND %a COMES FOR RECHECK", "Known @, %a.", "@ %n, %a %n, %a", "2/2 @", "@ (%a)",
	}
)

var fillIn = regexp.MustCompile(`@|%[dxan]`)

// sentences is a source of short texts without PHI.
func (v vocabulary) sentences(rng *rand.Rand) func() ([]sentence, error) {
	pick := func(of []string) string { return of[rng.IntN(len(of))] }
	kinds := []struct {
		terms, contexts []string
		drug            bool
	}{
		{v.drugs, drugContexts, true},
		{v.diseases, diseaseContexts, false},
		{v.eponyms, eponymContexts, false},
		{v.eponyms, eponymContexts, false},
		{v.short, shortContexts, false},
	}
	return func() ([]sentence, error) {
		k := kinds[rng.IntN(len(kinds))]
		text := fillIn.ReplaceAllStringFunc(pick(k.contexts), func(hole string) string {
			switch {
			case hole == "@" && k.drug, hole == "%d":
				return drugCase(rng, pick(v.drugs))
			case hole == "@":
				return pick(k.terms)
			case hole == "%x":
				return pick(v.diseases)
			case hole == "%a":
				return pick(v.short)
			}
			return []string{"1", "2", "5", "10", "20", "40", "50", "100", "250", "500"}[rng.IntN(10)]
		})
		text = choose(rng, text)
		switch n := rng.IntN(100); {
		case n < 8:
			text = strings.ToUpper(text)
		case n < 16:
			text = strings.ToLower(text)
		}
		return cut("negatives", text, nil, allClasses), nil
	}
}

var choice = regexp.MustCompile(`\[([^\]]*)\]`)

// choose settles choices in brackets.
func choose(rng *rand.Rand, text string) string {
	return choice.ReplaceAllStringFunc(text, func(c string) string {
		of := strings.Split(c[1:len(c)-1], "|")
		return of[rng.IntN(len(of))]
	})
}

// drugCase writes a drug's name, which is listed in capitals, as notes do.
func drugCase(rng *rand.Rand, name string) string {
	switch rng.IntN(3) {
	case 0:
		return strings.ToLower(name)
	case 1:
		return nameCase(name)
	default:
		return nameCase(strings.ToLower(strings.Fields(name)[0]))
	}
}
