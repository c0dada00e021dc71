package features

import (
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// The columns of a token's features, in the order in which networks read them.
const (
	ColumnRecord    = iota // role of the hit of the patient's record
	ColumnDirectory        // role of the hit of the directory
	ColumnRules            // kind of PHI that exact rules found
	ColumnFirst            // frequency as a first name, in factors of eight
	ColumnSurname          // as a surname
	ColumnCommon           // as an ordinary word
	ColumnCapital          // as an ordinary word with a capital
	ColumnPlaces           // bit set: city, state, country, county
	ColumnWords            // bit set: clinical, eponym, organisation, job
	ColumnOthers           // bit set: nickname, month, weekday, big city
	NumColumns
)

// columnSizes are the numbers of values of the columns; 0 is blank in all of them.
var columnSizes = [NumColumns]int64{9, 3, 11, 11, 11, 11, 11, 16, 16, 16}

// ColumnOffsets are the first indexes of the columns when their values are numbered consecutively,
// as in a network's single embedding table.
var ColumnOffsets = func() (offsets [NumColumns]int64) {
	next := int64(0)
	for c, size := range columnSizes {
		offsets[c] = next
		next += size
	}
	return offsets
}()

// The roles that a record's hit may have.
const (
	recordName = iota + 1
	recordPlace
	recordDate
	recordContact
	recordIdentifier
	recordFacility
	recordAge
	recordOther
)

// The roles that a directory's hit may have.
const (
	directoryName = iota + 1
	directoryOther
)

// The kinds of PHI that rules find.
const (
	rulesName = iota + 1
	rulesLocation
	rulesAge
	rulesOrganization
	rulesDate
	rulesID
	rulesContact
	rulesProfession
	rulesTime
	rulesNet
)

// columnsKey is the cache key of a note's columns. They depend on Note.Known, so that a note with
// later hits has other columns.
type columnsKey struct{ known *ensemble.Known }

// Columns returns the features of each token of a note as small numbers, a row of [NumColumns] for
// each token: the hits in [ensemble.Note.Known], blank if it is nil, and the lexicon's entry of
// the word. It is computed once per note and shared: read only.
func Columns(note *ensemble.Note) []uint8 {
	return ensemble.Memo(note, columnsKey{note.Known}, func() []uint8 { return columnsOf(note) })
}

func columnsOf(note *ensemble.Note) []uint8 {
	tokens, entries := note.View().Tokens, note.View().Entries()
	out := make([]uint8, len(tokens)*NumColumns)
	for i := range entries {
		columns := WordColumns(&entries[i])
		copy(out[i*NumColumns+ColumnFirst:], columns[:])
	}
	if known := note.Known; known != nil {
		fillHits(out, ColumnRecord, tokens, known.Record, recordRole)
		fillHits(out, ColumnDirectory, tokens, known.Directory, directoryRole)
		fillHits(out, ColumnRules, tokens, known.Rules, RulesKind)
	}
	return out
}

// fillHits sets a column at all tokens that spans overlap. Spans are sorted and disjoint.
func fillHits(out []uint8, column int, tokens []text.Token, spans []phi.Span, value func(phi.Type) uint8) {
	if len(spans) == 0 {
		return
	}
	for i, hit := range tagTokens(tokens, spans) {
		if hit.tag != phi.None {
			out[i*NumColumns+column] = value(hit.tag)
		}
	}
}

// WordColumns returns the columns from [ColumnFirst] on, which depend only on the word's lexicon
// entry.
func WordColumns(e *lexicon.Entry) (columns [NumColumns - ColumnFirst]uint8) {
	if *e == (lexicon.Entry{}) {
		return columns
	}
	return [...]uint8{ // in the order of the columns
		bucket(e.First),
		bucket(e.Surname),
		bucket(e.Common),
		bucket(e.Capital),
		flagSet(e, lexicon.City, lexicon.State, lexicon.Country, lexicon.County),
		flagSet(e, lexicon.Clinical, lexicon.Eponym, lexicon.Org, lexicon.Job),
		flagSet(e, lexicon.Nickname, lexicon.Month, lexicon.Weekday, lexicon.BigCity),
	}
}

// bucket maps a frequency of the lexicon to 1 to 10, and 0 to 0.
func bucket(n uint8) uint8 {
	if n == 0 {
		return 0
	}
	return 1 + min(9, n/24)
}

// flagSet returns the flags of an entry as bits, the first one as bit 0.
func flagSet(e *lexicon.Entry, flags ...lexicon.Flags) (set uint8) {
	for i, flag := range flags {
		if e.Is(flag) {
			set |= 1 << i
		}
	}
	return set
}

func recordRole(t phi.Type) uint8 {
	switch t {
	case phi.Patient, phi.Doctor:
		return recordName
	case phi.Hospital, phi.Organization:
		return recordFacility
	case phi.Username:
		return recordIdentifier
	}
	switch t.Class() {
	case phi.ClassLocation:
		return recordPlace
	case phi.ClassDate:
		return recordDate
	case phi.ClassContact:
		return recordContact
	case phi.ClassID:
		return recordIdentifier
	case phi.ClassAge:
		return recordAge
	default:
		return recordOther
	}
}

func directoryRole(t phi.Type) uint8 {
	if t == phi.Patient || t == phi.Doctor {
		return directoryName
	}
	return directoryOther
}

// RulesKind returns the value of [ColumnRules] for a type found by exact rules.
func RulesKind(t phi.Type) uint8 {
	switch t {
	case phi.Hospital, phi.Organization:
		return rulesOrganization
	case phi.Username:
		return rulesID
	case phi.Email, phi.URL, phi.IPAddr:
		return rulesNet
	}
	switch t.Class() {
	case phi.ClassName:
		return rulesName
	case phi.ClassLocation:
		return rulesLocation
	case phi.ClassAge:
		return rulesAge
	case phi.ClassDate:
		return rulesDate
	case phi.ClassContact:
		return rulesContact
	case phi.ClassProfession:
		return rulesProfession
	case phi.ClassTime:
		return rulesTime
	default:
		return rulesID
	}
}
