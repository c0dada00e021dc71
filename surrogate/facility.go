package surrogate

import (
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// facilityKinds are words for the kind of an organisation; they are kept.
var facilityKinds = set(`hospital hospitals hosp medical med center centre ctr clinic clinics health healthcare care system systems
	pharmacy drug drugs drugstore nursing home homes rehab rehabilitation associates association group of the at and for on in to
	university univ college school academy institute inc llc llp ltd corp corporation company co pc pllc foundation church temple
	department dept office offices practice physicians physician surgery surgical surgeons cardiology oncology pediatrics pediatric
	orthopedics orthopaedics radiology imaging dialysis urgent emergency primary family internal medicine hospice assisted living
	senior laboratory laboratories lab labs services service cancer heart eye dental eyecare women womens children childrens
	behavioral mental psychiatric psychiatry outpatient inpatient infirmary sanatorium icu micu sicu ccu ed er or unit ward floor
	st saint mt mount store shop restaurant bank insurance hotel factory plant police fire station agency network alliance
	partners trust board county city state rx facility residence manor village gardens house apartments pavilion tower building wing
	room bed suite base camp a an dr doctor his her their our my s supply products industries manufacturing international`)

// weakKinds are modifiers that are kept beside a name, but count as the name if there is no other:
// "Community Hospital", "the Medical Center".
var weakKinds = set("general memorial regional community national american central united veterans va north south east west " +
	"northern southern eastern western")

// pureKinds are never a name, even if nothing else is left. Any other kind word may be one:
// "Temple Health Center", "Family Drug".
var pureKinds = set(`hospital hospitals medical med center centre ctr clinic clinics health healthcare care system pharmacy drug drugs
	nursing home rehab rehabilitation associates association group of the at and for on in university college school inc llc llp ltd
	corp corporation company co pc pllc department dept office offices practice physicians surgery surgical emergency urgent
	hospice laboratory laboratories lab labs services service icu micu sicu ccu ed er unit ward floor room bed a an his her their
	our my s`)

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
	letters := alnum(text)
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
	for word := range words(plain(name)) {
		switch word {
		case "of", "the", "and", "at", "for", "in":
		default:
			out.WriteString(word[:1])
		}
	}
	return out.String()
}
