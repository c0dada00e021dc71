// Package lexicon knows words: how often each is a surname, a first name, a
// place, an ordinary or a clinical word. Its tables are computed from public
// counts and lists and are embedded; see README.md for their sources.
package lexicon

// Group is a group of names in the US Census's surname tables.
type Group uint8

// The Census groups.
const (
	White Group = iota
	Black
	Hispanic
	Asian // and Pacific Islander
	Native
	numGroups
)

// Flags tell what else a word is.
type Flags uint16

// The flags of words.
const (
	City     Flags = 1 << iota // a word of a place's name, or the place itself
	State                      // a US state or territory, or its postal abbreviation
	Country                    // a country, or its adjective
	Clinical                   // a drug, disease, anatomical or laboratory word, an abbreviation
	Eponym                     // names a disease, sign, score, device: "Parkinson", "Braden", "Foley"
	Nickname                   // a short or pet form of a first name
	Org                        // ends or begins names of organisations: "Hospital", "Clinic", "Inc"
	Job                        // a word of occupations
	Month
	Weekday
)

// Entry is what is known of one word, folded by [Fold].
type Entry struct {
	// Surname and First are the rounded 8*log2 of people per 10 million who bear the
	// word as surname or first name, 0 for none.
	Surname, First uint8
	// Common is the rounded 8*log2 of occurrences per 10 million words of the word in
	// lower case in open clinical and general English text, 0 for none.
	Common uint8
	// Female is the share in percent of the bearers of the first name who are female.
	Female uint8
	// Group is the most likely Census group of a surname's or first name's bearers.
	Group Group
	Flags Flags
}

// Lookup returns the entry of a word as it stands in a text: it folds it first.
func Lookup(word string) (Entry, bool) { return Entry{}, false }

// LookupFolded is Lookup for a word that is folded already.
func LookupFolded(word string) (Entry, bool) { return Entry{}, false }

// Fold maps a word to the form under which it is looked up: lower case, without
// diacritics, invisible joiners or full-width forms.
func Fold(s string) string { return s }

// Nicknames returns the short forms of a first name and the names a short form
// stands for ("william": "bill", "will", …; "bill": "william"), all folded.
func Nicknames(first string) []string { return nil }

// Surnames returns surnames of a group in title case, the most frequent first,
// in an order that never changes within a release. Read only.
func Surnames(g Group) []string { return nil }

// FirstNames returns first names of a group and sex, most frequent first, like Surnames.
func FirstNames(g Group, female bool) []string { return nil }

// Place is a town with its state (postal abbreviation) and ZIP prefix.
type Place struct{ City, State, Zip3 string }

// Places returns US towns, largest first where known, in a stable order. Read only.
func Places() []Place { return nil }
