package surrogate

import (
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

// facilityKinds are words for the kind of an organisation; they are kept.
var facilityKinds = words.Set("known/facility-kinds")

// weakKinds are modifiers that are kept beside a name, but count as the name if there is no other:
// "Community Hospital", "the Medical Center".
var weakKinds = words.Set("known/weak-facility-kinds")

// pureKinds are never a name, even if nothing else is left. Any other kind word may be one:
// "Temple Health Center", "Family Drug".
var pureKinds = words.Set("known/pure-facility-kinds")

// facility replaces the name of a hospital or organisation and keeps the words for its kind. An
// abbreviation ("MGH") becomes the initials of the surrogate if the record contains the full name,
// otherwise other letters.
func (w *work) facility(text string) string {
	if isCode(strings.TrimSpace(text)) && !facilityKinds[strings.ToLower(strings.TrimSpace(text))] {
		return w.facilityCode(text)
	}
	for _, keep := range []map[string]bool{allFacilityKinds, facilityKinds} {
		if len(coreRuns(text, keep)) > 0 {
			return w.reworded(text, keep, kindFacility)
		}
	}
	return w.reworded(text, pureKinds, kindFacility)
}

var allFacilityKinds = func() map[string]bool {
	all := maps.Clone(facilityKinds)
	maps.Copy(all, weakKinds)
	return all
}()

func (w *work) facilityCode(text string) string {
	letters := letter.Alnum(text)
	rec := w.who.Record()
	for _, role := range []record.Role{record.Facility, record.Employer} {
		for _, full := range rec[role] {
			if len(letters) > 1 && abbreviation(full) == letters {
				if to := abbreviation(w.facility(full)); to != letters {
					return overlay(text, text, to)
				}
			}
		}
	}
	return w.number(text)
}

// abbreviation returns the first letters of a name's words, ignoring small words.
func abbreviation(name string) string {
	var out strings.Builder
	for word := range letter.Words(letter.Plain(name)) {
		switch word {
		case "of", "the", "and", "at", "for", "in":
		default:
			out.WriteString(word[:1])
		}
	}
	return out.String()
}
