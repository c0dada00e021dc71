package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

func TestPatternsPhones(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"calling from or the number of the provider: ⟦724.161.1754|PHONE⟧",
		"⟦(555) 555-3333|PHONE⟧, ⟦555-555-3333|PHONE⟧, ⟦+1-808-738-6379x402|PHONE⟧, ⟦(247)746-8723 ext. 402|PHONE⟧",
		"⟦001-932-436-5199x41013|PHONE⟧ and ⟦1 (800) 555-0199|PHONE⟧ and ⟦1-800-FLOWERS|PHONE⟧",
		"cell ⟦724 161 1754|PHONE⟧, tel. ⟦7241611754|PHONE⟧",
		"⟦+44 7700 900 123|PHONE⟧, ⟦0491 570 156|PHONE⟧, ⟦(02) 5550 1234|PHONE⟧, ⟦+91 98765 43210|PHONE⟧",
		"Call w/ questions ⟦86383|PHONE⟧",
		"pager ⟦1-12435|PAGER⟧, beeper #⟦4182|PAGER⟧, x⟦5-1234|PHONE⟧, ext ⟦4521|PHONE⟧",
		"Phone ⟦(552) 589-7722|PHONE⟧, Fax ⟦(465) 603-5662|FAX⟧",
		"⟦555-0142|PHONE⟧ (cell), fax: ⟦831-5926|FAX⟧",
		"F: ⟦555-555-3333|FAX⟧",
	})
}

func TestPatternsNotPhones(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"normal 150-1000 mg, range 200-1000, Na 138 K 4 Cl 102",
		"call in 3 days, call for temp 101.5, called at home, page 2 of 3",
		"WBC 12.5 Hgb 13.1 Plt 250000, 138 102 14 98",
		"T4 5.1 mcg/dL (4.5-12.0)",
		"LOINC 2345-7, CPT 99213, 99214, ICD-10 J45.909, 493.90, Z79.4",
		"ICD-9 250.00 and 401.9; codes 12345, 23456",
	})
}

func TestPatternsNet(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"mail ⟦john.smith+x@mail.example.com|EMAIL⟧.",
		"⟦jan\u0435.patient@example.com|EMAIL⟧, ⟦jane\u0301.patient@example.com|EMAIL⟧",
		"⟦john dot smith at example dot com|EMAIL⟧, ⟦john.smith (at) example.com|EMAIL⟧, ⟦john . smith @ example . com|EMAIL⟧",
		"see ⟦https://records.example.org/patient/83463?a=b|URL⟧, ⟦www.example.org/x|URL⟧ or ⟦mayo-example.org|URL⟧.",
		"from ⟦192.168.11.144|IPADDR⟧, ⟦2001:db8::8a2e:370:7334|IPADDR⟧, device ⟦00:1B:44:11:3A:B7|DEVICE⟧",
		"pain.In the past @ rest. HR 80 @ rest, looked at dot com",
	})
}

func TestPatternsAddresses(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"lives at ⟦500 State Highway 72|STREET⟧",
		"⟦128 Williams Ct|STREET⟧, ⟦1234 N. Main St|STREET⟧. and ⟦12 Elm Avenue Apt 4B|STREET⟧",
		"Address: ⟦3860 Burns Stravenue Apt. 355|STREET⟧, ⟦North Richard|CITY⟧, ⟦IL|STATE⟧ ⟦55841|ZIP⟧",
		"Address: ⟦1234 Six Forks|STREET⟧",
		"⟦5083 Christina Cliff Apt. 163|STREET⟧, ⟦Lake Johnview|CITY⟧, ⟦RI|STATE⟧ ⟦64766|ZIP⟧",
		"⟦942 Elizabeth Street|STREET⟧, ⟦Gold Coast|CITY⟧ ⟦QLD|STATE⟧ ⟦4217|ZIP⟧",
		"⟦10 Downing Street|STREET⟧, London ⟦SW1A 2AA|ZIP⟧; Ottawa ⟦K1A 0B1|ZIP⟧",
		"⟦P.O. Box 123|STREET⟧, ⟦RR 2 Box 45|STREET⟧",
		"Domicilio: ⟦Calle Carmen Romero, 23, 1D|STREET⟧, ⟦Av. Litoral, 30|STREET⟧; AV node 2, AV block",
		"zip ⟦02139|ZIP⟧, ⟦02139-4307|ZIP⟧",
		"took 2 drive tests, 30 point scale, 5 way stop, 12 Step Program, 10 Park",
		"3 Grade St, stage 4 place, 1 Tablet By Mouth Every Day",
	})
}
