// Package lexicon provides word frequencies and kinds: how often a word is a surname, a first
// name, a place, an ordinary or a clinical word. Its tables are computed from public counts and
// lists and are embedded; see README.md for their sources.
package lexicon

//go:generate go run ./gen -data ../../../shared/data -out table.bin.gz

// Group is a group of names in the US Census's surname tables.
type Group uint8

// The Census groups.
const (
	White Group = iota
	Black
	Hispanic
	Asian // and Pacific Islander
	Native
	NumGroups
)

// Flags are the further kinds of a word.
type Flags uint16

// The flags of words.
const (
	City     Flags = 1 << iota // a town, a county seat or a big city of the world
	State                      // a US state or territory, or its postal abbreviation
	Country                    // a country, or its adjective
	Clinical                   // a drug, disease, anatomical or laboratory word, an abbreviation
	Eponym                     // names a disease, sign, score, device: "Parkinson", "Braden", "Foley"
	Nickname                   // a short or pet form of a first name
	Org                        // ends or begins names of organisations: "Hospital", "Clinic", "Inc"
	Job                        // the noun of an occupation: "glazier", "engineer"
	Month
	Weekday
	County   // a US county
	BigCity  // has more than 100,000 people
	PlaceTop // the first word of places of several words: "san", "las", "new"
)

// Entry is the lexicon's data on one word, folded by [Fold].
type Entry struct {
	// Surname and First are the rounded 8*log2 of people per 10 million who bear the
	// word as surname or first name, 0 for none.
	Surname, First uint8
	// Common is the rounded 8*log2 of occurrences per 10 million words of the word in
	// lower case in open clinical and general English text, 0 for none.
	Common uint8
	// Capital is, on the same scale, the frequency of the capitalised word inside sentences of
	// clinical text, except where names are likely: "Foley", "MRI".
	Capital uint8
	// Female is the percentage of women among the bearers of the first name.
	Female uint8
	// Group is the most likely Census group of a surname's or first name's bearers.
	Group Group
	Flags Flags
}

// Is reports whether the word has any of the flags.
func (e Entry) Is(f Flags) bool { return e.Flags&f != 0 }

// Load reads the embedded table, which otherwise happens on first use. If it returns an error,
// every lookup fails.
func Load() error { return load().err }

// Lookup returns the entry of a word in any spelling. It does not allocate for ASCII words.
func Lookup(word string) (Entry, bool) {
	var buf [48]byte
	if key, ok := LowerASCII(buf[:], word); ok {
		return load().find(key)
	}
	return LookupFolded(Fold(word))
}

// LookupFolded is Lookup for a folded word. Places of several words have single blanks: "new
// york", "st louis".
func LookupFolded(word string) (Entry, bool) { return load().findString(word) }

// LookupKey is LookupFolded for a key held in a buffer.
func LookupKey(word []byte) (Entry, bool) { return load().find(word) }
