package synth

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

func (h *Hospital) newPatient(rng *rand.Rand, i int) Patient {
	p := Patient{ID: int64(100_001 + 3*i), Female: oneIn(rng, 2), Group: h.lists.group(rng), Site: rng.IntN(len(h.Sites)), Primary: rng.IntN(len(h.Providers))}
	p.Birth = birth(rng)
	p.Name = Name{First: h.lists.firstName(rng, p.Group, p.Female), Last: h.lists.surname(rng, p.Group)}
	h.nameExtras(rng, &p)
	p.MRN = mrn(rng, i)
	p.SSN = fmt.Sprintf("%03d-%02d-%04d", 1+rng.IntN(665), 1+rng.IntN(99), 1+rng.IntN(9998))
	p.Account = either(rng, "A", "V", "", "ACCT") + fmt.Sprintf("%08d", 10_000_000+rng.IntN(89_999_999))
	p.Language = either(rng, "English", "English", "English", "Spanish", "Vietnamese", "Tagalog", "Hmong", "Arabic", "Navajo")
	p.Job, p.Employer = either(rng, h.lists.Jobs...), h.employer(rng)
	p.Home = h.address(rng)
	if oneIn(rng, 4) {
		a := h.address(rng)
		p.Former = &a
	}
	p.Phone, p.Mobile = phone(rng), phone(rng)
	if !oneIn(rng, 3) {
		p.Email = email(rng, p.Name)
	}
	p.License = fmt.Sprintf("%c%03d-%04d-%04d", 'A'+rune(rng.IntN(26)), rng.IntN(1000), rng.IntN(10000), rng.IntN(10000))
	p.Plate = plate(rng)
	if oneIn(rng, 5) {
		p.Device = serial(rng)
	}
	p.Plan = insurance(rng)
	p.Relatives = h.relatives(rng, &p)
	for range 1 + rng.IntN(4) {
		p.Conditions = append(p.Conditions, rng.IntN(1<<20))
	}
	return p
}

func (h *Hospital) nameExtras(rng *rand.Rand, p *Patient) {
	switch rng.IntN(3) {
	case 0:
		p.Name.Middle = h.lists.firstName(rng, p.Group, p.Female)
	case 1:
		p.Name.Middle = string(rune('A' + rng.IntN(26)))
	}
	if !p.Female && oneIn(rng, 14) {
		p.Name.Suffix = either(rng, "Jr.", "Jr", "Sr.", "III", "II")
	}
	if oneIn(rng, 2) {
		p.Nickname = nickname(rng, p.Name.First)
	}
	p.Marital = either(rng, "single", "married", "married", "divorced", "widowed")
	if p.Female && p.Marital != "single" && oneIn(rng, 2) {
		p.Maiden = h.lists.surname(rng, p.Group)
	}
}

// birth draws a birth date so that ages run from newborns to over a hundred.
func birth(rng *rand.Rand) time.Time {
	years := 2 + rng.IntN(86)
	switch n := rng.IntN(100); {
	case n < 7:
		years = rng.IntN(3)
	case n < 16:
		years = 90 + rng.IntN(14)
	}
	return epoch.AddDate(-years, 0, -rng.IntN(365))
}

func (h *Hospital) relatives(rng *rand.Rand, p *Patient) []Relative {
	kinds := []struct {
		kind   string
		female bool
	}{
		{"mother", true},
		{"father", false},
		{"sister", true},
		{"brother", false},
		{"daughter", true},
		{"son", false},
		{"aunt", true},
		{"niece", true},
		{"grandson", false},
		{"cousin", true},
		{"friend", false},
		{"neighbor", true},
	}
	var out []Relative
	if p.Marital == "married" {
		kind := map[bool]string{true: "husband", false: "wife"}[p.Female]
		out = append(out, Relative{Kind: kind, Female: !p.Female})
	}
	for range 1 + rng.IntN(3) {
		k := kinds[rng.IntN(len(kinds))]
		out = append(out, Relative{Kind: k.kind, Female: k.female})
	}
	for i := range out {
		r := &out[i]
		r.Name = Name{First: h.lists.firstName(rng, p.Group, r.Female), Last: p.Name.Last}
		if oneIn(rng, 2) || r.Kind == "friend" || r.Kind == "neighbor" {
			r.Name.Last = h.lists.surname(rng, h.lists.group(rng))
		}
		r.Phone = phone(rng)
	}
	return out
}

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

// Record returns what the structured tables tell of the patient.
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
