package config

import (
	"strings"
	"testing"
)

func TestReview(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"a role":          {"review: {source_role: ehr_reviewers}", ""},
		"a provider":      {"review: {oidc: {issuer: 'https://login.example.org/realms/h', client_id: review, client_secret_file: s, roles_claim: groups}}", ""},
		"of this machine": {"review: {oidc: {issuer: 'http://127.0.0.1:8080', client_id: review}}", ""},
		"in the clear":    {"review: {oidc: {issuer: 'http://login.example.org', client_id: review}}", "https"},
		"no client":       {"review: {oidc: {issuer: 'https://login.example.org'}}", "client_id"},
		"no issuer":       {"review: {oidc: {client_id: review}}", "issuer"},
		"unknown":         {"review: {roles: {}}", "roles"},
	} {
		var c Config
		var out Problems
		n, ok := parse([]byte(tt.text), &out)
		if !ok {
			t.Fatal(out)
		}
		n.setters(map[string]func(node){"review": c.readReview})
		if tt.want == "" && (len(out) > 0) || tt.want != "" && (len(out) == 0 || !strings.Contains(out.Error(), tt.want)) {
			t.Errorf("%s: %v", name, out)
		}
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"https://review.example.org": "https://review.example.org", "https://review.example.org:8443/": "https://review.example.org:8443",
		"http://localhost:9189": "http://localhost:9189", "http://review.example.org": "", "review.example.org": "", "https://a/b": "",
		"https://u@a": "", "https://a?x": "", "": "",
	} {
		u, err := Origin(s)
		if (err == nil) != (want != "") || err == nil && u.String() != want {
			t.Errorf("%q: %v, %v", s, u, err)
		}
	}
}
