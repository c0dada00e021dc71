package synth

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// populate makes sites, staff, patients and their encounters. Names, numbers and
// addresses are productions of data/people.
func (h *Hospital) populate(rng *rand.Rand) {
	s := &scene{writer: &writer{rng: rng}, engine: h.engine, h: h, grammar: h.engine.productions, pt: &Patient{}, visited: &Site{}}
	s.today = epoch
	s.now = setting{site: s.visited, day: epoch}
	for i := range h.opts.Sites {
		site := s.newSite(i%2 == 0)
		site.ID = int64(11 + i)
		h.Sites = append(h.Sites, site)
	}
	logins := map[string]bool{}
	for i := range h.opts.Providers {
		h.Providers = append(h.Providers, s.newProvider(i, logins))
	}
	for i := range h.opts.Patients {
		h.Patients = append(h.Patients, s.newPatient(i))
	}
	for i := range h.Patients {
		for range 1 + rng.IntN(5) {
			e := s.newEncounter(i)
			e.ID = int64(7_000_001 + len(h.Encounters))
			h.Encounters = append(h.Encounters, e)
		}
	}
}

// of returns what a production writes about a person.
func (s *scene) of(p person, production string) string {
	s.now.who = p
	return s.value(production)
}

func (s *scene) newProvider(i int, logins map[string]bool) Provider {
	p := Provider{ID: int64(501 + i), Female: oneIn(s.rng, 2), Group: s.group(), Site: s.rng.IntN(len(s.h.Sites))}
	p.Credential, p.Specialty = s.value("credentials"), s.value("specialties")
	p.Name = s.newPerson(p.Group, p.Female).Name
	p.Name.Middle = s.value("staff.middle")
	p.Login = s.of(p.person(), "login.made")
	if logins[p.Login] {
		p.Login += strconv.Itoa(i)
	}
	logins[p.Login] = true
	p.Pager, p.Phone, p.NPI = s.value("pager.made"), s.value("phone.made"), s.value("npi.made")
	p.Email = p.Login + "@" + s.value("email.work")
	return p
}

func (s *scene) newPatient(i int) Patient {
	p := Patient{
		ID: int64(100_001 + 3*i), Female: oneIn(s.rng, 2), Group: s.group(),
		Site: s.rng.IntN(len(s.h.Sites)), Primary: s.rng.IntN(len(s.h.Providers)), Birth: birth(s.rng),
	}
	p.Name = s.newPerson(p.Group, p.Female).Name
	s.nameExtras(&p)
	p.MRN = shape(fmt.Sprintf("%s=%02d%05d", s.value("mrn.form"), 10+s.rng.IntN(80), i*7919%100_000))
	p.SSN, p.Account, p.License, p.Plate = s.value("ssn.made"), s.value("account.made"), s.value("license.made"), s.value("plate.made")
	p.Plan = Insurance{s.value("payer.made"), s.value("member.made"), s.code("######")}
	p.Device = s.value("implant.made")
	p.Language, p.Job, p.Employer = s.value("language.made"), s.oneOf(s.h.lists.Jobs), s.value("employer.made")
	p.Home = s.newAddress()
	if oneIn(s.rng, 4) {
		former := s.newAddress()
		p.Former = &former
	}
	p.Phone, p.Mobile = s.value("phone.made"), s.value("phone.made")
	if !oneIn(s.rng, 3) {
		p.Email = s.of(p.person(), "email.made")
	}
	p.Relatives = s.relatives(&p)
	for range 1 + s.rng.IntN(4) {
		p.Conditions = append(p.Conditions, s.rng.IntN(1<<20))
	}
	return p
}

func (s *scene) nameExtras(p *Patient) {
	p.Name.Middle = s.of(p.person(), "patient.middle")
	p.Name.Suffix = s.value("patient.suffix")
	if oneIn(s.rng, 2) {
		p.Nickname = nickname(s.rng, p.Name.First)
	}
	p.Marital = s.value("marital.made")
	if p.Female && p.Marital != "single" && oneIn(s.rng, 2) {
		p.Maiden = s.value("last.name")
	}
}

// nickname returns a short form of a first name, or "".
func nickname(rng *rand.Rand, first string) string {
	short := lexicon.Nicknames(first)
	if len(short) == 0 || len(short[0]) < 2 {
		return ""
	}
	return upperFirst(short[rng.IntN(len(short))])
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

// relatives makes up a spouse for those who are married, and one to three others.
func (s *scene) relatives(p *Patient) []Relative {
	var kinds []string
	if p.Marital == "married" {
		kinds = append(kinds, s.of(p.person(), "spouse"))
	}
	for range 1 + s.rng.IntN(3) {
		kinds = append(kinds, s.value("relatives"))
	}
	out := make([]Relative, len(kinds))
	for i, text := range kinds {
		kind, sex, _ := strings.Cut(text, "=")
		r := Relative{Kind: kind, Female: sex == "F", Phone: s.value("phone.made")}
		r.Name = Name{First: s.newPerson(p.Group, r.Female).First, Last: p.Name.Last}
		if oneIn(s.rng, 2) || slices.Contains(s.Alternatives("relatives.unrelated"), kind) {
			r.Name.Last = s.newPerson(s.group(), r.Female).Last
		}
		out[i] = r
	}
	return out
}

// town draws a place: large ones often, small and made-up ones too.
func (s *scene) town() Address {
	places := s.h.lists.Places
	if len(places) == 0 || oneIn(s.rng, 12) {
		return Address{City: s.value("town.made"), State: s.value("town.state.made"), Zip: s.code("#####")}
	}
	p := places[s.h.lists.draw(s.rng, len(places))]
	return Address{City: p.City, State: p.State, Zip: p.Zip3 + s.code("%%")}
}

func (s *scene) newAddress() Address {
	a := s.town()
	a.Street = s.value("street.whole")
	a.Zip += s.value("zip.more")
	return a
}

// newSite makes up a hospital, which has beds, or a clinic.
func (s *scene) newSite(beds bool) Site {
	outer := s.now
	site := Site{Address: s.newAddress(), Inhouse: beds}
	s.now.site, s.now.at = &site, site.Address
	site.Short = s.value("site.core")
	site.Name = site.Short + " " + s.value("site.kind")
	if all := s.h.lists.Facilities; len(all) > 0 && oneIn(s.rng, 2) {
		site.Name = s.oneOf(all)
		site.Short = s.shortFacility(site.Name)
	}
	site.Abbrev = acronym(site.Name)
	site.Phone, site.Fax = s.value("phone.made"), s.value("phone.made")
	site.URL = "www." + asciiLower(site.Name) + s.value("site.domain")
	s.now = outer
	return site
}

// shortFacility is what people call a facility: its name without its kind.
func (s *scene) shortFacility(name string) string {
	kinds := s.Alternatives("site.kindwords")
	words := strings.Fields(name)
	n := len(words)
	for n > 1 && slices.Contains(kinds, words[n-1]) {
		n--
	}
	return strings.Join(words[:n], " ")
}

func (s *scene) newEncounter(patient int) Encounter {
	p := &s.h.Patients[patient]
	e := Encounter{
		Patient: patient, Provider: s.rng.IntN(len(s.h.Providers)), Site: p.Site, Class: s.value("encounter.classes"),
		Reason: s.value("encounter.reasons"),
	}
	e.Start = s.h.day(s.rng, p).Add(time.Duration(7*60+s.rng.IntN(11*60)) * time.Minute)
	stay := time.Duration(1+s.rng.IntN(4)) * time.Hour
	if e.Class == "inpatient" {
		stay = time.Duration(24+s.rng.IntN(24*12)) * time.Hour
	}
	e.End = e.Start.Add(stay)
	return e
}

// day draws a day of the last eight years on which the patient is born already.
func (h *Hospital) day(rng *rand.Rand, p *Patient) time.Time {
	d := epoch.AddDate(0, 0, -rng.IntN(8*365))
	if !d.After(p.Birth) {
		return p.Birth.AddDate(0, 0, 1+rng.IntN(20))
	}
	return d
}
