package scram

import (
	"encoding/base64"
	"testing"
)

// The salt and the password of RFC 7677, section 3.
func TestScramKeys(t *testing.T) {
	salt, err := base64.StdEncoding.DecodeString("W22ZaJ0SNY7soEsUEjb6gQ==")
	if err != nil {
		t.Fatal(err)
	}
	got, err := GenerateWith("pencil", salt, 4096)
	if err != nil {
		t.Fatal(err)
	}
	const want = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestScramMatches(t *testing.T) {
	one, err := Generate("a password")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Generate("a password")
	if err != nil {
		t.Fatal(err)
	}
	if one == two {
		t.Error("two verifiers with the same salt")
	}
	for verifier, want := range map[string]bool{
		one: true, two: true, "": false, "md5abc": false, "SCRAM-SHA-256$": false, "SCRAM-SHA-256$x:y$z": false,
		"SCRAM-SHA-256$0:AAAA$a:b": false, "SCRAM-SHA-256$999999999999:AAAA$a:b": false, "SCRAM-SHA-256$1:!!$a:b": false,
	} {
		if got := Matches(verifier, "a password"); got != want {
			t.Errorf("%q: %v", verifier, got)
		}
	}
	if Matches(one, "another password") {
		t.Error("another password matches")
	}
	for _, bad := range []string{"", "tab\t", "zwölf", "null\x00"} {
		if _, err := Generate(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func FuzzScramMatches(f *testing.F) {
	f.Add("SCRAM-SHA-256$1:AAAA$a:b")
	f.Add("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$a:b")
	f.Fuzz(func(t *testing.T, verifier string) {
		if len(verifier) < 60 && Matches(verifier, "x") {
			t.Errorf("%q is too short to match", verifier)
		}
	})
}

func TestFits(t *testing.T) {
	t.Parallel()
	text, err := GenerateWith("four or five words", []byte("a salt of 16 byt"), 64)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]bool{"four or five words": true, "four or five word": false, "": false, "Four or five words": false} {
		if v.Fits(password) != want {
			t.Errorf("%q fits: %v", password, !want)
		}
	}
	if Mock([]byte("secret"), "nobody", v.Shape()).Fits("") {
		t.Error("a password fits a user who does not exist")
	}
}
