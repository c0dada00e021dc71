package surrogate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/checkdigit"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

func TestNumbersKeepTheirForm(t *testing.T) {
	for _, c := range []struct {
		typ      phi.Type
		in, form string
	}{
		{phi.Username, "DF14", `^[A-Z]{2}\d\d$`},
		{phi.Username, "jsmith3", `^[a-z]{6}\d$`},
		{phi.Vehicle, "6TR-435", `^\d[A-Z]{2}-\d{3}$`},
		{phi.Phone, "546-123-0543", `^[2-9][0-8]\d-555-01\d\d$`},
		{phi.Phone, "(546) 123-0543", `^\([2-9]\d\d\) 555-01\d\d$`},
		{phi.Phone, "724.161.1754", `^[2-9]\d\d\.555\.01\d\d$`},
		{phi.Phone, "+1 546 123 0543", `^\+1 [2-9]\d\d 555 01\d\d$`},
		{phi.Phone, "001-546-123-0543x12", `^001-[2-9]\d\d-555-01\d\dx\d\d$`},
		{phi.IDNum, "isolette 11", `^isolette \d\d$`},
		{phi.Username, "admin", `^[a-z]{5}$`},
		{phi.Phone, "5461230543", `^[2-9]\d\d55501\d\d$`},
		{phi.Phone, "546-123-0543 x12", `^[2-9]\d\d-555-01\d\d x\d\d$`},
		{phi.Phone, "546-123-0543, ext. 4411", `^[2-9]\d\d-555-01\d\d, ext\. \d{4}$`},
		{phi.Phone, "123-0543", `^555-01\d\d$`},
		{phi.Phone, "+44 20 7946 0958", `^\+44 1632 960 \d{3}$`},
		{phi.Phone, "1-800-FLOWERS", `^\d-\d{3}-[A-Z]{7}$`},
		{phi.Fax, "(617) 230-4571", `^\([2-9]\d\d\) 555-01\d\d$`},
		{phi.Pager, "1-12435", `^\d-\d{5}$`},
		{phi.Pager, "pager 12435", `^pager \d{5}$`},
		{phi.SSN, "123-45-6789", `^9\d\d-[0-4][1-9]-\d{4}$`},
		{phi.SSN, "123 45 6789", `^9\d\d [0-4][1-9] \d{4}$`},
		{phi.MedicalRecord, "4433245", `^\d{7}$`},
		{phi.MedicalRecord, "MRN: 00012345", `^MRN: 000[1-9]\d{4}$`},
		{phi.MedicalRecord, "#44332-A", `^#\d{5}-[A-Z]$`},
		{phi.Device, "lot number 78-32-DK", `^lot number \d\d-\d\d-[A-Z]{2}$`},
		{phi.Device, "00:1B:44:11:3a:b7", `^[0-9A-F]{2}(:[0-9A-Fa-f]{2}){5}$`},
		{phi.IDNum, "3-1272852", `^\d-\d{7}$`},
		{phi.IDNum, "6f1c1b1e-77aa-4bcd-8ef0-1234567890ab", `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`},
		{phi.IDNum, "10041, 10042", `^\d{5}, \d{5}$`},
		{phi.Account, "4111 1111 1111 1111", `^\d{4}( \d{4}){3}$`},
		{phi.License, "S530-4601-2345", `^[A-Z]\d{3}-\d{4}-\d{4}$`},
		{phi.HealthPlan, "1EG4-TE5-MK73", `^\d[A-Z]{2}\d-[A-Z]{2}\d-[A-Z]{2}\d\d$`},
		{phi.BioID, "53RHM", `^\d\d[A-Z]{3}$`},
		{phi.LocationOther, "Room 7A", `^Room \d[A-Z]$`},
		{phi.Zip, "02139", `^\d{5}$`},
		{phi.Zip, "02139-4307", `^\d{5}-\d{4}$`},
	} {
		form := regexp.MustCompile(c.form)
		for i := range 20 {
			b := testBook(t, fmt.Sprint(i), nil, 0)
			got := one(t, b, c.typ, c.in)
			if !form.MatchString(got) || got == c.in {
				t.Errorf("%v %q becomes %q, want %s", c.typ, c.in, got, c.form)
			}
			if again := one(t, b, c.typ, c.in); again != got {
				t.Errorf("%v %q becomes %q, then %q", c.typ, c.in, got, again)
			}
		}
	}
}

func TestOneNumberWhateverItsPunctuation(t *testing.T) {
	b := testBook(t, "p", nil, 0)
	for _, group := range [][]string{
		{"546-123-0543", "(546) 123-0543", "546.123.0543", "5461230543", "+1 546 123 0543", "1-546-123-0543"},
	} {
		want := letter.Alnum(one(t, b, phi.Phone, group[0]))
		for _, in := range group {
			if got := letter.Alnum(one(t, b, phi.Phone, in)); strings.TrimPrefix(got, "1") != want {
				t.Errorf("%s becomes %s, %s %s", group[0], want, in, got)
			}
		}
	}
	mrn := one(t, b, phi.MedicalRecord, "48-29-13")
	for _, in := range []string{"482913", "48 29 13", "MRN 482913", "00482913", "MRN482913"} {
		if got := strings.TrimLeft(strings.TrimPrefix(letter.Alnum(one(t, b, phi.IDNum, in)), "mrn"), "0"); got != letter.Alnum(mrn) {
			t.Errorf("48-29-13 becomes %s, %s %s", mrn, in, got)
		}
	}
}

func TestNoTwoNumbersShareASurrogate(t *testing.T) {
	b := testBook(t, "p", johnSmith(), 0)
	rng := rand.New(rand.NewPCG(5, 6))
	seen := map[string]string{}
	for range 3000 {
		in := fmt.Sprint(rng.IntN(10000) + 1)
		if rng.IntN(3) == 0 {
			in = fmt.Sprintf("%c%d", 'A'+rng.IntN(3), rng.IntN(200))
		}
		key, got := letter.Alnum(in), letter.Alnum(one(t, b, phi.IDNum, in))
		if key == got {
			t.Fatalf("%s stays", in)
		}
		if was, dup := seen[got]; dup && was != key {
			t.Fatalf("%s and %s both become %s", was, key, got)
		}
		seen[got] = key
	}
}

func TestCardsFailTheirCheckDigit(t *testing.T) {
	for i := range 200 {
		got := letter.Alnum(one(t, testBook(t, fmt.Sprint(i), nil, 0), phi.Account, "4111-1111-1111-1111"))
		if checkdigit.Luhn(got) {
			t.Fatalf("%s could be a card", got)
		}
	}
}

func TestSmallDomainsDoNotRunOut(t *testing.T) {
	b := testBook(t, "p", nil, 0)
	seen := map[string]bool{}
	for i := range 10 {
		in := fmt.Sprint(i)
		got := one(t, b, phi.IDNum, in)
		if got == in || seen[got] {
			t.Errorf("%s becomes %s: itself or another's", in, got)
		}
		seen[got] = true
	}
	for i := range 150 { // more than the 100 numbers of 555-01xx
		one(t, b, phi.Phone, fmt.Sprintf("234-%04d", i))
	}
}

func TestShapes(t *testing.T) {
	for _, norm := range []string{"1", "0", "12", "09", "a1", "12345678", "deadbeef", "6tr435"} {
		s := shapeOf(norm)
		if got := s.text(s.number(norm)); got != norm {
			t.Errorf("%s comes back as %s", norm, got)
		}
		if s.number(norm) >= s.size {
			t.Errorf("%s is beyond its domain", norm)
		}
	}
	if s := shapeOf(strings.Repeat("7", 40)); s.size != 0 {
		t.Errorf("40 digits: size %d, want 0 for too large", s.size)
	}
}

// A patient who was in all beds of a ward leaves no free number for the last of them.
func TestShortNumbersNeverRunOut(t *testing.T) {
	b := testBook(t, "p", nil, -5)
	seen := map[string]string{}
	for n := range 100 {
		for _, bed := range []string{strconv.Itoa(n), fmt.Sprintf("%02d", n)} {
			got := one(t, b, phi.LocationOther, "Bed "+bed)
			if got == "Bed "+bed || len(got) != len("Bed "+bed) {
				t.Errorf("Bed %s became %s", bed, got)
			}
			if other, ok := seen[got]; ok && other != bed {
				t.Errorf("beds %s and %s both became %s", bed, other, got)
			}
			seen[got] = bed
		}
	}
}
