package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Mutual is how two processes of one site know each other: each has a certificate of the site's authority and asks the
// other for one. The files are read again for every handshake, so that a certificate can be replaced while a server runs.
type Mutual struct {
	CertFile      string // PEM, with those between it and the authority
	KeyFile       string
	AuthorityFile string // PEM: only certificates that it signed count
}

// Server returns how a server shows its certificate and asks for the client's. Protocols are those that it speaks.
func (m Mutual) Server(protocols ...string) (*tls.Config, error) {
	now := func() (*tls.Config, error) {
		conf, authority, err := m.read(protocols)
		if err != nil {
			return nil, err
		}
		conf.ClientAuth, conf.ClientCAs = tls.RequireAndVerifyClientCert, authority
		return conf, nil
	}
	conf, err := now()
	if err != nil {
		return nil, err
	}
	conf.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return now() }
	return conf, nil
}

// Client returns how a client shows its certificate, and whose it takes from a server. What it returns is of the files as they are.
func (m Mutual) Client(protocols ...string) (*tls.Config, error) {
	conf, authority, err := m.read(protocols)
	if err != nil {
		return nil, err
	}
	conf.RootCAs = authority
	return conf, nil
}

func (m Mutual) read(protocols []string) (*tls.Config, *x509.CertPool, error) {
	pair, err := tls.LoadX509KeyPair(m.CertFile, m.KeyFile)
	if err != nil {
		return nil, nil, fault.New("read certificate "+m.CertFile+" and its key", err, "both must be PEM and belong together")
	}
	op, hint := "read authority "+m.AuthorityFile, "it must be PEM: the certificate that the others are signed with"
	text, err := os.ReadFile(m.AuthorityFile)
	if err != nil {
		return nil, nil, fault.New(op, err, hint)
	}
	authority := x509.NewCertPool()
	if !authority.AppendCertsFromPEM(text) {
		return nil, nil, fault.New(op, errors.New("there is no certificate in it"), hint)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: protocols, Certificates: []tls.Certificate{pair}}, authority, nil
}
