package document

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed hl7_fields.txt
var hl7File string

// hl7Kind is what becomes of a field.
type hl7Kind uint8

const (
	hl7None        hl7Kind = iota // emptied
	hl7Number                     // a small number
	hl7Code                       // values of a table
	hl7Charset                    // names of character sets
	hl7Coded                      // codes with their systems and names
	hl7Text                       // free text
	hl7Parts                      // free text in components
	hl7Observation                // what the type of the value makes it
)

// hl7Fields says what becomes of the fields of each segment, and of values of each type.
type hl7Fields struct {
	segments map[string]map[int]hl7Kind
	types    map[string]hl7Kind
	charsets map[string]bool
	systems  map[string]bool
}

var hl7Known = sync.OnceValue(func() *hl7Fields {
	kinds := map[string]hl7Kind{
		"number": hl7Number, "code": hl7Code, "charset": hl7Charset, "coded": hl7Coded, "text": hl7Text, "parts": hl7Parts,
		"observation": hl7Observation,
	}
	file := sections(hl7File)
	known := &hl7Fields{
		segments: map[string]map[int]hl7Kind{}, types: map[string]hl7Kind{"": hl7Text}, charsets: set(file["charsets"]),
		systems: set(file["systems"]),
	}
	for _, line := range file["fields"] {
		words := strings.Fields(line)
		segment, number, _ := strings.Cut(words[0], "-")
		if known.segments[segment] == nil {
			known.segments[segment] = map[int]hl7Kind{}
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
func (k *hl7Fields) public(system string) bool {
	table, ok := strings.CutPrefix(system, "HL7")
	return k.systems[system] || ok && len(table) == 4 && isHL7Number([]byte(table))
}

// Limits of values that stay.
const (
	maxHL7Number = 4  // digits
	maxHL7Value  = 8  // characters of a table's value
	maxHL7Digits = 3  // digits in a row in a table's value
	maxHL7Code   = 20 // characters of a code that has a system
)

// isHL7Number reports whether a value is a number of few digits, also with a dot or a sign.
func isHL7Number(value []byte) bool {
	digits := 0
	for _, c := range value {
		switch {
		case isDigit(c):
			digits++
		case c != '.' && c != '-' && c != '+':
			return false
		}
	}
	return digits <= maxHL7Number && len(value) <= 2*maxHL7Number
}

// isHL7Value reports whether a value looks like one of a table.
func isHL7Value(value []byte) bool {
	digits := 0
	for _, c := range value {
		if !isDigit(c) {
			digits = 0
			continue
		}
		digits++
		if digits > maxHL7Digits {
			return false
		}
	}
	return len(value) <= maxHL7Value && isHL7Code(value)
}

// isHL7Code reports whether a value has the form of a code: ASCII, short, no spaces.
func isHL7Code(value []byte) bool {
	for _, c := range value {
		if !isLetter(c) && !isDigit(c) && !strings.ContainsRune("._-+*/%[]{}()<>:'", rune(c)) {
			return false
		}
	}
	return len(value) <= maxHL7Code
}
