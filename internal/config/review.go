package config

import (
	"errors"
	"net/url"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Review is what the review station knows of people.
type Review struct {
	SourceRole string // role of the source of those who have none of their own; "": they can't read
	OIDC       OIDC
}

// OIDC is an identity provider at which reviewers log in. The zero value is none.
type OIDC struct {
	Issuer           string
	ClientID         string
	ClientSecretFile string // or env PGDEID_OIDC_CLIENT_SECRET
	NameClaim        string // who it is; default "preferred_username"
	RolesClaim       string // list of roles; default "roles"
	SourceRoleClaim  string // role of the source; default "pgdeid_source_role"
}

// ClientSecret returns what the station shows the provider; "" for a public client.
func (o *OIDC) ClientSecret() (string, error) {
	secret, _, err := Secret(o.ClientSecretFile, "PGDEID_OIDC_CLIENT_SECRET")
	return secret, err
}

func (c *Config) readReview(n node) {
	r := &c.Review
	n.setters(map[string]func(node){
		"source_role": identifier(&r.SourceRole),
		"oidc":        r.readOIDC,
	})
}

func (r *Review) readOIDC(n node) {
	o := &r.OIDC
	*o = OIDC{NameClaim: "preferred_username", RolesClaim: "roles", SourceRoleClaim: "pgdeid_source_role"}
	n.setters(map[string]func(node){
		"issuer":             text(&o.Issuer),
		"client_id":          text(&o.ClientID),
		"client_secret_file": text(&o.ClientSecretFile),
		"name_claim":         text(&o.NameClaim),
		"roles_claim":        text(&o.RolesClaim),
		"source_role_claim":  text(&o.SourceRoleClaim),
	})
	if u, err := url.Parse(o.Issuer); err != nil || u.Host == "" || u.Scheme != "https" && !isLoopback(u.Hostname()) {
		n.fail("issuer: want the https address of the identity provider")
	}
	if o.ClientID == "" {
		n.fail("client_id: say as whom the provider knows the review station")
	}
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Origin reads the address at which browsers find a server: a scheme and a host, nothing else.
func Origin(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err == nil && (u.Host == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		err = errors.New("it is no origin")
	}
	if err == nil && u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		err = errors.New("it is no https address")
	}
	if err != nil {
		return nil, fault.New("read the origin", err, "write it as https://review.example.org or https://review.example.org:8443")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}
