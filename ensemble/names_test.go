package ensemble

import "testing"

// runCases checks what a single detector finds, written as in regression_test.go.
func runCases(t *testing.T, name string, cases []regression) {
	t.Helper()
	ens, err := New(Options{Detectors: []string{name}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		text, want := parseMarks(t, c.text)
		if problem := check(t, ens, text, want, c.exact); problem != "" {
			t.Errorf("%q: %s", text, problem)
		}
	}
}

func TestNamesByTitle(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "Mr. [[PATIENT Smith]] and Mrs. [[PATIENT Jones-Brown]] came.", exact: true},
		{text: "seen by dr [[DOCTOR smith]] today", exact: true},
		{text: "Drs. [[DOCTOR Patel]], [[DOCTOR Long]] and [[DOCTOR Nguyen]] agree.", exact: true},
		{text: "Dr. [[DOCTOR van der Berg]] and Dr. [[DOCTOR O'Brien]]", exact: true},
		{text: "Dr. [[DOCTOR John W.B. Smith]], Prof. [[DOCTOR de la Cruz]]", exact: true},
		{text: "Ms. [[PATIENT Mary Ann McDonald]]'s son", exact: true},
		{text: "DR. [[DOCTOR JONES]] SAW THE PATIENT", exact: true},
		{text: "Dr. [[DOCTOR X]]. He agreed.", exact: true},
		{text: "nurse [[DOCTOR Kelly]] changed it; the nurse changed it", exact: true},
		{text: "QT 420 ms. Sinus rhythm. MS since 2004.", exact: true},
		{text: "see your doctor. Keep it dry", exact: true},
	})
}

func TestNamesByCredential(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "[[DOCTOR Jane Roe]], MD, PhD", exact: true},
		{text: "[[DOCTOR J. Smith]] RN", exact: true},
		{text: "[[DOCTOR Ann-Marie Li]], PharmD and [[DOCTOR Bob Stone]], PA-C", exact: true},
		{text: "[[DOCTOR Jose Church]], M.D.", exact: true},
		{text: "seen by Cardiology, MD aware; OT, PT consulted", exact: true},
	})
}

func TestNamesByLabel(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "Patient: [[PATIENT Smith, John C]]\nAttending: [[DOCTOR Mary Jones]]\n", exact: true},
		{text: "NAME: [[PATIENT SMITH, JOHN]] MRN 1", exact: true},
		{text: "cc: [[DOCTOR J. Smith]], [[DOCTOR Mary O'Brien-Jones]]", exact: true},
		{text: "Electronically signed by: [[DOCTOR Carla Espinoza]]", exact: true},
		{text: "dictated by [[DOCTOR john smith]]", exact: true},
		{text: "Patient: stable. Surgeon: None. Attending: present throughout.", exact: true},
		{text: "Customer: Hi, my name is [[PATIENT Sophia]].\nAgent: Thanks, [[PATIENT Sophia]].", exact: true},
		{text: "neg nitrite, 2-8 WBC/hpf\nBP stable"},
		{text: "JCS/abc\nverified [[USERNAME tp]]."},
	})
}

func TestNamesByKinship(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "his wife [[PATIENT Ingrid]] and daughter, [[PATIENT Katrina]], were here", exact: true},
		{text: "son ([[PATIENT West]]) is proxy", exact: true},
		{text: "lives with wife [[PATIENT mary]]", exact: true},
		{text: "[[PATIENT Monique]], his sister, agrees", exact: true},
		{text: "Baby [[PATIENT Guerrero]] and Baby Girl [[PATIENT Jones]]", exact: true},
		{text: "mother had breast cancer; brother healthy; friend drove", exact: true},
	})
}

func TestNamesWithoutCue(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "[[PATIENT Jean Martinez]] is a pleasant 27-year-old", exact: true},
		{text: "[[PATIENT SMITH, JOHN C]] was admitted", exact: true},
		{text: "Then [[PATIENT Katherine]] denied it.", exact: true},
		{text: "given to [[PATIENT Katrine]] yesterday", exact: true},
		{text: "[[PATIENT sarah]] is a 27-year-old; [[PATIENT sophia jackson]] is here", exact: true},
		{text: "Will will follow. May be repeated. Grace period. Rose bengal stain.", exact: true},
		{text: "Nitro 10 mg and Amanda 10 mg b.i.d.", exact: true},
		{text: "The Mallory-Weiss tear and Crowe-Davis gag", exact: true},
	})
}

func TestNamesRecur(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "Mr. [[PATIENT Trioki]] was seen. [[PATIENT Trioki]] denies pain. later [[PATIENT trioki]] left.", exact: true},
		{text: "Ms. [[PATIENT Long]] was seen. Long discussion. A long time.", exact: true},
		{text: "Dr. [[DOCTOR Parker]] used a Bard-Parker blade.", exact: true},
	})
}

func BenchmarkNames(b *testing.B) { benchmarkDetector(b, NewNames()) }

func TestNamesInOtherScripts(t *testing.T) {
	runCases(t, "names", []regression{
		{text: "Patient [[PATIENT שרה כהן]] was seen today.", exact: true},
		{text: "He was brought in by [[PATIENT|DOCTOR Анна Петрова]], a neighbor.", exact: true},
		{text: "Mr. [[PATIENT 王]] was seen for follow up.", exact: true},
		{text: "Household and family members:\n[[PATIENT Анна]]\n[[PATIENT Иван]]\nall of them well.", exact: true},
		{text: "Dose of 5 μg and a β-blocker were given, Δ noted.", exact: true},
		{text: "Пациентка жалуется на боль в груди и одышку, ИБС.", exact: true},
		{text: "Lives at 21 [[PATIENT Οδός]] with family and is doing very well", exact: true},
	})
}
