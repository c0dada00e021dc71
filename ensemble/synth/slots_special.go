package synth

import (
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// specialSlots write what sentences about precision and ambiguity need: names that
// are words or eponyms, facilities and groups of all shapes, places, ages, jobs.
func specialSlots() map[string]func(*scene) {
	all := map[string]func(*scene){}
	for _, m := range []map[string]func(*scene){
		wordNameSlots(), facilitySlots(), groupSlots(), specialPlaceSlots(), specialAgeSlots(),
	} {
		maps.Copy(all, m)
	}
	return all
}

// ambiguousNames are surnames that are ordinary or clinical words, or both.
var ambiguousNames = strings.Fields(`Long May Brown Young Price Pain Fields Sharp Cook Baker Rice Park Rose Stone Rash Cross
	Hand Foot Head Hall Wells Parkinson Hodgkin Foley Braden Glasgow Wilson Murphy Kocher Babcock Whipple Babinski Bell Graves
	Hashimoto Wernicke Cushing Addison Down Marfan Colles Allis Mayo Metzenbaum Deaver Jackson Pratt Zimmer Stryker Gleason
	Apgar Norton Morse Mallampati Bishop Burns Crohn Bovie Kerr Will Mark Grant Rich Bill Pat Hope Grace Faith Dawn Sandy Ginger
	Heather April June August Joy Art Drew Chase Gene Frank Guy Rob Christian Carol Olive Ivy Iris Violet Holly Penny Sue
	Virginia Georgia Austin Washington Lincoln Berlin Vancouver Lyme Norwalk Coventry Dallas Houston Paris London Florence
	Madison Charlotte Savannah Cheyenne Dakota Sydney Jordan Chad Troy Lee Day Weeks Week Winter Summer Friday Monday White
	Black Green Gray Blue Redd Bush Woods Forest Lake River Hill Rivers Waters Banks Bridges Church Temple Abbott Major
	Minor Strong Weak Little Small Short Tall Best Good Swift Quick Early Love Self Person Child Childs Nurse Doctor Lord King
	Prince Duke Knight Noble Power Powers Blood Heart Bone Shoulders Legg Shin Payne Akers Hurt Cough Cold Coffin Case Chart
	Page Note Book Bed Ward Walker Cane Ford Carr Street Lane Way Root Branch Leaf Moon Starr Sky Snow Frost Rain Storm Gale
	Speed Barrett Chance Dye Coker Pepper Salt Bean Berry Apple Lemon Curry Ham Bacon Fish Wolf Fox Hare Lamb Bird Crane
	Swan Drake Finch Martin Robin Jay Wren Smart Savage Moody Bright Sweet Stern Meek Blunt Gross Pope Parish Dean Butler
	Porter Carter Turner Cooper Mason Miller Taylor Tyler Fisher Hunter Shepherd Gardner Barber Ransom Loss Gain Bath Showers
	Valentine Christmas Noon Midnight Crystal Amber Ruby Pearl Coral Jade Daisy Lily Jasmine Basil Sage Reed Rusty Clay Cliff
	Dale Glen Heath Brook Brooks Marsh Moss Barnes Stent Bender Weiner Kaplan Homan Tinel Phalen Lachman Romberg Rinne Weber
	Kernig Hoffman Homans Trousseau Cullen Turner McBurney Rovsing Boerhaave Mallory Meckel Zenker Barrett Hirschsprung Peyronie
	Dupuytren Baker Charcot Ludwig Bright Kaposi Ewing Paget Raynaud Reye Sjogren Takayasu Tourette Turner Wegener Huntington
	Alzheimer Lewy Tay Sachs Gaucher Fabry Pompe Hurler Hunter Noonan Klinefelter Edwards Ebstein Fallot Eisenmenger Brugada
	Wolff Parkinson White Korotkoff Cheyne Stokes Biot Kussmaul Ramsay Hunt Hess Fisher Child Pugh Ranson Epworth Katz Lawton
	Holter Doppler Swan Ganz Hickman Broviac Groshong Quinton Miller Macintosh Yankauer Penrose Blake Malecot Coude Bakri
	Kelly Kocher Adson Debakey Army Richardson Balfour Bookwalter Weitlaner Gelpi Hohmann Steinmann Kirschner Schanz Ilizarov
	Harrington Taylor Thomas Buck Russell Bryant Velpeau Jones Jordan Nissen Dor Toupet Heller Bassini Lichtenstein Shouldice
	Hartmann Miles Billroth Roux Blalock Fontan Glenn Norwood Ross Bentall Maze Mohs Burch Sistrunk Lapidus Bankart Latarjet
	Keller Austin Chevron Akin Evans Cotton Jones Lisfranc Chopart Syme Maisonneuve Salter Harris Garden Pauwels Weber Neer
	Mason Monteggia Galeazzi Barton Smith Bennett Rolando Jefferson Chance Segond Hill`)

// fixedNames are names that the grammar sets beside the same word in its ordinary or
// clinical sense, by the form in which it asks for them (see oneNameSlots).
var fixedNames = map[string][]string{
	"city": strings.Fields(`Austin Bath Berlin Bethesda Coventry Dallas Florence Framingham Glasgow Hershey Jackson Lyme Madison Mobile Normal Norwalk
		Nottingham Paris Reading Rochester Vancouver Washington`),
	"dr": strings.Fields(`Apgar Austin Babcock Babinski Baker Bell Best Bishop Black Bovie Braden Burns Case Cook Cross Deaver Doctor Drew Early Foley Frank
		Garden Gleason Good Green Hand Harris Hashimoto Head Heart Hess Hodgkin Hunt Hunter Jackson Kocher Lewy Little Love Major
		Mallampati May Mayo Meckel Morse Murphy Neer Noble Norton Nurse Page Paget Pain Parkinson Pugh Ramsay Rash Salter Savage Sharp
		Small Stone Stryker Swan Thomas Ward Weber Wells Wernicke White Wolf`),
	"dr1": strings.Fields(`Drew Gene Hope Pat`),
	"drF": strings.Fields(`Allis Grant Joy Miles`),
	"drI": strings.Fields(`Crohn Cushing Foot`),
	"drL": strings.Fields(`Alzheimer Braden Bright Chart Colles Graves Kerr King Miller Minor Parkinson Taylor Young Zimmer`),
	"pt": strings.Fields(`Addison Barrett Bath Bell Bennett Bird Black Blood Bone Brooks Brown Bush Cane Chase Child Childs Church Cold Cook Cough Cross
		Cushing Day Doppler Down Duke England Epworth Ewing Fields Fish Fisher Foley Gain Glasgow Grant Graves Gray Green Hall Head Hill
		Hodgkin Homans Huntington Jackson Jones Jordan Lane Legg Lewy Long Loss Lyme May Moody Murphy Page Pain Park Parkinson Person
		Pratt Price Prince Rash Rice Rivers Rose Self Shin Short Stone Strong Summer Sweet Swift Temple Turner Valentine Walker Washington
		Weeks Whipple White Wilson Winter Wolf Woods Young`),
	"pt1": strings.Fields(`April Art Austin Autumn Bill Buddy Charity China Dallas Dawn Faith Florence Georgia Ginger Grace Harmony Heather Hope India Jack
		Jordan Joy June Madison Mark May Melody Mercy Nick Paris Pat Patience Rain Ray Rose Sandy Skip Summer Sydney Trip Virginia Will`),
	"ptF":    strings.Fields(`Marfan Rich`),
	"ptL":    strings.Fields(`Baker Burns Fox Glasgow Love Mason`),
	"street": strings.Fields(`Graves Hill Lane Mayo Murphy Washington Wells Whipple`),
}

// wordFirstNames are first names that open sentences as words do, or name a month or
// a place.
var wordFirstNames = strings.Fields(`Will Mark Grant Rich Bill Pat May Hope Grace Faith Dawn Sandy Ginger Heather April June
	August Joy Art Drew Chase Gene Frank Guy Rob Christian Carol Olive Ivy Iris Violet Holly Penny Sue Virginia Georgia Austin
	Madison Charlotte Savannah Cheyenne Dakota Sydney Jordan Chad Troy Dallas Paris Florence Crystal Amber Ruby Pearl Coral
	Jade Daisy Lily Jasmine Basil Sage Rusty Clay Cliff Dale Glen Miles Mason Hunter Skip Buddy Sonny Destiny Harmony Melody
	Patience Prudence Charity Mercy Honor Justice River Rain Sky Summer Autumn Winter Jack Nick Trip Josh Ray Victor Earnest`)

// wordNameSlots writes s.pt.X and s.dr.X for a fixed name X alone, s.pt1.X and s.dr1.X
// for a first name, s.ptF.X and s.drF.X where X is the first name and s.ptL.X and
// s.drL.X where it is the last of two, and so on; s.city.X and s.street.X for a town or
// a street of that name. With "word" for X any name that is a word is drawn.
func wordNameSlots() map[string]func(*scene) {
	all := oneNameSlots("word",
		func(s *scene) string {
			if oneIn(s.rng, 2) {
				return either(s.rng, s.h.lists.WordSurnames...)
			}
			return either(s.rng, ambiguousNames...)
		},
		func(s *scene) string { return either(s.rng, wordFirstNames...) })
	for form, names := range fixedNames {
		for _, name := range names {
			fixed := func(*scene) string { return name }
			slot := "s." + form + "." + name
			all[slot] = oneNameSlots(name, fixed, fixed)[slot]
		}
	}
	return all
}

func oneNameSlots(slot string, last, first func(*scene) string) map[string]func(*scene) {
	given := func(s *scene) string { return s.h.lists.firstName(s.rng, s.h.lists.group(s.rng), oneIn(s.rng, 2)) }
	family := func(s *scene) string { return s.h.lists.surname(s.rng, s.h.lists.group(s.rng)) }
	return map[string]func(*scene){
		"s.pt." + slot:   func(s *scene) { s.patient(last(s)) },
		"s.pt1." + slot:  func(s *scene) { s.patient(first(s)) },
		"s.ptF." + slot:  func(s *scene) { s.patient(first(s) + " " + family(s)) },
		"s.ptL." + slot:  func(s *scene) { s.patient(given(s) + " " + last(s)) },
		"s.ptC." + slot:  func(s *scene) { s.patient(last(s) + ", " + given(s)) },
		"s.dr." + slot:   func(s *scene) { s.doctor(last(s)) },
		"s.dr1." + slot:  func(s *scene) { s.doctor(first(s)) },
		"s.drF." + slot:  func(s *scene) { s.doctor(first(s) + " " + family(s)) },
		"s.drL." + slot:  func(s *scene) { s.doctor(given(s) + " " + last(s)) },
		"s.drI." + slot:  func(s *scene) { s.doctor(initial(given(s)) + either(s.rng, ". ", " ") + last(s)) },
		"s.city." + slot: func(s *scene) { s.mark(phi.City, last(s)) },
		"s.street." + slot: func(s *scene) {
			s.mark(phi.Street, itoa(1+s.rng.IntN(2999))+" "+last(s)+" "+either(s.rng, streetKinds...))
		},
	}
}
