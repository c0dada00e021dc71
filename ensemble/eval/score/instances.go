package score

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// category is a row of the main paper's Table 4: the kind of what was missed. The paper sorted its
// errors by hand; here the span's type and words decide.
type category uint8

// The categories: the paper's, then additional ones.
const (
	clinicLocation category = iota
	anyDate
	staffName
	pharmacy
	phoneNumber
	company
	careOrganization
	numericIdentifier
	address
	patientName
	userName
	netAddress // e-mail, web and network addresses
	oldAge
	numCategories
)

var categoryNames = [numCategories]string{
	"clinic location", "date", "doctor or nurse name or initial", "pharmacy name", "phone number", "organization or company",
	"health care organization", "numeric identifier", "location (address or part of one)", "patient name", "user name",
	"e-mail, web or network address", "age over 89",
}

// String returns the category's name, such as "clinic location".
func (c category) String() string { return categoryNames[c] }

// categoryOf returns the category of a span of type t with this text.
func categoryOf(t phi.Type, text string) category {
	switch t {
	case phi.Patient:
		return patientName
	case phi.Doctor:
		return staffName
	case phi.Username:
		return userName
	case phi.Date, phi.Time:
		return anyDate
	case phi.Age:
		return oldAge
	case phi.Phone, phi.Fax, phi.Pager:
		return phoneNumber
	case phi.Email, phi.URL, phi.IPAddr:
		return netAddress
	case phi.Hospital, phi.Organization, phi.LocationOther:
		return placeCategory(t, text)
	case phi.Street, phi.City, phi.State, phi.Country, phi.County, phi.Zip:
		return address
	default:
		return numericIdentifier
	}
}

var (
	pharmacyWords = []string{"pharmacy", "pharmacies", "pharmacist", "rx", "drug", "drugs", "drugstore", "apothecary", "chemist"}
	clinicWords   = []string{
		"clinic", "clinics", "building", "bldg", "room", "rm", "floor", "ward", "unit", "suite", "wing", "pavilion", "tower", "desk",
		"rehab", "station", "annex", "department", "dept",
	}
)

// placeCategory distinguishes pharmacies and places within a site from institutions by their
// words.
func placeCategory(t phi.Type, text string) category {
	switch {
	case holdsOneOf(text, pharmacyWords):
		return pharmacy
	case t != phi.Organization && holdsOneOf(text, clinicWords):
		return clinicLocation
	case t == phi.Hospital:
		return careOrganization
	case t == phi.Organization:
		return company
	default:
		return address
	}
}

func holdsOneOf(text string, list []string) bool {
	found := false
	EachWord(text, 0, len(text), func(w phi.Range) {
		word := strings.ToLower(text[w.Start:w.End])
		for _, l := range list {
			found = found || word == l
		}
	})
	return found
}

// form is how a missed instance is written.
type form uint8

// The forms.
const (
	initials form = iota // up to three letters of one case: "JCS", "tp"
	digitsForm
	lowerCase
	upperCase
	capitalized
	mixedCase
	numForms
)

var formNames = [numForms]string{"initials", "digits", "lower case", "upper case", "capitalized", "mixed"}

// String returns the form's name, such as "lower case".
func (f form) String() string { return formNames[f] }

// formOf returns the form of a text's letters and digits.
func formOf(text string) form {
	letters, upper, lower, digits := 0, 0, 0, 0
	starts, capitals := 0, 0
	word := false
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
		if isLetter := unicode.IsLetter(r); isLetter {
			letters++
			if !word {
				starts++
				if unicode.IsUpper(r) {
					capitals++
				}
			}
		}
		word = unicode.IsLetter(r)
	}
	switch {
	case digits > 0:
		return digitsForm
	case letters <= 3 && (upper == 0 || lower == 0) && utf8.RuneCountInString(text) <= 2*letters:
		return initials
	case upper == 0:
		return lowerCase
	case lower == 0:
		return upperCase
	case capitals == starts:
		return capitalized
	default:
		return mixedCase
	}
}

// NoteErrors are the instances of PII of group C in a document, and those with a readable word:
// the errors counted in the main paper's Tables 4 to 6.
type NoteErrors struct {
	pii       int
	instances []missedInstance
}

type missedInstance struct {
	category category
	form     form
	partly   bool   // some words were found
	sentence uint64 // a hash of the sentence and the place in it
}

// categories returns the number of distinct categories.
func (e NoteErrors) categories() int {
	var seen [numCategories]bool
	n := 0
	for _, i := range e.instances {
		if !seen[i.category] {
			seen[i.category] = true
			n++
		}
	}
	return n
}

// ErrorsOf returns the missed instances of a document.
func ErrorsOf(doc *Document, found []phi.Span) NoteErrors {
	var out NoteErrors
	var sentences []phi.Range
	for _, gold := range doc.Spans {
		text := doc.Text[gold.Start:gold.End]
		if gold.Ignored() || !C.Within(gold.Types, text) {
			continue
		}
		all, missed, first := 0, 0, phi.Range{}
		for _, w := range Words(doc.Text, gold.Start, gold.End) {
			all++
			if covered, _ := Coverage(doc.Text, w, found, C, gold.Types); !covered {
				if missed == 0 {
					first = w
				}
				missed++
			}
		}
		if all == 0 {
			continue
		}
		if out.pii++; missed == 0 {
			continue
		}
		if sentences == nil {
			sentences = (&ensemble.Note{Text: doc.Text}).View().Sentences()
		}
		out.instances = append(out.instances, missedInstance{
			category: categoryOf(gold.typeIn(C, text), text), form: formOf(doc.Text[first.Start:first.End]), partly: missed < all,
			sentence: placeHash(doc.Text, sentences, first),
		})
	}
	return out
}

// placeHash identifies a word by its sentence and position, so that a sentence repeated in several
// notes counts once.
func placeHash(text string, sentences []phi.Range, w phi.Range) uint64 {
	in := phi.Range{Start: w.Start, End: w.End}
	for _, s := range sentences {
		if s.Start <= w.Start && w.Start < s.End {
			in = s
			break
		}
	}
	h := fnv.New64a()
	h.Write([]byte(text[in.Start:in.End]))
	at := w.Start - in.Start
	h.Write([]byte{0, byte(at), byte(at >> 8), byte(at >> 16), byte(at >> 24)})
	return h.Sum64()
}
