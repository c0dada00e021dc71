package surrogate

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

func TestKeeps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options Options
		role    record.Role
		want    bool
	}{
		"name":                       {Options{}, record.NameLast, false},
		"zip":                        {Options{}, record.Zip, false},
		"zip of a limited data set":  {Options{Profile: Limited}, record.Zip, true},
		"name of a limited data set": {Options{Profile: Limited}, record.NameFirst, false},
		"facility, kept":             {Options{Actions: map[phi.Type]Action{phi.Hospital: Keep}}, record.Facility, true},
	} {
		m, err := New(testKey(t), tt.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Keeps(tt.role); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
