package record_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// valueKind is a kind of value that the made-up hospital hardly has: a record, and how notes write what it holds.
type valueKind struct {
	name   string
	record record.Record
	forms  []string
	label  string  // what notes write before the value
	floor  float64 // recall of values as they are written
}

var valueKinds = []valueKind{
	{name: "family initial", floor: 0.97, label: "Name", forms: []string{"Shandra M.", "Shandra M", "Tomeka H."}, record: record.Record{
		record.NameFirst: {"Shandra"}, record.NameLast: {"Mulvaney"}, record.RelativeName: {"Tomeka Hirose"},
	}},
	{name: "particles", floor: 0.98, label: "Name", record: record.Record{
		record.NameFirst: {"Rosalba"}, record.NameLast: {"de la Verga"}, record.RelativeName: {"Ottokar von Stetten", "Griet van der Meulen"},
	}, forms: []string{
		"Rosalba de la Verga", "de la Verga, Rosalba", "Rosalba delaVerga", "DelaVerga", "Ottokar vonStetten", "Griet vanderMeulen", "van der Meulen",
	}},
	{name: "in one word", floor: 0.90, label: "Name", record: record.Record{
		record.NameFirst: {"Rosalba"}, record.NameLast: {"Delaverga"}, record.RelativeName: {"Alpin MacTavernish", "Griet Vandermeulen", "Sean O'Shaughlin"},
	}, forms: []string{"Rosalba De La Verga", "de la Verga, Rosalba", "Alpin Mac Tavernish", "van der Meulen", "Sean O Shaughlin"}},
	{name: "apostrophe", floor: 0.99, label: "Name", record: record.Record{
		record.NameFirst: {"Brennan"}, record.NameLast: {"O'Dwelly"}, record.RelativeName: {"Francesca D'Amborsio"},
	}, forms: []string{"Brennan O'Dwelly", "O'Dwelly", "Francesca D'Amborsio", "D'Amborsio, Francesca"}},
	{name: "house number", floor: 0.98, label: "Address", record: record.Record{
		record.Street: {"4/118-A Nehrupal Salai", "220 1/2 Mapleton Court", "12-14 Hightower Street", "Unit #5, 77 Ostwald St", "Flat 2B, 14 Crescenta Road", "14B Larkwood Lane"},
	}, forms: []string{
		"4/118-A Nehrupal Salai", "220 1/2 Mapleton Court", "220 1/2 Mapleton Ct", "12-14 Hightower Street", "Unit #5, 77 Ostwald St", "Unit 5, 77 Ostwald Street",
		"Flat 2B, 14 Crescenta Road", "14B Larkwood Lane", "4/118 A Nehrupal Salai",
	}},
	{name: "postcode", floor: 0.89, label: "Postcode", record: record.Record{
		record.Zip: {"M5 3AB", "2204", "K1A 0B1", "SW1A 2AA"},
	}, forms: []string{"M5 3AB", "M53AB", "2204", "K1A 0B1", "SW1A 2AA", "SW1A2AA"}},
	{name: "eircode", floor: 0.91, label: "Eircode", record: record.Record{record.Zip: {"D02 X285", "V94T2H6"}}, forms: []string{"D02 X285", "D02X285", "V94 T2H6", "V94T2H6"}},
	{name: "number", floor: 0.99, label: "MRN", record: record.Record{
		record.MRN: {"E8277165", "00841773"}, record.Phone: {"617-555-0142"}, record.BirthDate: {"1979-01-12"}, record.SSN: {"178-52-8495"},
	}, forms: []string{"E8277165", "00841773", "617-555-0142", "(617) 555-0142", "178-52-8495", "01/12/1979", "12Jan1979", "January 12th, 1979", "Jan 12 1979"}},
	{name: "name", floor: 0.95, label: "Name", record: record.Record{
		record.NameFirst: {"Webbina"}, record.NameMiddle: {"Enid"}, record.NameLast: {"Fendertone"}, record.RelativeName: {"Kaylee Ai-Yojayk"},
	}, forms: []string{"Webbina Fendertone", "Fendertone, Webbina E", "Webbina E. Fendertone", "Fendertone", "Kaylee Ai-Yojayk", "Webbina"}},
}

// carriers are texts around a value: %s is the value, %l its label.
var carriers = []string{
	"%l: %s\n", "%l %s today", "confirmed %s with family", "seen 3/4, %s.", "%l:%s", "at %s, denies pain", "(%s)",
	"%l%s", "%swas seen", "%sDOB 3/4/2011", "note %s5/6/2021 by RN", "%s 41 M", "%s41 M",
}

// Values of kinds that the made-up hospital hardly has are found in each way of writing. The floors are what was measured, less
// a hundredth; postcodes without their town are no more than numbers and letters.
func TestRecallOfKinds(t *testing.T) {
	t.Parallel()
	for _, k := range valueKinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			g := record.NewGazetteer(k.record)
			for n, way := range Ways() {
				held, found := k.covered(t, g, way, rand.New(rand.NewPCG(7, uint64(n))))
				recall := float64(found) / float64(max(1, held))
				t.Logf("%-12s %.4f of %d", way.Name, recall, held)
				if way.Name == "plain" && recall < k.floor {
					t.Errorf("%.4f of the words are found as they are written, want %.2f", recall, k.floor)
				}
			}
		})
	}
}

// covered writes the values of a kind in a way, in every carrier, and counts their words and those that are found.
func (k *valueKind) covered(t *testing.T, g *record.Gazetteer, way Way, rng *rand.Rand) (held, found int) {
	t.Helper()
	for _, form := range k.forms {
		for _, carrier := range carriers {
			v := way.Write(rng, form)
			if v == "" || strings.HasPrefix(carrier, "%s") && carrier[2] != ' ' && !endsInAlnum(v) {
				continue
			}
			head, tail, _ := strings.Cut(strings.ReplaceAll(carrier, "%l", k.label), "%s")
			s := covered(head+v+tail, len(head), len(head)+len(v), find(t, head+v+tail, g))
			held, found = held+s.held, found+s.found
		}
	}
	return held, found
}

func endsInAlnum(s string) bool {
	c := s[len(s)-1] | 0x20
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}
