package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// hole finds placeholders and what always is PHI: the range of group 1 is replaced.
type hole struct {
	at   *regexp.Regexp
	with []corpus.Template
}

// holes is the table of the placeholders of open notes. Group 1 is what goes.
var holes = []struct {
	pattern string
	with    []string
}{
	{`\b(?i:doctors?|drs?)\b\.? +((?:Sample Doctor\d*|XYZ|Xyz|ABCD?|Abcd?|[Xx]{2,}|[A-Z]|_+)(?:-[A-Z])?)\b`, []string{"{outdr.last}", "{outdr.last}", "{dr.last}", "{dr.last}", "{outdr.full}"}},
	{`\b(?:Mr|Mrs|Ms|Miss|MR|MRS|MS)\b\.? +((?:Abcd?|ABCD?|XYZ|Xyz|Sample|[Xx]{2,}\w*|[A-Z]|_+))\b`, []string{"{pt.last}", "{pt.last}", "{pt.last}", "{pt.full}"}},
	{`\b(XX)-year`, []string{"{age}"}},
	{`\b(MM/DD/YYYY|mm/dd/yyyy|MM/DD/YY)\b`, []string{"{past.whole}", "{date}", "{recent.md}", "{past}"}},
	{`\b((?:ABCD?|XYZ|Abcd?|Xyz|Sample|XXX+) (?:(?:General|Medical|Memorial|Regional|County|Community|Rehab\w*) )*(?:Hospital|Center|Clinic|Institute|Facility))\b`, []string{"{hosp.made}", "{hosp}", "{hosp.other}"}},
	{`\b(?:at|to|from|in) (?:the )?(ABCD?|XYZ|Xyz)\b`, []string{"{hosp.made}", "{hosp.abbr}", "{hosp}", "{hosp.short}"}},
	{`\b(?:by|with|per|of|see|and|Attending|Surgeon|Assistant|Physician):? (?:Dr\.? )?(ABCD?|XYZ|Abcd?|Xyz)\b`, []string{"{outdr}", "{outdr.full}"}},
	{`\b(Sample Patient|Patient Name|John Doe|Jane Doe)\b`, []string{"{pt.full}"}},
	{`\b(Sample Doctor\d*)\b`, []string{"{outdr.full}"}},
	{`\b(Sample Address)\b`, []string{"{address}"}},
	{`\b((?:XYZ|ABCD?|Abcd?|Xyz|X{3,}))'s\b`, []string{"{pt.last}", "{pt.first}"}},
	{`\b(XYZ|ABCD?|Abcd|Xyz)(?:,| -)? (?:MD|M\.D\.|DO|D\.O\.)`, []string{"{outdr.full}"}},
}

// openHoles are placeholders of which nobody can tell what they stand for, months and
// names of places and people that the rules pass over where they stand.
var openHoles = regexp.MustCompile(`_{3,}|\b(?:XYZ|ABCD?|Abcd?|Xyz|[xX]{3,}|XX)\b` +
	`|\b(?:January|February|March|April|June|July|August|September|October|November|December|United States|New Mexico|North Carolina)\b` +
	`|\b(?:at|to|from|in|of|the|downtown|near) (?:Hopkins|Madera|Bethesda North|Stanford|Garden Court|Sierra Pacific Orthopedic Group|Valley Cities|TSC Lodge|Healing Waters|Bishop|Clinton)\b` +
	`|\bNurse Stormy\b`)

// scrubber turns open notes into carriers.
type scrubber struct {
	rules    *ensemble.Ensemble
	holes    []hole
	inserts  []hole // with chances
	chances  []float64
	refills  map[string][]corpus.Template
	places   *regexp.Regexp // large towns and states behind words that lead to a place
	titles   *regexp.Regexp
	facility *regexp.Regexp
}

func newScrubber() (*scrubber, error) {
	rules, err := ensemble.Default()
	if err != nil {
		return nil, err
	}
	s := &scrubber{
		rules: rules, places: knownPlaces(), refills: map[string][]corpus.Template{},
		titles:   regexp.MustCompile(`(?i)\b(?:(?:mr|mrs|ms|miss|dr|drs)\b\.?|doctor|nurse|by|with|per) *$`),
		facility: regexp.MustCompile(`(?i)hospital|clinic|center|centre|medical|health|university`),
	}
	for _, h := range holes {
		with, err := parseAll(h.with)
		if err != nil {
			return nil, err
		}
		s.holes = append(s.holes, hole{regexp.MustCompile(h.pattern), with})
	}
	for _, i := range inserts {
		with, err := parseAll(i.with)
		if err != nil {
			return nil, err
		}
		s.inserts = append(s.inserts, hole{regexp.MustCompile(i.pattern), with})
		s.chances = append(s.chances, i.chance)
	}
	for name, texts := range refills {
		if s.refills[name], err = parseAll(texts); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func parseAll(texts []string) ([]corpus.Template, error) {
	out := make([]corpus.Template, len(texts))
	for i, text := range texts {
		t, err := corpus.ParseTemplate(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		out[i] = t
	}
	return out, nil
}

// carrier finds what is to be filled, marked and may be inserted in a note.
func (s *scrubber) carrier(text string) (carrier, error) {
	c := carrier{text: text, sex: sexOf(text)}
	for _, h := range s.holes {
		for _, m := range h.at.FindAllStringSubmatchIndex(text, -1) {
			if !overlap(c.edits, m[2], m[3]) {
				c.edits = append(c.edits, edit{start: m[2], end: m[3], chance: 1, with: h.with})
			}
		}
	}
	spans, err := s.rules.Detect(context.Background(), &ensemble.Note{Text: text})
	if err != nil {
		return c, err
	}
	for _, span := range spans {
		if widen(c, span) {
			continue
		}
		if !overlap(c.edits, span.Start, span.End) {
			if e, ok := s.found(text, span); ok {
				c.edits = append(c.edits, e)
			}
		}
	}
	for _, open := range []*regexp.Regexp{openHoles, s.places} {
		for _, m := range open.FindAllStringSubmatchIndex(text, -1) {
			from, to := m[len(m)-2], m[len(m)-1] // the last group, or all
			if !overlap(c.edits, from, to) {
				c.edits = append(c.edits, edit{start: from, end: to, chance: 1, mark: true})
			}
		}
	}
	s.insertions(&c)
	c.edits = settle(c.edits)
	return c, nil
}

// widen lets a placeholder take in the rest of a name that the rules see there:
// "Dr. A Hollister". It reports whether the span needs nothing more.
func widen(c carrier, span ensemble.Span) bool {
	for i := range c.edits {
		e := &c.edits[i]
		if span.Type.Class() == ensemble.ClassName && e.start >= span.Start && e.start < span.End {
			if e.end < span.End && !strings.ContainsAny(c.text[e.end:span.End], ".\n:,") {
				e.end = span.End
			}
			return true
		}
	}
	return false
}

// knownPlaces finds large towns and some states where a place is spoken of.
func knownPlaces() *regexp.Regexp {
	names := []string{"Michigan", "Texas", "California", "Florida", "Ohio", "Oregon", "Maine", "Georgia", "Virginia", "Arizona", "Alaska", "Hawaii", "Nevada", "Utah", "Kansas", "Iowa"}
	places := lexicon.Places()
	for _, p := range places[:min(300, len(places))] {
		names = append(names, regexp.QuoteMeta(p.City))
	}
	return regexp.MustCompile(`\b(?:in|from|to|near|downtown|around|of) (` + strings.Join(names, "|") + `)\b`)
}

// refills replace what the rules found, by what it looks like.
var refills = map[string][]string{
	"age":        {"{age}", "{age.past}", "{age.past}"},
	"date":       {"{past.whole}", "{past.whole}", "{recent.md}", "{date}"},
	"weekday":    {"{weekday}"},
	"month":      {"{month}"},
	"year":       {"{year}"},
	"DOCTOR":     {"{outdr.last}"},
	"PATIENT":    {"{pt.last}"},
	"HOSPITAL":   {"{hosp.made}", "{hosp}", "{hosp.other}"},
	"NAMES":      {"{person}", "{rel.full}", "{outdr.full}"},
	"CITY":       {"{town}"},
	"STATE":      {"{anystate}"},
	"COUNTRY":    {"{country}"},
	"PHONE":      {"{phone.any}"},
	"PROFESSION": {"{job.other}"},
}

var (
	numericDate = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}([-/.]\d{2,4})?$`)
	yearOnly    = regexp.MustCompile(`^(19|20)\d\d$`)
	weekdayOnly = regexp.MustCompile(`^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$`)
	monthOnly   = regexp.MustCompile(`^(January|February|March|April|June|July|August|September|October|November|December)$`)
	ageNumber   = regexp.MustCompile(`^\d{1,3}\b`)
	dayMonth    = regexp.MustCompile(`^\d{1,2}[-/.]\d{1,2}$`)
	vitalSign   = regexp.MustCompile(`^(BP|HR|RR|P|T)\d`)
	twoNames    = regexp.MustCompile(`^[A-Z][a-z]+ (?:[A-Z]\.? )?[A-Z][a-z]+$`)
	properName  = regexp.MustCompile(`^[A-Z][a-z]+$`)
)

// found makes the edit for a span of the rules. What they are right about is filled
// anew or marked as it is; what they may have taken wrongly counts as unknown, so
// that it teaches nothing.
func (s *scrubber) found(text string, span ensemble.Span) (edit, bool) {
	value := text[span.Start:span.End]
	e := edit{start: span.Start, end: span.End, chance: 1}
	fill := func(name string) (edit, bool) {
		e.with = s.refills[name]
		return e, true
	}
	e.mark, e.typ = true, span.Type
	switch span.Type {
	case ensemble.Time:
		return e, false
	case ensemble.Age:
		if n := len(ageNumber.FindString(value)); n > 0 { // "16-month-old": the number is the age
			e.end = e.start + n
			if e.mark = n < len(value) && !strings.Contains(value, "year"); !e.mark {
				return fill("age")
			}
		}
	case ensemble.Date:
		if name := dateKind(value); name != "" {
			e.mark = false
			return fill(name)
		}
		if dayMonth.MatchString(value) { // or a score, a ratio
			e.typ = ensemble.None
		}
	case ensemble.Doctor, ensemble.Patient:
		if twoNames.MatchString(value) {
			e.mark = false
			return fill("NAMES")
		}
		if e.mark = !(s.titles.MatchString(text[max(0, span.Start-12):span.Start]) && properName.MatchString(value)); !e.mark {
			return fill(span.Type.String())
		}
		e.typ = ensemble.None
	case ensemble.Hospital:
		if e.mark = !s.facility.MatchString(value) || strings.ToLower(value) == value; !e.mark {
			return fill("HOSPITAL")
		}
		e.typ = ensemble.None
	case ensemble.City, ensemble.State, ensemble.Country:
		if e.mark = !properName.MatchString(value); !e.mark {
			return fill(span.Type.String())
		}
	case ensemble.Phone, ensemble.Email, ensemble.Profession: // right nearly always
	case ensemble.IDNum:
		if vitalSign.MatchString(value) {
			return e, false
		}
		e.typ = ensemble.None
	default:
		e.typ = ensemble.None
	}
	return e, true
}

func dateKind(value string) string {
	switch {
	case dayMonth.MatchString(value):
		return ""
	case numericDate.MatchString(value):
		return "date"
	case yearOnly.MatchString(value):
		return "year"
	case weekdayOnly.MatchString(value):
		return "weekday"
	case monthOnly.MatchString(value):
		return "month"
	}
	return ""
}

var (
	femaleWords = regexp.MustCompile(`(?i)\b(she|her|female|woman|lady|mrs|ms|girl)\b`)
	maleWords   = regexp.MustCompile(`(?i)\b(he|his|him|male|man|gentleman|mr|boy)\b`)
)

// sexOf tells the patient's sex from a note's pronouns.
func sexOf(text string) corpus.Sex {
	f, m := len(femaleWords.FindAllStringIndex(text, -1)), len(maleWords.FindAllStringIndex(text, -1))
	switch {
	case f > m:
		return corpus.Female
	case m > f:
		return corpus.Male
	default:
		return corpus.AnySex
	}
}
