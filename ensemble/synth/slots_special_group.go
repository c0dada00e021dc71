package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

var (
	companies = strings.Split(`Walmart,Target,Amazon,UPS,FedEx,Boeing,Ford,General Motors,GM,Chrysler,John Deere,Home Depot,Lowe's,Costco,Kroger,Safeway,
McDonald's,Starbucks,Burger King,Wendy's,Taco Bell,Pizza Hut,Verizon,AT&T,Comcast,Intel,IBM,Google,Microsoft,Apple,Dell,Wells Fargo,Bank of America,
Citibank,State Farm,Allstate,USPS,Amtrak,Delta,United Airlines,Southwest Airlines,Tyson,Tyson Foods,Cargill,3M,Hormel,Lockheed Martin,Raytheon,
Northrop Grumman,General Electric,GE,Whirlpool,Goodyear,Caterpillar,US Steel,Bethlehem Steel,Alcoa,Exxon,Chevron,Shell,BP,Sears,JCPenney,Macy's,Kmart,
Dollar General,Family Dollar,Uber,Lyft,DoorDash,Marriott,Hilton,Holiday Inn,Disney,Frito-Lay,Coca-Cola,Pepsi,Nabisco,General Mills,Kellogg's,Smithfield,
Perdue,Tesla,Toyota,Honda,Nissan,Harley-Davidson,Best Buy,Staples,Office Depot,Petco,PetSmart,AutoZone,Jiffy Lube,Greyhound,Union Pacific,BNSF,
Con Edison,PG&E,Duke Energy,Xerox,Kodak,Polaroid,Bell Labs,Western Electric,Levi's,Nike,Trader Joe's,Whole Foods,Publix,Wegmans,Hy-Vee,Aldi,Menards,
Tim Hortons,Dunkin' Donuts,Panera,Olive Garden,Applebee's,Denny's,Waffle House,Cracker Barrel,Tesco,Woolworths,Coles,Telstra,Qantas`, ",")
	circles = strings.Split(`AA,NA,Al-Anon,Alcoholics Anonymous,Rotary,the Rotary Club,the Lions Club,the YMCA,YWCA,the Y,the Elks,the Moose Lodge,Kiwanis,
the American Legion,the VFW,Habitat for Humanity,the Salvation Army,Catholic Charities,4-H,the Boy Scouts,Girl Scouts,the PTA,Big Brothers Big Sisters,
Goodwill,the Red Cross,Meals on Wheels,Head Start,Toastmasters,Weight Watchers,Jazzercise,SilverSneakers,Curves,Planet Fitness,Gold's Gym,LA Fitness,
the Knights of Columbus,the Masons,the Shriners,the Junior League,Jehovah's Witnesses,Lutheran Social Services,Jewish Family Services,Casa Esperanza,
Bright Futures,GO GIRLS!,Girls on the Run,Mothers Against Drunk Driving,Compassionate Friends,Reach to Recovery,Gilda's Club,The Arc,Easter Seals,
United Way,Peace Corps,AmeriCorps,Job Corps,Teach for America,Doctors Without Borders,NAMI,Area Agency on Aging,Adult Protective Services,
Child Protective Services,CPS,APS,DCFS,DSS,DMV,the FBI,NASA,the IRS,the TSA`, ",")
	mascots = strings.Fields(`Hawks Eagles Tigers Bears Lions Cougars Panthers Bulldogs Rams Cubs Red_Sox Yankees Patriots Packers Vikings Steelers
		Cowboys Lakers Celtics Bruins Rangers Flyers Dodgers Giants Wildcats Hornets Mustangs Trojans`)
	unions      = strings.Split("Teamsters,UAW,SEIU,IBEW,UFCW,AFSCME,Steelworkers,Carpenters,Ironworkers,Laborers,Plumbers,Operating Engineers,Longshoremen", ",")
	knownSchool = strings.Split(`Harvard,Yale,Princeton,Stanford,MIT,Brown,Cornell,Dartmouth,Columbia,Penn,Penn State,Ohio State,Michigan State,Florida State,Notre Dame,
Georgetown,Duke,Emory,Tulane,Rice,Purdue,Rutgers,UCLA,UC Davis,UCSF,USC,UNC,NYU,BU,BC,Tufts,Northeastern,Oberlin,Vassar,Wellesley,Smith,Williams,Amherst,
Bryn Mawr,Howard,Spelman,Morehouse,Texas A&M,Baylor,BYU,LSU,Ole Miss,Auburn,Clemson,Virginia Tech,Georgia Tech,Caltech,West Point,Annapolis,Juilliard,
Oxford,Cambridge,McGill,Iowa State,Kansas State,Gonzaga,Marquette,Loyola,Villanova,Drexel,SUNY Albany,CUNY,Hunter College`, ",")
)

func of(s *scene, list []string) string { return strings.TrimSpace(either(s.rng, list...)) }

func employerName(s *scene) string {
	core := either(s.rng, facilityCore(s), s.h.lists.surname(s.rng, s.h.lists.group(s.rng)), inventName(s.rng, lexicon.White, 'l'))
	city := s.h.lists.town(s.rng).City
	switch s.rng.IntN(8) {
	case 0, 1, 2:
		return of(s, companies)
	case 3:
		return core + " " + either(s.rng, "Trucking", "Roofing", "Plumbing", "Construction", "Landscaping", "Electric", "Auto Body", "Machine", "Foundry", "Mills", "Paper", "Lumber", "Dairy", "Farms", "Bakery", "Logistics", "Foods", "Meats", "Motors", "Realty", "Hardware", "Cleaners", "Steel", "Plastics", "Industries", "Enterprises", "Systems", "Software", "Labs", "Insurance", "Credit Union", "Bank", "Law", "Casino", "Resort", "Hotel", "Diner", "Grill", "Pizza", "Salon", "Nursery", "Vineyards", "Brewing")
	case 4:
		return core + either(s.rng, " & Sons", " Brothers", " Bros", " and Associates", ", Inc.", " LLC", " Co.", " Corp", " Group", " International", " & Co", " Partners")
	case 5:
		return either(s.rng, "City of "+city, "Town of "+city, city+" Public Schools", city+" School District", city+" Police Department", city+" Fire Department", city+" PD", city+" Transit Authority", city+" Public Library", city+" Parks and Recreation", city+" Public Works", city+" County Sheriff's Office")
	case 6:
		return either(s.rng, city+" Mill", city+" Paper Mill", city+" Shipyard", city+" Gazette", city+" Tribune", "the "+city+" Herald", city+" Country Club", city+" Airport", city+" Museum", city+" Symphony", city+" Zoo")
	default:
		return s.h.employer(s.rng)
	}
}

func schoolName(s *scene) string {
	core := either(s.rng, facilityCore(s), s.h.lists.town(s.rng).City, of(s, sceneries), either(s.rng, "Lincoln", "Washington", "Jefferson", "Roosevelt", "Kennedy", "Martin Luther King", "Cesar Chavez", "Franklin", "Emerson", "Horace Mann"))
	return either(s.rng, core+" Elementary", core+" High", core+" High School", core+" Middle School", core+" Elementary School", core+" Academy", core+" Charter School", core+" Montessori",
		core+" Preschool", core+" Daycare", core+" Child Care", core+" Community College", core+" Tech", core+" Junior High", "PS "+itoa(1+s.rng.IntN(300)), core+" Prep", core+" Christian School")
}

func universityName(s *scene) string {
	state := stateNames[s.h.lists.town(s.rng).State]
	return either(s.rng, "University of "+state, state+" State", state+" State University", facilityCore(s)+" College", facilityCore(s)+" University", of(s, knownSchool), of(s, knownSchool),
		"U of "+initial(state), s.h.lists.town(s.rng).City+" State", "UW-"+s.h.lists.town(s.rng).City, s.h.lists.town(s.rng).City+" College")
}

func churchName(s *scene) string {
	core := facilityCore(s)
	return either(s.rng, "First Baptist Church", "First Baptist", "First Presbyterian", core+" United Methodist", core+" Lutheran", core+" Baptist Church", core+" AME", core+" Church of Christ",
		"St. "+either(s.rng, saints...)+" Parish", "St. "+either(s.rng, saints...)+" Catholic Church", "Our Lady of "+either(s.rng, "Guadalupe", "Sorrows", "Lourdes", "Peace", "Grace"), "Temple Beth "+either(s.rng, "El", "Shalom", "Israel", "Am"),
		"Congregation "+either(s.rng, "Beth El", "Shaare Zedek", "Etz Chaim"), "Islamic Center of "+s.h.lists.town(s.rng).City, s.h.lists.town(s.rng).City+" Mosque", "Church of the "+either(s.rng, "Redeemer", "Nativity", "Advent", "Holy Spirit"),
		"Calvary Chapel", core+" Community Church", "Kingdom Hall of "+s.h.lists.town(s.rng).City, "Grace Chapel", "New Hope Tabernacle")
}

func groupSlots() map[string]func(*scene) {
	org := func(name func(*scene) string) func(*scene) {
		return func(s *scene) { s.markBare(phi.Organization, strings.TrimSpace(name(s))) }
	}
	return map[string]func(*scene){
		"s.employer": org(employerName),
		"s.company":  org(func(s *scene) string { return of(s, companies) }),
		"s.school":   org(schoolName),
		"s.univ":     org(universityName),
		"s.church":   org(churchName),
		"s.circle":   org(func(s *scene) string { return of(s, circles) }),
		"s.union": org(func(s *scene) string {
			return either(s.rng, "Local "+itoa(3+s.rng.IntN(900)), of(s, unions)+" Local "+itoa(3+s.rng.IntN(900)), of(s, unions), "the "+of(s, unions))
		}),
		"s.team": org(func(s *scene) string {
			return either(s.rng, "the ", "the ", s.h.lists.town(s.rng).City+" ") + strings.ReplaceAll(either(s.rng, mascots...), "_", " ")
		}),
		"s.prison": org(func(s *scene) string {
			return either(s.rng, s.h.lists.town(s.rng).City, facilityCore(s)) + " " + either(s.rng, "State Prison", "Correctional Facility", "Correctional", "County Jail", "Detention Center", "Penitentiary", "Juvenile Hall", "Federal Prison", "Work Camp")
		}),
		"s.pharm": org(func(s *scene) string {
			city := s.h.lists.town(s.rng).City
			chain := either(s.rng, "Walgreens", "CVS", "Rite Aid", "Walmart", "Costco", "Kroger", "Safeway", "Target", "Publix", "Hy-Vee", "Duane Reade", "Osco", "Sam's Club")
			return either(s.rng, chain, chain, s.h.lists.pharmacy(s.rng), city+" "+chain, chain+" "+city, facilityCore(s)+" Pharmacy", facilityCore(s)+" Drug", facilityCore(s)+" Rx", facilityCore(s)+" Apothecary", city+" Drug", "Express Scripts", "Caremark", "Optum Rx", "Medicine Shoppe", s.h.lists.surname(s.rng, s.h.lists.group(s.rng))+"'s Pharmacy")
		}),
		"s.agency": org(func(s *scene) string {
			return either(s.rng, facilityCore(s), s.h.lists.town(s.rng).City, either(s.rng, "Minerva", "Comfort Keepers", "Visiting Angels", "Home Instead", "BrightStar", "Interim", "Addus", "Lifeline")) + either(s.rng, "", " Home Care", " Ambulance", " EMS", " Medical Supply", " DME", " Staffing", " Oxygen", " Transport")
		}),
	}
}
