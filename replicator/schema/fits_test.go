package schema

import (
	"strings"
	"testing"
)

func TestFits(t *testing.T) {
	t.Parallel()
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
		{"smallint", "32768", false},
		{"smallint", "-32768", true},
		{"smallint", "-32769", false},
		{"integer", "2147483647", true},
		{"integer", "-2147483648", true},
		{"integer", "1.0", false},
		{"integer", " 7", false},
		{"integer", "1_000", false},
		{"integer", "0x10", false},
		{"bigint", "9223372036854775807", true},
		{"bigint", "-9223372036854775808", true},
		{"bigint", "-9223372036854775809", false},
		{"character(3)", "abc", true},
		{"citext", "", true},
		{"uuid", "{6e1f2c9a-0d5b-4c3e-8f7a-1b2c3d4e5f60}", true},
		{"uuid", "{6e1f2c9a-0d5b-4c3e-8f7a-1b2c3d4e5f60", false},
		{"uuid", "6e1f2c9a-0d5b-4c3e-8f7a-1b2c3d4e5f60}", false},
		{"uuid", "6e1f2c9a-0d5b-4c3e-8f7a-1b2c3d4e5f6g", false},
		{"uuid", "6e1f2c9a-0d5b-4c3e-8f7a-1b2c3d4e5f60\n", false},
		{"numeric", "-0.5", true},
		{"numeric", ".5", false},
		{"numeric", "5.", false},
		{"numeric", strings.Repeat("9", 200_000), false},
		{"date", "0000-01-01", false},
		{"date", "0001-01-01", true},
		{"date", "2020-02-28 10:00:00", false},
		{"timestamp without time zone", "2020-02-28 10:00:00.123456", true},
		{"timestamp without time zone", "2020-02-28 10:00:00,5", false},
		{"timestamp without time zone", "2020-02-28 25:00:00", false},
		{"timestamp with time zone", "2020-02-28 10:00:00+02", true},
		{"timestamp with time zone", "2020-02-28 10:00:00", false},
		{"timestamp with time zone", "2020-02-28 10:00:00+16", false},
		{"timestamp with time zone", "2020-02-28 10:00:00-15", true},
		{"ward_kind", "Zebulon", false},
	} {
		if got, known := Fits(c.typ, c.text); got != c.want || known == (c.typ == "ward_kind") {
			t.Errorf("%s %q: %v", c.typ, c.text, got)
		}
	}
}
