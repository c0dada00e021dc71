package pgwire

import (
	"crypto/tls"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Certificate is a server's certificate with its key, from files that can be read
// again while the server runs. It is safe for concurrent use.
type Certificate struct {
	certFile, keyFile string
	now               atomic.Pointer[tls.Certificate]
}

// LoadCertificate reads a certificate (PEM, with those between it and the authority)
// and its key.
func LoadCertificate(certFile, keyFile string) (*Certificate, error) {
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
