package hl7

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

//go:embed fields.txt
var fieldFile string

// kind is what becomes of a field.
type kind uint8

const (
	kindNone        kind = iota // emptied
	kindNumber                  // a small number
	kindCode                    // values of a table
	kindCharset                 // names of character sets
	kindCoded                   // codes with their systems and names
	kindText                    // free text
	kindParts                   // free text in components
	kindObservation             // what the type of the value makes it
)

// fieldTable says what becomes of the fields of each segment, and of values of each type.
type fieldTable struct {
	segments map[string]map[int]kind
	types    map[string]kind
	charsets map[string]bool
	systems  map[string]bool
}

var knownFields = sync.OnceValue(func() *fieldTable {
	kinds := map[string]kind{
		"number": kindNumber, "code": kindCode, "charset": kindCharset, "coded": kindCoded, "text": kindText, "parts": kindParts,
		"observation": kindObservation,
	}
	file := wordlist.Sections(fieldFile)
	known := &fieldTable{
		segments: map[string]map[int]kind{}, types: map[string]kind{"": kindText}, charsets: wordlist.Set(file["charsets"]),
		systems: wordlist.Set(file["systems"]),
	}
	for _, line := range file["fields"] {
		words := strings.Fields(line)
		segment, number, _ := strings.Cut(words[0], "-")
		if known.segments[segment] == nil {
			known.segments[segment] = map[int]kind{}
		}
		n, _ := strconv.Atoi(number)
		known.segments[segment][n] = kinds[words[1]]
	}
	for _, line := range file["types"] {
		words := strings.Fields(line)
		known.types[words[0]] = kinds[words[1]]
	}
	return known
})

// public reports whether a code system is one that everybody uses.
func (k *fieldTable) public(system string) bool {
	table, ok := strings.CutPrefix(system, "HL7")
	return k.systems[system] || ok && len(table) == 4 && isNumber([]byte(table))
}

// Limits of values that stay.
const (
	maxNumber = 4  // digits
	maxValue  = 8  // characters of a table's value
	maxDigits = 3  // digits in a row in a table's value
	maxCode   = 20 // characters of a code that has a system
)

// isNumber reports whether a value is a number of few digits, also with a dot or a sign.
func isNumber(value []byte) bool {
	digits := 0
	for _, c := range value {
		switch {
		case char.IsDigit(c):
			digits++
		case c != '.' && c != '-' && c != '+':
			return false
		}
	}
	return digits <= maxNumber && len(value) <= 2*maxNumber
}

// isValue reports whether a value looks like one of a table.
func isValue(value []byte) bool {
	digits := 0
	for _, c := range value {
		if !char.IsDigit(c) {
			digits = 0
			continue
		}
		digits++
		if digits > maxDigits {
			return false
		}
	}
	return len(value) <= maxValue && isCode(value)
}

// isCode reports whether a value has the form of a code: ASCII, short, no spaces.
func isCode(value []byte) bool {
	for _, c := range value {
		if !char.IsLetter(c) && !char.IsDigit(c) && !strings.ContainsRune("._-+*/%[]{}()<>:'", rune(c)) {
			return false
		}
	}
	return len(value) <= maxCode
}
