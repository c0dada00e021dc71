package ensemble

import (
	"strings"
	"testing"
)

// Names, places, organisations and occupations that no list or label gives away;
// the text is made up.
var recallCases = []regression{
	{text: "Later [[PATIENT Vizirovsky]] asked for water.", exact: true},
	{text: "The plan was made by [[ANY Mohmad R. Vizirov]] and his team.", exact: true},
	{text: "She lives with [[PATIENT Wanjiku Zbornak]] in a flat.", exact: true},
	{text: "He was seen by [[ANY Sun Xiaoyuan]] today.", exact: true},
	{text: "He shouted when we told him that [[ANY Frank]] had left.", exact: true},
	{text: "[[PATIENT Vizirov]] denies pain. Later [[PATIENT Vizirov]] slept.", exact: true},
	{text: "We spoke with [[ANY Elaheh (Ellie) Bozorgzadeh]] today.", exact: true},
	{text: "Spoke with [[ANY jason marbutt]] about the results.", exact: true},
	{text: "Results were sent home with [[ANY Amanda Hand]] on request.", exact: true},
	{text: "Results:\n[[ANY SRINIDHI KULKARNI]]\nStable.", exact: true},
	{text: "Nothing new.\n\n[[ANY Martin]],\nplease call back.", exact: true},
	{text: "Read by [[DOCTOR Anthony D. Loud]], M.D., today.", exact: true},
	{text: "Pneumonia | Dr. [[DOCTOR Henry Seven]] | ward", exact: true},
	{text: "Denied, needs appt. ([[ANY DK]])\nWill call.", exact: true},
	{text: "Seen by: [[DOCTOR Elaine Hopper]] and [[DOCTOR Genoveva Revuelta]], RN", exact: true},

	{text: "Her brother moved to [[CITY Long Beach]] then.", exact: true},
	{text: "He trained at a gym in [[CITY Saskatoon]] and swims.", exact: true},
	{text: "Lives alone at [[ANY 5744 Maple Rd]], [[CITY Woodridge]]. Divorced.", exact: true},
	{text: "EMS ([[CITY Arvada]] Fire) brought her.", exact: true},
	{text: "They came to the [[COUNTRY United States]] from [[COUNTRY Laos]].", exact: true},
	{text: "The illness affects many people in the United States.", exact: true},
	{text: "They fished near [[ANY Yundang Lake]] for years.", exact: true},

	{text: "He was brought to [[HOSPITAL Mercy]] ED by friends.", exact: true},
	{text: "Tentative date next month, [[HOSPITAL MGMG]] [[ANY Suite 43]].", exact: true},
	{text: "Hospitalized [[DATE 2012]] [[HOSPITAL PMG]] for observation, then home.", exact: true},
	{text: "She had a fall; saw Mariano the NP at [[HOSPITAL Maple Grove]]."},
	{text: "[[ANY Main Street Pharmacy]] sent the list.", exact: true},
	{text: "Rx called to [[ANY Walgreens]] by phone.", exact: true},
	{text: "Seen and discussed with attending [[DOCTOR Armendariz]].", exact: true},
	{text: "He was brought to [[HOSPITAL mercy hospital]] by his wife.", exact: true},
	{text: "School note for [[ORGANIZATION Girl Scouts]] was written.", exact: true},
	{text: "She volunteers at [[ORGANIZATION Meals on Wheels]] now.", exact: true},
	{text: "He retired from [[ORGANIZATION Brightmark Systems]] early.", exact: true},

	{text: "Seen today: a [[AGE 54]]-year-old right-handed [[PROFESSION truck driver]] with back pain.", exact: true},
	{text: "Occupation: [[PROFESSION painter]], [[PROFESSION roofer]].", exact: true},
	{text: "His wife works for [[ORGANIZATION Quillmark & Sons]] as a [[PROFESSION bookkeeper]].", exact: true},
	{text: "SOCIAL HISTORY: Married, [[PROFESSION concrete finisher]], two children.", exact: true},
	{text: "After 20 years as [[PROFESSION professor of chemistry]] he moved.", exact: true},
	{text: "A [[AGE 54]]-year-old lady with a cough. She is a former smoker.", exact: true},

	{text: "the patient was seen today with his wife and we spoke to [[PATIENT|DOCTOR patel]] who lives near [[CITY wichita]] and takes aspirin daily.", exact: true},
	{text: "THE PATIENT WAS SEEN TODAY WITH HIS WIFE AND [[PATIENT MARGARET ROSENBERG]] WHO LIVES IN [[CITY WICHITA]] AND TAKES ASPIRIN DAILY.", exact: true},
}

// What looks like the above and must be left alone.
var plainCases = []regression{
	{text: "A dressing of Owen silk was applied with Allen stirrups in place.", exact: true},
	{text: "Braxton Hicks contractions were discussed. Cranial nerves intact.", exact: true},
	{text: "Continue Xarelto, Zofran and Eliquis. Start Shingrix.", exact: true},
	{text: "Flow through the right Glenn rose; a modified Bassini was planned. A Doyen was placed.", exact: true},
	{text: "Medications: Xopenex, Zicam, Zithromax. He was given samples of Levall.", exact: true},
	{text: "A Santa Barbara T-tube was inserted.", exact: true},
	{text: "Coord: normal. Sensory: intact. Motor/Coord/Gait: normal.", exact: true},
	{text: "Streptococcus and Bacteroides grew; Eikenella did not.", exact: true},
	{text: "THE PATIENT WAS GIVEN HEPARIN AND MORPHINE AND THEN WENT TO THE WARD WITH A FOLEY CATHETER AND NO PAIN.", exact: true},
	{text: "the patient was given heparin and morphine and then went to the ward with a foley catheter and no pain.", exact: true},
}

func TestRecall(t *testing.T) {
	ens, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, cases := range [][]regression{recallCases, plainCases} {
		for i, c := range cases {
			text, want := parseMarks(t, c.text)
			switch problem := check(t, ens, text, want, c.exact); {
			case problem != "" && c.known == "":
				t.Errorf("case %d, %q: %s", i, text, problem)
			case problem == "" && c.known != "":
				t.Errorf("case %d, %q is mended: take out known %q", i, text, c.known)
			}
		}
	}
}

func TestRegime(t *testing.T) {
	tests := map[string]regime{
		"": bothCases,
		"The patient was seen by his doctor today and then went home with Jane and Tom after lunch.": bothCases,
		"the patient was seen by his doctor today and then went home with jane and tom after lunch.": onlyLower,
		"THE PATIENT WAS SEEN BY HIS DOCTOR TODAY AND THEN WENT HOME WITH JANE AND TOM AFTER LUNCH.": onlyUpper,
		"too few words": bothCases,
	}
	for text, want := range tests {
		if got := read(&Note{Text: text}).regime(); got != want {
			t.Errorf("regime of %q is %d, want %d", text, got, want)
		}
	}
}

// A note may break off anywhere: whatever a rule looks for behind a cue may be
// missing.
func TestBrokenOff(t *testing.T) {
	ens, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, cases := range [][]regression{paperCases, vocabularyCases, recallCases, plainCases} {
		for _, c := range cases {
			text, _ := parseMarks(t, c.text)
			for i := range text {
				for _, part := range []string{text[:i], text[i:]} {
					if _, err := ens.Detect(t.Context(), &Note{Text: part}); err != nil {
						t.Fatalf("%q: %v", part, err)
					}
				}
			}
		}
	}
	for word := range cueTable() {
		for _, s := range []string{word, word + ".", word + ":", word + ",", "(" + word, word + " A", "A " + word, word + " of", "12 " + word} {
			for _, text := range []string{s, strings.ToUpper(s), strings.ToUpper(s[:1]) + s[1:]} {
				if _, err := ens.Detect(t.Context(), &Note{Text: text}); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
			}
		}
	}
}
