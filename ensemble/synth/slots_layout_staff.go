package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// clinician draws a member of the staff or a clinician from elsewhere.
func (s *scene) clinician() Name {
	switch s.rng.IntN(5) {
	case 0:
		return s.author.Name
	case 1:
		return s.other.Name
	case 2:
		return s.h.Providers[s.rng.IntN(len(s.h.Providers))].Name
	default:
		n := s.outsider()
		if oneIn(s.rng, 3) {
			n.Middle = string(rune('A'+s.rng.IntN(26))) + either(s.rng, ".", "")
		}
		return n
	}
}

// doctorly are the credentials of those whom columns call doctor or provider.
var doctorly = []string{
	"MD", "MD", "MD", "M.D.", "M.D.", "M. D.", "DO", "D.O.", "MD, PhD", "MD, FACS", "MD PhD", "MBBS", "MD, FACC", "M.D., M.P.H.", "DPM", "DDS", "MD MPH", "Md", "md",
}

// nursely are the credentials of everybody else on the floor.
var nursely = []string{
	"RN", "RN", "RN", "R.N.", "RN, BSN", "BSN, RN", "LPN", "NP", "CNP", "APRN", "APRN-CNP", "FNP-BC", "ARNP", "PA", "PA-C", "PAC", "CRNA", "CNM", "PharmD", "Pharm.D.", "PT", "DPT",
	"OTR/L", "SLP", "CCC-SLP", "RD", "LD", "LCSW", "LICSW", "MSW", "PhD", "PsyD", "MA", "CMA", "CNA", "RRT", "RT", "RT(R)", "CCRN", "ACNP", "MSN", "EMT-P", "MLT", "RPh", "DNP",
}

// credentialed writes a name with its credentials behind it, or in the middle as
// some systems do ("MOSS MD,ANN").
func (s *scene) credentialed(n Name, credentials []string) {
	c := either(s.rng, credentials...)
	switch s.rng.IntN(8) {
	case 0:
		s.doctor(s.someCase(n.Last))
		s.put(" " + c + either(s.rng, ", ", ","))
		s.doctor(s.someCase(n.First))
	case 1, 2:
		s.doctor(s.commaForm(n))
		s.put(either(s.rng, ", ", " ", " ", " - ", " (") + c)
		if strings.HasSuffix(s.buf.String(), " ("+c) {
			s.put(")")
		}
	case 3:
		s.doctor(s.someCase(n.Last))
		s.put(either(s.rng, ", ", " ") + c)
	default:
		s.doctor(s.plainForm(n))
		s.put(either(s.rng, ", ", ", ", " ", ",", " ") + c)
	}
}

// titled writes a doctor as notes call them.
func (s *scene) titled(n Name) {
	if oneIn(s.rng, 2) {
		s.credentialed(n, doctorly)
		return
	}
	s.put(either(s.rng, "Dr. ", "Dr. ", "Dr ", "DR. ", "DR ", "Dr.", "dr ", "Dr.  ", "Doctor "))
	s.doctor(either(s.rng, s.someCase(n.Last), s.someCase(n.Last), s.someCase(n.Last), s.plainForm(n), joined(n.First, n.Last), initial(n.First)+". "+n.Last))
}

func layoutStaff() map[string]func(*scene) {
	name := func(who func(*scene) Name, form func(*scene, Name) string) func(*scene) {
		return func(s *scene) { s.doctor(form(s, who(s))) }
	}
	me := func(s *scene) Name { return s.author.Name }
	last := func(s *scene, n Name) string { return s.someCase(n.Last) }
	first := func(s *scene, n Name) string { return s.someCase(n.First) }
	return map[string]func(*scene){
		"l.dr":         name((*scene).clinician, (*scene).anyForm),
		"l.dr.comma":   name((*scene).clinician, (*scene).commaForm),
		"l.dr.plain":   name((*scene).clinician, (*scene).plainForm),
		"l.dr.last":    name((*scene).clinician, last),
		"l.dr.first":   name((*scene).clinician, first),
		"l.dr.lastlow": func(s *scene) { s.doctor(strings.ToLower(s.clinician().Last)) },
		"l.dr.init":    name((*scene).clinician, (*scene).initialsForm),
		"l.me":         name(me, (*scene).anyForm),
		"l.me.comma":   name(me, (*scene).commaForm),
		"l.me.plain":   name(me, (*scene).plainForm),
		"l.me.init":    name(me, (*scene).initialsForm),
		"l.drt":        func(s *scene) { s.titled(s.clinician()) },
		"l.drc":        func(s *scene) { s.credentialed(s.clinician(), doctorly) },
		"l.met":        func(s *scene) { s.credentialed(s.author.Name, doctorly) },
		"l.rn":         func(s *scene) { s.credentialed(s.clinician(), nursely) },
		"l.rn.first": func(s *scene) {
			s.doctor(s.clinician().First)
			s.put(either(s.rng, " ", ", ", " ") + either(s.rng, nursely...))
		},
		"l.typist": func(s *scene) { s.doctor(strings.ToLower(initial(s.outsider().First) + initial(s.outsider().Last))) },
		"l.login":  func(s *scene) { s.mark(phi.Username, s.someLogin()) },
		"l.slash":  (*scene).slashed,
	}
}

func (s *scene) someLogin() string {
	if oneIn(s.rng, 3) {
		return s.author.Login
	}
	n := s.outsider()
	first, last := asciiLower(n.First), asciiLower(n.Last)
	login := either(s.rng, first[:1]+last, last+first[:1], first[:1]+last+digits(s.rng, 2), first+"."+last, "x"+digits(s.rng, 5), first[:1]+"x"+digits(s.rng, 4),
		last+"_"+first[:1], first[:1]+last[:min(3, len(last))]+digits(s.rng, 3), "u"+digits(s.rng, 6))
	return either(s.rng, login, login, strings.ToUpper(login))
}

// slashed writes who dictated and who typed: "JCS/mt".
func (s *scene) slashed() {
	n := s.clinician()
	s.doctor(either(s.rng, n.Initials(), strings.ToUpper(initial(n.First)+initial(n.Last)), strings.ToLower(n.Initials())))
	s.put(either(s.rng, "/", "/", "/", ":", " / ", "-"))
	t := s.outsider()
	s.doctor(either(s.rng, strings.ToLower(initial(t.First)+initial(t.Last)), strings.ToLower(initial(t.First)+initial(t.Last)), strings.ToLower(t.Initials()), asciiLower(t.First)))
}
