package scram

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"testing"
)

// proofOf makes a client's last message (RFC 5802, section 3).
func proofOf(t testing.TB, password, firstBare, first string) string {
	t.Helper()
	fields := map[byte]string{}
	for f := range strings.SplitSeq(first, ",") {
		fields[f[0]] = f[2:]
	}
	salt, err := base64.StdEncoding.DecodeString(fields['s'])
	if err != nil {
		t.Fatal(err)
	}
	iterations, err := strconv.Atoi(fields['i'])
	if err != nil {
		t.Fatal(err)
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		t.Fatal(err)
	}
	key := sum(salted, "Client Key")
	stored := sha256.Sum256(key)
	without := "c=biws,r=" + fields['r']
	mac := hmac.New(sha256.New, stored[:])
	mac.Write([]byte(firstBare + "," + first + "," + without))
	proof := make([]byte, sha256.Size)
	subtle.XORBytes(proof, key, mac.Sum(nil))
	return without + ",p=" + base64.StdEncoding.EncodeToString(proof)
}

func verifier(t testing.TB) *Verifier {
	t.Helper()
	text, err := GenerateWith("pencil", []byte("a salt"), 64)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLogin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v        *Verifier
		password string
		want     error
	}{
		{verifier(t), "pencil", nil}, {verifier(t), "pen", ErrPassword}, {Mock([]byte("secret"), "x", Shape{64, 16}), "pencil", ErrPassword},
	} {
		l := NewLogin(c.v)
		first, err := l.Start([]byte("n,,n=user,r=client\x00"))
		if err != nil || !strings.HasPrefix(first, "r=client") {
			t.Fatalf("%q, %v", first, err)
		}
		answer, err := l.Finish([]byte(proofOf(t, c.password, "n=user,r=client", first)))
		if !errors.Is(err, c.want) || (c.want == nil) != strings.HasPrefix(answer, "v=") {
			t.Errorf("%s: %q, %v", c.password, answer, err)
		}
	}
}

func TestMalformedLogins(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]error{
		"": ErrMalformed, "n": ErrMalformed, "p=tls-unique,,n=,r=x": ErrBinding, "x,,n=,r=x": ErrMalformed, "n,a=other,n=,r=x": ErrMalformed,
		"n,,r=x": ErrMalformed, "n,,n=": ErrMalformed, "n,,n=,r=": ErrMalformed, "n,,n=,r=a\x01b": ErrMalformed, "n,,n=,x=1": ErrMalformed,
	} {
		if got, err := NewLogin(verifier(t)).Start([]byte(message)); !errors.Is(err, want) {
			t.Errorf("%q: %q, %v", message, got, err)
		}
	}
	for _, message := range []string{"", ",p=", "c=biws,r=x,p=AAAA", "c=biws,r=x,p=!", "c=eSws,r=x,p=" + strings.Repeat("A", 43) + "="} {
		l := NewLogin(verifier(t))
		if _, err := l.Start([]byte("n,,n=,r=x")); err != nil {
			t.Fatal(err)
		}
		if got, err := l.Finish([]byte(message)); err == nil {
			t.Errorf("%q: %q", message, got)
		}
	}
}

func FuzzLogin(f *testing.F) {
	f.Add("n,,n=,r=abc", "c=biws,r=abcX,p=AAAA")
	f.Add("y,,n=x,r=", ",p=")
	v := verifier(f)
	f.Fuzz(func(t *testing.T, first, last string) {
		l := NewLogin(v)
		if _, err := l.start(first, "X"); err != nil {
			return
		}
		if _, err := l.Finish([]byte(last)); err == nil {
			t.Error("a proof was guessed")
		}
	})
}
