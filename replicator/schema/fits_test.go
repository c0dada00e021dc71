package schema

import (
	"testing"
)

func TestFits(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		want      bool
	}{
		{"bigint", "-7", true},
		{"bigint", "Zebulon Quarkstein", false},
		{"bigint", "9223372036854775808", false},
		{"integer", "2147483648", false},
		{"smallint", "32767", true},
		{"bigint", "", false},
		{"text", "Zebulon", true},
		{"character varying(20)", "Zebulon", true},
		{"text", "a\x00b", false},
		{"text", "a\xff", false},
		{"uuid", "6e1f2c9a-0d5b-4c3e-8f7a-1b2c3d4e5f60", true},
		{"uuid", "6e1f2c9a0d5b4c3e8f7a1b2c3d4e5f60", true},
		{"uuid", "6e1f2c9a-0d5b", false},
		{"numeric(10,0)", "12.50", true},
		{"numeric", "1e5", false},
		{"date", "2020-02-30", false},
		{"date", "2020-02-28", true},
		{"timestamp without time zone", "2020-02-28 10:00:00", true},
		{"ward_kind", "Zebulon", false},
	} {
		if got, known := Fits(c.typ, c.text); got != c.want || known == (c.typ == "ward_kind") {
			t.Errorf("%s %q: %v", c.typ, c.text, got)
		}
	}
}
