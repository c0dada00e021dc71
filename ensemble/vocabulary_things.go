package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// thing reports whether the words [from, to), taken for a place or a name, begin the
// name of a thing: "Texas catheter", "German measles", "Edinburgh postnatal depression
// scale". A place where somebody is has a preposition before it.
func (v *vocabulary) thing(t phi.Type, from, to int) bool {
	switch t {
	case phi.City, phi.State, phi.Country, phi.LocationOther:
	case phi.Patient, phi.Doctor:
		if !v.onMaps(from, to) {
			return false
		}
	default:
		return false
	}
	if to-from > 3 || v.entered(from) {
		return false
	}
	j := to
	for v.goesOnAs(j, from) && v.is(j, cueGeo) || v.letter(j) && v.follows(j) && v.inLower(j+1) {
		j++ // "Ohio Valley", "Miami J collar"
	}
	if v.goesOnAs(j, from) && (v.stuff(j) || v.member(j) || v.nation(from, to) && v.qualifies(j) && !v.ofPeople(j)) {
		return true // "Peruvian wart"
	}
	if t != phi.State && v.code(j) && v.follows(j) && v.onMaps(from, to) || v.equal(j, "heart") && v.equal(j+1, "association") {
		return true
	}
	for n := 0; n < 5 && v.goesOnAs(j, from); n++ {
		if v.thingNoun(j) && !looseNouns[strings.ToLower(v.str(j))] {
			return true
		}
		if !v.qualifies(j) {
			return false
		}
		j++
	}
	return false
}

// onMaps reports whether the words [from, to) are a place or the adjective of one.
func (v *vocabulary) onMaps(from, to int) bool {
	const mapped = lexicon.BigCity | lexicon.State | lexicon.Country
	if e := v.entry(from); to == from+1 {
		return e.Is(mapped)
	}
	e, ok := v.reading.phrase(from, to)
	return ok && e.Is(mapped|lexicon.City)
}

// nation tells "Peruvian", which says less of where somebody is than "Peru".
func (v *vocabulary) nation(from, to int) bool {
	s := v.str(from)
	if v.caseOf(from) == Upper && len(s) > 1 {
		s = s[:1] + strings.ToLower(s[1:])
	}
	return to == from+1 && v.entry(from).Is(lexicon.Country) && demonym(s)
}

// ofPeople tells what is said of people: "Peruvian descent".
func (v *vocabulary) ofPeople(j int) bool {
	return v.is(j, cueRace|cueSex|cueKin) || v.entry(j).Is(lexicon.Job) || peopleNouns[strings.ToLower(v.str(j))]
}

// code tells the class behind the name of a classification: "Vancouver B2", "Rome IV",
// "Paris IIa", "Chicago v4".
func (v *vocabulary) code(j int) bool {
	s := v.str(j)
	if !v.word(j) || len(s) > 4 || v.follows(j+1) && v.punct(j+1, '.') && v.glued(j+1) && v.title(j+2) {
		return false
	}
	if len(s) == 1 {
		return strings.Contains("ABCD", s) && !v.punct(j+1, ',') && !v.title(j+1)
	}
	return strings.Trim(strings.TrimRight(s, "abc"), "IV") == "" || strings.ContainsAny(s, "0123456789") || v.number(j+1) && v.glued(j+1) && len(s) == 1
}

// member tells parts of the body: "Singapore ear", "Madura foot".
func (v *vocabulary) member(j int) bool { return v.word(j) && bodyNouns[strings.ToLower(v.str(j))] }

// entered reports whether what stands before a place tells that somebody is there, or
// that it closes an address: "in Texas", "moved to Texas", "Dallas, Texas".
func (v *vocabulary) entered(from int) bool {
	p := from - 1
	if v.equal(p, "the") {
		p--
	}
	switch {
	case !v.has(from) || v.opensLine(from):
		return false
	case v.punct(from-1, ','):
		return v.number(p-1) || v.capital(p-1) && (v.caseOf(p-1) != Upper || v.unknown(p-1) || v.entry(p-1).Is(lexicon.City|lexicon.State|lexicon.County))
	case v.equal(p, "to"):
		return v.is(p-1, cueDwell|cueHome) || v.equal(p-1, "went") || v.equal(p-1, "flew") || v.equal(p-1, "came") || v.equal(p-1, "goes")
	}
	return v.is(p, cuePlacePrep|cueFrom|cueDwell|cueHome)
}

// goesOnAs reports whether word j goes on from the one before it, in the small letters
// of what no name goes on in or, in a text of one case, in that of word from.
func (v *vocabulary) goesOnAs(j, from int) bool {
	if !v.word(j) || !v.follows(j) || v.glued(j) {
		return false
	}
	return v.inLower(j) || v.caseOf(j) == v.caseOf(from) && (v.caseOf(j) == Upper || v.is(j, cueGeo))
}

// qualifies tells a word that may stand between a place and the thing that is called
// after it.
func (v *vocabulary) qualifies(j int) bool {
	const never = cueStop | cueSubjectVerb | cueDwell | cueCompany | cueBy | cueWith | cueAnd | cueFrom | cuePlacePrep | cueSex | cueKin |
		cueWork | cueSeen | cueNamed | cuePossessive | cueDuration | cueStreet | cueReach | cueStaffTitle
	return !v.is(j, never) && !(v.is(j, cueFacility) && !v.equal(j, "care"))
}

// thingNoun tells what diseases, instruments, scales and the like are: of the cues, or
// of more words, or by how it ends.
func (v *vocabulary) thingNoun(j int) bool {
	return v.is(j, cueEponymNoun|cueEponymSure) || v.ownThing(j)
}

// ownThing tells things that nobody has or does: "formula", "agar", "bunionectomy".
// "Rodriguez exam" is an examination of Rodriguez, "Rodriguez agar" is an agar.
func (v *vocabulary) ownThing(j int) bool {
	if !v.word(j) {
		return false
	}
	w := strings.ToLower(v.str(j))
	if thingNouns[w] {
		return true
	}
	if len(w) < 8 {
		return false
	}
	for _, end := range thingEnds {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// thingEnds are how names of operations and diseases end.
var thingEnds = [...]string{"ectomy", "otomy", "ostomy", "plasty", "orrhaphy", "opexy", "odesis", "itis", "iasis", "osis", "plasmosis", "opathy", "megaly", "penia", "myoclonus", "spasm", "oma", "plegia", "emia"}

// stuff tells food, plants, animals and materials, which are called after places and by
// words that are first names, too: "Chile peppers", "Holly berries".
func (v *vocabulary) stuff(j int) bool { return v.word(j) && stuffNouns[strings.ToLower(v.str(j))] }

// testNoun tells what eponyms that are usual names stand before.
func (v *vocabulary) testNoun(j int) bool {
	return v.is(j, cueEponymNoun) && !v.equal(j, "exam") && !v.equal(j, "examination") && !v.equal(j+1, "result") && !v.equal(j+1, "results")
}

// usualEponym tells a name that many people bear and that is known from signs, tests
// and operations, too.
func (v *vocabulary) usualEponym(i int) bool {
	return v.word(i) && usualEponyms[strings.ToLower(v.str(i))]
}

// thingNouns are further nouns of things that are called after people and places.
var thingNouns = wordSet(`formula formulas formulae equation equations nomogram algorithm calculator stage staging grade grading rule rules guideline
guidelines consensus statement declaration convention system classification category categories criterion criteria model checklist
questionnaire inventory scale scales score index task pathway battery interview screening screener instrument rating
worm worms fluke tick mite flu influenza measles mumps rubella pox scabies rash itch boil boils sore sores fever fevers plague leprosy mold
cell cells antigen antigens antibody agar medium broth blot stain staining assay assays titer reagent compound spiral spirals crystals
granules inclusion inclusions corpuscle corpuscles rod filament filaments factor phage toxin virus viruses strain bacillus
flap flaps graft stitch knot suture sutures repair osteotomy bunionectomy anastomosis pouch conduit interposition
catheter catheters tube tubes drain drains clamp forceps retractor speculum cannula needle hook blade rongeur elevator curette trocar
stent valve pump mattress bandage dressing collar orthosis splint brace sling frame tongs halo crutch crutches stocking stockings prosthesis
sign reflex phenomenon triad tetrad pentad law effect maneuver manoeuvre syndrome disease palsy paralysis dystrophy ataxia chorea
lymphoma sarcoma carcinoma tumor tumour nevus node nodes nodule nodules ulcer contracture deformity crease creases edema oedema aphasia
angle line lines plane ratio curve triangle canal duct gland ligament fascia foramen fossa sinus sulcus gyrus nucleus fissure membrane
muscle fibers fibres bundle loop islets patches plexus
nephrosis nephropathy encephalitis encephalopathy hepatitis porphyria purpura anemia anaemia thalassemia amyloidosis cardiomyopathy
neuropathy hemoglobin haemoglobin deficiency haplotype mutation variant allele mycetoma trypanosomiasis
cohort profile measure resurfacing rinse tool agent phenotype pill reimplant cushion wart warts angina gangrene pupil pupils
stimulation acupuncture massage diet paradox hypothesis theorem chart charts`)

// looseNouns are too common behind a place where somebody lives, or is seen, to make
// a thing of it: "Boston exam".
var looseNouns = wordSet(`exam examination examinations fall risk procedure procedures operation operations approach study trial light red
line lines point card outcome class type position sequence place test tests assessment resection implant phase program
system statement conduit effect loop`)

// bodyNouns are parts of the body that diseases and instruments called after places end in.
var bodyNouns = wordSet(`ear ears eye eyes foot feet hand hands shoulder hip knee elbow wrist ankle arm arms leg legs finger fingers toe toes heart
kidney lung liver spleen bone bones vein artery nose tongue lip face head neck jaw tooth teeth skin hair nail nails wart warts retina cornea
muscle joint spine blood`)

// peopleNouns are said of those who come from a country, and of what is theirs.
var peopleNouns = wordSet(`descent origin heritage ancestry born national nationals citizen citizens immigrant immigrants refugee refugees
speaking speaker interpreter translator language background family native person people patient couple community embassy consulate army
navy church restaurant passport hospital clinic school university resident residents area border coast trip tourist student students`)

var stuffNouns = wordSet(`pig pigs hen hens dog dogs cat cats bird birds horse horses parrot parrots
pepper peppers bean beans pea peas nut nuts sprout sprouts berry berries apple apples cherry cherries plum plums leaf leaves seed seeds root
roots bark flower flowers bush bushes tree trees ivy lily lilies oak cactus grass moss
oil oils tea coffee wine beer whiskey cheese bread toast sauce salad soup stew pie cake cookie cookies candy candies juice syrup honey
dish dishes cup cups bowl bowls plate plates glass glassware doll dolls carpet rug rugs blanket blankets lamp lamps clay
gown gowns hat hats cap shoe shoes boot boots goat goats ant ants bug bugs moth moths plant plants pollen crab crabs shrimp fish trout sole sausage
sausages sandwich cracker crackers cheesecake almond almonds chips bread petals showers heat
dust powder wool cotton silk lace leather rubber`)

// usualEponyms are known from signs, tests and operations, and are names of many.
var usualEponyms = wordSet(`adams addison adson allen allis apley barlow beck bell bennett billroth boas bouchard bowen brown burns byrd carey carnett
clark clarke cozen craig cullen ely finkelstein friedreich froment gaenslen gillette gordon grey hall hamman harris hawkins heberden
henoch hill hippocrates hoffman hoffmann homans hughes hunter jackson james jobe jones joffroy keller kelly kemp kennedy lachman lambert
larsen lewis lloyd ludington martin maudsley mcmurray meyer miller mills mueller murphy neer nelson noble o'brien ober osborne
parker patrick paul phalen phillips rivero roberts roos schiller simmonds simmons simon slocum speed stewart straight taylor thomas
thompson thomson tinel turner valentine wallace wartenberg watson weber wells wilson wright yeoman yergason young`)
