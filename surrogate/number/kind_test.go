package number

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/checkdigit"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		number string
		typ    phi.Type
		want   string
	}{
		{"219099999", phi.SSN, "SSN"},
		{"012345678", phi.SSN, "SSN"},
		{"219099999", phi.HealthPlan, "SSN"},
		{"219099999", phi.MedicalRecord, ""},
		{"046454286", phi.IDNum, "SIN"},
		{"046454286", phi.SSN, "SSN"},
		{"219099999a", phi.HealthPlan, "HICN"},
		{"219099999b1", phi.SSN, "HICN"},
		{"219099999wa", phi.HealthPlan, "HICN"},
		{"219099999a", phi.IDNum, ""},
		{"1eg4te5mk73", phi.HealthPlan, "MBI"},
		{"1eg4te5mk73", phi.IDNum, "MBI"},
		{"0eg4te5mk73", phi.HealthPlan, ""},
		{"1234567893", phi.License, "NPI"},
		{"1234567894", phi.License, ""},
		{"4010232137", phi.IDNum, "NHS number"},
		{"9434765919", phi.MedicalRecord, "NHS number"},
		{"4010232138", phi.IDNum, ""},
		{"ab1234563", phi.License, "DEA number"},
		{"f91234563", phi.License, "DEA number"},
		{"ab1234564", phi.License, ""},
		{"1hgcm82633a004352", phi.Vehicle, "VIN"},
		{"1hgcm82603a004352", phi.Vehicle, ""},
		{"4111111111111111", phi.Account, "payment card"},
		{"4111111111111112", phi.Account, ""},
		{"gb82west12345698765432", phi.Account, "IBAN"},
		{"gb82west12345698765433", phi.Account, ""},
		{"", phi.IDNum, ""},
		{"é", phi.IDNum, ""},
		{"\x00\x00\x00\x00\x00\x00\x00\x00\x00", phi.SSN, ""},
	} {
		k := Of(tt.number, tt.typ)
		if got := ""; k != nil && k.Name != tt.want || k == nil && tt.want != got {
			t.Errorf("%s as %v: %v, want %q", tt.number, tt.typ, k, tt.want)
		}
	}
}

// examples has a number of each kind, in several forms where there are some.
var examples = map[string][]string{
	"SSN": {"219099999", "012345678", "001020304"}, "HICN": {"219099999a", "219099999b1", "219099999wa", "019099999m"}, "MBI": {"1eg4te5mk73", "9aa1a11aa11"},
	"NPI": {"1234567893", "2000000002"}, "NHS number": {"4010232137", "9434765919"}, "DEA number": {"ab1234563", "f91234563"},
	"VIN": {"1hgcm82633a004352"}, "payment card": {"4111111111111111"}, "IBAN": {"gb82west12345698765432"}, "SIN": {"046454286"},
}

// Of what the places of a kind allow, enough fits; all that fits has the form of the kind, and its check digit where the
// places say so, and none was ever issued.
func TestSurrogatesOfKinds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 9))
	valid := map[string]func(string) bool{
		"NPI": checkdigit.NPI, "NHS number": checkdigit.NHS, "DEA number": isDEA, "VIN": isVIN, "MBI": isMBI, "SSN": not(isSIN),
	}
	for i := range kinds {
		k := &kinds[i]
		if len(examples[k.Name]) == 0 {
			t.Errorf("%s: no example", k.Name)
		}
		for _, original := range examples[k.Name] {
			places := k.Places(original)
			if places == nil {
				continue
			}
			if len(places) != len(original) {
				t.Fatalf("%s: %d places of %d", k.Name, len(places), len(original))
			}
			fit := 0
			for range 20_000 {
				var b strings.Builder
				for _, set := range places {
					b.WriteByte(set[rng.IntN(len(set))])
				}
				s := b.String()
				if !k.Fits(s) || Issued(s) {
					continue
				}
				fit++
				if check := valid[k.Name]; check != nil && !check(s) {
					t.Fatalf("%s: %s is not valid", k.Name, s)
				}
				if bySSA(s[:9]) && (k.Name == "SSN" || k.Name == "HICN") {
					t.Fatalf("%s: %s may be somebody's", k.Name, s)
				}
			}
			if fit < 500 {
				t.Errorf("%s: only %d of 20,000 fit", k.Name, fit)
			}
		}
	}
}

// bySSA reports whether the Social Security Administration or, for taxpayers, the Internal Revenue Service may have
// issued nine digits.
func bySSA(s string) bool {
	area, group, serial := s[:3], s[3:5], s[5:9]
	taxpayer := area[0] == '9' && group >= "50"
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000" || taxpayer
}

func TestIssued(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"1234567893": true, "9234567894": false, "1eg4te5mk73": true, "1sg4te5mk73": false, "1eg4te5mb73": false, "9990000018": false, "4010232137": true,
		"ab1234563": true, "nb1234563": false, "4111111111111111": true, "4111111111111112": false, "gb82west12345698765432": true, "046454286": true,
		"1hgcm82633a004352": true, "219099999": false, "": false, "12": false, "abc": false,
	} {
		if got := Issued(s); got != want {
			t.Errorf("%s: %t", s, got)
		}
	}
}

func TestNoKind(t *testing.T) {
	t.Parallel()
	var none *Kind
	if none.Places("12345") != nil || !none.Fits("12345") {
		t.Error("no kind asks for something")
	}
}

func TestBritish(t *testing.T) {
	t.Parallel()
	for national, want := range map[string]string{
		"2071234567": "", "1131234567": "", "7911123456": "7700900", "8001111": "8081570", "3001234567": "3069990", "9091234567": "9098790", "": "",
	} {
		if got := British(national); got != want {
			t.Errorf("%s: %s, want %s", national, got, want)
		}
	}
	for _, d := range drama {
		if len(d.start) != 7 || !strings.HasPrefix(d.start, d.like) {
			t.Errorf("%s for %s", d.start, d.like)
		}
	}
}

func FuzzKinds(f *testing.F) {
	for _, numbers := range examples {
		for _, s := range numbers {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		Issued(s)
		for _, typ := range phi.Types() {
			if k := Of(s, typ); k != nil {
				if places := k.Places(s); places != nil && len(places) != len(s) {
					t.Errorf("%s: %d places for %d characters", k.Name, len(places), len(s))
				}
			}
		}
	})
}
