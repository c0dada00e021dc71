package ensemble

import (
	"strings"
	"sync"
)

// cue is a set of roles that a word can play in telling what stands beside it.
type cue uint64

// The roles of cue words.
const (
	cueDoctorTitle cue = 1 << iota // Dr, Prof: before names of staff
	cuePersonTitle                 // Mr, Ms: before names of patients and relatives
	cueStaffTitle                  // nurse, officer: before names, when these have a capital
	cueCredential                  // MD, RN: after names
	cueWeakCred                    // MA, PA, DO: after names, and much else
	cueSigning                     // signed, dictated: before "by" and a name
	cuePatientTag                  // "Patient:", "Name:"
	cueStaffTag                    // "Attending:", "cc:"
	cueKin                         // wife, friend
	cueReach                       // called, paged: before names
	cueMeet                        // discussed, lives: before "with" and a name
	cueGreeting                    // dear, hi, thanks
	cueSubjectVerb                 // is, denies: after the name of a patient
	cueParticle                    // van, de: inside names
	cueSuffix                      // Jr, III
	cueBy
	cueWith
	cueIs
	cueNamed // named, called, alias
	cuePossessive
	cueAnd
	cueFrom
	cuePlacePrep  // in, at, to, near
	cueDwell      // lives, moved, born: before a preposition and a place
	cueFacility   // hospital, clinic, pharmacy: ends names of facilities
	cueFacilityIn // medical, general, memorial: inside names of facilities, never enough alone
	cueInstitute  // memorial, university: makes a facility's name one of its own
	cueCompany    // Inc, university, school: ends names of organisations
	cueWork       // works, employed: before at/for/by and an employer
	cueRoom       // room, suite: before a number
	cueSex        // male, woman
	cueRace       // caucasian: not a country
	cueEponymNoun // disease, score, catheter: after eponyms
	cueGroupNoun  // group, club: before "called" and an organisation
	cueRetired    // retired, former: before an occupation
	cueStop       // never part of a name
	cueCare       // attendant, aide: after the name of an agency
	cueHome       // admitted, transferred: before a facility's short name
	cueSocial     // occupation, profession: before ":" and an occupation
	cueArticle
	cueBaby       // baby, newborn: before a surname
	cuePlaceTop   // port, lake, north: begins towns
	cueSchool     // middle, high: before "school"
	cueSeen       // seen, referred: before "by" and a name
	cueDose       // mg, units: after numbers behind drugs
	cueFill       // filled, sent: before "at" or "to" and a pharmacy
	cueAttend     // attends: before a club or a school
	cueEmployer   // employer, school: before ":" and an organisation
	cueProcedure  // procedure, protocol: before ":" and eponyms
	cueDrugUse    // continue, samples of: before drugs
	cueTypist     // technologist, typist: before ":" and initials
	cueLetter     // note, order: before "for" or "to" and an organisation
	cueGeo        // river, heights: after names of places
	cueStreet     // street, lane: no name of a town, and rarely of a person
	cueEponymSure // disease, score: what no person has by name
	cueNotJob     // smoker, historian: nouns like those of occupations
	cueDuration   // hours, days: what "bed 2" is followed by in "in bed 2 days"
)

// cueWords lists the words of each role, folded.
var cueWords = []struct {
	role  cue
	words string
}{
	{cueDoctorTitle, "dr drs doctor doctors prof professor"},
	{cuePersonTitle, "mr mrs ms miss mister messrs mx madam mme sir"},
	{cueStaffTitle, "attending surgeon dentist dietitian psychologist nurse officer sergeant sgt captain capt lieutenant lt detective pastor reverend rev rabbi imam chaplain deacon judge coach counselor therapist pharmacist resident intern fellow hospitalist midwife technician tech paramedic secretary receptionist manager coordinator attorney principal np rn pa lpn cna crna"},
	{cueCredential, "md rn np phd dds dmd dpm lpn lvn crna fnp arnp aprn lcsw licsw msw pharmd rph cna bsn msn dnp mbbs mbchb frcp facs facp facc faap psyd dvm dpt otr lmft lmhc cnm cnp agnp pac rrt cma mph esq rdcs ccrn"},
	{cueWeakCred, "do pa ma ms pt ot od rd slp dc cns mb bs ba ccc"},
	{cueSigning, "signed dictated transcribed authenticated cosigned verified reviewed authored electronically interpreted prepared approved entered edited typed witnessed submitted attested finalized"},
	{cuePatientTag, "patient pt name names re client member mother father spouse guardian guarantor subscriber contact caller customer consumer user beneficiary policyholder proxy"},
	{cueStaffTag, "attending physician provider surgeon surgeons pcp referring consultant author resident radiologist pathologist cardiologist anesthesiologist assistant assistants cc dictator dictating transcriptionist nurse doctor md clinician practitioner examiner agent therapist ordering admitting oncologist cosigner reviewer interpreter attn technologist typist interpreting initials endoscopist neurologist urologist psychiatrist fellow intern act sender recipient from to copy"},
	{cueKin, "wife husband spouse partner son sons daughter daughters mother father mom mommy dad daddy mum brother brothers sister sisters aunt uncle niece nephew cousin grandson granddaughter grandmother grandfather grandma grandpa friend fiance fiancee girlfriend boyfriend roommate neighbor caregiver guardian stepson stepdaughter stepmother stepfather twin twins sibling siblings child children kids parents law proxy caretaker"},
	{cueReach, "telephoned rang called paged notified contacted informed told asked phoned texted emailed per attn thanked advised met introduced asking telling reached call calling page notify contact"},
	{cueMeet, "discussed spoke speak speaking spoken talked talk talking met meeting consulted reviewed appointment appt visit lives living lived live stays resides conversation conferred seen followup follow conference communicated married here rounded staffed"},
	{cueGreeting, "dear hi hello hey thanks thx best thank bye goodbye sincerely regards morning afternoon evening ok okay alright welcome sorry well yes"},
	{cueSubjectVerb, "is was has had denies denied reports reported states stated says said lives lived came presents presented went will called did does wants wanted feels felt appears appeared complains needs takes took remains continues tolerated received underwent returned returns admits walked ate slept looks seems agreed understands brought gets got thinks asked notes noted tells told"},
	{cueParticle, "van von der den de la del della di da dos das du le los las el al bin ibn ben st ter ten abu ap mac san santa saint"},
	{cueSuffix, "jr sr ii iii iv"},
	{cueBy, "by"},
	{cueWith, "with w"},
	{cueIs, "is was"},
	{cueNamed, "named called nicknamed alias aka nee goes"},
	{cuePossessive, "his her their my your our patients pts s the"},
	{cueAnd, "and or"},
	{cueFrom, "from"},
	{cuePlacePrep, "in at to near outside around into through"},
	{cueDwell, "lives live lived living resides resided residing moved moving relocated born raised grew visiting visited visit travel traveled travelled traveling travelling trip trips flew immigrated emigrated originally native vacation returned arrived hometown family relatives drove driving home house back"},
	{cueFacility, "hospital hospitals hosp clinic clinics infirmary rehab rehabilitation pharmacy pharmacies rx hospice center centre centers ctr manor nursing va vamc er ed icu healthcare health institute sanatorium lodge drugs drugstore apothecary dialysis snf medical general campus building pavilion tower hall memorial care surgicenter drug laboratory laboratories labs imaging radiology orthopedics pediatrics oncology associates practice"},
	{cueFacilityIn, "medical med general regional community county memorial university childrens children s veterans va affairs administration health care healthcare nursing home homes cancer heart surgery surgical center centre ctr convalescent skilled living assisted senior urgent outpatient group system systems services service facility hospital clinic family practice associates physicians specialty specialties institute rehab rehabilitation behavioral womens and of the for primary north south east west northwest southwest northeast southeast upper lower retirement village villa place house memory dental eye foundation research partners plaza pharmacy pavilion tower building campus hall network treatment physical therapy sports medicine wellness dialysis kidney drug store rx orthopedic"},
	{cueInstitute, "memorial university children childrens county mercy providence baptist methodist lutheran presbyterian adventist episcopal jewish catholic saint st sacred good holy blessed lady veterans deaconess shriners kaiser"},
	{cueCompany, "incorporated llp plc gmbh consulting holdings solutions technologies ventures logistics foods steel press construction manufacturing motors diner cafe restaurant ymca ywca montessori kindergarten preschool daycare inc llc corp corporation ltd company university college school academy church bank foundation elementary seminary temple synagogue mosque parish university corporation industries enterprises brothers motors airlines airways insurance district freight bros church club lodge league"},
	{cueWork, "works worked working work employed employee employer job formerly previously retired employment career"},
	{cueRoom, "room rm suite ste bldg building ward bed bay cubicle locker isolette crib cubby pod incubator stall"},
	{cueSex, "male female man woman gentleman lady boy girl m f"},
	{cueRace, "caucasian hispanic african white black asian latino latina american native pacific islander indian biracial"},
	{cueEponymNoun, "disease diseases syndrome syndromes sign signs score scores scale scales catheter catheters test tests criteria criterion class classification tube tubes drain drains maneuver maneuvers procedure procedures fracture fractures stage staging index grade grading lymphoma sarcoma tumor reflex phenomenon palsy body bodies esophagus contracture thyroiditis anemia hernia cyst cysts node nodes nodule nodules canal tendon retractor retractors forceps clamp clamps needle suture sutures bag stent stents valve valves stocking stockings collar splint cast boot brace position incision approach technique method formula equation stain agar fever virus cell cells ulcer duct gland ligament patch wire wires pin pins plate plates screw screws rod rods blade scissors monitor pump filter shunt loop ring sarcomas dementia chorea ataxia deformity arthropathy line lines space pouch triad law angle point phase pulse murmur breathing respirations respiration coma outcome fall risk inventory questionnaire exam examination examinations assessment knot elevator rongeur curette speculum scope laryngoscope blades osteotomy arthroplasty prosthesis implant repair operation anastomosis resection gastrectomy lobe nerve ganglion plexus membrane capsule crystals factor antigen antibody titer vaccine agglutination sarcomatosis melanoma carcinoma neuroma nephropathy purpura granulomatosis glomerulonephritis cardiomyopathy hepatitis cirrhosis colitis encephalopathy encephalitis neuropathy paralysis lesion spots spot papule erythema pneumonia pneumonitis malformation anomaly thoracotomy thermia drip solution ringer diet protocol regimen trial study theorem chart charts card lens lamp light red stain stains bengal contractions osteotome osteotomes dissector dilator dilators balloon balloons cannula cannulas gag dynamometer instrument instruments instrumentation guidewire sheath trocar sponge dressing basket snare probe hook awl reamer drill burr chisel gouge hemostat applicator stapler mesh graft sling anchor anchors cage spacer tourniquet bovie cautery laser microscope endoscope bronchoscope cystoscope ureteroscope resectoscope pegboard bars knot nevus circle tetralogy type sequence stirrups vacuum silk triangle crypts islets bundle foramen fascia jeans"},
	{cueGroupNoun, "group club company organization organisation program agency firm business band team place facility"},
	{cueRetired, "retired former ex"},
	{cueStop, "the a an and or of in on at to for with by he she it his her him we they you i patient patients pt pts this that these those there was were is are be been has have had do does did not no none yes if then when while as from unknown unremarkable normal stable none noted sees saw please phone fax date dob mrn sex age address number note notes history reason diagnosis allergies medications review system chief complaint exam hospital clinic department emergency who what which where why how today tomorrow yesterday male female apt suite"},
	{cueCare, "attendant aide aides attendants caregiver caregivers staff worker workers driver employee employees representative rep nurse nurses"},
	{cueHome, "admitted transferred transfer hospitalized seen presented evaluated treated followed discharged referred surgery admission care brought taken records treatment stay outside"},
	{cueSocial, "occupation profession job employment vocation work occupational"},
	{cueArticle, "a an the"},
	{cueBaby, "baby infant newborn babyboy babygirl bb bg twin triplet"},
	{cueNotJob, "smoker historian runner walker swimmer gymnast candidate carrier boarder drinker user sleeper eater reader drummer singer over under server bearer child adult patient patients passenger rider player witness home employee resident mine community"},
	{cuePlaceTop, "port lake fort ft mount mt north south east west new saint st point glen upper lower old cape isle"},
	{cueSchool, "middle high elementary junior senior primary secondary public charter state technical community preparatory prep law medical nursing grammar"},
	{cueSeen, "seen evaluated examined referred followed managed treated performed accompanied attended assisted interviewed admitted discharged called contacted ordered prescribed recommended requested brought joined taken witnessed notified informed administered supervised cared scheduled done read"},
	{cueDose, "mg mcg g gm ml cc units unit tablet tablets tab tabs puffs puff meq iu percent capsule capsules drops mm cm"},
	{cueFill, "filled refilled refill sent faxed fax dispensed escribed prescribed pickup pharmacy letter"},
	{cueAttend, "attends attended joined volunteers coaches coached volunteered"},
	{cueEmployer, "employer school church company workplace pharmacy"},
	{cueGeo, "river lake bay beach park island islands mountain mountains canyon falls heights springs valley world airport bridge harbor grove hills village city township bluff creek ridge junction district province region reservoir forest peninsula"},
	{cueStreet, "street st road rd avenue ave drive dr lane ln boulevard blvd court ct highway hwy parkway pkwy terrace circle"},
	{cueEponymSure, "disease syndrome sign score scores scale criteria classification catheter coma maneuver reflex phenomenon palsy body bodies lymphoma sarcoma contracture thyroiditis forceps clamp retractor drain cannula dilator dilators stain index incision fever"},
	{cueProcedure, "procedure procedures protocol performed operation operations medications medication drains diagnosis implants"},
	{cueDrugUse, "continue continued discontinue discontinued start started stop stopped trying tried use used using take takes took taking samples sample dose doses tablets prescribed given gave apply applied interrupted application"},
	{cueTypist, "technologist tech typist transcriptionist dictator initials nurse rn"},
	{cueLetter, "note letter letters form forms order orders excused excuse exposed dinner lunch paperwork application"},
	{cueDuration, "hour hours hr hrs day days minute minutes min week weeks times x weeks months years"},
}

var cueTable = sync.OnceValue(func() map[string]cue {
	m := make(map[string]cue, 1500)
	for _, c := range cueWords {
		for w := range strings.FieldsSeq(c.words) {
			m[w] |= c.role
		}
	}
	return m
})
