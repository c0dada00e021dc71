package surrogate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/checkdigit"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/number"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// Identifiers with a form of their own: what their surrogates are, for any patient and again.
func TestIdentifiersBelongToNobody(t *testing.T) {
	t.Parallel()
	upper := func(valid func(string) bool) func(string) bool {
		return func(s string) bool { return valid(strings.ToUpper(s)) }
	}
	not := func(valid func(string) bool) func(string) bool { return func(s string) bool { return !valid(s) } }
	for _, tt := range []struct {
		typ      phi.Type
		in, form string
		check    func(string) bool // of the surrogate's letters and digits
	}{
		{phi.SSN, "219-09-9999", `^9\d\d-[0-4][1-9]-\d{4}$`, not(checkdigit.Luhn)},
		{phi.SSN, "012-34-5678", `^000-\d\d-\d{4}$`, not(checkdigit.Luhn)},
		{phi.SSN, "001 02 0304", `^000 \d\d \d{4}$`, nil},
		{phi.SSN, "046 454 286", `^000 \d{3} \d{3}$`, not(checkdigit.Luhn)},
		{phi.SSN, "130 692 544", `^9\d\d [0-4][1-9]\d \d{3}$`, not(checkdigit.Luhn)},
		{phi.HealthPlan, "219-09-9999A", `^9\d\d-[0-4][1-9]-\d{4}[A-D]$`, nil},
		{phi.HealthPlan, "219-09-9999-B1", `^9\d\d-[0-4][1-9]-\d{4}-[A-D][1-9]$`, nil},
		{phi.HealthPlan, "1EG4-TE5-MK73", `^[1-9][SLOIBZ][SLOIBZ]\d-[SLOIBZ][SLOIBZ]\d-[SLOIBZ]{2}\d\d$`, nil},
		{phi.HealthPlan, "MBI 9AA1A11AA11", `^MBI [1-9][SLOIBZ][SLOIBZ]\d[SLOIBZ]\d\d[SLOIBZ]{2}\d\d$`, nil},
		{phi.License, "NPI 1234567893", `^NPI 9\d{9}$`, nil},
		{phi.License, "1234567893", `^9\d{9}$`, checkdigit.NPI},
		{phi.License, "1234567890", `^\d{10}$`, not(number.Issued)},
		{phi.IDNum, "401 023 2137", `^999 \d{3} \d{4}$`, checkdigit.NHS},
		{phi.License, "AB1234563", `^[NQVWYZ][A-Z]\d{7}$`, upper(checkdigit.DEA)},
		{phi.License, "F91234563", `^[NQVWYZ]9\d{7}$`, upper(checkdigit.DEA)},
		{phi.Vehicle, "1HGCM82633A004352", `^[145][0-9A-HJ-NPR-Z]{7}[0-9X][0UZ][0-9A-HJ-NPR-Z]{7}$`, upper(checkdigit.VIN)},
		{phi.Account, "4111-1111-1111-1111", `^\d{4}(-\d{4}){3}$`, not(checkdigit.Luhn)},
		{phi.Account, "GB82 WEST 1234 5698 7654 32", `^[A-Z]{2}\d\d [A-Z]{4}( \d{4}){3} \d\d$`, not(upper(checkdigit.IBAN))},
		{phi.IDNum, "046454286", `^\d{9}$`, not(checkdigit.Luhn)},
		{phi.Phone, "020 7123 4567", `^01632 960 \d{3}$`, nil},
		{phi.Phone, "(020) 71234567", `^\(01632\) 960\d{3}$`, nil},
		{phi.Phone, "+44 20 7123 4567", `^\+44 1632 960 \d{3}$`, nil},
		{phi.Phone, "+44 (0)113 123 4567", `^\+44 \(0\)1632 960 \d{3}$`, nil},
		{phi.Phone, "0113-1234567", `^01632-960\d{3}$`, nil},
		{phi.Phone, "0113 12 34 567", `^0163 29 60 \d{3}$`, nil},
		{phi.Phone, "01131234567", `^01632960\d{3}$`, nil},
		{phi.Phone, "0161 123 4567 (home)", `^01632 960 \d{3} \(home\)$`, nil},
		{phi.Phone, "0044 7911 123456", `^0044 7700 900\d{3}$`, nil},
		{phi.Phone, "011 44 28 9012 3456", `^011 44 1632 960 \d{3}$`, nil},
		{phi.Phone, "01223 456789", `^01632 960\d{3}$`, nil},
		{phi.Phone, "+33 1 42 34 56 78", `^\+(28|83|89) \d \d\d( \d\d){3}$`, nil},
		{phi.Phone, "+7 495 123-45-67", `^\+(2 8|8 3|8 9)\d\d \d{3}-\d\d-\d\d$`, nil},
		{phi.Phone, "011 49 30 1234567", `^011 (28|83|89) \d\d \d{7}$`, nil},
		{phi.Phone, "800-230-4571", `^[2-9]\d\d-555-01\d\d$`, nil},
		{phi.Pager, "12435\n67801", `^[1-9]\d{4}\n[1-9]\d{4}$`, nil},
		{phi.Phone, "230-4571, 555", `^555-01\d\d, \d{3}$`, nil},
		{phi.Phone, "+1 (617)\r\n230-4571", `^\+1 \([2-9]\d\d\)\r\n555-01\d\d$`, nil},
		{phi.Fax, "(617)\n230-4571", `^\([2-9]\d\d\)\n555-01\d\d$`, nil},
	} {
		form := regexp.MustCompile(tt.form)
		for i := range 40 {
			b := testBook(t, fmt.Sprint(i), nil, 0)
			got := one(t, b, tt.typ, tt.in)
			if !form.MatchString(got) || got == tt.in {
				t.Errorf("%v %q becomes %q, want %s", tt.typ, tt.in, got, tt.form)
			}
			if tt.check != nil && !tt.check(letter.Alnum(got)) {
				t.Errorf("%v %q becomes %q, which has another check digit", tt.typ, tt.in, got)
			}
			if again := one(t, b, tt.typ, tt.in); again != got {
				t.Errorf("%v %q becomes %q, then %q", tt.typ, tt.in, got, again)
			}
		}
	}
}

// The surrogate of a number is the same with other marks, in other columns and in a book that knows it from the vault.
func TestIdentifiersAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{})
	for _, tt := range []struct {
		role record.Role
		typ  phi.Type
		in   []string
	}{
		{record.SSN, phi.SSN, []string{"219-09-9999", "219 09 9999", "219099999"}},
		{record.License, phi.License, []string{"1234567893", "NPI 1234567893", "NPI# 1234567893"}},
		{record.Plan, phi.HealthPlan, []string{"1EG4-TE5-MK73", "1eg4te5mk73", "MBI: 1EG4 TE5 MK73"}},
		{record.Phone, phi.Phone, []string{"020 7123 4567", "+44 20 7123 4567", "+44 (0)20 71234567", "00442071234567", "011-44-20-7123-4567"}},
		{record.Phone, phi.Fax, []string{"617-230-4571", "(617) 230 4571", "+1.617.230.4571", "1 617 2304571", "001 617-230-4571"}},
	} {
		b := m.Patient("p", nil, nil, -3)
		var stored []Entry
		last := map[string]bool{}
		for _, in := range tt.in {
			text, spans := marked(t, fmt.Sprintf("{%v|%s}", tt.typ, in))
			res, err := b.Replace(text, spans)
			if err != nil {
				t.Fatal(err)
			}
			stored = append(stored, res.New...)
			got := letter.Alnum(res.Text)
			last[got[len(got)-8:]] = true
		}
		if len(last) != 1 || len(stored) != 1 {
			t.Errorf("%v has %d surrogates in %d forms", tt.in[0], len(last), len(tt.in))
		}
		want, _, err := b.Value(tt.role, tt.in[0])
		if err != nil {
			t.Fatal(err)
		}
		got, added, err := m.Patient("p", nil, stored, -3).Value(tt.role, tt.in[0])
		if err != nil || got != want || len(added) != 0 {
			t.Errorf("a column shows %s, and %s with what is stored (%v)", want, got, err)
		}
	}
}

// No number of any length, type and patient becomes one that some authority issues.
func TestNoSurrogateIsIssued(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 8))
	types := []phi.Type{phi.MedicalRecord, phi.IDNum, phi.Account, phi.License, phi.SSN, phi.HealthPlan, phi.Device, phi.Vehicle, phi.BioID}
	forms := []string{"%09d", "%010d", "1%09d", "4%015d", "AB%07d", "GB82WEST%014d", "%011d", "1EG4TE5MK%02d", "1HGCM826%09d"}
	for patient := range 100 {
		b := testBook(t, fmt.Sprint(patient), nil, -3)
		for range 100 {
			in := fmt.Sprintf(forms[rng.IntN(len(forms))], rng.IntN(1_000_000_000))
			typ := types[rng.IntN(len(types))]
			if got := letter.Alnum(one(t, b, typ, in)); number.Issued(got) {
				t.Errorf("%v %s becomes %s, which may be somebody's", typ, in, got)
			}
		}
	}
}

// A patient with more telephones than there are lines for fiction: nobody's all the same, and no two the same.
func TestManyTelephones(t *testing.T) {
	t.Parallel()
	nobody := regexp.MustCompile(`^(([2-9]\d\d)?55501\d\d|1\d{6}|(0|44)1632960\d{3}|(28|83|89)\d{9})$`)
	for _, form := range []string{"207-230-%04d", "230-%04d", "020 7123 %04d", "+49 30 123%04d"} {
		b := testBook(t, "p", nil, -3)
		seen := map[string]bool{}
		for i := range 400 {
			got := letter.Alnum(one(t, b, phi.Phone, fmt.Sprintf(form, i*7)))
			if seen[got] || !nobody.MatchString(got) {
				t.Fatalf("%s becomes %s, another's or somebody's", fmt.Sprintf(form, i*7), got)
			}
			seen[got] = true
			if code := place.OfCode(got[:3]); len(got) == 10 && strings.HasPrefix(form, "207") && code < 0 {
				t.Errorf("%s has an area code of no state", got)
			}
		}
	}
}

// FuzzPhone reads any text as a telephone: what is read can be put together again, and what has a form gets a surrogate
// that is as long.
func FuzzPhone(f *testing.F) {
	for _, s := range []string{"6172304571", "16172304571", "0016172304571", "02071234567", "442071234567", "4402071234567", "01133142345678", "0", ""} {
		f.Add(s, true)
		f.Add(s, false)
	}
	m := testMaker(f, Options{})
	f.Fuzz(func(t *testing.T, norm string, plus bool) {
		d := readPhone(norm, plus)
		if d.form == nil {
			return
		}
		if d.before+d.number[d.cut:] != norm {
			t.Errorf("%q is read as %q and %q", norm, d.before, d.number)
		}
		w := &work{Book: m.Patient("p", nil, nil, -3)}
		if to := w.phone(norm, plus); w.err != nil || len(to) != len(norm) || to == norm {
			t.Errorf("%q becomes %q (%v)", norm, to, w.err)
		}
	})
}
