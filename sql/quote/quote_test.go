package quote

import "testing"

func TestLiteral(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "'plain'", "it's": "'it''s'", `back\slash`: `E'back\\slash'`, "nul\x00": "'nul'", `'\`: `E'''\\'`, "": "''",
	} {
		if got := Literal(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if got := Name("a", `b"c.d`); got != `"a"."b""c.d"` {
		t.Errorf("a name: %s", got)
	}
}
