package ensemble

import "testing"

func TestTowns(t *testing.T) {
	runCases(t, "places", []regression{
		{text: "from [[CITY Flint]], [[STATE MI]] and [[CITY St. Louis]], [[STATE Missouri]]", exact: true},
		{text: "He lives in [[CITY Boston]] and moved from [[STATE Ohio]].", exact: true},
		{text: "born in [[COUNTRY Haiti]], raised in [[CITY New York]]", exact: true},
		{text: "LIVES IN [[CITY BOSTON]]; lives in [[CITY seattle]] alone", exact: true},
		{text: "a 59 yo [[COUNTRY Haitian]] woman, an African American man, a Caucasian male", exact: true},
		{text: "Family is at [[CITY Port Eric]].", exact: true},
		{text: "seen by Betty Ross, PA-C. Chest X-Ray, PA and lateral.", exact: true},
		{text: "in Assessment, in March, in May, from Monday, at Rest, in Trendelenburg", exact: true},
		{text: "nevus of Ota; German measles; 19-French drain; Turkey sandwich", exact: true},
	})
}

func TestFacilities(t *testing.T) {
	runCases(t, "places", []regression{
		{text: "transferred to [[HOSPITAL San Rafael Mount Hospital]] then home", exact: true},
		{text: "seen at [[HOSPITAL Samson rehab]] and [[HOSPITAL Mayo Clinic]]", exact: true},
		{text: "SEEN AT [[HOSPITAL ST. MARY'S HOSPITAL]] TODAY", exact: true},
		{text: "at [[HOSPITAL st. mary's hospital]] today", exact: true},
		{text: "from [[HOSPITAL Children's Hospital]]; at the [[HOSPITAL VA]]", exact: true},
		{text: "[[HOSPITAL University Hospital]] and [[HOSPITAL Hospital of St. Raphael]]", exact: true},
		{text: "fax from [[HOSPITAL|ORGANIZATION Trioki Rx]]; new Rx for Lasix; Amoxicillin Rx", exact: true},
		{text: "the hospital, the Emergency Department, Pain Clinic, primary care clinic, nursing home", exact: true},
		{text: "EMERGENCY DEPARTMENT COURSE. HOSPITAL COURSE. ICU care. Medical Center. Home Health.", exact: true},
	})
}

func TestRooms(t *testing.T) {
	runCases(t, "places", []regression{
		{text: "out of [[LOCATION-OTHER Southwest Building Room 7A]]", exact: true},
		{text: "in [[LOCATION-OTHER bed 847]], [[LOCATION-OTHER Rm 12]], [[LOCATION-OTHER bed 4-30]]", exact: true},
		{text: "in bed 2 days, on room air, room 1/2 full, suite of tests", exact: true},
	})
}

func TestOrganisations(t *testing.T) {
	runCases(t, "places", []regression{
		{text: "works at [[ORGANIZATION Audiovox]]. Formerly at [[ORGANIZATION BrightPoint]].", exact: true},
		{text: "employed by [[ORGANIZATION Dana Corporation]]; a group called [[ORGANIZATION GO GIRLS]]!", exact: true},
		{text: "studied at the [[ORGANIZATION University of Michigan]], then [[ORGANIZATION Roosevelt Middle School]]", exact: true},
		{text: "a [[ORGANIZATION Minerva]] female attendant", exact: true},
		{text: "works at a bank, worked for years, works by herself, works at night", exact: true},
	})
}

func TestProfessions(t *testing.T) {
	runCases(t, "professions", []regression{
		{text: "He works as a [[PROFESSION truck driver]] and is a retired [[PROFESSION barber]].", exact: true},
		{text: "Occupation: [[PROFESSION teacher]]", exact: true},
		{text: "She is a [[PROFESSION homemaker]]. He is a [[PROFESSION veteran]].", exact: true},
		{text: "Social history: Married, [[PROFESSION glazier]], 3 children", exact: true},
		{text: "He is a smoker. She is a reliable historian. He works in the mornings. Former smoker.", exact: true},
	})
}

func BenchmarkPlaces(b *testing.B)      { benchmarkDetector(b, NewPlaces()) }
func BenchmarkProfessions(b *testing.B) { benchmarkDetector(b, NewProfessions()) }

func TestLabelledFacilities(t *testing.T) {
	runCases(t, "places", []regression{
		{text: "Facility: [[HOSPITAL Valentine, Bush and Jones Hospital]]\nDates: 2020", exact: true},
		{text: "x\nFacility: [[HOSPITAL Harris and Sons Hospital]]", exact: true},
		{text: "Facility: unknown\nPlan: rest and fluids", exact: true},
	})
}
