package main

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

func TestServePasswd(t *testing.T) {
	out, _, err := runWords(t, "a secret word\n", "serve", "passwd", "staging")
	name, verifier, ok := strings.Cut(strings.TrimSpace(out), ":")
	if err != nil || !ok || name != "staging" || strings.Contains(out, "secret") {
		t.Fatalf("%q, %v", out, err)
	}
	if _, err := pgwire.ParseVerifier(verifier); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		in    string
		words []string
		code  int
	}{
		{"x\n", []string{"serve", "passwd", "a:b"}, exitUsage},
		{"\n", []string{"serve", "passwd", "a"}, exitFailure},
		{"Ä\n", []string{"serve", "passwd", "a"}, exitFailure},
		{"x\n", []string{"serve", "passwd"}, exitFailure},
	} {
		if out, _, err := runWords(t, c.in, c.words...); exitCodeOf(err) != c.code || out != "" {
			t.Errorf("%v: %q, %v", c.words, out, err)
		}
	}
}
