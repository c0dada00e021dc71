package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"testing"
)

// takenBack is a span in a text, and whether it survives [protectVocabulary].
type takenBack struct {
	text, span string
	typ        phi.Type
	kept       bool
}

func checkTakenBack(t *testing.T, by, learned phi.Votes, tests []takenBack) {
	t.Helper()
	for _, tt := range tests {
		start := indexOf(t, tt.text, tt.span)
		for _, sure := range []bool{false, true} {
			spans := []phi.Span{{Start: start, End: start + len(tt.span), Type: tt.typ, By: by, Sure: sure}}
			if got := len(protectVocabulary(&Note{Text: tt.text}, spans, learned)) == 1; got != (tt.kept || sure) {
				t.Errorf("%q in %q as %v, sure %v: kept is %v", tt.span, tt.text, tt.typ, sure, got)
			}
		}
	}
}

func TestThingsCalledAfterPlaces(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"the Denver shunt was flushed", "Denver", phi.City, false},
		{"asked about Kansas tick fever today", "Kansas", phi.State, false},
		{"repeat the Toronto alexithymia scale", "Toronto", phi.City, false},
		{"no exposure to Peruvian wart", "Peruvian", phi.Country, false},
		{"QUESTIONS ABOUT DUTCH MEASLES", "DUTCH", phi.Country, false},
		{"a Singapore ear was treated", "Singapore", phi.Country, false},
		{"By Rome IV this is constipation", "Rome IV", phi.Doctor, false},
		{"classified as Vienna grade two", "Vienna", phi.City, false},
		{"lives in Denver with a shunt", "Denver", phi.City, true},
		{"moved to Kansas fever free", "Kansas", phi.State, true},
		{"flew to Kansas fever gone", "Kansas", phi.State, true},
		{"has family of Peruvian descent", "Peruvian", phi.Country, true},
		{"is a Peruvian man", "Peruvian", phi.Country, true},
		{"came from Denver, Colorado fever gone", "Colorado", phi.State, true},
		{"the Denver hospital was called", "Denver", phi.City, true},
	})
}

func TestThingsCalledAfterPeople(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"Allen's test was normal", "Allen", phi.Patient, false},
		{"a Keller bunionectomy", "Keller", phi.Patient, false},
		{"By Mason type this is minor", "Mason", phi.Doctor, false},
		{"by Fazekas grade this is minor", "Fazekas grade", phi.Doctor, false},
		{"the vein of Galen", "Galen", phi.Patient, false},
		{"shown by Kaplan-Meier", "Kaplan-Meier", phi.Doctor, false},
		{"Christmas disease in a nephew", "Christmas", phi.Date, false},
		{"seen at Christmas dinner", "Christmas", phi.Date, true},
		{"Allen's test results came", "Allen", phi.Patient, true},
		{"Seen by Mason type and screen sent", "Mason", phi.Doctor, true},
		{"Tariq's tubes were flushed", "Tariq", phi.Patient, true},
		{"Dr. Keller bunionectomy clinic", "Keller", phi.Doctor, true},
	})
}

func TestNamesUsedAsWords(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"Lance the boil today.", "Lance", phi.Patient, false},
		{"PLEASE MARK THE SITE.", "MARK", phi.Doctor, false},
		{"Rosemary oil gave a rash.", "Rosemary", phi.Patient, false},
		{"Amber urine in the bag.", "Amber", phi.Patient, false},
		{"Banks of yarn at home.", "Banks", phi.Patient, false},
		{"Ross was done without complication.", "Ross", phi.Patient, false},
		{"Molly use was denied.", "Molly", phi.Patient, false},
		{"cc: chaplaincy", "chaplaincy", phi.Doctor, false},
		{"Pat the nurse called.", "Pat", phi.Patient, true},
		{"Amber denies pain.", "Amber", phi.Patient, true},
		{"Banks of cardiology agrees.", "Banks", phi.Doctor, true},
		{"Ross was seen today.", "Ross", phi.Patient, true},
		{"Mark was in the pool.", "Mark", phi.Patient, true},
	})
}

func TestRefutesConditionsAndDrugs(t *testing.T) {
	const learned, rule = 2, 1
	tests := []takenBack{
		{"Pt with OSA presents today", "OSA", phi.Patient, false},
		{"the team re JIA.", "JIA", phi.Doctor, false},
		{"Calan was held because of this", "Calan", phi.Patient, false},
		{"Reports a rash to Zzyxol in childhood", "Zzyxol", phi.City, false},
		{"Seen by pain service this afternoon", "pain service", phi.Doctor, false},
		{"eats rice and beans daily", "rice", phi.Patient, false},
		{"PROCEDURES\n* Kraske\n* colonoscopy", "Kraske", phi.Doctor, false},
		{"cc: the infusion center", "the infusion center", phi.Hospital, false},
		{"the team re SMITH.", "SMITH", phi.Patient, true},
		{"Pt with JONES today", "JONES", phi.Patient, true},
		{"seen by OSA today", "OSA", phi.Doctor, true},
		{"signed RN/OSA today", "OSA", phi.Doctor, true},
		{"Smith was held by his mother", "Smith", phi.Patient, true},
		{"Rivers and his wife agree", "Rivers", phi.Patient, true},
		{"VISITORS\n* Kraske\n* Moss", "Kraske", phi.Doctor, true},
	}
	checkTakenBack(t, learned, learned, tests)
	for i := range tests {
		tests[i].kept = true
	}
	checkTakenBack(t, learned|rule, learned, tests[:6])
}

func TestUnseconded(t *testing.T) {
	tests := []takenBack{
		{"Carol singing is her hobby.", "Carol", phi.Patient, false},
		{"Wade through the pool twice.", "Wade", phi.Patient, false},
		{"Julissa ambulated with help.", "Julissa", phi.Patient, true},
		{"Ngoc would like the report.", "Ngoc", phi.Patient, true},
		{"Her sister Carol singing along.", "Carol", phi.Patient, true},
	}
	checkTakenBack(t, 1, 2, tests)
	checkTakenBack(t, 3, 2, []takenBack{{"Wade through the pool twice.", "Wade", phi.Patient, true}})
	checkTakenBack(t, 1, 0, []takenBack{{"Wade through the pool twice.", "Wade", phi.Patient, true}})
}
