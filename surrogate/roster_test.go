package surrogate

import (
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// manyPersons returns a record with n aliases and relatives.
func manyPersons(n int) record.Record {
	rec := record.Record{record.NameFirst: {"Ann"}, record.NameLast: {"Moss"}}
	for i := range n {
		x := string([]rune{rune('a' + i%26), rune('a' + i/26%26), rune('a' + i/676)})
		rec[record.NameAlias] = append(rec[record.NameAlias], "Ann"+x+" JCS Moss"+x)
		rec[record.RelativeName] = append(rec[record.RelativeName], "J.C. Moss"+x)
	}
	return rec
}

func (x *index) size() int {
	return len(x.persons) + len(x.same) + len(x.initials) + len(x.behind) + len(x.given) + len(x.logins) + len(x.groups)
}

func TestRosterGrowsWithItsPersons(t *testing.T) {
	t.Parallel()
	few, many := newRoster(manyPersons(300)), newRoster(manyPersons(1200))
	if a, b := few.persons.size(), many.persons.size(); b > 5*a {
		t.Errorf("four times the persons make %d entries of %d", b, a)
	}
}

// The index gives the same answers as a linear search.
func TestIndexLikeLookingAtAll(t *testing.T) {
	t.Parallel()
	x := newIndex()
	for _, p := range []person{
		{given: []string{"ann", "mary"}, family: []string{"moss"}},
		{given: []string{"c"}, family: []string{"roe"}},
		{given: []string{"amy"}, family: []string{"moss", "roe"}},
		{family: []string{"alone"}},
		{given: []string{"carl"}, family: []string{"roe"}},
	} {
		x.add(p)
	}
	for _, c := range []struct{ got, want string }{
		{fmt.Sprint(x.byInitials("am")), "[ann moss]"},
		{fmt.Sprint(x.byInitials("amm")), "[ann mary moss]"},
		{fmt.Sprint(x.byInitials("amr")), "[amy moss roe]"},
		{fmt.Sprint(x.byInitials("cr")), "[c roe]"},
		{fmt.Sprint(x.byInitials("mam")), "[moss ann mary]"},
		{fmt.Sprint(x.byInitials("zz")), "[]"},
		{fmt.Sprint(x.byInitials("a")), "[]"},
		{fmt.Sprint(x.allBehind("am", "moss")), "[ann mary]"},
		{fmt.Sprint(x.allBehind("a", "roe")), "[amy]"},
		{fmt.Sprint(x.allBehind("c", "roe")), "[carl]"},
		{fmt.Sprint(x.allBehind("am", "")), "[]"},
		{fmt.Sprint(x.allBehind("m", "")), "[mary]"},
		{x.formal([]string{"carl", "amy"}), "amy"},
		{x.formal([]string{"bob"}), ""},
		{fmt.Sprint(x.logins["amoss"], x.logins["mossa"], x.logins["carlroe"]), "0 0 4"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	if !x.has(person{given: []string{"c"}, family: []string{"roe"}}) || x.has(person{family: []string{"roe"}}) {
		t.Error("who was met")
	}
}

// The cost of a name does not depend on the size of the record.
func TestNamesOfALargeRecord(t *testing.T) { // counts allocations, so not parallel
	allocs := func(n int) float64 {
		b := testBook(t, "p", manyPersons(n), -3)
		text, spans := marked(t, "{PATIENT|Anaab Mosaab}, {PATIENT|JCS} and {DOCTOR|Dr. Q. Mossaac}, {USERNAME|amossaaa}, {PATIENT|"+
			"Annie Mossaba}")
		if _, err := b.Replace(text, spans); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(5, func() {
			if _, err := b.Replace(text, spans); err != nil {
				t.Error(err)
			}
		})
	}
	if few, many := allocs(20), allocs(1200); many > few*3/2+20 {
		t.Errorf("%v allocations with 20 aliases, %v with 1,200", few, many)
	}
}
