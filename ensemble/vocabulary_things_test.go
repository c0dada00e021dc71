package ensemble

import "testing"

// takenBack is a span in a text, and whether it survives [protectVocabulary].
type takenBack struct {
	text, span string
	typ        Type
	kept       bool
}

func checkTakenBack(t *testing.T, by, learned Votes, tests []takenBack) {
	t.Helper()
	for _, tt := range tests {
		start := indexOf(t, tt.text, tt.span)
		for _, sure := range []bool{false, true} {
			spans := []Span{{Start: start, End: start + len(tt.span), Type: tt.typ, By: by, Sure: sure}}
			if got := len(protectVocabulary(&Note{Text: tt.text}, spans, learned)) == 1; got != (tt.kept || sure) {
				t.Errorf("%q in %q as %v, sure %v: kept is %v", tt.span, tt.text, tt.typ, sure, got)
			}
		}
	}
}

func TestThingsCalledAfterPlaces(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"the Denver shunt was flushed", "Denver", City, false},
		{"asked about Kansas tick fever today", "Kansas", State, false},
		{"repeat the Toronto alexithymia scale", "Toronto", City, false},
		{"no exposure to Peruvian wart", "Peruvian", Country, false},
		{"QUESTIONS ABOUT DUTCH MEASLES", "DUTCH", Country, false},
		{"a Singapore ear was treated", "Singapore", Country, false},
		{"By Rome IV this is constipation", "Rome IV", Doctor, false},
		{"classified as Vienna grade two", "Vienna", City, false},
		{"lives in Denver with a shunt", "Denver", City, true},
		{"moved to Kansas fever free", "Kansas", State, true},
		{"flew to Kansas fever gone", "Kansas", State, true},
		{"has family of Peruvian descent", "Peruvian", Country, true},
		{"is a Peruvian man", "Peruvian", Country, true},
		{"came from Denver, Colorado fever gone", "Colorado", State, true},
		{"the Denver hospital was called", "Denver", City, true},
	})
}

func TestThingsCalledAfterPeople(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"Allen's test was normal", "Allen", Patient, false},
		{"a Keller bunionectomy", "Keller", Patient, false},
		{"By Mason type this is minor", "Mason", Doctor, false},
		{"by Fazekas grade this is minor", "Fazekas grade", Doctor, false},
		{"the vein of Galen", "Galen", Patient, false},
		{"shown by Kaplan-Meier", "Kaplan-Meier", Doctor, false},
		{"Christmas disease in a nephew", "Christmas", Date, false},
		{"seen at Christmas dinner", "Christmas", Date, true},
		{"Allen's test results came", "Allen", Patient, true},
		{"Seen by Mason type and screen sent", "Mason", Doctor, true},
		{"Tariq's tubes were flushed", "Tariq", Patient, true},
		{"Dr. Keller bunionectomy clinic", "Keller", Doctor, true},
	})
}

func TestNamesUsedAsWords(t *testing.T) {
	checkTakenBack(t, 1, 0, []takenBack{
		{"Lance the boil today.", "Lance", Patient, false},
		{"PLEASE MARK THE SITE.", "MARK", Doctor, false},
		{"Rosemary oil gave a rash.", "Rosemary", Patient, false},
		{"Amber urine in the bag.", "Amber", Patient, false},
		{"Banks of yarn at home.", "Banks", Patient, false},
		{"Ross was done without complication.", "Ross", Patient, false},
		{"Molly use was denied.", "Molly", Patient, false},
		{"cc: chaplaincy", "chaplaincy", Doctor, false},
		{"Pat the nurse called.", "Pat", Patient, true},
		{"Amber denies pain.", "Amber", Patient, true},
		{"Banks of cardiology agrees.", "Banks", Doctor, true},
		{"Ross was seen today.", "Ross", Patient, true},
		{"Mark was in the pool.", "Mark", Patient, true},
	})
}

func TestRefutesConditionsAndDrugs(t *testing.T) {
	const learned, rule = 2, 1
	tests := []takenBack{
		{"Pt with OSA presents today", "OSA", Patient, false},
		{"the team re JIA.", "JIA", Doctor, false},
		{"Calan was held because of this", "Calan", Patient, false},
		{"Reports a rash to Zzyxol in childhood", "Zzyxol", City, false},
		{"Seen by pain service this afternoon", "pain service", Doctor, false},
		{"eats rice and beans daily", "rice", Patient, false},
		{"PROCEDURES\n* Kraske\n* colonoscopy", "Kraske", Doctor, false},
		{"cc: the infusion center", "the infusion center", Hospital, false},
		{"the team re SMITH.", "SMITH", Patient, true},
		{"Pt with JONES today", "JONES", Patient, true},
		{"seen by OSA today", "OSA", Doctor, true},
		{"signed RN/OSA today", "OSA", Doctor, true},
		{"Smith was held by his mother", "Smith", Patient, true},
		{"Rivers and his wife agree", "Rivers", Patient, true},
		{"VISITORS\n* Kraske\n* Moss", "Kraske", Doctor, true},
	}
	checkTakenBack(t, learned, learned, tests)
	for i := range tests {
		tests[i].kept = true
	}
	checkTakenBack(t, learned|rule, learned, tests[:6])
}

func TestUnseconded(t *testing.T) {
	tests := []takenBack{
		{"Carol singing is her hobby.", "Carol", Patient, false},
		{"Wade through the pool twice.", "Wade", Patient, false},
		{"Julissa ambulated with help.", "Julissa", Patient, true},
		{"Ngoc would like the report.", "Ngoc", Patient, true},
		{"Her sister Carol singing along.", "Carol", Patient, true},
	}
	checkTakenBack(t, 1, 2, tests)
	checkTakenBack(t, 3, 2, []takenBack{{"Wade through the pool twice.", "Wade", Patient, true}})
	checkTakenBack(t, 1, 0, []takenBack{{"Wade through the pool twice.", "Wade", Patient, true}})
}
