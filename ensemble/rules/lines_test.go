package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// Lines as hurried people write them: what is PHI stands beside what is not.
func TestPatternsLines(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		`He presented on the ⟦3rd of March|DATE⟧ and again 3 days later on the ⟦6th|DATE⟧.`,
		`Patient seen ⟦4/5|DATE⟧, strength 4/5 in RUE, murmur 2/6, pain 7/10 on ⟦4/6|DATE⟧.`,
		`INR 2.3 on ⟦3/12|DATE⟧, 2.8 on ⟦3/19|DATE⟧; next check ⟦3/26|DATE⟧.`,
		`Surgery: Appy ⟦1972|DATE⟧; TAH/BSO ⟦1984|DATE⟧; L TKR ⟦2004|DATE⟧.`,
		`Next appt ⟦Tues 3/5|DATE⟧ at ⟦2pm|TIME⟧ w/ Dr. Smith; HD on MWF schedule.`,
		`Admit Date: ⟦03052014|DATE⟧ Discharge Date: ⟦03/07/2014|DATE⟧ LOS 2 days`,
		`Date of Service: ⟦2014-03-05|DATE⟧T⟦13:45:00|TIME⟧Z. Accession: ⟦14-MR-002345|IDNUM⟧`,
		`D: ⟦03/05/14|DATE⟧ T: ⟦03/06/14|DATE⟧ ⟦13:22|TIME⟧ Job#: ⟦123456/789012|IDNUM⟧`,
		`ID: ⟦1234567|IDNUM⟧ / MR: ⟦7654321|MEDICALRECORD⟧ / DOB: ⟦1/2/34|DATE⟧ (⟦80|AGE⟧ yo)`,
		`This ⟦80|AGE⟧-yo w/ h/o DM presents. ⟦67|AGE⟧ y.o. woman. ⟦45|AGE⟧yoM. ⟦92|AGE⟧F. ⟦71|AGE⟧ yo RH man. A ⟦7-week-old|AGE⟧. a ⟦3|AGE⟧ y/o. ⟦18 mo old|AGE⟧; ⟦6mo|AGE⟧ M; ⟦2|AGE⟧yr old`,
		`G2P1 at 37 weeks, 28-week twin gestation, 10 year history of diabetes, 20 pack-year, 3 yrs ago, 5-year survival`,
		`Pt states that she turned ⟦90|AGE⟧ last week and is a ⟦90|AGE⟧-year-old`,
		`⟦90|AGE⟧ y/o, ⟦102|AGE⟧-year-old, age ⟦91|AGE⟧`,
		`NPO after 0000; BP 110/70 T 38 M; INR⟦11/21/2019|DATE⟧ 2.3; CABG X5 ⟦2019|DATE⟧; seen ⟦March 5, 2014|DATE⟧, ⟦2010|DATE⟧, died on ⟦Christmas Day 2013|DATE⟧`,
		`Contact: ⟦1.617.555.1212|PHONE⟧, ⟦(617)-555-1212|PHONE⟧, ⟦617/555-1212|PHONE⟧, ⟦617 - 555 - 1212|PHONE⟧, ⟦617–555–1212|PHONE⟧`,
		`call 911; call ⟦1-800-QUIT-NOW|PHONE⟧; ⟦1-888-555-HELP|PHONE⟧; dial 0`,
		`Ht 5'10" Wt 180 lb BMI 25.8 BP 120/80 P 72 R 16 T 98.6 O2 98% RA FS 123`,
		`BP121/57 HR80 T98.6 RR16 SpO298%; BP145/88, P102; WT180 lb; VS: BP138/79/P71`,
		`2nd set biomarkers pending; 3rd dose given; tobacco: 0/10 ppd x 12 years`,
		`WBC 12.3 Hgb 10.2 Hct 31.4 Plt 234 Na 140 K 4.2 Cl 103 CO2 25 BUN 12 Cr 0.9 Glu 101`,
		`Na 140 | 138-145; TSH 2.34 (0.34-5.60); PSA 4.5 ng/mL; CD4 350; VL 10000; CPK 2345; BNP 1234; D-dimer 1500`,
		`ABG 7.38/42/88/24; vent AC 14/500/5/40%; UOP 1200/24h; I/O 2500/1800`,
		`Lasix 40 mg IV x1 at ⟦1430|TIME⟧; heparin 5000 units SQ TID; insulin 70/30 20 units; Percocet 5/325; Advair 250/50; Tylenol #3; Vicodin 5/500 1-2 tabs q4-6h prn`,
		`EGD ⟦10/2013|DATE⟧, CT A/P ⟦10-15-13|DATE⟧, MRI ⟦10.15.13|DATE⟧, bx ⟦15-Oct-13|DATE⟧, f/u ⟦15OCT2013|DATE⟧ ⟦0830|TIME⟧`,
		`Tumor 2.3 x 1.5 x 3.4 cm, T2N0M0, Gleason 3+4=7, ER+/PR-, grade 2/3, 3/15 nodes, margin 0.5 cm; 12/14 nodes positive`,
		`Room 7A, bed 12, 4 West, unit 5B; 3rd floor; 2nd opinion, 1st degree AV block, 5th digit`,
		`Blood cx 3/4 bottles positive; 2/2 bottles GPC 5/6`,
		`Medicare # ⟦123-45-6789A|HEALTHPLAN⟧; Medicaid ID: ⟦AB12345C|HEALTHPLAN⟧; Policy: ⟦XYZ123456789|HEALTHPLAN⟧; Group ⟦12345|HEALTHPLAN⟧; BCBS ID# ⟦XWP123456789|HEALTHPLAN⟧`,
		`Plate ⟦ABC 1234|VEHICLE⟧, license plate ⟦7ABC123|VEHICLE⟧, VIN ⟦1HGBH41JXMN109186|VEHICLE⟧`,
		`visit ⟦www.hospital.org|URL⟧ or ⟦http://bit.ly/abc|URL⟧; email ⟦jdoe@hosp.org|EMAIL⟧ or ⟦j.doe [at] hosp [dot] org|EMAIL⟧; IP ⟦10.0.0.1|IPADDR⟧; twitter @jdoe`,
		`⟦PO Box 999|STREET⟧, ⟦Springfield|CITY⟧ ⟦IL|STATE⟧ ⟦62701|ZIP⟧; c/o 5 Park Pl; ⟦350 Fifth Avenue|STREET⟧, 34th floor; ⟦100 N. State St|STREET⟧.; ⟦RR#3 Box 12|STREET⟧`,
		`⟦fall 2013|DATE⟧, ⟦Fall of '12|DATE⟧, in the ⟦spring|DATE⟧, last ⟦winter|DATE⟧, ⟦Summer 2010|DATE⟧, this past ⟦fall|DATE⟧, after her fall in the ⟦winter|DATE⟧`,
		`POD#3, HD 5, day 12/14 of vanc, cycle 3 day 1, week 12, C2D8`,
		`Vaccines: Hep B ⟦1/2/01|DATE⟧, ⟦3/4/01|DATE⟧; MMR ⟦2001|DATE⟧; Tdap ⟦2010|DATE⟧; flu ⟦10/13|DATE⟧`,
		`Social: retired ⟦1999|DATE⟧, smoked 1 ppd ⟦1960|DATE⟧-⟦1990|DATE⟧, quit ⟦1990|DATE⟧; Army ⟦1965-68|DATE⟧; married 45 years; born in ⟦1931|DATE⟧`,
		`ECOG 1, KPS 80, MMSE 28/30, GCS 15, NIHSS 4, APACHE 22, Child-Pugh B7, MELD 23, ASA 3, Mallampati 2/4, Bishop 6/13`,
		`ICD: I10, E11.65, Z00.00 | CPT: 99214-25 | LOINC 718-7 | NDC 0002-8215-01 | RxCUI 197361 | SNOMED 44054006 | HCPCS G0439`,
		`⟦1234567890123|IDNUM⟧, ⟦12345678|IDNUM⟧, ⟦1234567|IDNUM⟧, 123456, 12345, ⟦987-65-4321|SSN⟧, ⟦98-7654321|IDNUM⟧`,
		`Home phone ⟦(617) 555 1212|PHONE⟧ ext ⟦12|PHONE⟧, work: ⟦617.555.1313|PHONE⟧x⟦14|PHONE⟧, cell ⟦6175551414|PHONE⟧`,
		`Account Number: ⟦400012345678|ACCOUNT⟧; Encounter #: ⟦1000234567|IDNUM⟧; HAR: ⟦600012345|ACCOUNT⟧; DL# ⟦S123-4567-8901|LICENSE⟧`,
	})
}
