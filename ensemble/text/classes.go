package text

import (
	"strconv"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/spelled"
)

// Classes are the classes of words that exact rules distinguish.
type Classes uint64

// The classes of words.
const (
	IsMonth       Classes = 1 << iota
	IsDoubtful            // a month or weekday that is also a word or a name: "may", "jan"
	IsWeekday             // in full
	IsShortDay            // "mon", "thurs"
	IsOrdinal             // st, nd, rd, th
	IsHalfDay             // am, pm
	IsUnit                // follows a quantity
	IsNoun                // what is counted or graded: "tablets", "strength"
	IsPrep                // on, since, until, …
	IsIn                  // in
	IsOf                  // of
	IsThe                 // the
	IsDateCue             // dated, seen, admitted, …
	IsSeason              // summer
	IsHoliday             // Christmas
	IsYearUnit            // year, yrs, y
	IsDayUnit             // months, weeks, days, hours and their short forms
	IsOld                 // old, age
	IsSex                 // male, woman, boy
	IsSexLetter           // m, f, and the letters of age, race and sex: rhm, wf
	IsAgeCue              // age, aged, turned
	IsLifeEvent           // died, stroke, diagnosed
	IsPossessive          // his, her, their
	IsPartOf              // early, mid, late
	IsLast                // last, this, next
	IsNumWord             // twenty, five; val is its value
	IsFill                // what may stand between a label and its value
	IsCompass             // n, north, sw
	IsStreet              // street, ave, and their short forms
	IsPlainStreet         // a street word that is hardly anything else
	IsWay                 // highway, route, road: a number follows
	IsApart               // apt, suite, unit
	IsState               // a state's name of one word or its abbreviation
	IsScore               // what goes before a score, a ratio or a level: gcs, apgar, bp
	IsGraded              // what follows a score or a fraction: strength, murmur
	IsTopDomain           // com, org
	IsContact             // phone, call, fax, pager
	IsKin                 // mother, sons
	IsConjunction         // and, but, when: may follow a year or an age
	IsStaff               // provider, physician
	IsStreetFirst         // calle, avenida: begins the name of a street
	IsPerson              // varón, mujer: an age follows "de"
	IsScheme              // http, https
	IsDoL                 // dol
	IsVital               // hr, sats: numbers near it are measurements
	IsAt                  // at
	IsDayName             // the first word of a holiday that ends in Day, Eve, …
	IsDayWord             // day, eve, friday: the last word of such a holiday
	IsLine                // office, home, cell: says after a number whose it is
	IsSpelledDay          // first, twentieth: the last word of an ordinal
	IsSaidDigit           // five, oh, seventy, double: a digit or two, said
)

// Label is what a word announces.
type Label uint8

// The labels.
const (
	NoLabel Label = iota
	LabelPhone
	LabelFax
	LabelPager
	LabelExt
	LabelSSN
	LabelMRN
	LabelPlan
	LabelAccount
	LabelLicense
	LabelVehicle
	LabelDevice
	LabelBio
	LabelID
	LabelZip
	LabelIP
	LabelAddress
	LabelEmail
	LabelUser // a login or the initials of who signed
	LabelCode // announces a code that identifies no person: ICD, CPT, LOINC
	LabelBox  // p.o. box
)

// A vocabulary line is a class of words; "word:5" gives a word the value 5.
var classWords = []struct {
	bits  Classes
	words string
}{
	{IsMonth, `january:1 february:2 march:3 april:4 may:5 june:6 july:7 august:8 september:9 october:10 november:11
		december:12 jan:1 feb:2 mar:3 apr:4 jun:6 jul:7 aug:8 sep:9 sept:9 oct:10 nov:11 dec:12 febuary:2 feburary:2
		janurary:1 spetember:9 ocotber:10 novemeber:11 decemeber:12 enero:1 febrero:2 marzo:3 abril:4 mayo:5 junio:6
		julio:7 agosto:8 septiembre:9 setiembre:9 octubre:10 noviembre:11 diciembre:12`},
	{IsDoubtful, `may march mar dec jan apr jun sep april june august mayo marzo junio julio abril sun sat wed mon`},
	{IsWeekday, `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
		fridays saturdays sundays`},
	{IsShortDay, `mon tue tues wed weds thu thur thurs fri sat sun`},
	{IsOrdinal, `st nd rd th`},
	{IsHalfDay, `am pm hrs hr hours hour a p h`},
	{IsUnit, `mg mcg ug g gm gms gram grams kg kgs lb lbs pound pounds oz ounces ml mls cc ccs l liter liters dl cl mm cm m
		meq mmol mol nmol umol miu iu u units unit mmhg bpm fr french gauge ga hz khz mhz kcal cal cals calorie calories
		joules watts kv ma cgy gy rad rads f c degrees ft feet foot inch inches in yards meters mets percent pct ppm ng pg
		fl cells copies cu wpm gtt drops puffs min mins minute minutes sec secs seconds s msec ms hours hour hr hrs mph
		lpm lites litre litres x per dollars cents pixels mbq mci kda bp kb mosm cfu `},
	{IsNoun, `catheter sheath foley drain tube needle stent tablets tablet tabs tab capsules capsule caps cap pills pill
		doses dose times time packs pack ppd beers drinks
		cigarettes children siblings kids sons daughters brothers sisters vessels leads lymph nodes beats episodes
		stitches staples sutures cups cup teaspoons teaspoon tsp tbsp tablespoons refills visits sessions steps stairs
		flights blocks miles pillows pillow people patients points grams fractions cycles rounds bottles cans samples
		views view vein days day weeks week months month years year yrs yr mos wks nights ada diet cal sheets percentile
		rib ribs toe finger metatarsal metacarpal digit intercostal lumbar cervical thoracic vertebra cranial nerve
		ventricle grade floor degree trimester edition generation line stage heart sound molar space interspace hospital
		postoperative pod dorsal ray web mtp pip branch portion parity pregnancy child interspaces attempt largest`},
	{IsPrep, `on since until till til thru through from by before after between around circa approximately approx dated
		about to prior effective starting beginning ending`},
	{IsIn, `in during en`},
	{IsOf, `of de del`},
	{IsThe, `the el`},
	{IsDateCue, `date dated dates dob born seen admitted admission admit discharged discharge dc adm due visit visited exam
		examined performed obtained collected drawn signed dictated transcribed received reviewed started began ended
		stopped last sent faxed called scheduled appointment appt follow followup fu lmp edd edc expiration exp expires
		expiring doa dod dos doi dot dop onset updated revised printed entered completed ordered filled refilled echo cath
		mri ct xray cxr ekg ecg mammogram colonoscopy pap biopsy surgery labs lab egd eeg emg us ultrasound angiogram dxd
		diagnosed dd dt td given rounds rtc began talked reply replied requested spoke fell woke noted placed hospitalized
		incarcerated stationed veteran graduated immigrated administered vaccinated immunized expired died deceased
		deadline effective as`},
	{IsSeason, `spring summer autumn winter fall`},
	{IsHoliday, `christmas thanksgiving easter halloween hanukkah chanukah passover ramadan xmas kwanzaa juneteenth diwali
		epiphany purim lent mardi navidad`},
	{IsYearUnit, `año años year years yr yrs yo y yoa`},
	{IsDayUnit, `month months mo mos week weeks wk wks day days hour hours mth mths`},
	{IsOld, `old age edad años`},
	{IsSex, `male female man woman gentleman lady boy girl gal guy males females yof yom caucasian hispanic
		infant baby toddler teenager adolescent child black white asian`},
	{IsSexLetter, `m f rhm rhf lhm lhf wm wf bm bf hm hf am af rhwm rhwf rhbm rhbf lhwm lhwf rhaf rham yom yof yf ym`},
	{IsAgeCue, `age aged ages turned turns turning turn edad`},
	{IsLifeEvent, `died death dead deceased expired passed away stroke mi cva cancer ca cad diagnosed dx menopause menarche
		onset hysterectomy menses retired married tia cabg breast colon prostate lung infarction attack leukemia lymphoma
		dementia dm diabetes alive well suicide accident`},
	{IsPossessive, `his her their my your hers`},
	{IsSpelledDay, strings.Join(spelled.OrdinalWords(), " ")},
	{IsSaidDigit, strings.Join(spelled.DigitWords(), " ")},
	{IsPartOf, `early mid late middle`},
	{IsLast, `last this next past each every previous following coming`},
	{IsNumWord, `one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13
		fourteen:14 fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fourty:40
		fifty:50 sixty:60 seventy:70 eighty:80 ninety:90`},
	{IsFill, `number numbers no num nr nbr is was are of the id ids code at on to by with w for his her my your their this
		patient patients pt pts identifier questions question concerns any if please me us him them be reached via and or
		value ending ends last four digits reads reading as listed her home work office direct main toll free daytime
		evening after hours name key issued by card record records report document type medical serial model lot rec rcd`},
	{IsCompass, `n s e w ne nw se sw north south east west northeast northwest southeast southwest`},
	{IsStreet, `street st str avenue ave av boulevard blvd road rd lane ln drive dr court ct circle cir place pl terrace
		ter terr parkway pkwy pky highway hwy trail trl way square sq plaza plz alley aly loop crossing xing bend cove cv
		creek crk crescent cres esplanade expressway expy extension freeway fwy garden gardens gdns gate glen grove grv
		heights hts hill hills hollow island isle junction jct key knoll knolls lake lakes landing lndg manor mnr meadow
		meadows mdws mews mill mills mission motorway mount mountain neck orchard oval park pass path pike pine pines plain
		plains point points port prairie ramp ranch rapids rest ridge rdg river row run shoal shore shores skyway spring
		springs spur spurs station stream summit throughway trace track trafficway tunnel turnpike tpke underpass union
		unions valley viaduct via village villages vista walk wall ways well wells wharf close parade quay rise vale view
		views hollow harbor harbors harbour haven fork forks forge fort forest flat flats fields field ferry falls estate
		estates divide dam dale curve corner corners common commons cliff cliffs club causeway cape canyon camp bypass burg
		brooks brook bridge branch bottom bluff bluffs beach bayou arcade annex mountains bends cape greens green islands
		light lights lock locks lodge parks squares trails turn unions viaduct mall lodge keys inlet groves drives courts
		crossroad crossroads circles centers center calle rue via`},
	{IsPlainStreet, `street avenue ave boulevard blvd road rd lane ln parkway pkwy highway hwy turnpike drive terrace court`},
	{IsWay, `rd highway hwy route rt rte road interstate`},
	{IsApart, `apt apartment suite ste unit room rm floor fl bldg building lot trlr trailer no`},
	{IsState, `al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok
		or pa ri sc sd tn tx ut vt va wa wv wi wy dc pr vi gu as mp fm pw mh aa ae ap alabama alaska arizona arkansas
		california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky
		louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio
		oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming mass penn nsw vic
		qld tas act nt sa on qc bc ab mb sk nb pe hampshire jersey mexico york carolina dakota island columbia`},
	{IsScore, `pupils pupil gcs apgar apgars bp score scores scored scale asa nyha class grade graded stage pain rated
		rates strength motor
		power murmur reflexes reflex dtrs dtr pulses pulse vision va od os ou ratio titer fev ef braden morse tinetti berg
		epworth katz barthel mmse moca
		phq gad kps ecog karnofsky perrla oriented orientation ppd para gravida hpf lpf iop snellen muscle sem station
		norton nihss icdsc cam rass level levels l c t s bishop crackles edema`},
	{IsGraded, `strength murmur tablet tab pain power reflexes systolic out normal pack ppd cup inch tsp bilaterally
		throughout teaspoon tablespoon diastolic sem dose cups ejection pulses motor muscle edema points point items
		criteria criterion positive symmetric in-flow plantar dorsiflexion grip hpf sites cores nodes vision lb lbs
		pitting bilateral intact both extremities upper lower questions episodes quadrants correct words objects
		recall daily bid tid qid qhs qam qpm po once twice every q`},
	{IsTopDomain, `com org net edu gov mil info biz uk au ca de us io co nz ie fr ch se be nl hu cy eu test local
		example es it pt br mx ar cl pl ru cn jp kr za tr gr dk fi cz`},
	{IsAt, `at`},
	{IsDayName, `new labor memorial independence veterans valentine valentines mother mothers father fathers columbus
		presidents boxing anzac australia groundhog election good ash palm patrick patricks mlk`},
	{IsDayWord, `day eve year years friday wednesday sunday`},
	{IsLine, `office home cell mobile work fax phone pager cellular beeper h c w o tel voicemail`},
	{IsKin, `mother father brother sister son daughter wife husband grandmother grandfather aunt uncle mom dad spouse
		partner neighbor friend roommate cousin niece nephew sibling mgm mgf pgm pgf granddaughter grandson`},
	{IsConjunction, `and but when with for by at`},
	{IsStaff, `provider physician doctor attending surgeon radiologist clinician md np pa resident`},
	{IsStreetFirst, `calle avenida avda av paseo carretera ronda`},
	{IsPerson, `varon varón mujer hombre paciente niño niña edad lactante`},
	{IsScheme, `http https ftp sftp www`},
	{IsDoL, `dol day`},
	{IsVital, `dlp ck cpk bnp ldh alt ast lipase amylase ferritin tsh psa ggt rbc plt hr bp sbp dbp sat sats saturation
		saturations o2 spo2 rate rates pulse temp temperature temps pressure pressures
		glucose sugars sugar bg fsbs ef wbc hct plts platelets weight bs inr bun hgb crit systolic systolics diastolic
		diastolics map heart respiratory rr`},
	{IsContact, `call calls calling phone tel telephone cell mobile contact reach reached beeper pager page fax text number`},
}

// A label announces a value of so many digits at least.
var labelWords = []struct {
	label Label
	least uint8
	words string
}{
	{LabelPhone, 5, `phone tel telephone ph cell cellular mobile cellphone call calls called calling callback contact reach
		reached voicemail hotline dial dialing phones landline whatsapp answering sms telefono teléfono tfno tlf móvil
		movil celular`},
	{LabelFax, 5, `fax facsimile faxed telefax`},
	{LabelPager, 3, `pager beeper pgr bpr pagers beepers paged`},
	{LabelPager, 4, `page`},
	{LabelExt, 3, `ext extension extn`},
	{LabelSSN, 4, `ssn ss social ssns nss`},
	{LabelMRN, 3, `mrn mrno mrns medrec mpi empi umrn pmrn hrn nhs nhc cipa`},
	{LabelMRN, 4, `chart record med unit mr mc hospital pid uhid mrd`},
	{LabelPlan, 4, `policy member membership subscriber insurance medicare medicaid hicn hic beneficiary payer payor hpbn hpb
		hpid mbi nass group grp insured cobra bcbs aetna cigna humana kaiser tricare medi`},
	{LabelPlan, 6, `plan`},
	{LabelAccount, 4, `account acct accounts acc billing invoice iban bank routing guarantor acctno acn receipt transaction
		visa mastercard amex csn`},
	{LabelLicense, 4, `license licence lic dea npi driver drivers licensure certificate cert passport upin nºcol ncol colegiado`},
	{LabelVehicle, 3, `vin plate plates vehicle registration rego`},
	{LabelDevice, 3, `serial sn lot model device udi imei imsi pacemaker icd ref catalog implant gtin batch meid`},
	{LabelBio, 3, `fingerprint retina retinal iris biometric voiceprint faceprint bio photo photograph img dsc dscn`},
	{LabelID, 3, `id study subject participant protocol accession specimen order orders requisition case encounter visit
		document job escription dictation transcription ticket reference confirmation claim rx prescription authorization
		auth identification identifier employee badge fin har sample pathology cytology report confirmed barcode
		cid did uid doc tracking referral enrollment pin number wo number radiology exam study
		ordernumber conf`},
	{LabelZip, 4, `zip zipcode postcode postal plz`},
	{LabelIP, 4, `ip ipv4 ipaddress`},
	{LabelAddress, 1, `address addr lives resides residing living residence located residency home domicile moved`},
	{LabelEmail, 1, `email mail emails gmail`},
	{LabelUser, 2, `username login userid signed initials verified cosigned logon`},
	{LabelCode, 1, `icd9 icd10 cpt cpt4 loinc snomed snomedct ndf ndfrt unii ndc rxnorm hcpcs cvx drg code codes cas icd
		ccs rxcui clia hgvs nct pmid doi
		isbn`},
	{LabelBox, 1, `box pobox`},
}

// vocabulary returns the vocabulary of exact rules.
var vocabulary = sync.OnceValue(func() *wordTable {
	words := map[string]Mark{}
	for _, class := range classWords {
		for _, w := range strings.Fields(class.words) {
			word, val, hasVal := strings.Cut(w, ":")
			m := words[word]
			m.Classes |= class.bits
			if n, err := strconv.Atoi(val); hasVal && err == nil {
				m.Number = uint8(n)
			}
			words[word] = m
		}
	}
	for _, l := range labelWords {
		for _, w := range strings.Fields(l.words) {
			m := words[w]
			m.Label = l.label
			if m.Classes&(IsMonth|IsNumWord) == 0 {
				m.Number = l.least
			}
			words[w] = m
		}
	}
	return newWordTable(words)
})
