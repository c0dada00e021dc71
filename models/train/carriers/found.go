package main

import (
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

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
func (s *scrubber) found(text string, span phi.Span) (edit, bool) {
	value := text[span.Start:span.End]
	e := edit{start: span.Start, end: span.End, chance: 1}
	fill := func(name string) (edit, bool) {
		e.with = s.refills[name]
		return e, true
	}
	e.mark, e.typ = true, span.Type
	switch span.Type {
	case phi.Time:
		return e, false
	case phi.Age:
		if n := len(ageNumber.FindString(value)); n > 0 { // "16-month-old": the number is the age
			e.end = e.start + n
			if e.mark = n < len(value) && !strings.Contains(value, "year"); !e.mark {
				return fill("age")
			}
		}
	case phi.Date:
		if name := dateKind(value); name != "" {
			e.mark = false
			return fill(name)
		}
		if dayMonth.MatchString(value) { // or a score, a ratio
			e.typ = phi.None
		}
	case phi.Doctor, phi.Patient:
		if twoNames.MatchString(value) {
			e.mark = false
			return fill("NAMES")
		}
		if e.mark = !(s.titles.MatchString(text[max(0, span.Start-12):span.Start]) && properName.MatchString(value)); !e.mark {
			return fill(span.Type.String())
		}
		e.typ = phi.None
	case phi.Hospital:
		if e.mark = !s.facility.MatchString(value) || strings.ToLower(value) == value; !e.mark {
			return fill("HOSPITAL")
		}
		e.typ = phi.None
	case phi.City, phi.State, phi.Country:
		if e.mark = !properName.MatchString(value); !e.mark {
			return fill(span.Type.String())
		}
	case phi.Phone, phi.Email, phi.Profession: // right nearly always
	case phi.IDNum:
		if vitalSign.MatchString(value) {
			return e, false
		}
		e.typ = phi.None
	default:
		e.typ = phi.None
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
