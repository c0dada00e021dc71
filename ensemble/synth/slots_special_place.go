package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

var (
	citiesAbroad = strings.Split(`London,Paris,Berlin,Munich,Hamburg,Vienna,Zurich,Rome,Milan,Naples,Madrid,Barcelona,Lisbon,Dublin,Cork,Belfast,Glasgow,Edinburgh,
Manchester,Liverpool,Birmingham,Leeds,Cardiff,Toronto,Montreal,Vancouver,Calgary,Winnipeg,Ottawa,Quebec City,Mexico City,Guadalajara,Monterrey,Tijuana,Ciudad Juárez,
Oaxaca,Havana,San Juan,Ponce,Santo Domingo,Port-au-Prince,Kingston,Tegucigalpa,San Salvador,Guatemala City,Managua,San José,Bogotá,Medellín,Caracas,Quito,Lima,
La Paz,Santiago,Buenos Aires,São Paulo,Rio de Janeiro,Lagos,Accra,Nairobi,Mombasa,Addis Ababa,Mogadishu,Khartoum,Cairo,Tunis,Casablanca,Dakar,Monrovia,
Johannesburg,Cape Town,Kampala,Kigali,Tel Aviv,Jerusalem,Amman,Beirut,Damascus,Baghdad,Tehran,Istanbul,Ankara,Athens,Warsaw,Kraków,Prague,Budapest,Kyiv,
Moscow,St. Petersburg,Kabul,Karachi,Lahore,Delhi,New Delhi,Mumbai,Bangalore,Chennai,Kolkata,Hyderabad,Dhaka,Kathmandu,Colombo,Yangon,Bangkok,Hanoi,Saigon,
Ho Chi Minh City,Da Nang,Phnom Penh,Vientiane,Manila,Cebu,Jakarta,Singapore,Hong Kong,Taipei,Beijing,Shanghai,Guangzhou,Wuhan,Seoul,Busan,Tokyo,Osaka,Kyoto,
Sydney,Melbourne,Brisbane,Perth,Adelaide,Hobart,Geelong,Cairns,Auckland,Wellington,Suva,Apia,Honolulu`, ",")
	lands = strings.Split(`Mexico,Canada,Cuba,Haiti,the Dominican Republic,Jamaica,Puerto Rico,Guatemala,Honduras,El Salvador,Nicaragua,Costa Rica,Panama,Colombia,
Venezuela,Ecuador,Peru,Bolivia,Chile,Argentina,Brazil,Guyana,Trinidad,Barbados,England,Scotland,Ireland,Wales,the UK,France,Spain,Portugal,Italy,Germany,Austria,
Switzerland,the Netherlands,Belgium,Denmark,Sweden,Norway,Finland,Poland,Hungary,Romania,Bulgaria,Greece,Albania,Bosnia,Serbia,Croatia,Ukraine,Russia,Latvia,
Lithuania,Turkey,Syria,Lebanon,Jordan,Israel,Iraq,Iran,Kuwait,Saudi Arabia,Yemen,Egypt,Morocco,Algeria,Libya,Sudan,South Sudan,Ethiopia,Eritrea,Somalia,Kenya,
Uganda,Rwanda,Burundi,the Congo,DRC,Nigeria,Ghana,Liberia,Sierra Leone,Senegal,Cameroon,Chad,Togo,Zimbabwe,South Africa,Afghanistan,Pakistan,India,Nepal,Bhutan,
Bangladesh,Sri Lanka,Burma,Myanmar,Thailand,Laos,Cambodia,Vietnam,Malaysia,Indonesia,the Philippines,China,Taiwan,Japan,Korea,South Korea,Georgia,Armenia,
Kazakhstan,Uzbekistan,Mongolia,Australia,New Zealand,Fiji,Samoa,Tonga,Guam,the Marshall Islands,Cape Verde,the US,the United States`, ",")
	quarters = strings.Split(`the Bronx,Brooklyn,Queens,Harlem,Staten Island,Manhattan,the South Side,the North End,the East Side,Back Bay,Beacon Hill,Jamaica Plain,Dorchester,
Roxbury,Capitol Hill,Georgetown,Hyde Park,Lincoln Park,Bronzeville,Pilsen,Hollywood,Venice,Compton,Watts,Silver Lake,the Mission,Nob Hill,Haight-Ashbury,
the French Quarter,the Ninth Ward,Buckhead,Little Havana,Coral Gables,Ballard,Fremont,Queen Anne,Dinkytown,Uptown,Northeast,Old Town,Chinatown,Germantown,
Fishtown,Kensington,Shadyside,Squirrel Hill,the Heights,Lakewood,Shaker Heights,Montrose,Oak Cliff,Deep Ellum,Bondi,Fitzroy,St Kilda,Brixton,Hackney`, ",")
	sights = strings.Split(`Cape Cod,Martha's Vineyard,Nantucket,the Outer Banks,the Jersey Shore,the Poconos,the Catskills,the Adirondacks,the Berkshires,Long Island,
Fire Island,the Hamptons,Coney Island,Myrtle Beach,Daytona Beach,Virginia Beach,Key West,the Keys,the Everglades,Disney World,Disneyland,Universal Studios,
Yosemite,Yellowstone,the Grand Canyon,Zion,Glacier,Mount Rainier,Mt. Hood,Pikes Peak,the Rockies,Lake Tahoe,Lake Michigan,Lake Superior,Lake Erie,Lake Powell,
the Mississippi,the Ohio River,the Rio Grande,Puget Sound,Chesapeake Bay,Catalina,Maui,Oahu,Kauai,Big Sur,Joshua Tree,Death Valley,the Ozarks,the Smokies,
the Black Hills,the Boundary Waters,Mackinac Island,Door County,Central Park,Fenway Park,Wrigley Field,Times Square,the Mall of America,Golden Gate Park,
O'Hare,LAX,JFK,Logan,LaGuardia,Heathrow,Sky Harbor,Dulles,Midway,Penn Station,Grand Central,Union Station,the Gold Coast,Bondi Beach,Cancun,Cozumel`, ",")
	landKinds = strings.Split("State Park,National Forest,Lake,Park,Beach,Creek,River,Island,Mountain,Harbor,Reservoir,Campground,Ski Area,Fairgrounds,Mall,Trail,Bay,Golf Course,Racetrack,Plaza", ",")
)

func specialPlaceSlots() map[string]func(*scene) {
	mark := func(t phi.Type, name func(*scene) string) func(*scene) {
		return func(s *scene) { s.markBare(t, strings.TrimSpace(name(s))) }
	}
	return map[string]func(*scene){
		"s.foreign":    mark(phi.City, func(s *scene) string { return of(s, citiesAbroad) }),
		"s.country":    mark(phi.Country, func(s *scene) string { return of(s, lands) }),
		"s.quarter":    mark(phi.LocationOther, func(s *scene) string { return of(s, quarters) }),
		"s.town.lower": mark(phi.City, func(s *scene) string { return strings.ToLower(s.h.lists.town(s.rng).City) }),
		"s.town.up":    mark(phi.City, func(s *scene) string { return strings.ToUpper(s.h.lists.town(s.rng).City) }),
		"s.state":      mark(phi.State, func(s *scene) string { return stateNames[s.h.lists.town(s.rng).State] }),
		"s.town":       townSlot,
		"s.state.up":   mark(phi.State, func(s *scene) string { return s.h.lists.town(s.rng).State }),
		"s.place": mark(phi.LocationOther, func(s *scene) string {
			if oneIn(s.rng, 2) {
				return of(s, sights)
			}
			core := either(s.rng, facilityCore(s), either(s.rng, townParts[0]...)+either(s.rng, townParts[1]...), s.h.lists.surname(s.rng, lexicon.White), "Lake "+either(s.rng, townParts[0]...), "Camp "+s.h.lists.surname(s.rng, lexicon.White))
			return core + " " + of(s, landKinds)
		}),
		"s.base": mark(phi.LocationOther, func(s *scene) string {
			core := either(s.rng, s.h.lists.surname(s.rng, lexicon.White), s.h.lists.town(s.rng).City)
			return either(s.rng, "Fort "+core, "Ft. "+core, "Camp "+core, core+" Air Force Base", core+" AFB", "Naval Station "+core, "NAS "+core, "Joint Base "+core, "Fort Bragg", "Fort Hood", "Camp Lejeune", "Camp Pendleton", "Parris Island", "Guantanamo", "Ramstein")
		}),
		"s.airport": mark(phi.LocationOther, func(s *scene) string {
			return either(s.rng, "O'Hare", "LAX", "JFK", "Logan", "Midway", "Heathrow", s.h.lists.town(s.rng).City+" Airport", s.h.lists.town(s.rng).City+" International", s.h.lists.surname(s.rng, lexicon.White)+" Field")
		}),
		"s.ward":    mark(phi.LocationOther, wardName),
		"s.room":    mark(phi.LocationOther, roomName),
		"s.highway": mark(phi.Street, highwayName),
		"s.road":    mark(phi.Street, roadName),
		"s.pobox": mark(phi.Street, func(s *scene) string {
			return either(s.rng, "PO Box ", "P.O. Box ", "P O Box ", "Box ", "PO BOX ") + itoa(1+s.rng.IntN(9800))
		}),
		"s.abroad": abroadSlot,
		"s.home":   homeSlot,
	}
}

// townSlot writes a town alone or with its state in one of the usual ways.
func townSlot(s *scene) {
	p := s.h.lists.town(s.rng)
	s.mark(phi.City, p.City)
	switch s.rng.IntN(6) {
	case 0:
		s.put(", ")
		s.mark(phi.State, p.State)
	case 1:
		s.put(" ")
		s.mark(phi.State, p.State)
	case 2:
		if name := stateNames[p.State]; name != "" {
			s.put(", ")
			s.mark(phi.State, name)
		}
	}
}

func wardName(s *scene) string {
	n := itoa(1 + s.rng.IntN(14))
	side := either(s.rng, "North", "South", "East", "West", "Main", "Tower", "Center")
	return either(s.rng, n+" "+side, n+side[:1], side+" "+n, n+either(s.rng, "A", "B", "C", "D"), s.h.lists.surname(s.rng, lexicon.White)+" "+n, n+" "+s.h.lists.surname(s.rng, lexicon.White), "Tower "+n, "Unit "+n+either(s.rng, "A", "B", ""),
		"Ward "+n, side+" Wing", side+" Pavilion", s.h.lists.surname(s.rng, lexicon.White)+" Pavilion", s.h.lists.surname(s.rng, lexicon.White)+" Building", "Building "+n, "Pod "+either(s.rng, "A", "B", "C"), n+" "+side+" ICU", either(s.rng, "T", "C", "J", "L")+n)
}

func roomName(s *scene) string {
	n := digits(s.rng, 1+s.rng.IntN(4))
	suffix := either(s.rng, "", "", "A", "B", "-1", "-2", "W")
	return either(s.rng, "Room ", "room ", "Rm ", "rm ", "Rm. ", "RM ", "bed ", "Bed ", "Suite ", "Ste ", "Bay ", "Exam Room ", "Pod ", "Cubicle ", "#") + n + suffix
}

func highwayName(s *scene) string {
	n := itoa(2 + s.rng.IntN(180))
	return either(s.rng, "I-"+n, "I "+n, "Interstate "+n, "Route "+n, "Rte "+n, "Rt. "+n, "Highway "+n, "Hwy "+n, "US "+n, "US-"+n, "State Road "+n, "County Road "+n, "CR "+n, "SR "+n, "FM "+n, "M"+n,
		"the Turnpike", "the Parkway", "the Beltway", either(s.rng, s.h.lists.Streets...)+" Expressway", s.h.lists.surname(s.rng, lexicon.White)+" Parkway")
}

func roadName(s *scene) string {
	name := either(s.rng, either(s.rng, s.h.lists.Streets...), s.h.lists.surname(s.rng, lexicon.White), ordinal(1+s.rng.IntN(90)), "Martin Luther King", "Main", "Broad", "Old Mill", "Market", "N. "+either(s.rng, s.h.lists.Streets...))
	return either(s.rng, name+" "+either(s.rng, streetKinds...), name+" "+either(s.rng, "St.", "Ave.", "Blvd.", "Rd."), either(s.rng, "Broadway", name+" Street", "MLK Blvd", name+" Avenue"))
}

// abroadSlot writes an address of another country.
func abroadSlot(s *scene) {
	name := s.h.lists.surname(s.rng, lexicon.White)
	street := either(s.rng, itoa(1+s.rng.IntN(200))+" "+name+" "+either(s.rng, "Close", "Crescent", "Gardens", "Road", "High Street", "Mews", "Parade"), "Flat "+itoa(1+s.rng.IntN(30))+", "+itoa(1+s.rng.IntN(200))+" "+name+" Road",
		"Calle "+s.h.lists.surname(s.rng, lexicon.Hispanic)+" "+itoa(1+s.rng.IntN(400)), name+"strasse "+itoa(1+s.rng.IntN(90)), itoa(1+s.rng.IntN(90))+" rue "+name, "Av. "+s.h.lists.surname(s.rng, lexicon.Hispanic)+" "+itoa(100+s.rng.IntN(2000)))
	s.mark(phi.Street, street)
	s.put(either(s.rng, ", ", ", ", "\n"))
	s.mark(phi.City, of(s, citiesAbroad))
	if oneIn(s.rng, 2) {
		s.put(" ")
		s.mark(phi.Zip, either(s.rng, digits(s.rng, 4), digits(s.rng, 5), "SW"+digits(s.rng, 1)+" "+digits(s.rng, 1)+"BT", "M"+digits(s.rng, 1)+"K "+digits(s.rng, 1)+"L"+digits(s.rng, 1)))
	}
	if oneIn(s.rng, 2) {
		s.put(", ")
		s.markBare(phi.Country, of(s, lands))
	}
}

// homeSlot writes an address within a sentence: whole or in part.
func homeSlot(s *scene) {
	a := s.h.address(s.rng)
	s.mark(phi.Street, a.Street)
	if oneIn(s.rng, 4) {
		return
	}
	s.put(either(s.rng, ", ", " in ", " ", "\n", ", "))
	s.mark(phi.City, a.City)
	if oneIn(s.rng, 3) {
		return
	}
	s.put(either(s.rng, ", ", " "))
	s.state(a.State)
	if oneIn(s.rng, 2) {
		s.put(either(s.rng, " ", "  "))
		s.mark(phi.Zip, a.Zip)
	}
}
