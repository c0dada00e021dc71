package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func (s *scene) patient(name string) { s.mark(phi.Patient, name) }

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
				open := either(s.rng, `"`, "(", "'", "“")
				end := map[string]string{`"`: `"`, "(": ")", "'": "'", "“": "”"}[open]
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
		"rel.phone": func(s *scene) { s.phone(phi.Phone, s.relative().Phone) },
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
		"age":      func(s *scene) { s.mark(phi.Age, s.age()) },
		"age.past": func(s *scene) { s.mark(phi.Age, itoa(4+s.rng.IntN(84))) },
		"age.old":  func(s *scene) { s.mark(phi.Age, itoa(90+s.rng.IntN(14))) },
		"peds.age": func(s *scene) {
			s.mark(phi.Age, itoa(1+s.rng.IntN(11)))
			s.put(either(s.rng, " months", " weeks", " days", " yrs", " mo"))
		},
		"age.words": func(s *scene) { s.mark(phi.Age, ageWords(s.pt.Age(s.today))) },
		"job":       func(s *scene) { s.mark(phi.Profession, s.pt.Job) },
		"job.other": func(s *scene) { s.mark(phi.Profession, either(s.rng, s.h.lists.Jobs...)) },
		"employer":  func(s *scene) { s.mark(phi.Organization, s.pt.Employer) },
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
