package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

func TestPatternsIdentifiers(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"MRN: ⟦123456|MEDICALRECORD⟧, ⟦MRN133202|MEDICALRECORD⟧, Medical Record Number: ⟦12-34-56|MEDICALRECORD⟧, MRN ⟦MRN-2468135|MEDICALRECORD⟧",
		"MC # ⟦0937884|MEDICALRECORD⟧Date",
		"SSN ⟦123-45-6789|SSN⟧, ⟦123 45 6789|SSN⟧, ⟦***-**-6789|SSN⟧, last 4 of SSN: ⟦6789|SSN⟧",
		"acct ⟦ACCT41599-7|ACCOUNT⟧, Account #: ⟦1234 5678|ACCOUNT⟧, ⟦HPBN503731|HEALTHPLAN⟧, policy # ⟦XYZ 123 456|HEALTHPLAN⟧, member ID: ⟦W123456789|HEALTHPLAN⟧",
		"Licenses: Driver ⟦WI-4811786|LICENSE⟧, DEA ⟦AB1234563|LICENSE⟧",
		"Plate ⟦OH-1126|VEHICLE⟧, ⟦VIN275580XYZ|VEHICLE⟧, ⟦1HGCM82633A004352|VEHICLE⟧",
		"Pacemaker SN ⟦80395-EF|DEVICE⟧, lot number ⟦78-32-DK|DEVICE⟧, serial #⟦ABCD1234|DEVICE⟧",
		"Fingerprint ID ⟦2003|BIOID⟧, photo ⟦IMG_9108.jpg|BIOID⟧",
		"Study Key ⟦SK-4134-X|IDNUM⟧, ⟦38:Z8912708G|IDNUM⟧, eScription document: ⟦3-1272852|IDNUM⟧, accession ⟦S12-4567|IDNUM⟧",
		"card ⟦4111 1111 1111 1111|ACCOUNT⟧, ⟦4111\u200d1111\u200d1111\u200d1111|ACCOUNT⟧, ⟦４１１１ １１１１ １１１１ １１１１|ACCOUNT⟧",
		"⟦GB82 WEST 1234 5698 7654 32|ACCOUNT⟧, ⟦123e4567-e89b-12d3-a456-426614174000|IDNUM⟧, ⟦2345 6789 0123|IDNUM⟧",
		"Signed ⟦DF14|USERNAME⟧, username: ⟦jsmith9|USERNAME⟧, Vehicle plate: ⟦6TR-435|VEHICLE⟧",
		"order ⟦12345678|IDNUM⟧, ⟦48291047|IDNUM⟧",
	})
}

func TestPatternsNotIdentifiers(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"J45.909, E11.9, S72.001A, CPT 27447, HCPCS J1885, CYP2D6, HLA-B27, SARS-CoV-2, H1N1, CD34, B12",
		"SNOMED-CT | 59621000 | Essential, RxNorm | 1046847 | 24 HR, NDF-RT | N0000006691 | Codeine",
		"WBC25, RBC18550, Plt 250,000, 1,234,567 copies/mL, 150000 IU, $1234567",
		"lot of pain, case 3, order of 10, study of 100 patients, room temperature 70, visit 2, model patient",
		"plate 3.5 mm, 4-hole plate, screw 45 mm, unit 2, chart reviewed 5 times",
		"Medical record reviewed. Account of events in 5 days. License plate seen.",
	})
}

func TestPatternsAges(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"⟦53|AGE⟧RHM, ⟦86|AGE⟧F with CHF, ⟦80|AGE⟧ y/o, ⟦80|AGE⟧yo, ⟦80|AGE⟧ y.o. male, ⟦53|AGE⟧-year-old, ⟦53|AGE⟧ years of age, aged ⟦92|AGE⟧",
		"(Age: ⟦87+|AGE⟧), age ⟦47|AGE⟧, at the age of ⟦5|AGE⟧, turned ⟦80|AGE⟧",
		"a ⟦5 days old|AGE⟧ boy, ⟦6 weeks 4 days old|AGE⟧, ⟦3-month-old|AGE⟧, ⟦DOL 6|AGE⟧, ⟦day of life 7|AGE⟧",
		"had a stroke at ⟦80|AGE⟧, died at ⟦92|AGE⟧ of cancer",
		"in his ⟦80s|AGE⟧, her late ⟦60s|AGE⟧",
		"⟦eighty-five|AGE⟧-year-old man, a ⟦54|AGE⟧ black female",
		"varón de ⟦53|AGE⟧ años, Edad: ⟦53|AGE⟧ años, paciente de ⟦62|AGE⟧ años de edad, dolor de 3 años",
		"for 10 years, 2 weeks ago, 5 days postoperative, 37 weeks gestation, HR at 80, sat at 92, temp 98 F, T 38 M",
		"18F catheter, 5 female patients, grade 4 M, 20 mg",
	})
}
