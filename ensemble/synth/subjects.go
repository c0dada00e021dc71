package synth

import (
	"time"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// subjects are the people, sites, places and days that text can be about.
func subjects() map[string]func(*scene, subject) {
	who := func(draw func(*scene) person) func(*scene, subject) {
		return func(s *scene, _ subject) { s.now.who = draw(s) }
	}
	site := func(draw func(*scene) *Site) func(*scene, subject) {
		return func(s *scene, _ subject) {
			s.now.site = draw(s)
			s.now.at = s.now.site.Address
		}
	}
	place := func(draw func(*scene) Address) func(*scene, subject) {
		return func(s *scene, _ subject) { s.now.at = draw(s) }
	}
	day := func(draw func(*scene, subject) time.Time) func(*scene, subject) {
		return func(s *scene, of subject) { s.now.day = draw(s, of) }
	}
	ofGroup := func(g lexicon.Group) func(*scene, subject) {
		return who(func(s *scene) person { return s.newPerson(g, oneIn(s.rng, 2)) })
	}
	return map[string]func(*scene, subject){
		"pt":         who(func(s *scene) person { return s.pt.person() }),
		"kin":        who(func(s *scene) person { return s.pt.relative(s.rng.IntN(len(s.pt.Relatives))) }),
		"anypatient": who(func(s *scene) person { return s.h.Patients[s.rng.IntN(len(s.h.Patients))].person() }),
		"me":         who(func(s *scene) person { return s.author.person() }),
		"dr":         who(func(s *scene) person { return s.other.person() }),
		"pcp":        who(func(s *scene) person { return s.h.Providers[s.pt.Primary].person() }),
		"staff":      who(func(s *scene) person { return s.anyone(func(*Provider) bool { return true }).person() }),
		"doctor":     who(func(s *scene) person { return s.anyone((*Provider).Doctor).person() }),
		"nurse":      who(func(s *scene) person { return s.anyone(func(p *Provider) bool { return !p.Doctor() }).person() }),

		// People who are in no table.
		"outsider": who(func(s *scene) person { return s.newPerson(s.group(), oneIn(s.rng, 2)) }),
		"stranger": who((*scene).stranger),
		"woman":    who(func(s *scene) person { return s.newPerson(s.group(), true) }),
		"man":      who(func(s *scene) person { return s.newPerson(s.group(), false) }),
		"peer":     who(func(s *scene) person { return s.newPerson(s.group(), s.pt.Female) }),
		"white":    ofGroup(lexicon.White),
		"hispanic": ofGroup(lexicon.Hispanic),
		"native":   ofGroup(lexicon.Native),

		"site":    site(func(s *scene) *Site { return s.visited }),
		"anysite": site(func(s *scene) *Site { return &s.h.Sites[s.rng.IntN(len(s.h.Sites))] }),
		"newsite": site(func(s *scene) *Site {
			made := s.newSite(oneIn(s.rng, 2))
			return &made
		}),
		"home":    place(func(s *scene) Address { return s.pt.Home }),
		"address": place((*scene).newAddress),
		"town":    place((*scene).town),

		"birth": day(func(s *scene, _ subject) time.Time { return s.pt.Birth }),
		"past":  day(func(s *scene, of subject) time.Time { return s.now.day.AddDate(0, 0, -1-s.rng.IntN(max(of.hi, 1))) }),
		"ahead": day(func(s *scene, of subject) time.Time { return s.now.day.AddDate(0, 0, of.lo+s.rng.IntN(of.hi-of.lo+1)) }),
		"moment": day(func(s *scene, _ subject) time.Time {
			return s.now.day.Add(time.Duration(s.rng.IntN(300)-200) * time.Minute)
		}),
	}
}

// newPerson makes up a person who is in no table.
func (s *scene) newPerson(g lexicon.Group, female bool) person {
	outer := s.now.who
	s.now.who = person{female: female, group: g}
	s.now.who.First, s.now.who.Last = s.value("first.name"), s.value("last.name")
	made := s.now.who
	s.now.who = outer
	return made
}

// stranger makes up a person for a row of a table, with all parts of a name.
func (s *scene) stranger() person {
	p := s.newPerson(s.group(), oneIn(s.rng, 2))
	p.Middle, p.Suffix = s.value("stranger.middle"), s.value("stranger.suffix")
	return p
}

// anyone draws a member of the staff that satisfies ok, or any.
func (s *scene) anyone(ok func(*Provider) bool) *Provider {
	for range 30 {
		if p := &s.h.Providers[s.rng.IntN(len(s.h.Providers))]; ok(p) {
			return p
		}
	}
	return &s.h.Providers[0]
}
