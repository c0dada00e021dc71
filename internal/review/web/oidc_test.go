package web

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// issuer is an identity provider with one code for everybody.
type issuer struct {
	*httptest.Server

	t      testing.TB
	key    *rsa.PrivateKey
	claims map[string]any // over those that fit
	asked  url.Values     // the last request for a token
	nonce  string

	refresh  bool // it gives refresh tokens
	userinfo bool // it has a userinfo endpoint
	bare     bool // a refreshed token comes without an ID token
	status   int  // what it answers when it is asked again; 0: 200
	again    int  // how often it was asked again
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &issuer{t: t, key: key}
	mux := http.NewServeMux()
	b64 := base64.RawURLEncoding.EncodeToString
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		found := map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/auth", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		}
		if p.userinfo {
			found["userinfo_endpoint"] = p.URL + "/userinfo"
		}
		answer(w, found)
	})
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, r *http.Request) {
		p.again++
		if p.status != 0 || r.Header.Get("Authorization") != "Bearer a" {
			http.Error(w, "no", p.status)
			return
		}
		answer(w, p.said())
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1", "n": b64(key.N.Bytes()), "e": b64(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		p.asked = r.PostForm
		token := map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": p.token()}
		if p.refresh {
			token["refresh_token"] = fmt.Sprint("r", p.again)
		}
		if r.PostForm.Get("grant_type") == "refresh_token" {
			if want := fmt.Sprint("r", p.again-1); p.again > 0 && r.PostForm.Get("refresh_token") != want && p.status == 0 {
				t.Errorf("refreshed with %q, want %q", r.PostForm.Get("refresh_token"), want)
			}
			if p.status != 0 {
				http.Error(w, `{"error":"invalid_grant"}`, p.status)
				return
			}
			p.again++
			token["refresh_token"] = fmt.Sprint("r", p.again-1)
			if p.bare {
				delete(token, "id_token")
			}
		}
		answer(w, token)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// token signs what the provider says of a person.
func (p *issuer) token() string {
	claims := p.said()
	part := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			p.t.Error(err)
		}
		return base64.RawURLEncoding.EncodeToString(data)
	}
	signed := part(map[string]string{"alg": "RS256", "kid": "1"}) + "." + part(claims)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		p.t.Error(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// said returns what the provider says of a person.
func (p *issuer) said() map[string]any {
	claims := map[string]any{
		"iss": p.URL, "aud": "review", "sub": "17", "exp": time.Now().Add(time.Minute).Unix(), "iat": time.Now().Unix(), "nonce": p.nonce,
		"preferred_username": "cy", "roles": []string{"reviewer", "of another program"}, "pgdeid_source_role": "ehr_cy",
	}
	maps.Copy(claims, p.claims)
	return claims
}

func newStationAt(t testing.TB, p *issuer, texts ...string) *station {
	t.Helper()
	o, err := Discover(t.Context(), Provider{
		Issuer: p.URL, ClientID: "review", ClientSecret: "s", Redirect: "http://127.0.0.1/login/callback",
		NameClaim: "preferred_username", RolesClaim: "roles", SourceClaim: "pgdeid_source_role",
	})
	if err != nil {
		t.Fatal(err)
	}
	return newStation(t, func(opts *Options) { opts.OIDC = o }, texts...)
}

// begin goes to the provider and returns with which state.
func (b *browser) begin(p *issuer) (state string) {
	b.t.Helper()
	a := b.get("/login/begin")
	to := mustURL(b.t, a.header.Get("Location"))
	q := to.Query()
	if a.status != 303 || !strings.HasPrefix(to.String(), p.URL+"/auth?") || q.Get("code_challenge_method") != "S256" ||
		q.Get("code_challenge") == "" {
		b.t.Fatalf("%d %s", a.status, to)
	}
	p.nonce = q.Get("nonce")
	return q.Get("state")
}

func TestOIDC(t *testing.T) {
	t.Parallel()
	p := newIssuer(t)
	s := newStationAt(t, p, "Seen [Ann Lee].")
	b := s.browser(t)
	if a := b.get("/login"); !strings.Contains(a.body, "/login/begin") {
		t.Error("the page does not lead to the provider")
	}
	state := b.begin(p)
	a := b.get("/login/callback?code=c&state=" + state)
	if a.status != 200 || a.header.Get("Refresh") != "0; url=/" || p.asked.Get("code_verifier") == "" || p.asked.Get("code") != "c" {
		t.Fatalf("%d %v %v", a.status, a.header, p.asked)
	}
	b.post("/rounds/3/next", nil)
	if a := b.get("/rounds/3/notes/1"); a.status != 200 || s.roles[0] != "ehr_cy" || s.views[0].Reader != "cy" {
		t.Errorf("%d %v", a.status, s.roles)
	}
	if a := b.get("/views"); a.status != 403 {
		t.Errorf("a role that the provider did not give: %d", a.status)
	}
	if a := b.get("/login/callback?code=c&state=" + state); a.status != 403 {
		t.Errorf("a state that was used: %d", a.status)
	}
}

func TestOIDCRefuses(t *testing.T) {
	t.Parallel()
	for name, claims := range map[string]map[string]any{
		"another audience":     {"aud": "payroll"},
		"another issuer":       {"iss": "https://evil.example"},
		"another nonce":        {"nonce": "x"},
		"an old token":         {"exp": time.Now().Add(-time.Hour).Unix()},
		"no name":              {"preferred_username": ""},
		"a name that is none":  {"preferred_username": 7},
		"no role":              {"roles": []string{"physician"}},
		"roles that are none":  {"roles": 7},
		"the name of a user":   {"preferred_username": "ann"},
		"a role of the source": {"pgdeid_source_role": strings.Repeat("x", 100)},
	} {
		p := newIssuer(t)
		s := newStationAt(t, p, "x")
		b := s.browser(t)
		state := b.begin(p)
		p.claims = claims
		if a := b.get("/login/callback?code=c&state=" + state); a.status != 403 || b.get("/").status == 200 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	p := newIssuer(t)
	s := newStationAt(t, p, "x")
	victim, attacker := s.browser(t), s.browser(t)
	state := attacker.begin(p)
	if a := victim.get("/login/callback?code=c&state=" + state); a.status != 403 {
		t.Errorf("a login that another browser began: %d", a.status)
	}
	victim.begin(p)
	for _, query := range []string{"", "?code=c", "?code=c&state=x", "?error=access_denied"} {
		if a := victim.get("/login/callback" + query); a.status != 403 {
			t.Errorf("%q: %d", query, a.status)
		}
	}
	state = victim.begin(p)
	s.now = s.now.Add(11 * time.Minute)
	if a := victim.get("/login/callback?code=c&state=" + state); a.status != 403 {
		t.Errorf("after eleven minutes: %d", a.status)
	}
}

func TestDiscoverNeedsAProvider(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := Discover(t.Context(), Provider{Issuer: server.URL, ClientID: "x"}); err == nil ||
		!strings.Contains(fmt.Sprint(err), "identity provider") {
		t.Error(err)
	}
}
