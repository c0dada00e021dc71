package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// groupForms write employers, schools, churches, agencies, insurers and courts, and
// what people do there.
func groupForms() map[string]func(*scene) {
	group := func(draw func(*scene) string) func(*scene) {
		return func(s *scene) { s.markBare(phi.Organization, draw(s)) }
	}
	named := func(kinds ...string) func(*scene) {
		return group(func(s *scene) string { return s.placeCore() + " " + either(s.rng, kinds...) })
	}
	return map[string]func(*scene){
		"f.school": named("High School", "Elementary", "Elementary School", "Middle School", "High", "Academy", "Preschool", "Montessori", "Head Start", "Junior High", "Daycare", "Charter School", "Day School", "Kindergarten"),
		"f.univ": group(func(s *scene) string {
			return s.fromList(3, s.h.lists.Universities, s.college)
		}),
		"f.church": group(func(s *scene) string {
			return either(s.rng, "First ", "", "", "Greater ", "New ") + either(s.rng, s.placeCore(), "Calvary", "Zion", "Emmanuel", "Shiloh", "Antioch") + " " + either(s.rng, "Baptist Church", "Lutheran", "Church", "AME Church", "Methodist", "Parish", "Temple", "Mosque", "Tabernacle", "Church of God", "Synagogue", "Gurdwara", "Islamic Center", "Fellowship")
		}),
		"f.employer": group(func(s *scene) string { return s.fromList(3, s.h.lists.Employers, s.company) }),
		"f.insurer": group(func(s *scene) string {
			return either(s.rng, "Aetna", "Humana", "Cigna", "BCBS", "Blue Cross", "UnitedHealthcare", "UHC", "Kaiser", "Tricare", "Anthem", s.placeCore()+" Health Plan", s.placeCore()+" Mutual", s.placeCore()+" Advantage", s.anySurname()+" Insurance")
		}),
		"f.agency": group(func(s *scene) string {
			return either(s.rng, s.placeCore()+" "+either(s.rng, "Home Health", "VNA", "Elder Services", "Community Services", "Case Management", "Family Services", "Medical Supply", "Transport", "Ambulance", "Staffing", "Adult Day", "Counseling", "Interpreters"), "Meals on Wheels", "Catholic Charities", "Area Agency on Aging of "+s.h.lists.town(s.rng).City)
		}),
		"f.shelter": group(func(s *scene) string {
			return either(s.rng, s.placeCore()+" "+either(s.rng, "Shelter", "Rescue Mission", "House", "shelter", "Inn", "Family Shelter", "Mission", "Safe Haven", "Respite"), "Salvation Army", "the Salvation Army")
		}),
		"f.prison": named("Correctional Facility", "County Jail", "State Prison", "Correctional Institution", "Penitentiary", "Detention Center", "Juvenile Hall", "Jail", "House of Correction", "CI", "Work Release"),
		"f.police": named("PD", "Police", "Police Department", "County Sheriff", "Sheriff's Office", "EMS", "Fire", "Fire Rescue", "Fire Department", "State Police", "Ambulance", "DCFS", "County CPS"),
		"f.court":  named("County Probate Court", "District Court", "Superior Court", "Family Court", "Juvenile Court", "County Court", "Legal Aid", "Drug Court", "Public Guardian"),
		"f.bar":    named("Tavern", "Bar", "Grill", "Pub", "Diner", "Pizza", "Café", "Lounge", "Saloon", "Buffet", "Bar & Grill", "Steakhouse", "Bowl", "Taqueria", "Bakery", "Casino"),
		"f.store": group(func(s *scene) string {
			return either(s.rng, "Walmart", "Target", "Home Depot", "Costco", "Kroger", "Safeway", "Lowe's", "Dollar General", "Aldi", "Goodwill", s.anySurname()+"'s", s.placeCore()+" "+either(s.rng, "Market", "Hardware", "Grocery", "Feed & Seed", "Auto Parts", "Salon", "Nails"))
		}),
		"f.gym": named("YMCA", "Senior Center", "Community Center", "Fitness", "Gym", "Bowling League", "Rotary", "Garden Club", "Little League", "Recreation Center", "Y", "Dance Studio", "Choir"),
		"f.team": group(func(s *scene) string {
			return s.h.lists.town(s.rng).City + " " + either(s.rng, "Wildcats", "Hornets", "Rams", "Falcons", "Stingrays", "Titans", "FC", "Little League", "Mustangs", "Swim Club")
		}),
		"f.ship": group(func(s *scene) string { return s.anySurname() }),
		"f.branch": group(func(s *scene) string {
			return either(s.rng, "Army", "Navy", "Air Force", "Marines", "Marine Corps", "Coast Guard", "National Guard", "Army Reserve", "US Army", "USMC", "USAF")
		}),
		"f.union": group(func(s *scene) string {
			return either(s.rng, "Teamsters Local ", "UAW Local ", "Local ", "VFW Post ", "American Legion Post ", "IBEW Local ") + digits(s.rng, 3)
		}),
		"f.org.lower": group(func(s *scene) string {
			return strings.ToLower(either(s.rng, s.placeCore()+" high school", s.company(), s.placeCore()+" church", "walmart", "target", "mcdonalds", "cvs", "walgreens"))
		}),
		"f.joblow": func(s *scene) { s.mark(phi.Profession, strings.ToLower(either(s.rng, moreJobs...))) },
		"f.job": func(s *scene) {
			s.mark(phi.Profession, either(s.rng, either(s.rng, s.h.lists.Jobs...), either(s.rng, moreJobs...)))
		},
		"f.jobs": func(s *scene) {
			s.mark(phi.Profession, either(s.rng, moreJobs...)+"s")
		},
	}
}

func (s *scene) college() string {
	state := stateNames[s.h.lists.town(s.rng).State]
	return either(s.rng, "University of "+state, state+" State", s.placeCore()+" "+either(s.rng, "College", "University", "Community College", "State", "Law School", "Tech", "Technical College"))
}

// company makes up an employer.
func (s *scene) company() string {
	name := s.anySurname()
	return either(s.rng, s.h.employer(s.rng), name+" "+either(s.rng, "Plumbing", "Trucking", "Electric", "Roofing", "Farms", "Insurance", "Law Group", "Auto Body", "Dairy", "Landscaping", "Packaging", "Poultry", "Textiles", "Mills", "Motors", "Industries"),
		name+" & "+s.anySurname(), s.h.lists.town(s.rng).City+" "+either(s.rng, "Transit", "Public Schools", "Water Department", "Gazette", "Credit Union", "Paper Mill", "Foundry", "Shipyard", "Power & Light"),
		either(s.rng, "Amazon", "UPS", "FedEx", "General Motors", "Ford", "Boeing", "John Deere", "Tyson", "IBM", "Verizon", "the Post Office", "McDonald's", "Uber", "US Steel", "the Army", "the Navy"),
		inventName(s.rng, lexicon.White, 'l')+" "+either(s.rng, "Corp", "LLC", "Inc.", "Technologies", "Partners", "Pharma", "Labs"))
}
