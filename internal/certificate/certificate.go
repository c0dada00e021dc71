// Package certificate encrypts a server's connections.
package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Certificate is a server's certificate with its key, from files that can be read again while the server runs. It is safe for concurrent
// use.
type Certificate struct {
	certFile, keyFile string
	now               atomic.Pointer[tls.Certificate]
}

// Load reads a certificate (PEM, with those between it and the authority) and its key.
func Load(certFile, keyFile string) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile}
	return c, c.Reload()
}

// Reload reads the files again. After an error the certificate stays as it is.
func (c *Certificate) Reload() error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fault.New("read certificate "+c.certFile+" and its key", err, "both must be PEM and belong together")
	}
	c.now.Store(&pair)
	return nil
}

// alpn is the name of PostgreSQL's protocol, which clients of version 17 and later say.
const alpn = "postgresql"

func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{alpn},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.now.Load(), nil
		},
	}
}

// HTTP returns how a server of web pages shows the certificate.
func (c *Certificate) HTTP() *tls.Config {
	conf := c.config()
	conf.NextProtos = []string{"h2", "http/1.1"}
	return conf
}

// Handshake turns to TLS. A client that begins with it (direct) has to ask for PostgreSQL's protocol: another protocol's client may be
// made to talk to this server.
func (c *Certificate) Handshake(ctx context.Context, conn net.Conn, direct bool) (net.Conn, error) {
	secured := tls.Server(conn, c.config())
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	if direct && secured.ConnectionState().NegotiatedProtocol != alpn {
		return nil, errors.New("the client did not ask for PostgreSQL's protocol")
	}
	return records{secured}, nil
}
