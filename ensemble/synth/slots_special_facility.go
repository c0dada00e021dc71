package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

var (
	saints = strings.Fields(`Agnes Aloysius Alphonsus Anne Anthony Barnabas Catherine Charles Clare Elizabeth Francis Gabriel Helena
		Hedwig Ignatius James Jerome John Joseph Jude Luke Mark Martha Mary Michael Monica Nicholas Patrick Peter Raphael Rita Rose
		Thomas Theresa Vincent`)
	graces = strings.Split(`Mercy,Providence,Good Samaritan,Sacred Heart,Holy Family,Holy Cross,Bon Secours,Deaconess,Our Lady of Lourdes,
Mount Carmel,Bethany,Emmanuel,Trinity,Good Shepherd,Shalom,Mount Sinai,Beth Israel,Baptist,Methodist,Lutheran,Presbyterian,Grace,Hope,Unity,Adventist`, ",")
	sceneries = strings.Split(`Riverside,Lakeview,Northside,Southside,Westlake,Eastgate,Hillcrest,Highland,Cedar Ridge,Oak Hill,Maple Grove,Elmwood,
Pinecrest,Willow Creek,Birchwood,Sycamore,Magnolia,Aspen Valley,Stonebridge,Harborview,Bayfront,Ocean View,Mountain View,Prairie Ridge,Desert Springs,
Green Valley,Fox Run,Clearwater,Summit,Meadowlands,Three Rivers,Twin Lakes,Valley,Tri-County,North Shore,South Bay,Central,Metro,Gateway,Heritage`, ",")
	knownHospitals = strings.Split(`Mayo Clinic,Mayo,Cleveland Clinic,Johns Hopkins,Hopkins,Mass General,Massachusetts General Hospital,Brigham and Women's,
the Brigham,Beth Israel Deaconess,Cedars-Sinai,Mount Sinai,Bellevue,NYU Langone,Columbia Presbyterian,Stanford,UCSF,UCLA,Duke,Emory,Vanderbilt,
Barnes-Jewish,Northwestern Memorial,Rush,Cook County,Henry Ford,Beaumont,Parkland,Baylor,MD Anderson,Memorial Sloan Kettering,Sloan Kettering,
Dana-Farber,Kaiser,Kaiser Permanente,Scripps,Sharp Memorial,Cottage Hospital,Harborview,Swedish,Virginia Mason,Geisinger,UPMC,Allegheny General,
Temple,Jefferson,Hahnemann,Penn,CHOP,Boston Children's,Texas Children's,Nationwide Children's,Shriners,St. Jude,Walter Reed,Bethesda Naval,Grady,
Tulane,Ochsner,Hennepin County,Regions,Abbott Northwestern,Froedtert,Sanford,Avera,Intermountain,Banner,Dignity Health,Sutter,HealthPartners,
Royal Melbourne Hospital,Guy's and St Thomas',Great Ormond Street,Addenbrooke's,Toronto General,Sunnybrook,Princess Margaret,Charité`, ",")
)

// facilityCore begins the name of a facility.
func facilityCore(s *scene) string {
	switch s.rng.IntN(10) {
	case 0, 1, 2:
		return s.h.lists.town(s.rng).City
	case 3, 4:
		return s.h.lists.surname(s.rng, lexicon.White)
	case 5:
		return either(s.rng, "St. ", "St ", "Saint ") + either(s.rng, saints...) + either(s.rng, "", "'s", "'s")
	case 6:
		return strings.TrimSpace(either(s.rng, graces...))
	case 7:
		return either(s.rng, townParts[0]...) + either(s.rng, townParts[1]...)
	default:
		return strings.TrimSpace(either(s.rng, sceneries...))
	}
}

// hospitalName is a hospital as running text calls it: whole, short or by a custom.
func hospitalName(s *scene) string {
	core := facilityCore(s)
	state := stateNames[s.h.lists.town(s.rng).State]
	switch s.rng.IntN(12) {
	case 0, 1:
		return core + " " + either(s.rng, "Hospital", "Medical Center", "General Hospital", "Memorial Hospital", "Regional Medical Center", "Community Hospital", "County Hospital", "District Hospital")
	case 2, 3:
		return core + " " + either(s.rng, "General", "Memorial", "Regional", "Methodist", "Baptist", "Community", "Health", "Medical", "Med Center", "Healthcare", "Health System", "Infirmary", "Presbyterian")
	case 4:
		return either(s.rng, "St. ", "St ", "Saint ") + either(s.rng, saints...) + either(s.rng, "", "'s", "s", "'s Hospital", " Hospital", "'s Medical Center")
	case 5:
		return either(s.rng, knownHospitals...)
	case 6:
		return either(s.rng, "University of "+state+" Hospital", "University of "+state+" Medical Center", state+" State Medical Center", core+" University Hospital", "U of "+initial(state), "University Hospital", state+" University Medical Center")
	case 7:
		return either(s.rng, core+" Children's", "Children's Hospital of "+s.h.lists.town(s.rng).City, core+" Children's Hospital", core+" Women's Hospital", core+" Women and Children's", "Children's")
	case 8:
		return either(s.rng, core+" VA", core+" VAMC", "VA "+s.h.lists.town(s.rng).City, "VA", core+" Veterans Hospital", s.h.lists.town(s.rng).City+" VA Medical Center")
	case 9:
		return core + " " + either(s.rng, "Heart Hospital", "Heart Institute", "Cancer Center", "Cancer Institute", "Eye Institute", "Orthopaedic Hospital", "Spine Center", "Burn Center", "Transplant Center", "Psychiatric Hospital", "Behavioral Health", "Specialty Hospital")
	case 10:
		return strings.TrimSpace(either(s.rng, graces...))
	default:
		return core
	}
}

// hospitalAbbrev is what staff call a hospital among themselves: "SRMH", "OSH" is not.
func hospitalAbbrev(s *scene) string {
	letters := initial(facilityCore(s)) + either(s.rng, "", "", initial(facilityCore(s)))
	known := either(s.rng, "MGH", "BWH", "BIDMC", "UCSF", "UPMC", "NYP", "HUP", "UAB", "UNM", "OHSU", "MUSC", "HCMC", "UMMC", "VUMC", "UTSW", "BMC", "CCF", "JHH", "LAC+USC", "NEMC")
	return either(s.rng, known, letters+"GH", letters+"MC", letters+"H", letters+"MH", letters+"RMC", letters+"CH", "U"+letters+"H", letters+"VA")
}

// facilityOf names a facility of one of the kinds.
func facilityOf(t phi.Type, kinds ...string) func(*scene) {
	return func(s *scene) { s.mark(t, facilityCore(s)+" "+either(s.rng, kinds...)) }
}

func facilitySlots() map[string]func(*scene) {
	hospital := func(s *scene) string {
		if oneIn(s.rng, 9) {
			return hospitalAbbrev(s)
		}
		return hospitalName(s)
	}
	slots := map[string]func(*scene){
		"s.hosp": func(s *scene) { s.markBare(phi.Hospital, strings.TrimSpace(hospital(s))) },
		"s.hosp.full": func(s *scene) {
			s.mark(phi.Hospital, facilityCore(s)+" "+either(s.rng, "Hospital", "Medical Center", "Memorial Hospital", "General Hospital", "Clinic", "Health Center"))
		},
		"s.hosp.abbr": func(s *scene) { s.mark(phi.Hospital, hospitalAbbrev(s)) },
		"s.hosp.core": func(s *scene) { s.mark(phi.Hospital, facilityCore(s)) },
		"s.hosp.the": func(s *scene) {
			s.mark(phi.Hospital, either(s.rng, "General", "Memorial", "Brigham", "VA", "Deaconess", "County", "Methodist", "Infirmary", s.h.lists.town(s.rng).City+" General"))
		},
		"s.hosp.up": func(s *scene) { s.mark(phi.Hospital, strings.ToUpper(strings.TrimSpace(hospitalName(s)))) },
		"s.hosp.lower": func(s *scene) {
			s.mark(phi.Hospital, strings.ToLower(facilityCore(s)+either(s.rng, "", " general", " hosp", " hospital", " rehab", " memorial", " clinic")))
		},
		"s.univhosp": func(s *scene) {
			state := stateNames[s.h.lists.town(s.rng).State]
			s.mark(phi.Hospital, either(s.rng, "University of "+state+" Hospitals", "University of "+state+" Medical Center", "U"+initial(state)+" Med Center", state+" State University Medical Center", s.h.lists.town(s.rng).City+" University Hospital"))
		},
		"s.va": func(s *scene) {
			s.mark(phi.Hospital, s.h.lists.town(s.rng).City+either(s.rng, " VA", " VAMC", " VA Medical Center", " VA Hospital", " VA Clinic", " CBOC"))
		},
		"s.clinic": clinicSlot,
		"s.dialysis": func(s *scene) {
			s.mark(phi.Hospital, either(s.rng, "DaVita "+s.h.lists.town(s.rng).City, "Fresenius "+facilityCore(s), "DaVita", "Fresenius", facilityCore(s)+" Dialysis", facilityCore(s)+" Kidney Center", facilityCore(s)+" Dialysis Center"))
		},
		"s.urgent": func(s *scene) {
			s.mark(phi.Hospital, either(s.rng, facilityCore(s)+" Urgent Care", facilityCore(s)+" Express Care", facilityCore(s)+" Walk-In", "CareNow "+s.h.lists.town(s.rng).City, "MinuteClinic", facilityCore(s)+" Immediate Care", "FastMed "+s.h.lists.town(s.rng).City, "Doctors Express"))
		},
	}
	for name, kinds := range facilityKinds() {
		t := phi.Hospital
		if name == "s.shelter" {
			t = phi.Organization
		}
		slots[name] = facilityOf(t, kinds...)
	}
	return slots
}

func facilityKinds() map[string][]string {
	return map[string][]string{
		"s.nursing": {
			"Nursing Home", "Manor", "Care Center", "Health Care Center", "Village", "Place", "Gardens", "Court", "Estates", "House", "Commons", "Terrace", "Assisted Living",
			"Senior Living", "SNF", "Convalescent Home", "Nursing and Rehab", "Health and Rehabilitation", "Retirement Community", "Rest Home", "Nsg Home", "Skilled Nursing Facility", "Pointe", "Memory Care",
		},
		"s.rehab":     {"rehab", "Rehab", "Rehabilitation Hospital", "Rehab Center", "Rehabilitation Institute", "Recovery Center", "Treatment Center", "Detox", "Ranch", "Recovery", "Acute Rehab"},
		"s.hospice":   {"Hospice", "Hospice House", "Hospice and Palliative Care", "Home Hospice", "VNA", "Visiting Nurses", "Home Care", "Home Health", "Palliative Care"},
		"s.shelter":   {"House", "Shelter", "Mission", "Rescue Mission", "Women's Shelter", "Family Shelter", "Inn", "Homeless Shelter", "Respite"},
		"s.grouphome": {"House", "Group Home", "Residence", "Supported Living", "Halfway House", "Sober House", "Lodge", "Cottage", "Youth Center", "Residential Treatment"},
		"s.surgctr":   {"Surgery Center", "Surgicenter", "Ambulatory Surgery Center", "Endoscopy Center", "ASC", "Same Day Surgery", "Surgical Center", "Cath Lab"},
		"s.imaging":   {"Imaging", "Radiology", "Open MRI", "Diagnostic Imaging", "Imaging Center", "Breast Center", "Labs", "Reference Laboratory", "Sleep Center", "Wound Center", "Infusion Center"},
		"s.psych":     {"Behavioral Health", "Psychiatric Center", "State Hospital", "Mental Health Center", "Counseling Center", "Hospital", "Treatment Center", "Pavilion"},
		"s.practice":  {"Family Medicine", "Internal Medicine", "Cardiology", "Orthopedics", "Pediatrics", "OB/GYN", "Primary Care", "Medical Associates", "Family Practice", "Dental", "Dermatology", "Eye Associates", "Oncology", "GI Associates", "Heart and Vascular", "Pain Clinic", "Physical Therapy", "Medical Group"},
	}
}

func clinicSlot(s *scene) {
	street := either(s.rng, s.h.lists.Streets...) + " " + either(s.rng, "Street", "Avenue", "Road", "St", "Ave")
	s.mark(phi.Hospital, either(s.rng, street+" Clinic", facilityCore(s)+" Clinic", s.h.lists.town(s.rng).City+" Family Health", s.h.lists.town(s.rng).City+" Health Center", street+" Health Center",
		facilityCore(s)+" Community Health Center", "Clinica "+s.h.lists.surname(s.rng, lexicon.Hispanic), s.h.lists.town(s.rng).City+" Coumadin Clinic", facilityCore(s)+" Clinic", "Planned Parenthood of "+s.h.lists.town(s.rng).City))
}
