package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// Marks of the sentence around a finding stay outside of it, digits never do.
func TestPatternsBounds(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"fax ⟦1-336-555-0175|FAX⟧. Clinic (⟦725-555-0117|PHONE⟧), clinic (⟦(255)555-0127|PHONE⟧), VNA (Elmside, ⟦(384) 555-0111|PHONE⟧)",
		"Ph ⟦378-555-0144|PHONE⟧ Fax ⟦378-555-0145|FAX⟧; ⟦378-555-0145|FAX⟧ (fax)",
		"Moss x⟦34995|PHONE⟧; best number: ⟦1-308-555-0196|PHONE⟧; cell ⟦987-555-0111\nx9907|PHONE⟧",
		"call ⟦(255) 555-0127|PHONE⟧; (call ⟦255-555-0127|PHONE⟧)",
		"cell ⟦921-555-0164|PHONE⟧.\n2. School note; fax ⟦+1 319 555 0165|FAX⟧.\n6) Letter; reach us at ⟦555-0142|PHONE⟧.\n15 beds",
		"cell ⟦921\n555 0164|PHONE⟧; fax ⟦(342) 555-0106|FAX⟧. ⟦9/9|DATE⟧: afebrile",
		"from ⟦4893 Dogwood Ter|STREET⟧. She left ⟦2685 72nd Ave|STREET⟧. S/p CABG, left ⟦425 N Maple Cir|STREET⟧. Per Dr. Lin: CABG X5 ⟦2019|DATE⟧ BY DR. MOSS",
	})
}

// A date is no number of a telephone or a job, whatever is glued to it.
func TestPatternsDatesBesideNumbers(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"INR⟦11/21/2019|DATE⟧ NA 133. date⟦04-07-2020|DATE⟧ na 134",
		"⟦08.12.2021|DATE⟧-⟦08.14.2021|DATE⟧: admitted; ⟦2017-04-06|DATE⟧-⟦2017-04-14|DATE⟧: admitted",
		"qd : ⟦8/17|DATE⟧-⟦8/27|DATE⟧ ACT; seen ⟦5/12-14/2014|DATE⟧",
		"lumpectomy (⟦Sat 4/21|DATE⟧) and on ⟦Sat 7/9|DATE⟧. O2 sat 9/10",
		"C-section x2 ⟦July 2018|DATE⟧, page 2 of 3 ⟦Aug. 26, 2016|DATE⟧ and ⟦2 July 2018|DATE⟧",
	})
}

func TestPatternsJobNumbers(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"Job #: ⟦68912 :6519|IDNUM⟧ SR",
		"Moss MD\n\n⟦XYZ|DOCTOR⟧/⟦25410 :8959|IDNUM⟧ D: ⟦08/29/2020|DATE⟧",
		"Job #: ⟦68912|IDNUM⟧ : 65 at ⟦17:05|TIME⟧",
	})
}
