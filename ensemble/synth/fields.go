package synth

import "strconv"

// fields are what can be written of the person, the site, the address and the day
// that the text is about at the moment, and of the patient.
func fields() map[string]func(*scene) string {
	return map[string]func(*scene) string{
		".first":      func(s *scene) string { return s.now.who.First },
		".middle":     func(s *scene) string { return s.now.who.Middle },
		".last":       func(s *scene) string { return s.now.who.Last },
		".suffix":     func(s *scene) string { return s.now.who.Suffix },
		".full":       func(s *scene) string { return s.now.who.Full() },
		".initials":   func(s *scene) string { return s.now.who.Initials() },
		".f":          func(s *scene) string { return initial(s.now.who.First) },
		".m":          func(s *scene) string { return initial(s.now.who.Middle) },
		".l":          func(s *scene) string { return initial(s.now.who.Last) },
		".nick":       func(s *scene) string { return s.now.who.nick },
		".maiden":     func(s *scene) string { return s.now.who.maiden },
		".kin":        func(s *scene) string { return s.now.who.kind },
		".credential": func(s *scene) string { return s.now.who.credential },
		".phone":      func(s *scene) string { return s.now.who.phone },
		".mobile":     func(s *scene) string { return s.now.who.mobile },
		".pager":      func(s *scene) string { return s.now.who.pager },
		".email":      func(s *scene) string { return s.now.who.email },
		".login":      func(s *scene) string { return s.now.who.login },
		".npi":        func(s *scene) string { return s.now.who.npi },

		".mrn":      func(s *scene) string { return s.pt.MRN },
		".ssn":      func(s *scene) string { return s.pt.SSN },
		".account":  func(s *scene) string { return s.pt.Account },
		".member":   func(s *scene) string { return s.pt.Plan.Member },
		".payer":    func(s *scene) string { return s.pt.Plan.Payer },
		".license":  func(s *scene) string { return s.pt.License },
		".plate":    func(s *scene) string { return s.pt.Plate },
		".device":   func(s *scene) string { return s.pt.Device },
		".job":      func(s *scene) string { return s.pt.Job },
		".employer": func(s *scene) string { return s.pt.Employer },
		".language": func(s *scene) string { return s.pt.Language },
		".marital":  func(s *scene) string { return s.pt.Marital },
		".age":      func(s *scene) string { return strconv.Itoa(s.pt.Age(s.today)) },

		".site":      func(s *scene) string { return s.now.site.Name },
		".short":     func(s *scene) string { return s.now.site.Short },
		".abbrev":    func(s *scene) string { return s.now.site.Abbrev },
		".sitephone": func(s *scene) string { return s.now.site.Phone },
		".sitefax":   func(s *scene) string { return s.now.site.Fax },
		".url":       func(s *scene) string { return s.now.site.URL },

		".street":    func(s *scene) string { return s.now.at.Street },
		".city":      func(s *scene) string { return s.now.at.City },
		".state":     func(s *scene) string { return s.now.at.State },
		".zip":       func(s *scene) string { return s.now.at.Zip },
		".statename": func(s *scene) string { return s.tables["state.names"][s.now.at.State] },

		".layout": func(s *scene) string { return s.layout },
	}
}

// conditions are what alternatives can depend on.
func conditions() map[string]func(*scene) bool {
	has := func(field func(*scene) string) func(*scene) bool {
		return func(s *scene) bool { return field(s) != "" }
	}
	all := map[string]func(*scene) bool{
		"female":       func(s *scene) bool { return s.now.who.female },
		"male":         func(s *scene) bool { return !s.now.who.female },
		"beds":         func(s *scene) bool { return s.now.site.Inhouse },
		"morning":      func(s *scene) bool { return s.now.day.Hour() < 12 },
		"facilities":   func(s *scene) bool { return len(s.h.lists.Facilities) > 0 },
		"employers":    func(s *scene) bool { return len(s.h.lists.Employers) > 0 },
		"universities": func(s *scene) bool { return len(s.h.lists.Universities) > 0 },
		"countries":    func(s *scene) bool { return len(s.h.lists.Countries) > 0 },
	}
	for name, field := range fields() {
		all[name[1:]] = has(field)
	}
	return all
}
