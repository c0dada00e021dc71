package synth

import (
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// formSlots write PHI in the forms that running text gives it and headers do not:
// plural families, spelled names, first names alone, initials, nicknames, ages in
// words, places by their short forms. Their names begin with "f.".
func formSlots() map[string]func(*scene) {
	all := peopleForms()
	for _, m := range []map[string]func(*scene){staffForms(), ageForms(), facilityForms(), groupForms(), geographyForms(), twofoldForms(), speechForms()} {
		maps.Copy(all, m)
	}
	return all
}

// firstOf makes up a first name of anybody, of a woman or of a man.
func (s *scene) firstOf(female bool) string {
	return s.h.lists.firstName(s.rng, s.h.lists.group(s.rng), female)
}

func (s *scene) anySurname() string { return s.h.lists.surname(s.rng, s.h.lists.group(s.rng)) }

// fromList draws from a list of real names one time in n, if there is such a list.
func (s *scene) fromList(n int, list []string, or func() string) string {
	if len(list) == 0 || !oneIn(s.rng, n) {
		return or()
	}
	return either(s.rng, list...)
}

// plural is the name of a whole family: "the Ortizes".
func plural(surname string) string {
	for _, end := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(surname, end) {
			return surname + "es"
		}
	}
	return surname + "s"
}

// spelled writes a name letter by letter, as dictation does.
func (s *scene) spelled(name string) string {
	letters := strings.Split(strings.ToUpper(strings.ReplaceAll(lexicon.Fold(name), " ", "")), "")
	return strings.Join(letters, either(s.rng, " ", " ", "-", ". "))
}

// alias writes a full name with a second one in between or behind.
func (s *scene) alias(first, nick, last string) {
	switch s.rng.IntN(5) {
	case 0:
		s.patient(first + " " + last)
		s.put(either(s.rng, " aka ", " a/k/a ", ", also known as ", " AKA "))
		s.patient(nick)
	case 1:
		s.patient(first)
		s.put(either(s.rng, " (goes by ", " (prefers ", " (called "))
		s.patient(nick)
		s.put(") ")
		s.patient(last)
	case 2:
		s.patient(first + " " + last)
		s.put(either(s.rng, " (“", ` ("`))
		s.patient(nick)
		s.put(either(s.rng, "”)", `")`))
	default:
		s.patient(first)
		s.put(` "`)
		s.patient(nick)
		s.put(`" `)
		s.patient(last)
	}
}

// peopleForms write patients, their families and other people who are not staff.
func peopleForms() map[string]func(*scene) {
	all := personForms()
	maps.Copy(all, map[string]func(*scene){
		"f.pt.plain": func(s *scene) { s.patient(s.pt.Name.First + " " + s.pt.Name.Last) },
		"f.pt.lastfirst": func(s *scene) {
			s.patient(s.pt.Name.Last + " " + s.pt.Name.First)
		},
		"f.pt.initlast":   func(s *scene) { s.patient(initial(s.pt.Name.First) + either(s.rng, ". ", " ", ".") + s.pt.Name.Last) },
		"f.pt.firstinit":  func(s *scene) { s.patient(s.pt.Name.First + " " + initial(s.pt.Name.Last) + either(s.rng, ".", "")) },
		"f.pt.lower":      func(s *scene) { s.patient(strings.ToLower(s.pt.Name.First + " " + s.pt.Name.Last)) },
		"f.pt.firstlower": func(s *scene) { s.patient(strings.ToLower(s.pt.Name.First)) },
		"f.pt.upper":      func(s *scene) { s.patient(strings.ToUpper(s.pt.Name.First + " " + s.pt.Name.Last)) },
		"f.pt.LAST":       func(s *scene) { s.patient(strings.ToUpper(s.pt.Name.Last)) },
		"f.pt.ini2":       func(s *scene) { s.initials(s.patient, s.pt.Name) },
		"f.pt.poss":       func(s *scene) { s.patient(s.pt.Name.Last); s.put("'s") },
		"f.pt.inilow":     func(s *scene) { s.patient(strings.ToLower(initial(s.pt.Name.First) + initial(s.pt.Name.Last))) },
		"f.pt.firstnick": func(s *scene) {
			if s.pt.Nickname != "" && oneIn(s.rng, 2) {
				s.patient(s.pt.Nickname)
				return
			}
			s.patient(s.pt.Name.First)
		},
		"f.pt.mrlower": func(s *scene) {
			s.put(s.bySex(either(s.rng, "mrs. ", "ms. ", "mrs "), either(s.rng, "mr. ", "mr ")))
			s.patient(strings.ToLower(s.pt.Name.Last))
		},
		"f.pt.family":  func(s *scene) { s.patient(plural(s.pt.Name.Last)) },
		"f.pt.spelled": func(s *scene) { s.patient(s.spelled(s.pt.Name.Last)) },
		"f.pt.spellfirst": func(s *scene) {
			s.patient(s.spelled(s.pt.Name.First))
		},
		"f.pt.alias": func(s *scene) {
			nick := s.pt.Nickname
			if nick == "" {
				nick = s.firstOf(s.pt.Female)
			}
			s.alias(s.pt.Name.First, nick, s.pt.Name.Last)
		},
		"f.baby": func(s *scene) {
			s.put(either(s.rng, "Baby Girl ", "Baby Boy ", "BG ", "BB ", "Baby girl ", "baby boy ", "Babygirl ", "Baby Boy A ", "Twin B "))
			s.patient(s.pt.Name.Last)
		},
	})
	return all
}

func (s *scene) initials(mark func(string), n Name) {
	two := initial(n.First) + initial(n.Last)
	mark(strings.ToUpper(either(s.rng, two, two, n.Initials(), initial(n.First)+"."+initial(n.Last)+".")))
}

// personForms write people who appear in no table: relatives, friends, teachers.
func personForms() map[string]func(*scene) {
	return map[string]func(*scene){
		"f.her":       func(s *scene) { s.patient(s.firstOf(true)) },
		"f.him":       func(s *scene) { s.patient(s.firstOf(false)) },
		"f.first":     func(s *scene) { s.patient(s.firstOf(oneIn(s.rng, 2))) },
		"f.lower":     func(s *scene) { s.patient(strings.ToLower(s.firstOf(oneIn(s.rng, 2)))) },
		"f.last":      func(s *scene) { s.patient(s.outsider().Last) },
		"f.lastlower": func(s *scene) { s.patient(strings.ToLower(s.outsider().Last)) },
		"f.full":      func(s *scene) { n := s.outsider(); s.patient(n.First + " " + n.Last) },
		"f.fulllower": func(s *scene) { n := s.outsider(); s.patient(strings.ToLower(n.First + " " + n.Last)) },
		"f.family":    func(s *scene) { s.patient(plural(s.outsider().Last)) },
		"f.firstinit": func(s *scene) {
			n := s.outsider()
			s.patient(n.First + " " + initial(n.Last) + either(s.rng, ".", ""))
		},
		"f.initlast": func(s *scene) {
			n := s.outsider()
			s.patient(initial(n.First) + either(s.rng, ". ", " ", ".") + n.Last)
		},
		"f.ini2":  func(s *scene) { s.initials(s.patient, s.outsider()) },
		"f.alias": func(s *scene) { n := s.outsider(); s.alias(n.First, s.firstOf(oneIn(s.rng, 2)), n.Last) },
		"f.spell": func(s *scene) { // "Moss, M O S S"
			last := s.outsider().Last
			s.patient(last)
			s.put(either(s.rng, ", ", ", spelled ", ", that is ", " "))
			s.patient(s.spelled(last))
		},
		"f.spelled":   func(s *scene) { s.patient(s.spelled(s.outsider().Last)) },
		"f.lastfirst": func(s *scene) { n := s.outsider(); s.patient(n.Last + either(s.rng, " ", ", ", ", ") + n.First) },
		"f.mr":        func(s *scene) { s.titledPerson(either(s.rng, "Mr. ", "Mr ", "Mr. ")) },
		"f.ms":        func(s *scene) { s.titledPerson(either(s.rng, "Ms. ", "Mrs. ", "Miss ", "Ms ", "Mrs ")) },
		"f.clergy": func(s *scene) {
			s.titledPerson(either(s.rng, "Pastor ", "Rev. ", "Rabbi ", "Imam ", "Fr. ", "Deacon ", "Bishop "))
		},
		"f.father": func(s *scene) {
			s.put(either(s.rng, "Father ", "Fr. ", "Sister ", "Brother "))
			s.patient(s.firstOf(false))
		},
		"f.officer": func(s *scene) {
			s.titledPerson(either(s.rng, "Officer ", "Ofc. ", "Deputy ", "Sgt. ", "Detective ", "Trooper ", "Det. "))
		},
		"f.lawyer": func(s *scene) { s.titledPerson(either(s.rng, "Attorney ", "Atty ", "Judge ", "Magistrate ", "Hon. ")) },
		"f.soldier": func(s *scene) {
			s.titledPerson(either(s.rng, "Sgt. ", "Capt. ", "Cpl. ", "Maj. ", "Pvt. ", "Lt. ", "Col. "))
		},
		"f.mrandmrs": func(s *scene) {
			s.put(either(s.rng, "Mr. and Mrs. ", "Mr. & Mrs. ", "Mr and Mrs "))
			s.patient(s.pt.Name.Last)
		},
	}
}

// titledPerson writes a title, then the surname of somebody who is not on the staff.
func (s *scene) titledPerson(title string) {
	s.put(title)
	s.patient(s.outsider().Last)
}
