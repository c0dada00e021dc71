package surrogate

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

func TestOptionsExplainThemselves(t *testing.T) {
	k := testKey(t)
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Profile: "hipaa"}, `"hipaa"`},
		{Options{Actions: map[phi.Type]Action{phi.Date: "blur"}}, "DATE"},
		{Options{Actions: map[phi.Type]Action{phi.Time: Replace}}, "TIME"},
		{Options{Dates: DateShift{MinDays: -1}}, "min_days"},
		{Options{Dates: DateShift{MinDays: 9, MaxDays: 3}}, "max_days"},
		{Options{Dates: DateShift{MaxDays: 1 << 20}}, "max_days"},
		{Options{Dates: DateShift{Direction: "up"}}, `"up"`},
		{Options{Dates: DateShift{MinDays: 1, MaxDays: 6, WholeWeeks: true}}, "whole week"},
	} {
		if _, err := New(k, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %s", c.opts, err, c.want)
		}
	}
	if _, err := New(nil, Options{}); err == nil || !strings.Contains(err.Error(), "key new") {
		t.Errorf("no key: %v", err)
	}
}

func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Profile: Limited}, "Cambridge, MA 02139, Peru, 3/5/2014, 93, plumber"},
		{Options{Actions: map[phi.Type]Action{
			phi.City: Tag, phi.State: Tag, phi.Zip: Tag, phi.Country: Tag, phi.Date: Tag, phi.Age: Tag, phi.Profession: Tag,
		}}, "[CITY], [STATE] [ZIP], [COUNTRY], [DATE], [AGE], [PROFESSION]"},
		{Options{Profile: Custom, Actions: map[phi.Type]Action{
			phi.City: Keep, phi.State: Keep, phi.Zip: Tag, phi.Country: Keep,
		}}, "Cambridge, MA [ZIP], Peru, 11/25/2013, 89+, plumber"},
	} {
		b := testMaker(t, c.opts).Patient("p", record.NewGazetteer(johnSmith()), nil, -100)
		got := replaced(t, b, "{CITY|Cambridge}, {STATE|MA} {ZIP|02139}, {COUNTRY|Peru}, {DATE|3/5/2014}, {AGE|93}, {PROFESSION|plumber}")
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.opts, got, c.want)
		}
	}
}

// Group C of the main paper's Table 1, with every number and contact.
func TestSafeHarborReplaces(t *testing.T) {
	m := testMaker(t, Options{})
	for _, typ := range phi.Types() {
		want := Replace
		if typ == phi.Time || typ == phi.Profession {
			want = Keep
		}
		if got := m.Action(typ); got != want {
			t.Errorf("%v: %s, want %s", typ, got, want)
		}
	}
}

func TestValueFollowsTheActions(t *testing.T) {
	m := testMaker(t, Options{Profile: Limited, Actions: map[phi.Type]Action{phi.Phone: Tag}})
	b := m.Patient("p", nil, nil, -100)
	for role, want := range map[record.Role]string{
		record.City: "Cambridge", record.BirthDate: "Cambridge", record.Phone: "[PHONE]",
	} {
		if got, _, err := b.Value(role, "Cambridge"); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", role, got, want, err)
		}
	}
}
