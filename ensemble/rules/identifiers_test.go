package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// identifiers are lines as notes of many countries have them; all that identifies is marked.
var identifiers = []string{
	"seen on ⟦3/5/2014|DATE⟧ at ⟦10:30|TIME⟧",
	"seen ⟦03-05-14|DATE⟧; d/c ⟦2014-03-05|DATE⟧T⟦13:45:00Z|TIME⟧",
	"⟦2014.03.05|DATE⟧; ⟦5.3.2014|DATE⟧; ⟦05/Mar/2014|DATE⟧",
	"admitted ⟦5 March|DATE⟧, discharged ⟦March 9|DATE⟧",
	"DOB ⟦3/5/54|DATE⟧, d.o.b. ⟦5-Mar-1954|DATE⟧",
	"born in ⟦1954|DATE⟧",
	"⟦March '14|DATE⟧, ⟦spring of 2011|DATE⟧, since ⟦2009|DATE⟧",
	"on the ⟦5th of March|DATE⟧",
	"⟦Mon|DATE⟧ ⟦3/5|DATE⟧, ⟦Tues|DATE⟧ ⟦3/6|DATE⟧, ⟦Thursday|DATE⟧",
	"last ⟦Tuesday|DATE⟧; ⟦Easter|DATE⟧ ⟦Sunday|DATE⟧; on ⟦Christmas|DATE⟧",
	"LMP ⟦2/14|DATE⟧, EDD ⟦11/20|DATE⟧",
	"surgery ⟦11/2014|DATE⟧; ⟦2014-11|DATE⟧",
	"in ⟦3/14|DATE⟧ she had; back in ⟦10/2009|DATE⟧",
	"in ⟦'98|DATE⟧",
	"q ⟦Monday|DATE⟧; every ⟦Tues|DATE⟧",
	"⟦12OCT2015|DATE⟧ ⟦12OCT15|DATE⟧ ⟦Oct-12-2015|DATE⟧",
	"⟦20151012|DATE⟧",
	"⟦10/12/15|DATE⟧ ⟦10:30 AM|TIME⟧",
	"tomorrow ⟦3/6|DATE⟧ at ⟦2pm|TIME⟧",
	"⟦2/3|DATE⟧-⟦2/7|DATE⟧; ⟦2/3/14|DATE⟧-⟦2/7/14|DATE⟧; ⟦Feb 3|DATE⟧-7; ⟦Feb 3|DATE⟧ - ⟦Feb 7, 2014|DATE⟧",
	"⟦March 3rd|DATE⟧ through 7th",
	"⟦3rd of Feb 2014|DATE⟧",
	"⟦Feb. 3, 2014|DATE⟧",
	"⟦Sept 3|DATE⟧",
	"⟦3/5|DATE⟧ note; on ⟦3/5|DATE⟧",
	"Date: ⟦3/5|DATE⟧. Time: 1430",
	"⟦1430 hrs|TIME⟧, ⟦14:30|TIME⟧h, ⟦2.30pm|TIME⟧, ⟦2:30 p.m.|TIME⟧",
	"⟦noon|TIME⟧",
	"at ⟦0600|TIME⟧",
	"⟦67|AGE⟧ y/o, ⟦67|AGE⟧yo, ⟦67|AGE⟧yr old, ⟦67|AGE⟧ year-old, ⟦67|AGE⟧-yr-old",
	"⟦67|AGE⟧M, ⟦67|AGE⟧F, 67 M, ⟦67|AGE⟧ yo M, ⟦67|AGE⟧/F",
	"a ⟦67|AGE⟧ y.o. woman",
	"aged ⟦67|AGE⟧; age: ⟦67|AGE⟧; Age ⟦67|AGE⟧ yrs",
	"⟦sixty-seven|AGE⟧-year-old; ⟦sixty seven|AGE⟧ year old",
	"⟦3 mo old|AGE⟧; ⟦3-month-old|AGE⟧; ⟦6 wk old|AGE⟧",
	"⟦102|AGE⟧-year-old; ⟦95|AGE⟧ yo",
	"turned ⟦67|AGE⟧ in ⟦May|DATE⟧",
	"mother (⟦82|AGE⟧); sister, ⟦54|AGE⟧",
	"⟦(617) 555-0142|PHONE⟧; ⟦617.555.0142|PHONE⟧; ⟦617-555-0142|PHONE⟧ x⟦123|PHONE⟧; ⟦617 555 0142|PHONE⟧",
	"⟦+1 617 555 0142|PHONE⟧; ⟦1-617-555-0142|PHONE⟧; ⟦16175550142|IDNUM⟧; ⟦6175550142|PHONE⟧",
	"⟦+44 20 7946 0958|PHONE⟧; ⟦020 7946 0958|PHONE⟧; ⟦0161 496 0234|PHONE⟧; ⟦07700 900123|PHONE⟧; ⟦07700900123|PHONE⟧",
	"⟦+61 2 5550 1234|PHONE⟧; ⟦(02) 5550 1234|PHONE⟧; ⟦0491 570 156|PHONE⟧; ⟦1300 975 707|PHONE⟧",
	"⟦+353 1 555 0123|PHONE⟧; ⟦01 555 0123|PHONE⟧; ⟦087 555 0123|PHONE⟧",
	"⟦+91 98765 43210|PHONE⟧; ⟦+91-9876543210|PHONE⟧",
	"⟦+64 21 555 012|PHONE⟧; ⟦021 555 0123|PHONE⟧; ⟦09 555 0123|PHONE⟧",
	"⟦+27 11 555 0123|PHONE⟧; ⟦082 555 0123|PHONE⟧",
	"⟦+49 30 901820|PHONE⟧",
	"⟦+33 1 23 45 67 89|PHONE⟧; ⟦01 23 45 67 89|PHONE⟧",
	"⟦+34 612 345 678|PHONE⟧",
	"⟦+52 55 1234 5678|PHONE⟧",
	"⟦+65 6123 4567|PHONE⟧",
	"⟦+852 2123 4567|PHONE⟧",
	"⟦+63 917 123 4567|PHONE⟧; ⟦0917 123 4567|PHONE⟧",
	"⟦+254 712 345678|PHONE⟧; ⟦0712 345678|PHONE⟧",
	"⟦+234 803 123 4567|PHONE⟧; ⟦0803 123 4567|PHONE⟧",
	"ext ⟦4521|PHONE⟧, ext. ⟦4521|PHONE⟧, x⟦4521|PHONE⟧, extension ⟦4521|PHONE⟧",
	"pager ⟦34567|PAGER⟧; pgr ⟦34567|PAGER⟧; beeper: ⟦34567|PAGER⟧; bleep ⟦4521|PAGER⟧; bleeper ⟦4521|PAGER⟧; dect ⟦71234|PAGER⟧",
	"fax ⟦617-555-0143|FAX⟧; F: ⟦617-555-0143|FAX⟧; f ⟦617 555 0143|PHONE⟧",
	"cell ⟦617-555-0142|PHONE⟧, c: ⟦617-555-0142|PHONE⟧, h) ⟦617-555-0142|PHONE⟧, (h) ⟦617-555-0142|PHONE⟧, (w)⟦617-555-0142|PHONE⟧",
	"call ⟦555-0142|PHONE⟧; tel ⟦555 0142|PHONE⟧",
	"⟦jane@example.com|EMAIL⟧; ⟦JANE.DOE@EXAMPLE.CO.UK|EMAIL⟧; ⟦jane.doe+x@ex-ample.org|EMAIL⟧",
	"⟦jane at example dot com|EMAIL⟧",
	"⟦jane(at)example.com|EMAIL⟧",
	"⟦www.example.com|URL⟧, ⟦http://example.com/a?b=c|URL⟧, ⟦example.org/path|URL⟧",
	"⟦10.0.0.12|IPADDR⟧; ⟦192.168.1.1:8080|IPADDR⟧; ⟦fe80::1|IPADDR⟧; ⟦2001:db8::8a2e:370:7334|IPADDR⟧",
	"MAC ⟦00:1B:44:11:3A:B7|DEVICE⟧",
	"SSN ⟦178-52-8495|SSN⟧; SS# ⟦178528495|SSN⟧; ⟦xxx-xx-8495|SSN⟧; soc sec ⟦178 52 8495|SSN⟧",
	"MRN ⟦123456|MEDICALRECORD⟧; MRN: ⟦00-12-34-56|MEDICALRECORD⟧; MR# ⟦123456|MEDICALRECORD⟧; medical record number ⟦123456|MEDICALRECORD⟧; med rec no. ⟦123456|MEDICALRECORD⟧; Unit No: ⟦123-45-67|MEDICALRECORD⟧",
	"⟦MRN123456|IDNUM⟧, mrn#⟦123456|MEDICALRECORD⟧; UR ⟦123456|MEDICALRECORD⟧; URN ⟦123456|MEDICALRECORD⟧; NHI ⟦ABC1234|MEDICALRECORD⟧; hospital no. ⟦A123456|MEDICALRECORD⟧; Hosp No: ⟦Q123456|MEDICALRECORD⟧",
	"NHS ⟦943 476 5919|MEDICALRECORD⟧; NHS no: ⟦9434765919|MEDICALRECORD⟧; NHS Number ⟦943-476-5919|MEDICALRECORD⟧",
	"Medicare ⟦2123 45670 1|HEALTHPLAN⟧; Medicare no ⟦2123456701|HEALTHPLAN⟧; IHI ⟦8003 6012 3456 7890|MEDICALRECORD⟧",
	"Medicare ⟦1EG4-TE5-MK73|HEALTHPLAN⟧; HICN ⟦178528495A|HEALTHPLAN⟧",
	"PPS ⟦1234567TW|SSN⟧; PPSN: ⟦1234567T|SSN⟧",
	"OHIP ⟦1234-567-890-AB|HEALTHPLAN⟧; PHN ⟦9876 543 210|MEDICALRECORD⟧; health card ⟦1234567890|IDNUM⟧",
	"Aadhaar ⟦2345 6789 0123|SSN⟧",
	"NI number ⟦AB123456C|IDNUM⟧; NINO: ⟦AB 12 34 56 C|SSN⟧",
	"passport ⟦123456789|LICENSE⟧; passport no. ⟦X1234567|LICENSE⟧; DL# ⟦S1234567|LICENSE⟧; driver's license ⟦D123-4567-8901|LICENSE⟧; license plate ⟦7ABC123|VEHICLE⟧",
	"DEA ⟦AB1234563|LICENSE⟧; NPI ⟦1234567893|LICENSE⟧; lic # ⟦MD12345|LICENSE⟧; GMC ⟦1234567|LICENSE⟧; AHPRA ⟦MED0001234567|IDNUM⟧; NMC ⟦12A3456E|LICENSE⟧",
	"VIN ⟦1HGCM82633A004352|VEHICLE⟧",
	"acct ⟦4521789|ACCOUNT⟧; account # ⟦00123-45|ACCOUNT⟧; Acct#: ⟦123456789|ACCOUNT⟧; invoice ⟦12345|ACCOUNT⟧; claim #: ⟦ABC1234567|IDNUM⟧; policy ⟦XQZ376870898|HEALTHPLAN⟧; member id ⟦W123456789|HEALTHPLAN⟧; Group # ⟦12345|HEALTHPLAN⟧",
	"auth # ⟦A1234567|IDNUM⟧; case no. ⟦12-34567|IDNUM⟧; accession ⟦S12-4567|IDNUM⟧; acc# ⟦20-12345|ACCOUNT⟧; specimen ⟦12-345-67890|IDNUM⟧",
	"Encounter ⟦123456789|IDNUM⟧; visit # ⟦1234567|IDNUM⟧; CSN ⟦123456789|ACCOUNT⟧; FIN ⟦12345678|ACCOUNT⟧; HAR ⟦123456789|ACCOUNT⟧",
	"order ⟦1234567|IDNUM⟧; ticket # ⟦12345|IDNUM⟧; ref ⟦12345|IDNUM⟧; Ref: ⟦AB/123456|IDNUM⟧",
	"serial no. ⟦ABC12345|DEVICE⟧; SN: ⟦12345ABC|DEVICE⟧; S/N ⟦PQ1234567|IDNUM⟧; UDI (01)⟦00844588003288|IDNUM⟧; lot ⟦A12345|DEVICE⟧; IMEI ⟦490154203237518|DEVICE⟧; device id ⟦12345|DEVICE⟧",
	"pacemaker serial ⟦PJN123456H|DEVICE⟧; Medtronic model 5076 serial ⟦PJN1234567|DEVICE⟧",
	"IBAN ⟦GB82 WEST 1234 5698 7654 32|ACCOUNT⟧; card ⟦4111 1111 1111 1111|ACCOUNT⟧; amex ⟦3782 822463 10005|ACCOUNT⟧",
	"sort code 12-34-56 account ⟦12345678|ACCOUNT⟧; routing ⟦021000021|ACCOUNT⟧",
	"user ⟦jdoe12|USERNAME⟧; login: ⟦jdoe|USERNAME⟧; username ⟦jdoe_12|USERNAME⟧",
	"⟦12 Elm Street|STREET⟧, ⟦Boston|CITY⟧, ⟦MA|STATE⟧ ⟦02115|ZIP⟧; ⟦12 Elm St Apt 4B|STREET⟧; ⟦12B Elm Ave|STREET⟧., #5; ⟦1234 N. Main St|STREET⟧",
	"⟦45 West 23rd Street|STREET⟧; ⟦100 Rte 9|STREET⟧; ⟦2200 Highway 12 E|STREET⟧; ⟦P.O. Box 123|STREET⟧; ⟦PO Box 9|STREET⟧",
	"Flat 3, ⟦12 High Street|STREET⟧, London ⟦SW1A 2AA|ZIP⟧; ⟦22 Acacia Avenue|STREET⟧; Unit ⟦5/22 King St|STREET⟧, ⟦Sydney|CITY⟧ ⟦NSW|STATE⟧ ⟦2000|ZIP⟧",
	"⟦12 Rue de la Paix|STREET⟧, Paris 75002; ⟦Calle Mayor 12|STREET⟧; ⟦Via Roma 12|STREET⟧",
	"Toronto, ON ⟦M5V 2T6|ZIP⟧; ⟦K1A 0B1|ZIP⟧; Boston ⟦MA|STATE⟧ ⟦02115-1234|ZIP⟧; zip ⟦02115|ZIP⟧; ⟦Texas|STATE⟧ ⟦75001|ZIP⟧",
	"at ⟦1600 Pennsylvania Ave NW|STREET⟧",
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for _, line := range identifiers {
		for _, frame := range [][2]string{{"", ""}, {"Seen.\n", "\n\nHe is well."}, {"- ", ""}, {"| ", " |"}, {"\t", "\t"}} {
			want := frame[0] + line + frame[1]
			plain, _ := ensembletest.Unmark(t, want)
			if got := ensembletest.Mark(plain, find(text.NewView(plain), nil)); got != want {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		}
	}
}
