package synth

import (
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// speechForms write PHI as it is spoken and then transcribed word by word, and as
// other English-speaking countries write it.
func speechForms() map[string]func(*scene) {
	return map[string]func(*scene){
		"f.drtitle":  func(s *scene) { s.doctor(s.outsider().Last) },
		"f.letter":   func(s *scene) { s.put(string(rune('A' + s.rng.IntN(26)))) },
		"f.say.date": func(s *scene) { s.mark(phi.Date, s.spokenDate(s.pt.Birth)) },
		"f.say.phone": func(s *scene) {
			s.mark(phi.Phone, s.spokenDigits(either(s.rng, "ddd ddd dddd", "ddd dddd", "dddd ddd ddd", "dd dd dd dddd", "dddddddddd")))
		},
		"f.say.digits": func(s *scene) {
			s.mark(phi.IDNum, s.spokenDigits(either(s.rng, "dddddd", "ddd ddd", "dddddddd", "dddd ddddd", "dd ddd dd")))
		},
		"f.say.street": func(s *scene) {
			number := spellNumber(1 + s.rng.IntN(99))
			name := either(s.rng, either(s.rng, s.h.lists.Streets...), s.anySurname())
			kind := either(s.rng, "Street", "Road", "Avenue", "Lane", "Drive", "Court")
			s.mark(phi.Street, either(s.rng, number+" "+name+" "+kind, strings.ToLower(number+" "+name+" "+kind), upperFirst(number)+" "+name+" "+kind))
		},
		"f.suburb": func(s *scene) { s.mark(phi.City, either(s.rng, suburbs...)) },
		"f.austate": func(s *scene) {
			s.mark(phi.State, either(s.rng, "NSW", "VIC", "QLD", "Queensland", "Victoria", "WA", "SA", "Tasmania", "TAS", "NT", "ACT"))
		},
		"f.province": func(s *scene) {
			s.mark(phi.State, either(s.rng, "Ontario", "ON", "Quebec", "QC", "BC", "British Columbia", "Alberta", "AB", "Manitoba", "Nova Scotia"))
		},
		"f.postcode.au": func(s *scene) { s.mark(phi.Zip, either(s.rng, "2", "3", "4", "5", "6", "7")+digits(s.rng, 3)) },
		"f.ukpost": func(s *scene) {
			s.mark(phi.Zip, either(s.rng, "SW", "N", "B", "M", "LS", "EH", "CF", "G", "BN", "OX")+itoa(1+s.rng.IntN(20))+" "+itoa(1+s.rng.IntN(9))+either(s.rng, "AA", "BT", "QX", "LP", "ND", "HG"))
		},
		"f.funeral": func(s *scene) {
			s.mark(phi.Organization, s.anySurname()+either(s.rng, " & Sons", " Funeral Home", " Mortuary", " Brothers", " Chapel"))
		},
	}
}

var suburbs = listed(`Parramatta,Wollongong,Dubbo,Toowoomba,Cairns,Ballarat,Bendigo,Geelong,Footscray,Dandenong,Fremantle,Bunbury,Hobart,Launceston,Darwin,Alice Springs,Broken Hill,
Wagga Wagga,Penrith,Blacktown,Bondi,Mildura,Gladstone,Rockhampton,Adelaide,Perth,Canberra,Newcastle,Gosford,Croydon,Reading,Slough,Luton,Hackney,Brixton,Swansea,Dundee,Inverness,Galway,Limerick`)

// spokenDate says a day: "march third nineteen fifty two", "the third of march 1952".
func (s *scene) spokenDate(t time.Time) string {
	month, day := t.Month().String(), spellOrdinal(t.Day())
	year := spellYear(t.Year())
	text := either(s.rng, month+" "+day+" "+year, "the "+day+" of "+month+" "+year, month+" "+day+", "+itoa(t.Year()), day+" of "+month+" "+year,
		month+" "+itoa(t.Day())+" "+itoa(t.Year()))
	text = strings.TrimPrefix(text, "the ")
	return either(s.rng, text, strings.ToLower(text))
}

// spokenDigits says a digit for each letter of the groups.
func (s *scene) spokenDigits(groups string) string {
	words := strings.Fields("zero one two three four five six seven eight nine")
	if oneIn(s.rng, 2) {
		words[0] = "oh"
	}
	between := either(s.rng, ", ", " ", " - ", " ")
	var out []string
	for letters := range strings.FieldsSeq(groups) {
		var group []string
		for range letters {
			group = append(group, words[s.rng.IntN(10)])
		}
		out = append(out, strings.Join(group, " "))
	}
	return strings.Join(out, between)
}

// spellNumber writes a number below a hundred in words.
func spellNumber(n int) string { return strings.ReplaceAll(ageWords(n), "-", " ") }

func spellYear(year int) string {
	switch {
	case year >= 2000 && year < 2010:
		return strings.TrimSuffix("two thousand "+spellNumber(year-2000), " zero")
	case year%100 == 0:
		return spellNumber(year/100) + " hundred"
	case year%100 < 10:
		return spellNumber(year/100) + " oh " + spellNumber(year%100)
	default:
		return spellNumber(year/100) + " " + spellNumber(year%100)
	}
}

// spellOrdinal writes a day of a month in words.
func spellOrdinal(day int) string {
	ones := strings.Fields(`- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
		sixteenth seventeenth eighteenth nineteenth twentieth`)
	switch {
	case day <= 20:
		return ones[day]
	case day == 30:
		return "thirtieth"
	case day > 30:
		return "thirty " + ones[day-30]
	default:
		return "twenty " + ones[day-20]
	}
}
