package synth

import (
	"maps"
	"strings"
)

// layoutSlots write names, places, dates and numbers in the forms that headers,
// tables, lists and signatures give them: every order of a name, every case, every
// layout of a date. Unlike the slots of prose most of them draw anew each time.
func layoutSlots() map[string]func(*scene) {
	all := map[string]func(*scene){}
	for _, m := range []map[string]func(*scene){layoutNames(), layoutStaff(), layoutDates(), layoutPlaces(), layoutContacts(), layoutNumbers()} {
		maps.Copy(all, m)
	}
	return all
}

// someCase writes a word as it is, mostly, or in one of the cases of forms.
func (s *scene) someCase(text string) string {
	switch s.rng.IntN(8) {
	case 0, 1, 2:
		return strings.ToUpper(text)
	case 3:
		return strings.ToLower(text)
	default:
		return text
	}
}

// commaForm puts the last name first.
func (s *scene) commaForm(n Name) string {
	given := n.First
	if n.Middle != "" && oneIn(s.rng, 2) {
		given = joined(n.First, either(s.rng, n.Middle, initial(n.Middle), initial(n.Middle)+"."))
	}
	last := n.Last
	if n.Suffix != "" {
		if oneIn(s.rng, 2) {
			last += " " + n.Suffix
		} else {
			given += " " + n.Suffix
		}
	}
	switch s.rng.IntN(14) {
	case 0, 1, 2:
		return last + ", " + given
	case 3, 4, 5, 6:
		return strings.ToUpper(last + ", " + given)
	case 7:
		return strings.ToUpper(last + "," + given)
	case 8:
		return last + "," + n.First
	case 9:
		return strings.ToUpper(last + " " + n.First)
	case 10:
		return strings.ToUpper(last) + ", " + given
	case 11:
		return last + ", " + initial(n.First) + either(s.rng, "", ".")
	case 12:
		return strings.ToLower(last + ", " + n.First)
	default:
		return joined(last, n.First)
	}
}

// plainForm puts the first name first.
func (s *scene) plainForm(n Name) string {
	middle := n.Middle
	if middle != "" {
		middle = either(s.rng, "", middle, initial(middle), initial(middle)+".")
	}
	full := joined(n.First, middle, n.Last, n.Suffix)
	switch s.rng.IntN(12) {
	case 0, 1:
		return strings.ToUpper(full)
	case 2:
		return strings.ToLower(joined(n.First, n.Last))
	case 3:
		return n.First + " " + strings.ToUpper(n.Last)
	case 4:
		return joined(initial(n.First)+either(s.rng, ".", "", "."), n.Last)
	case 5:
		return joined(n.First, initial(n.Last)+either(s.rng, ".", ""))
	case 6, 7:
		return joined(n.First, n.Last)
	default:
		return full
	}
}

func (s *scene) anyForm(n Name) string {
	if oneIn(s.rng, 2) {
		return s.commaForm(n)
	}
	return s.plainForm(n)
}

// initialsForm writes two or three initials.
func (s *scene) initialsForm(n Name) string {
	two := initial(n.First) + initial(n.Last)
	return either(s.rng, n.Initials(), strings.ToUpper(two), strings.ToUpper(two), strings.ToLower(two), strings.ToLower(n.Initials()),
		strings.ToUpper(initial(n.First)+"."+initial(n.Last)+"."))
}

// stranger draws a person for a row of a table: a patient of the hospital or anybody.
func (s *scene) stranger() Name {
	if oneIn(s.rng, 2) {
		return s.h.Patients[s.rng.IntN(len(s.h.Patients))].Name
	}
	n := s.outsider()
	if oneIn(s.rng, 3) {
		n.Middle = string(rune('A' + s.rng.IntN(26)))
	}
	if oneIn(s.rng, 20) {
		n.Suffix = either(s.rng, "Jr", "Jr.", "III", "Sr", "II", "IV")
	}
	return n
}

func layoutNames() map[string]func(*scene) {
	name := func(who func(*scene) Name, form func(*scene, Name) string) func(*scene) {
		return func(s *scene) { s.patient(form(s, who(s))) }
	}
	pt := func(s *scene) Name { return s.pt.Name }
	kin := func(s *scene) Name { return s.relative().Name }
	last := func(s *scene, n Name) string { return s.someCase(n.Last) }
	first := func(s *scene, n Name) string { return s.someCase(n.First) }
	return map[string]func(*scene){
		"l.pt":        name(pt, (*scene).anyForm),
		"l.pt.comma":  name(pt, (*scene).commaForm),
		"l.pt.plain":  name(pt, (*scene).plainForm),
		"l.pt.last":   name(pt, last),
		"l.pt.first":  name(pt, first),
		"l.pt.init":   name(pt, (*scene).initialsForm),
		"l.row":       name((*scene).stranger, (*scene).anyForm),
		"l.row.comma": name((*scene).stranger, (*scene).commaForm),
		"l.row.plain": name((*scene).stranger, (*scene).plainForm),
		"l.row.last":  name((*scene).stranger, last),
		"l.row.first": name((*scene).stranger, first),
		"l.row.init":  name((*scene).stranger, (*scene).initialsForm),
		"l.kin":       name(kin, (*scene).anyForm),
		"l.kin.comma": name(kin, (*scene).commaForm),
		"l.kin.plain": name(kin, (*scene).plainForm),
		"l.kin.first": name(kin, first),
		"l.pt.middle": func(s *scene) {
			if m := s.pt.Name.Middle; m != "" {
				s.patient(s.someCase(either(s.rng, m, initial(m), initial(m)+".")))
				return
			}
			s.patient(string(rune('A' + s.rng.IntN(26))))
		},
		"l.pt.alias": func(s *scene) {
			n := s.pt.Name
			if s.pt.Nickname != "" {
				n.First = s.pt.Nickname
			} else {
				n.Last = s.stranger().Last
			}
			s.patient(s.anyForm(n))
		},
	}
}
