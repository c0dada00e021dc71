package synth

import (
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Aliases returns the other names a patient goes by: with nickname, with maiden name.
func (p *Patient) Aliases() []Name {
	var out []Name
	if p.Nickname != "" {
		out = append(out, Name{First: p.Nickname, Last: p.Name.Last})
	}
	if p.Maiden != "" {
		out = append(out, Name{First: p.Name.First, Last: p.Maiden})
	}
	return out
}

// Record returns what the structured tables hold of the patient.
func (p *Patient) Record() record.Record {
	r := record.Record{}
	r.Add(record.NameFirst, p.Name.First)
	r.Add(record.NameMiddle, p.Name.Middle)
	r.Add(record.NameLast, p.Name.Last)
	for _, a := range p.Aliases() {
		r.Add(record.NameAlias, a.First)
		r.Add(record.NameAlias, a.Last)
	}
	for _, rel := range p.Relatives {
		r.Add(record.RelativeName, rel.Name.Full())
		r.Add(record.Phone, rel.Phone)
	}
	for _, a := range p.Addresses() {
		r.Add(record.Street, a.Street)
		r.Add(record.City, a.City)
		r.Add(record.State, a.State)
		r.Add(record.Zip, a.Zip)
	}
	r.Add(record.Phone, p.Phone)
	r.Add(record.Phone, p.Mobile)
	r.Add(record.Email, p.Email)
	r.Add(record.MRN, p.MRN)
	r.Add(record.SSN, p.SSN)
	r.Add(record.Account, p.Account)
	r.Add(record.Plan, p.Plan.Member)
	r.Add(record.Employer, p.Employer)
	r.Add(record.License, p.License)
	r.Add(record.Vehicle, p.Plate)
	r.Add(record.Device, p.Device)
	r.Add(record.BirthDate, p.Birth.Format(time.DateOnly))
	return r
}

// Addresses returns the patient's present and former addresses.
func (p *Patient) Addresses() []Address {
	if p.Former == nil {
		return []Address{p.Home}
	}
	return []Address{p.Home, *p.Former}
}

// Age returns the age in full years on a day.
func (p *Patient) Age(on time.Time) int {
	years := on.Year() - p.Birth.Year()
	if on.YearDay() < p.Birth.YearDay() {
		years--
	}
	return max(years, 0)
}
