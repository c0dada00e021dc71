package synth

import (
	"math/rand/v2"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// wordNames are surnames that are also ordinary or clinical words, which real
// patients and doctors bear.
var wordNames = strings.Fields(`Long May Brown Page Rice Day Price Young White Black Green Bush Rose Church West Bishop
	King Cook Baker Carpenter Best Small Little Strong Pain Fields Woods Banks Hall Park Major Parkinson Hodgkin Murphy
	Wilson Foley Braden Glasgow Wells Frank Gross Self Person Brand Cross Hand Foot Head Blood Payne Sharp Short Swift
	Early Fast Case Cash Coffee Wine Drinkwater Walker Power Field Stone Rash Ward Child Childs Love Moody Weeks Winter
	Summer Noon Friday Monday January March August Christmas Parish Temple England Holland French Welch Poland Lane
	Street Hill Lake Rivers Waters Bright Dark Savage Noble Loud Wise Good Hope Grace Joy Doctor Nurse Chance Dye
	Bath Stent Graves Crohn Bell Babinski Gleason Addison Cushing Down Turner Marshall Norton Morse Burns Mercer`)

// wordFirsts are first names that are words, months or places.
var wordFirsts = [2][]string{
	strings.Fields("Art Bill Mark Will Pat Chase Guy Rich Grant Drew Rob Miles Frank Gene Dale Hunter Mason August Chance Clay Cliff Rusty"),
	strings.Fields("Hope Grace Joy Faith April May June Dawn Crystal Penny Ginger Iris Rose Ruby Summer Autumn Sue Pat Amber Sandy Virginia Georgia Charity Paris"),
}

// particles begin surnames of two words.
var particles = [lexicon.NumGroups][]string{
	lexicon.White:    {"Van ", "von ", "de ", "St. ", "O'", "Mc", "Mac", "D'", "Van der ", "Di "},
	lexicon.Black:    {"Mc", "O'", "El-", "St. "},
	lexicon.Hispanic: {"De La ", "Del ", "de ", "De Los "},
	lexicon.Asian:    {"Al-", "Dela ", "Abdul ", "bin "},
	lexicon.Native:   {"Two ", "Little ", "White "},
}

// syllables build names that no list holds.
var syllables = [lexicon.NumGroups]struct{ start, middle, endF, endM, endLast []string }{
	lexicon.White: {
		strings.Fields("Bran Cald Dre Ever Fen Gris Har Jes Kel Lorn Mar Neth Os Pre Quin Ros Stav Thor Ul Ver Wen Zel"),
		strings.Fields("a e i o le ri na to mi ve der sta len"),
		strings.Fields("lyn ette ina ia beth ra lee na"), strings.Fields("ton rick den bert son ley vin mund"),
		strings.Fields("worth ski mann berg field quist sen ovic stein ward ley poulos escu ini combe"),
	},
	lexicon.Black: {
		strings.Fields("Dav Tre Kei La Sha Qua Ja Ta Mar Ro Ny Za Ke Olu Ade Chi Nnam Kwa"),
		strings.Fields("shaw quan mon vi lo re la ni se ba ka da bi"),
		strings.Fields("isha elle ika onda iqua ara ene"), strings.Fields("ious ante ell on avis ari eon"),
		strings.Fields("well dukwe bayo ton mire kunle more field wande ambi son"),
	},
	lexicon.Hispanic: {
		strings.Fields("Al Ber Cas Del Es Fer Gua Her Ix Jov Lis Mel Nor Or Quin Ren Sal Ty Ul Yas Zor"),
		strings.Fields("a e i o ri ma na ta de li men ce ju"),
		strings.Fields("ita ela inda isa anna elis encia"), strings.Fields("ardo elio encio berto imiro ando eo"),
		strings.Fields("ález arra eda ierrez oza uerto illa ón orena aldés íñez ibar"),
	},
	lexicon.Asian: {
		strings.Fields("An Bha Chi Dha Ee Gu Ha In Jia Ka Lak Min Ngo Pra Qi Ra Shu Thu Vi Xiu Yo Zhe"),
		strings.Fields("na ra mi sh vi la ni jay ku no thi wa"),
		strings.Fields("ni mei ka ti yuki ha lan preet"), strings.Fields("esh jun ito ram vir hiro kumar wei"),
		strings.Fields("murthy moto wala swamy kawa nathan uddin bhai sombat zhou nguyen anh"),
	},
	lexicon.Native: {
		strings.Fields("Ah Chay Ka Len Ma Na Oh Sa Ta Wa Ya"),
		strings.Fields("ko na ta wi lo ke ni so"),
		strings.Fields("ya wen ona ita"), strings.Fields("tan ton oah ami"),
		strings.Fields("nez hoya quaptewa feather hawk wood tso tewa zhee bear"),
	},
}

// inventName builds a name of a group: part is 'f' or 'm' for a first name, 'l' for
// a surname.
func inventName(rng *rand.Rand, g lexicon.Group, part byte) string {
	s := syllables[g]
	name := either(rng, s.start...)
	for range rng.IntN(2) + 1 - rng.IntN(2) {
		name += either(rng, s.middle...)
	}
	switch part {
	case 'f':
		return name + either(rng, s.endF...)
	case 'm':
		return name + either(rng, s.endM...)
	default:
		return name + either(rng, s.endLast...)
	}
}

// surname draws a surname: mostly from the Census's, often one that no list holds,
// sometimes a word, sometimes of two parts.
func (l *Lists) surname(rng *rand.Rand, g lexicon.Group) string {
	var name string
	switch n := rng.IntN(100); {
	case n < 22:
		name = inventName(rng, g, 'l')
	case n < 31:
		name = either(rng, l.WordSurnames...)
	default:
		name = l.draw(rng, l.Surnames[g])
	}
	switch n := rng.IntN(100); {
	case n < 4:
		p := either(rng, particles[g]...)
		return p + name
	case n < 8:
		return name + either(rng, "-", "-", "-", " ") + l.draw(rng, l.Surnames[g])
	case n < 9:
		return strings.ToUpper(name[:1]) + strings.ToLower(name[1:]) + "-" + inventName(rng, g, 'l')
	default:
		return name
	}
}

func (l *Lists) firstName(rng *rand.Rand, g lexicon.Group, female bool) string {
	sex, part := 0, byte('m')
	if female {
		sex, part = 1, 'f'
	}
	switch n := rng.IntN(100); {
	case n < 18:
		return inventName(rng, g, part)
	case n < 24:
		return either(rng, l.WordFirsts[sex]...)
	case n < 26:
		return l.draw(rng, l.FirstNames[g][sex]) + either(rng, " ", "-") + l.draw(rng, l.FirstNames[g][sex])
	case n < 40: // first names go across groups more than surnames do
		return l.draw(rng, l.FirstNames[lexicon.White][sex])
	default:
		return l.draw(rng, l.FirstNames[g][sex])
	}
}

// accents are names as their bearers write them and registration clerks often do not.
var accents = map[string]string{
	"Jose": "José", "Maria": "María", "Garcia": "García", "Martinez": "Martínez", "Gonzalez": "González", "Nunez": "Núñez",
	"Pena": "Peña", "Munoz": "Muñoz", "Sofia": "Sofía", "Nguyen": "Nguyễn", "Tran": "Trần", "Renee": "Renée", "Andre": "André",
	"Perez": "Pérez", "Sanchez": "Sánchez", "Ramirez": "Ramírez", "Diaz": "Díaz", "Jesus": "Jesús", "Rodriguez": "Rodríguez",
	"Hernandez": "Hernández", "Lopez": "López", "Pham": "Phạm", "Le": "Lê", "Chavez": "Chávez", "Angel": "Ángel", "Oscar": "Óscar",
	"Muller": "Müller", "Schroder": "Schröder", "Francois": "François", "Zoe": "Zoë", "Chloe": "Chloé", "Ruben": "Rubén",
}

// accented gives a name its accents, or not, as the clerk of the day pleased.
func accented(rng *rand.Rand, name string) string {
	if a, ok := accents[name]; ok && oneIn(rng, 3) {
		return a
	}
	return name
}

// nickname returns a short form of a first name, or "".
func nickname(rng *rand.Rand, first string) string {
	if short := lexicon.Nicknames(first); len(short) > 0 && len(short[0]) > 1 {
		return upperFirst(short[rng.IntN(len(short))])
	}
	return ""
}

// groupShares follow the shares of patients that a city hospital sees, with the
// rarer groups raised so that recall can be told for each.
var groupShares = [lexicon.NumGroups]int{34, 20, 20, 18, 8}
