package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func (s *scene) doctor(name string) { s.mark(phi.Doctor, name) }

// anyone draws a member of the staff that satisfies ok, or any.
func (s *scene) anyone(ok func(*Provider) bool) *Provider {
	for range 30 {
		if p := &s.h.Providers[s.rng.IntN(len(s.h.Providers))]; ok(p) {
			return p
		}
	}
	return &s.h.Providers[0]
}

// outsider makes up a clinician that no directory knows.
func (s *scene) outsider() Name {
	g := s.h.lists.group(s.rng)
	return Name{First: s.h.lists.firstName(s.rng, g, oneIn(s.rng, 2)), Last: s.h.lists.surname(s.rng, g)}
}

func (s *scene) named(n Name) {
	switch s.rng.IntN(6) {
	case 0, 1, 2:
		s.put("Dr. ")
		s.doctor(n.Last)
	case 3:
		s.put(either(s.rng, "Dr. ", "Dr ", "Doctor "))
		s.doctor(joined(n.First, n.Last))
	case 4:
		s.put(either(s.rng, "Dr ", "Drs. ", "dr. ", "DR. "))
		s.doctor(n.Last)
	default:
		s.doctor(joined(n.First, n.Last))
		s.put(either(s.rng, ", MD", " MD", ", M.D.", ", DO"))
	}
}

func staffSlots() map[string]func(*scene) {
	credential := func(s *scene, p *Provider) {
		s.doctor(joined(p.Name.First, p.Name.Middle, p.Name.Last))
		c := p.Credential
		if oneIn(s.rng, 4) {
			c = strings.Join(strings.Split(c, ""), ".") + "."
		}
		s.put(either(s.rng, ", ", " ") + c)
	}
	return map[string]func(*scene){
		"me":          func(s *scene) { credential(s, s.author) },
		"me.last":     func(s *scene) { s.doctor(s.author.Name.Last) },
		"me.full":     func(s *scene) { s.doctor(s.author.Name.Full()) },
		"me.lf":       func(s *scene) { s.doctor(s.author.Name.Last + ", " + s.author.Name.First) },
		"me.initials": func(s *scene) { s.doctor(s.author.Name.Initials()) },
		"me.lower":    func(s *scene) { s.doctor(strings.ToLower(s.author.Name.Initials())) },
		"me.login":    func(s *scene) { s.mark(phi.Username, s.author.Login) },
		"me.npi":      func(s *scene) { s.mark(phi.License, s.author.NPI) },
		"me.email":    func(s *scene) { s.mark(phi.Email, s.author.Email) },
		"dr":          func(s *scene) { s.named(s.other.Name) },
		"dr.last":     func(s *scene) { s.doctor(s.other.Name.Last) },
		"dr.lower":    func(s *scene) { s.doctor(strings.ToLower(s.other.Name.Last)) },
		"dr.full":     func(s *scene) { s.doctor(joined(s.other.Name.First, s.other.Name.Last)) },
		"dr.first":    func(s *scene) { s.doctor(s.other.Name.First) },
		"dr.initials": func(s *scene) { s.doctor(s.other.Name.Initials()) },
		"dr.login":    func(s *scene) { s.mark(phi.Username, s.other.Login) },
		"pcp":         func(s *scene) { s.named(s.h.Providers[s.pt.Primary].Name) },
		"pcp.full":    func(s *scene) { s.doctor(s.h.Providers[s.pt.Primary].Name.Full()) },
		"anydr":       func(s *scene) { s.named(s.anyone((*Provider).Doctor).Name) },
		"outdr":       func(s *scene) { s.named(s.outsider()) },
		"outdr.last":  func(s *scene) { s.doctor(s.outsider().Last) },
		"person":      func(s *scene) { n := s.outsider(); s.patient(n.First + " " + n.Last) },
		"outdr.full":  func(s *scene) { n := s.outsider(); s.doctor(n.First + " " + n.Last) },
		"outdr.first": func(s *scene) { s.doctor(s.outsider().First) },
		"nurse": func(s *scene) {
			p := s.anyone(func(p *Provider) bool { return !p.Doctor() })
			switch s.rng.IntN(4) {
			case 0:
				s.doctor(p.Name.First)
				s.put(either(s.rng, " RN", ", RN", " (RN)"))
			case 1:
				s.put(either(s.rng, "nurse ", "RN ", "Nurse "))
				s.doctor(p.Name.First)
			case 2:
				s.doctor(p.Name.First + " " + initial(p.Name.Last))
				s.put(either(s.rng, ". RN", "., LPN", ""))
			default:
				credential(s, p)
			}
		},
		"staff.initials": func(s *scene) {
			n := s.anyone(func(*Provider) bool { return true }).Name
			ini := initial(n.First) + initial(n.Last)
			s.doctor(either(s.rng, ini, strings.ToLower(ini), strings.ToUpper(n.Initials())))
		},
	}
}
