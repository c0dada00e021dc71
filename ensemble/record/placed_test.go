package record_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// A made-up patient of towns and an employer that are words, and of numbers that lines
// divide.
var (
	readingAtTarget = record.NewGazetteer(record.Record{
		record.City: {"Reading", "Almyra"}, record.State: {"PA", "OR"}, record.Employer: {"Target", "Trivoline", "UPS"},
		record.Street: {"9819 Quillmarsh Ln"}, record.Country: {"US"},
	})
	florida = record.NewGazetteer(record.Record{
		record.State: {"FL", "VA"}, record.City: {"Lake Quillby"}, record.Phone: {"780-310-9912"},
		record.Vehicle: {"EQT 5325"}, record.MRN: {"123456"},
	})
)

// What is never met as a word is the record's place or employer in any case; a word is
// where places and employers are.
func TestRecordPlacesInLowerCase(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(readingAtTarget), []string{
		"from ⟦almyra|CITY⟧, worked at ⟦trivoline|ORGANIZATION⟧. letter to ⟦trivoline|ORGANIZATION⟧",
		"lives at ⟦9819 quillmarsh ln|STREET⟧, ⟦reading|CITY⟧, ⟦pa|STATE⟧ 19601. enjoys reading in bed, reading or writing",
		"⟦reading|CITY⟧ pennsylvania; ⟦Reading|CITY⟧, ⟦PA|STATE⟧; visited ⟦Reading|CITY⟧ in May. Reading glasses. blood pressure reading",
		"worked at ⟦Target|ORGANIZATION⟧ until 2001, inr at target, target inr, ups and downs",
		"LUNGS ARE CLEAR, PA AND LATERAL VIEWS WERE TAKEN OF A READING IN BED OR IN A CHAIR AT HOME, OR ELSEWHERE.",
		"US of the abdomen. AT HOME OR AT WORK. The OR. Ann West, PA-C. Dr. Salem, PA. Kim West, PA.",
	})
}

func TestRecordStates(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(florida), []string{
		"seen in Salem; ⟦Lake\nQuillby|CITY⟧, ⟦FL|STATE⟧",
		"goes to the VA. VA 20/40. fl oz, 100 fl. MCV 90 fl. 5 fl 32137",
	})
}

// Lines end within numbers; short ones may meet by chance.
func TestRecordNumbersOverLines(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(florida), []string{
		"call ⟦780 310\n9912|PHONE⟧ or ⟦780-\n310-9912|PHONE⟧, plate ⟦EQT\n5325|VEHICLE⟧, MRN ⟦123456|MEDICALRECORD⟧",
		"pager ⟦780-310-9912|PAGER⟧, fax: ⟦7803109912|FAX⟧, cell ⟦780.310.9912|PHONE⟧",
		"took 123\n456 of them. 780\n\n310 x 9912. EQT\n\n5326",
	})
}
