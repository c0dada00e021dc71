package corpus

import (
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// slots write what a scene decides: PHI, mostly, and the words that depend on the
// patient's sex.
var slots = allSlots()

func allSlots() map[string]func(*scene) {
	all := map[string]func(*scene){}
	for _, m := range []map[string]func(*scene){dateSlots(), patientSlots(), staffSlots(), placeSlots(), numberSlots(), wordSlots()} {
		maps.Copy(all, m)
	}
	return all
}

func (s *scene) bySex(female, male string) string {
	if s.pt.Female {
		return female
	}
	return male
}

func (s *scene) patient(name string) { s.mark(ensemble.Patient, name) }

// fullName writes the patient's whole name in one of the orders of headers.
func (s *scene) fullName() {
	n := s.pt.Name
	middle := n.Middle
	if middle != "" && oneIn(s.rng, 2) {
		middle = initial(middle) + either(s.rng, "", ".")
	}
	switch s.rng.IntN(9) {
	case 0, 1:
		s.patient(joined(n.Last+",", n.First, middle))
	case 2:
		s.patient(strings.ToUpper(joined(n.Last+",", n.First, middle)))
	case 3:
		s.patient(strings.ToUpper(joined(n.Last, n.First)))
	case 4:
		s.patient(strings.ToUpper(n.Last) + ", " + n.First)
	case 5:
		s.patient(n.Last + "," + n.First)
	case 6:
		s.patient(n.Full())
	case 7:
		s.patient(strings.ToUpper(joined(n.First, middle, n.Last)))
	default:
		s.patient(joined(n.First, middle, n.Last))
	}
}

// initial returns the first letter of a name.
func initial(name string) string {
	_, size := utf8.DecodeRuneInString(name)
	return name[:size]
}

// markBare marks a name of a place or group, without an article in front.
func (s *scene) markBare(t ensemble.Type, name string) {
	if bare, ok := strings.CutPrefix(name, "the "); ok {
		s.put("the ")
		name = bare
	}
	s.mark(t, name)
}

func joined(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func patientSlots() map[string]func(*scene) {
	return map[string]func(*scene){
		"pt.full":  func(s *scene) { s.patient(joined(s.pt.Name.First, s.pt.Name.Last)) },
		"pt.head":  (*scene).fullName,
		"pt.lf":    func(s *scene) { s.patient(s.pt.Name.Last + ", " + s.pt.Name.First) },
		"pt.LF":    func(s *scene) { s.patient(strings.ToUpper(s.pt.Name.Last + ", " + s.pt.Name.First)) },
		"pt.first": func(s *scene) { s.patient(s.pt.Name.First) },
		"pt.last":  func(s *scene) { s.patient(s.pt.Name.Last) },
		"pt.lower": func(s *scene) { s.patient(strings.ToLower(s.pt.Name.Last)) },
		"pt.mr": func(s *scene) {
			s.put(s.bySex(either(s.rng, "Mrs. ", "Ms. ", "Ms ", "Mrs "), either(s.rng, "Mr. ", "Mr. ", "Mr ")))
			s.patient(s.pt.Name.Last)
		},
		"pt.nick": func(s *scene) {
			if s.pt.Nickname == "" {
				s.patient(s.pt.Name.First)
				return
			}
			s.patient(s.pt.Nickname)
		},
		"pt.quoted": func(s *scene) {
			s.patient(s.pt.Name.First)
			if s.pt.Nickname != "" {
				open, end := either(s.rng, `"`, "(", "'", "“"), ""
				end = map[string]string{`"`: `"`, "(": ")", "'": "'", "“": "”"}[open]
				s.put(" " + open)
				s.patient(s.pt.Nickname)
				s.put(end)
			}
			s.put(" ")
			s.patient(s.pt.Name.Last)
		},
		"pt.initials": func(s *scene) { s.patient(s.pt.Name.Initials()) },
		"pt.maiden": func(s *scene) {
			if s.pt.Maiden == "" {
				s.patient(s.pt.Name.Last)
				return
			}
			s.patient(s.pt.Name.Last)
			s.put(either(s.rng, " (née ", " (nee ", " (formerly ", " (f/k/a "))
			s.patient(s.pt.Maiden)
			s.put(")")
		},
		"rel": func(s *scene) {
			r := s.relative()
			s.put(r.Kind + either(s.rng, " ", " ", ", ", " (", ": "))
			s.relName(r)
		},
		"rel.kind":  func(s *scene) { s.put(s.relative().Kind) },
		"rel.name":  func(s *scene) { s.relName(s.relative()) },
		"rel.full":  func(s *scene) { s.patient(s.relative().Name.Full()) },
		"rel.phone": func(s *scene) { s.phone(ensemble.Phone, s.relative().Phone) },
		"he":        func(s *scene) { s.put(s.bySex("she", "he")) },
		"He":        func(s *scene) { s.put(s.bySex("She", "He")) },
		"his":       func(s *scene) { s.put(s.bySex("her", "his")) },
		"His":       func(s *scene) { s.put(s.bySex("Her", "His")) },
		"him":       func(s *scene) { s.put(s.bySex("her", "him")) },
		"man": func(s *scene) {
			s.put(s.bySex(either(s.rng, "woman", "female", "lady"), either(s.rng, "man", "male", "gentleman")))
		},
		"sex":      func(s *scene) { s.put(s.bySex("female", "male")) },
		"MF":       func(s *scene) { s.put(s.bySex("F", "M")) },
		"age":      func(s *scene) { s.mark(ensemble.Age, s.age()) },
		"age.past": func(s *scene) { s.mark(ensemble.Age, itoa(4+s.rng.IntN(84))) },
		"age.old":  func(s *scene) { s.mark(ensemble.Age, itoa(90+s.rng.IntN(14))) },
		"peds.age": func(s *scene) {
			s.mark(ensemble.Age, itoa(1+s.rng.IntN(11)))
			s.put(either(s.rng, " months", " weeks", " days", " yrs", " mo"))
		},
		"age.words": func(s *scene) { s.mark(ensemble.Age, ageWords(s.pt.Age(s.today))) },
		"job":       func(s *scene) { s.mark(ensemble.Profession, s.pt.Job) },
		"job.other": func(s *scene) { s.mark(ensemble.Profession, either(s.rng, jobs...)) },
		"employer":  func(s *scene) { s.mark(ensemble.Organization, s.pt.Employer) },
		"language":  func(s *scene) { s.put(s.pt.Language) },
		"marital":   func(s *scene) { s.put(s.pt.Marital) },
	}
}

func (s *scene) relative() *Relative { return &s.pt.Relatives[s.rng.IntN(len(s.pt.Relatives))] }

func (s *scene) relName(r *Relative) {
	switch s.rng.IntN(3) {
	case 0:
		s.patient(r.Name.First)
	case 1:
		s.patient(r.Name.Full())
	default:
		s.patient(r.Name.First + " " + r.Name.Last)
	}
}

// age returns the patient's age in years, or for infants in months or days.
func (s *scene) age() string { return itoa(s.pt.Age(s.today)) }

func (s *scene) doctor(name string) { s.mark(ensemble.Doctor, name) }

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
	g := drawGroup(s.rng)
	return Name{First: firstName(s.rng, g, oneIn(s.rng, 2)), Last: surname(s.rng, g)}
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
		"me.login":    func(s *scene) { s.mark(ensemble.Username, s.author.Login) },
		"me.npi":      func(s *scene) { s.mark(ensemble.License, s.author.NPI) },
		"me.email":    func(s *scene) { s.mark(ensemble.Email, s.author.Email) },
		"dr":          func(s *scene) { s.named(s.other.Name) },
		"dr.last":     func(s *scene) { s.doctor(s.other.Name.Last) },
		"dr.lower":    func(s *scene) { s.doctor(strings.ToLower(s.other.Name.Last)) },
		"dr.full":     func(s *scene) { s.doctor(joined(s.other.Name.First, s.other.Name.Last)) },
		"dr.first":    func(s *scene) { s.doctor(s.other.Name.First) },
		"dr.initials": func(s *scene) { s.doctor(s.other.Name.Initials()) },
		"dr.login":    func(s *scene) { s.mark(ensemble.Username, s.other.Login) },
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

func placeSlots() map[string]func(*scene) {
	site := func(s *scene) *Site { return &s.h.Sites[s.rng.IntN(len(s.h.Sites))] }
	return map[string]func(*scene){
		"address":    func(s *scene) { s.address(s.pt.Home) },
		"street":     func(s *scene) { s.mark(ensemble.Street, s.pt.Home.Street) },
		"street.any": func(s *scene) { s.mark(ensemble.Street, street(s.rng)) },
		"city":       func(s *scene) { s.mark(ensemble.City, s.pt.Home.City) },
		"state":      func(s *scene) { s.state(s.pt.Home.State) },
		"zip":        func(s *scene) { s.mark(ensemble.Zip, s.pt.Home.Zip) },
		"town":       func(s *scene) { s.mark(ensemble.City, town(s.rng).City) },
		"town.state": func(s *scene) {
			p := town(s.rng)
			s.mark(ensemble.City, p.City)
			s.put(", ")
			s.state(p.State)
		},
		"county":   func(s *scene) { s.mark(ensemble.County, town(s.rng).City+" County") },
		"anystate": func(s *scene) { s.mark(ensemble.State, stateNames[town(s.rng).State]) },
		"country": func(s *scene) {
			s.markBare(ensemble.Country, either(s.rng, "Mexico", "Vietnam", "Nigeria", "Germany", "India", "the Philippines", "Canada", "Somalia",
				"Laos", "Kazakhstan", "Khazakhstan", "Brazil", "Ireland", "Guatemala", "Haiti", "Poland", "Ukraine", "China", "Peru", "Ethiopia"))
		},
		"glasgow": func(s *scene) { // towns that are clinical words, too
			s.mark(ensemble.City, either(s.rng, "Glasgow", "Lyme", "Bath", "Mobile", "Reading", "Rochester", "Hershey", "Norwalk", "Ada",
				"Marburg", "Bethesda", "Coxsackie", "Framingham", "Nottingham", "Epworth", "Berg", "Clinton", "Lake Placid", "Normal", "Tampa"))
		},
		"country.adj": func(s *scene) {
			s.mark(ensemble.Country, either(s.rng, "Khazakhstani", "Mexican", "Vietnamese", "Somali", "Korean", "Russian", "Filipino", "Hmong", "Nigerian"))
		},
		"place": func(s *scene) {
			s.markBare(ensemble.LocationOther, either(s.rng, "Rockefeller Centre", "Lake Harriet", "Yosemite", "the Mall of America", "Grand Canyon", "Camp "+inventName(s.rng, drawGroup(s.rng), 'l'),
				"Mississippi River", "Cape Cod", "Fort "+either(s.rng, townParts[0]...), "Mount Rainier", "Disney World", "O'Hare", "the Outer Banks", "Lake "+either(s.rng, townParts[0]...)+either(s.rng, townParts[1]...)))
		},
		"room": func(s *scene) {
			s.mark(ensemble.LocationOther, either(s.rng, "Room ", "Rm ", "Suite ", "room ", "Bed ")+digits(s.rng, 1+s.rng.IntN(3))+either(s.rng, "", "A", "B", "-2"))
		},
		"building": func(s *scene) {
			s.mark(ensemble.LocationOther, either(s.rng, "Southwest Building", "North Tower", "Whitfield Pavilion", "Gonda Building", "East Wing", "Outpatient Annex", "Tower B")+either(s.rng, "", " Room 7A", " Suite 210", ", 4th floor", " Rm 12"))
		},
		"hosp":         func(s *scene) { s.mark(ensemble.Hospital, s.site.Name) },
		"hosp.short":   func(s *scene) { s.mark(ensemble.Hospital, s.site.Short) },
		"hosp.shorth":  func(s *scene) { s.mark(ensemble.Hospital, s.site.Short+" Hospital") },
		"hosp.abbr":    func(s *scene) { s.mark(ensemble.Hospital, s.site.Abbrev) },
		"hosp.street":  func(s *scene) { s.mark(ensemble.Street, s.site.Address.Street) },
		"hosp.city":    func(s *scene) { s.mark(ensemble.City, s.site.Address.City) },
		"hosp.address": func(s *scene) { s.address(s.site.Address) },
		"hosp.phone":   func(s *scene) { s.phone(ensemble.Phone, s.site.Phone) },
		"hosp.fax":     func(s *scene) { s.phone(ensemble.Fax, s.site.Fax) },
		"hosp.url": func(s *scene) {
			s.mark(ensemble.URL, either(s.rng, "", "http://", "https://")+s.site.URL+either(s.rng, "", "/portal", "/mychart"))
		},
		"hosp.other": func(s *scene) { s.mark(ensemble.Hospital, site(s).Name) },
		"hosp.made": func(s *scene) {
			x := s.h.newSite(s.rng, s.rng.IntN(2))
			if oneIn(s.rng, 8) {
				s.mark(ensemble.Hospital, x.Short)
				s.put(" ED")
				return
			}
			s.mark(ensemble.Hospital, either(s.rng, x.Name, x.Name, x.Short+either(s.rng, " rehab", " Nursing Home", " Hospice", " Care Center")))
		},
		"pharm": func(s *scene) { s.mark(ensemble.Organization, pharmacy(s.rng)) },
		"org": func(s *scene) {
			s.markBare(ensemble.Organization, either(s.rng, "GO GIRLS!", "the Elks Lodge", "YMCA", "Meals on Wheels", "AA", "Kiwanis", "Boys & Girls Club", town(s.rng).City+" High School",
				"St. Paul Lutheran Church", "Minerva", "Bright Horizons", "VFW Post "+digits(s.rng, 4), s.h.employer(s.rng), "Girl Scouts", "Lutheran Social Services", "Weight Watchers"))
		},
		"univ":           func(s *scene) { s.mark(ensemble.Organization, "University of "+stateNames[town(s.rng).State]) },
		"employer.any":   func(s *scene) { s.mark(ensemble.Organization, s.h.employer(s.rng)) },
		"email":          func(s *scene) { s.mark(ensemble.Email, s.emailOf()) },
		"phone":          func(s *scene) { s.phone(ensemble.Phone, either(s.rng, s.pt.Phone, s.pt.Mobile)) },
		"hosp.phone.ext": func(s *scene) { s.extended(s.site.Phone) },
		"phone.ext":      func(s *scene) { s.extended(phone(s.rng)) },
		"phone.any":      func(s *scene) { s.phone(ensemble.Phone, phone(s.rng)) },
		"fax":            func(s *scene) { s.phone(ensemble.Fax, phone(s.rng)) },
		"ext":            func(s *scene) { s.mark(ensemble.Phone, digits(s.rng, 4+s.rng.IntN(2))) },
		"pager":          func(s *scene) { s.mark(ensemble.Pager, s.author.Pager) },
		"url": func(s *scene) {
			s.mark(ensemble.URL, either(s.rng, "http://", "https://", "")+"www."+asciiLower(s.pt.Name.Last)+either(s.rng, "family.example.com/pics", ".example.net", "blog.example.org/"+digits(s.rng, 3)))
		},
		"ip": func(s *scene) {
			s.mark(ensemble.IPAddr, itoa(1+s.rng.IntN(222))+"."+itoa(s.rng.IntN(256))+"."+itoa(s.rng.IntN(256))+"."+itoa(1+s.rng.IntN(254)))
		},
	}
}

func (s *scene) emailOf() string {
	if s.pt.Email == "" {
		return email(s.rng, s.pt.Name)
	}
	return s.pt.Email
}

func (s *scene) state(abbrev string) {
	if oneIn(s.rng, 3) && stateNames[abbrev] != "" {
		abbrev = stateNames[abbrev]
	}
	s.mark(ensemble.State, abbrev)
}

func (s *scene) address(a Address) {
	s.mark(ensemble.Street, a.Street)
	s.put(either(s.rng, ", ", ", ", "\n", "  ", " "))
	s.mark(ensemble.City, a.City)
	s.put(either(s.rng, ", ", ", ", " "))
	s.state(a.State)
	s.put(either(s.rng, " ", "  ", " "))
	s.mark(ensemble.Zip, a.Zip)
}

// phone writes ten digits in a layout of the day.
func (s *scene) phone(t ensemble.Type, number string) {
	a, b, c := number[:3], number[4:7], number[8:]
	s.mark(t, either(s.rng, number, number, "("+a+") "+b+"-"+c, "("+a+")"+b+"-"+c, a+"."+b+"."+c, a+" "+b+" "+c, a+b+c, "1-"+number,
		"+1 "+a+" "+b+" "+c, a+"/"+b+"-"+c, b+"-"+c, a+"- "+b+"-"+c))
}

// extended writes a number with its extension as one.
func (s *scene) extended(number string) {
	s.mark(ensemble.Phone, number+either(s.rng, " ext ", " x", ", ext. ", " ext. ", " Ext ")+digits(s.rng, 3+s.rng.IntN(3)))
}

func numberSlots() map[string]func(*scene) {
	return map[string]func(*scene){
		"mrn": func(s *scene) { s.mark(ensemble.MedicalRecord, s.pt.MRN) },
		"ssn": func(s *scene) {
			s.mark(ensemble.SSN, either(s.rng, s.pt.SSN, s.pt.SSN, strings.ReplaceAll(s.pt.SSN, "-", ""), strings.ReplaceAll(s.pt.SSN, "-", " ")))
		},
		"ssn4":    func(s *scene) { s.mark(ensemble.SSN, s.pt.SSN[7:]) },
		"acct":    func(s *scene) { s.mark(ensemble.Account, s.pt.Account) },
		"plan":    func(s *scene) { s.mark(ensemble.HealthPlan, s.pt.Plan.Member) },
		"payer":   func(s *scene) { s.put(either(s.rng, "Medicare", "Medicaid", "commercial", "private insurance")) },
		"license": func(s *scene) { s.mark(ensemble.License, s.pt.License) },
		"plate":   func(s *scene) { s.mark(ensemble.Vehicle, s.pt.Plate) },
		"vin":     func(s *scene) { s.mark(ensemble.Vehicle, vin(s.rng)) },
		"serial": func(s *scene) {
			if s.pt.Device != "" {
				s.mark(ensemble.Device, s.pt.Device)
				return
			}
			s.mark(ensemble.Device, serial(s.rng))
		},
		"model": func(s *scene) {
			s.mark(ensemble.Device, either(s.rng, digits(s.rng, 4), "A"+digits(s.rng, 3), digits(s.rng, 4)+"-"+digits(s.rng, 2)))
		},
		"lot": func(s *scene) {
			s.mark(ensemble.IDNum, either(s.rng, digits(s.rng, 2)+"-"+digits(s.rng, 2)+"-DK", "U"+digits(s.rng, 4)+"AA", digits(s.rng, 6)+"B", "EK"+digits(s.rng, 4)))
		},
		"accession": func(s *scene) {
			s.mark(ensemble.IDNum, either(s.rng, "S"+s.today.Format("06")+"-"+digits(s.rng, 5), "38:Z"+digits(s.rng, 7)+"G", "CT-"+digits(s.rng, 6), digits(s.rng, 9), "SP-"+s.today.Format("06")+"-"+digits(s.rng, 4)))
		},
		"order": func(s *scene) {
			s.mark(ensemble.IDNum, either(s.rng, digits(s.rng, 8), "RX"+digits(s.rng, 7), digits(s.rng, 7)+"-"+digits(s.rng, 2)))
		},
		"job.id": func(s *scene) {
			s.mark(ensemble.IDNum, either(s.rng, digits(s.rng, 6), digits(s.rng, 5)+" :"+digits(s.rng, 4), "WK:"+digits(s.rng, 5)))
		},
		"encounter": func(s *scene) {
			s.mark(ensemble.IDNum, either(s.rng, digits(s.rng, 9), "V"+digits(s.rng, 8), "E-"+digits(s.rng, 6)))
		},
		"case": func(s *scene) {
			s.mark(ensemble.IDNum, either(s.rng, digits(s.rng, 2)+"-"+digits(s.rng, 5), "SW"+digits(s.rng, 6), "CPS-"+digits(s.rng, 5)))
		},
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// ageWords spells an age as dictation does.
func ageWords(n int) string {
	ones := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	switch {
	case n < 20:
		return ones[n]
	case n >= 100:
		return "one hundred"
	case n%10 == 0:
		return tens[n/10]
	default:
		return tens[n/10] + "-" + ones[n%10]
	}
}

func wordSlots() map[string]func(*scene) {
	num := func(lo, hi int) func(*scene) {
		return func(s *scene) { s.put(itoa(lo + s.rng.IntN(hi-lo+1))) }
	}
	return map[string]func(*scene){
		"n5": num(1, 5), "n10": num(1, 10), "n20": num(2, 20), "n100": num(5, 100), "n500": num(20, 500), "n1000": num(100, 4000),
		"bp": func(s *scene) { s.put(itoa(92+s.rng.IntN(90)) + "/" + itoa(48+s.rng.IntN(60))) },
		"hr": num(52, 128),
		"rr": num(10, 28),
		"o2": num(86, 100),
		"temp": func(s *scene) {
			s.put(either(s.rng, "9"+itoa(6+s.rng.IntN(4))+"."+digits(s.rng, 1), "36."+digits(s.rng, 1), "37."+digits(s.rng, 1)))
		},
		"inr": func(s *scene) { s.put(itoa(1+s.rng.IntN(4)) + "." + itoa(s.rng.IntN(10))) },
		"dec": func(s *scene) { s.put(itoa(s.rng.IntN(14)) + "." + itoa(s.rng.IntN(10))) },
		"mgdose": func(s *scene) {
			s.put(either(s.rng, "5", "10", "20", "25", "40", "50", "81", "100", "250", "325", "500", "650", "750", "1,000"))
		},
		"frac": func(s *scene) {
			s.put(either(s.rng, "1/2", "3/4", "2/6", "5/5", "4/5", "3/10", "7/10", "0/10", "1/4", "20/20", "20/40", "2/2", "1/3"))
		},
		"unseen": func(s *scene) { s.put(inventName(s.rng, lexicon.White, 'l')) },
	}
}
