package main

import (
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// hole finds placeholders and what always is PHI: the range of group 1 is replaced.
type hole struct {
	at   *regexp.Regexp
	with []synth.Template
}

// holes is the table of the placeholders of open notes. Group 1 is what goes.
var holes = []struct {
	pattern string
	with    []string
}{
	{
		`\b(?i:doctors?|drs?)\b\.? +((?:Sample Doctor\d*|XYZ|Xyz|ABCD?|Abcd?|[Xx]{2,}|[A-Z]|_+)(?:-[A-Z])?)\b`,
		[]string{"{outdr.last}", "{outdr.last}", "{dr.last}", "{dr.last}", "{outdr.full}"},
	},
	{
		`\b(?:Mr|Mrs|Ms|Miss|MR|MRS|MS)\b\.? +((?:Abcd?|ABCD?|XYZ|Xyz|Sample|[Xx]{2,}\w*|[A-Z]|_+))\b`,
		[]string{"{pt.last}", "{pt.last}", "{pt.last}", "{pt.full}"},
	},
	{`\b(XX)-year`, []string{"{age}"}},
	{`\b(MM/DD/YYYY|mm/dd/yyyy|MM/DD/YY)\b`, []string{"{past.whole}", "{date}", "{recent.md}", "{past}"}},
	{`\b((?:ABCD?|XYZ|Abcd?|Xyz|Sample|XXX+) (?:(?:General|Medical|Memorial|Regional|County|Community|Rehab\w*) )*(?:Hospital|` +
		`Center|Clinic|Institute|Facility))\b`, []string{"{hosp.made}", "{hosp}", "{hosp.other}"}},
	{`\b(?:at|to|from|in) (?:the )?(ABCD?|XYZ|Xyz)\b`, []string{"{hosp.made}", "{hosp.abbr}", "{hosp}", "{hosp.short}"}},
	{
		`\b(?:by|with|per|of|see|and|Attending|Surgeon|Assistant|Physician):? (?:Dr\.? )?(ABCD?|XYZ|Abcd?|Xyz)\b`,
		[]string{"{outdr}", "{outdr.full}"},
	},
	{`\b(Sample Patient|Patient Name|John Doe|Jane Doe)\b`, []string{"{pt.full}"}},
	{`\b(Sample Doctor\d*)\b`, []string{"{outdr.full}"}},
	{`\b(Sample Address)\b`, []string{"{address}"}},
	{`\b((?:XYZ|ABCD?|Abcd?|Xyz|X{3,}))'s\b`, []string{"{pt.last}", "{pt.first}"}},
	{`\b(XYZ|ABCD?|Abcd|Xyz)(?:,| -)? (?:MD|M\.D\.|DO|D\.O\.)`, []string{"{outdr.full}"}},
}

// openHoles are placeholders whose meaning is unknown, months and names of places and people
// that the rules do not replace.
var openHoles = regexp.MustCompile(`_{3,}|\b(?:XYZ|ABCD?|Abcd?|Xyz|[xX]{3,}|XX)\b` +
	`|\b(?:January|February|March|April|June|July|August|September|October|November|December|United States|New Mexico|North Carolina)\b` +
	`|\b(?:at|to|from|in|of|the|downtown|near) (?:Hopkins|Madera|Bethesda North|Stanford|Garden Court|Sierra Pacific Orthopedic ` +
	`Group|Valley Cities|TSC Lodge|Healing Waters|Bishop|Clinton)\b` +
	`|\bNurse Stormy\b`)

// knownPlaces finds large towns and some states where a place is spoken of.
func knownPlaces() *regexp.Regexp {
	names := []string{
		"Michigan", "Texas", "California", "Florida", "Ohio", "Oregon", "Maine", "Georgia", "Virginia", "Arizona", "Alaska",
		"Hawaii", "Nevada", "Utah", "Kansas", "Iowa",
	}
	places := lexicon.Places()
	for _, p := range places[:min(300, len(places))] {
		names = append(names, regexp.QuoteMeta(p.City))
	}
	return regexp.MustCompile(`\b(?:in|from|to|near|downtown|around|of) (` + strings.Join(names, "|") + `)\b`)
}
