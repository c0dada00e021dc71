package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// staffForms write clinicians as colleagues call them.
func staffForms() map[string]func(*scene) {
	all := nurseForms()
	for name, slot := range doctorForms() {
		all[name] = slot
	}
	return all
}

func doctorForms() map[string]func(*scene) {
	return map[string]func(*scene){
		"f.dr": func(s *scene) {
			s.put(either(s.rng, "Dr. ", "Dr. ", "Dr ", "Dr.", "Doctor "))
			s.doctor(s.outsider().Last)
		},
		"f.dr.bare":  func(s *scene) { s.doctor(s.outsider().Last) },
		"f.dr.first": func(s *scene) { s.put(either(s.rng, "Dr. ", "Dr ")); s.doctor(s.firstOf(oneIn(s.rng, 2))) },
		"f.dr.lower": func(s *scene) {
			s.put(either(s.rng, "dr ", "dr. ", "doctor "))
			s.doctor(strings.ToLower(s.outsider().Last))
		},
		"f.dr.upper": func(s *scene) { s.put(either(s.rng, "DR. ", "DR ")); s.doctor(strings.ToUpper(s.outsider().Last)) },
		"f.drlow":    func(s *scene) { s.doctor(strings.ToLower(s.outsider().Last)) },
		"f.drlow2": func(s *scene) {
			s.put(either(s.rng, "dr ", "doc ", "dr. "))
			s.doctor(strings.ToLower(s.outsider().Last))
		},
		"f.dr.full": func(s *scene) { n := s.outsider(); s.put("Dr. "); s.doctor(n.First + " " + n.Last) },
		"f.dr.ini": func(s *scene) {
			n := s.outsider()
			s.put("Dr. ")
			s.doctor(initial(n.First) + either(s.rng, ". ", ". "+initial(s.firstOf(true))+". ", " ", ".") + n.Last)
		},
		"f.dr.inionly": func(s *scene) { s.put("Dr. "); s.doctor(initial(s.outsider().Last) + either(s.rng, ".", "")) },
		"f.dr.poss":    func(s *scene) { s.put("Dr. "); s.doctor(s.outsider().Last); s.put("'s") },
		"f.drs": func(s *scene) {
			s.put(either(s.rng, "Drs. ", "Drs ", "Doctors "))
			s.doctor(s.outsider().Last)
			if oneIn(s.rng, 3) {
				s.put(", ")
				s.doctor(s.outsider().Last)
				s.put(",")
			}
			s.put(either(s.rng, " and ", " & ", "/", " and "))
			s.doctor(s.outsider().Last)
		},
		"f.dr.slash": func(s *scene) {
			s.doctor(s.outsider().Last)
			s.put("/")
			s.doctor(s.outsider().Last)
		},
		"f.dr.cred":    (*scene).withDegrees,
		"f.dr.spelled": func(s *scene) { s.doctor(s.spelled(s.outsider().Last)) },
		"f.dr.spell": func(s *scene) { // "Dr. Moss, M O S S"
			last := s.outsider().Last
			s.put("Dr. ")
			s.doctor(last)
			s.put(either(s.rng, ", ", ", spelled ", ", that's ", " "))
			s.doctor(s.spelled(last))
		},
		"f.dr.lastfirst": func(s *scene) {
			n := s.outsider()
			s.doctor(n.Last + ", " + n.First)
			s.put(either(s.rng, ", MD", " MD", ""))
		},
	}
}

// withDegrees writes a whole name with what the clinician has passed.
func (s *scene) withDegrees() {
	n := s.outsider()
	middle := either(s.rng, "", "", initial(s.firstOf(true))+". ", initial(s.firstOf(false))+" ")
	s.doctor(n.First + " " + middle + n.Last)
	s.put(either(s.rng, ", MD", ", MD, PhD", " MD", ", MD, FACS", ", DO", ", M.D.", ", MD, MPH", ", PharmD, BCPS", ", PT, DPT", ", OTR/L",
		", CCC-SLP", ", LICSW", ", LCSW", ", APRN, FNP-BC", " PA-C", ", RN, BSN", ", RN", " NP", ", CNM", ", CRNA", ", RD, LDN", ", DPM", ", PsyD", ", MS4", ", RRT", ", CMA"))
}

func nurseForms() map[string]func(*scene) {
	return map[string]func(*scene){
		"f.staff":      func(s *scene) { s.doctor(s.firstOf(!oneIn(s.rng, 3))) },
		"f.staff.low":  func(s *scene) { s.doctor(strings.ToLower(s.firstOf(true))) },
		"f.staff.full": func(s *scene) { n := s.outsider(); s.doctor(n.First + " " + n.Last) },
		"f.staff.firstinit": func(s *scene) {
			n := s.outsider()
			s.doctor(n.First + " " + initial(n.Last) + either(s.rng, ".", "", "."))
		},
		"f.staff.initlast": func(s *scene) {
			n := s.outsider()
			s.doctor(initial(n.First) + either(s.rng, ". ", " ", ".") + n.Last)
		},
		"f.staff.lf": func(s *scene) { n := s.outsider(); s.doctor(n.Last + either(s.rng, ", ", ",", " ") + n.First) },
		"f.staff.ini": func(s *scene) {
			n := s.outsider()
			two := initial(n.First) + initial(n.Last)
			s.doctor(either(s.rng, two, two, strings.ToLower(two), initial(n.First)+initial(s.firstOf(true))+initial(n.Last), initial(n.First)+"."+initial(n.Last)+"."))
		},
		"f.staff.slash": func(s *scene) { // author and typist: "KM/jt"
			a, b := s.outsider(), s.outsider()
			s.doctor(initial(a.First) + initial(a.Last))
			s.put(either(s.rng, "/", ":", "/"))
			s.doctor(strings.ToLower(initial(b.First) + initial(b.Last)))
		},
		"f.rn": func(s *scene) {
			title := either(s.rng, "RN", "LPN", "CNA", "NP", "PCT", "RT", "MA", "RD", "SW", "PharmD", "tech")
			if oneIn(s.rng, 2) {
				s.put(title + " ")
				s.doctor(s.firstOf(true))
				return
			}
			s.doctor(s.firstOf(true))
			open := either(s.rng, " ", ", ", " (", "-")
			s.put(open + title)
			if open == " (" {
				s.put(")")
			}
		},
		"f.staff.login": func(s *scene) {
			n := s.outsider()
			s.mark(phi.Username, asciiLower(n.First)[:1]+asciiLower(n.Last)+either(s.rng, "", digits(s.rng, 1), digits(s.rng, 2)))
		},
	}
}
