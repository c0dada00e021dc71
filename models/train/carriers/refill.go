package main

import (
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// refiller chooses what replaces a marked range, by its type and by its form.
type refiller struct{ fills map[string][]synth.Template }

// forms are the replacements of types and forms: a form is the type's name, for some
// with what the value looks like.
var forms = map[string][]string{
	"PATIENT":          {"{pt.full}", "{person}", "{rel.full}"},
	"PATIENT comma":    {"{pt.lf}"},
	"PATIENT one":      {"{pt.last}", "{pt.first}"},
	"DOCTOR":           {"{outdr.full}", "{dr.full}", "{me.full}"},
	"DOCTOR comma":     {"{me.lf}"},
	"DOCTOR one":       {"{outdr.last}", "{dr.last}"},
	"DOCTOR initials":  {"{staff.initials}"},
	"PATIENT initials": {"{pt.initials}"},
	"HOSPITAL":         {"{hosp.made}", "{hosp}", "{hosp.other}"},
	"HOSPITAL short":   {"{hosp.abbr}"},
	"ORGANIZATION":     {"{employer.any}", "{org}"},
	"PROFESSION":       {"{job.other}"},
	"STREET":           {"{street.any}"},
	"CITY":             {"{town}"},
	"STATE":            {"{anystate}"},
	"STATE short":      {"{state}"},
	"COUNTRY":          {"{country}"},
	"ZIP":              {"{zip}"},
	"PHONE":            {"{phone.any}"},
	"FAX":              {"{fax}"},
	"EMAIL":            {"{email}"},
	"URL":              {"{url}"},
	"IPADDR":           {"{ip}"},
	"USERNAME":         {"{me.login}"},
	"MEDICALRECORD":    {"{mrn}"},
	"SSN":              {"{ssn}"},
	"ACCOUNT":          {"{acct}"},
	"HEALTHPLAN":       {"{plan}"},
	"IDNUM":            {"{order}", "{accession}"},
	"AGE number":       {"{age}", "{age.past}"},
	"DATE date":        {"{past.whole}", "{past.whole}", "{date}"},
	"DATE year":        {"{year}"},
	"DATE weekday":     {"{weekday}"},
	"DATE month":       {"{month}"},
}

func newRefiller() (*refiller, error) {
	r := &refiller{fills: map[string][]synth.Template{}}
	for form, texts := range forms {
		with, err := parseAll(texts)
		if err != nil {
			return nil, err
		}
		r.fills[form] = with
	}
	return r, nil
}

// template makes a note's text with its PHI replaced. What has no replacement of its
// form, such as a date with the month in words, stays and keeps its mark; what is
// unknown stays, and so does what is marked coarsely and has no replacement.
func (r *refiller) template(rng *rand.Rand, d ownNote) synth.Template {
	var t synth.Template
	at := 0
	for i, m := range d.marks {
		t.Text(d.text[at:m.start])
		value, typ := d.text[m.start:m.end], d.types[i]
		with := r.fills[formOf(typ, value)]
		switch {
		case m.tag != unknown && len(with) > 0:
			t.Append(with[rng.IntN(len(with))])
		case m.tag == fineTag(typ):
			t.Mark(typ, value)
		default:
			t.Mark(phi.None, value)
		}
		at = m.end
	}
	t.Text(d.text[at:])
	return t
}

var shortCapitals = regexp.MustCompile(`^[A-Z][A-Z.&]{1,5}$`)

// formOf names the form of a value, as forms does.
func formOf(typ phi.Type, value string) string {
	name := typ.String()
	short := shortCapitals.MatchString(value)
	switch typ {
	case phi.Patient, phi.Doctor:
		switch {
		case short && len(value) <= 3:
			return name + " initials"
		case strings.Contains(value, ","):
			return name + " comma"
		case !strings.ContainsAny(value, " \t\n"):
			return name + " one"
		}
	case phi.Hospital, phi.State:
		if short {
			return name + " short"
		}
	case phi.Age:
		if n := ageNumber.FindString(value); n == value {
			return name + " number"
		}
	case phi.Date:
		if kind := dateKind(value); kind != "" {
			return name + " " + kind
		}
	}
	return name
}
