// Package certificatetest makes certificates for tests.
package certificatetest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/certificate"
)

// Authority is an authority whose certificates are in a folder.
type Authority struct {
	folder string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
}

// New returns an authority that keeps its files in folder.
func New(t testing.TB, folder string) *Authority {
	t.Helper()
	a := &Authority{folder: folder, key: newKey(t), cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	a.sign(t, "authority", a.cert, a.key.Public())
	return a
}

// Issue makes a certificate of this machine for a server and client called name.
func (a *Authority) Issue(t testing.TB, name string) certificate.Mutual {
	t.Helper()
	key := newKey(t)
	a.sign(t, name, &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, key.Public())
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, a.path(name+".key"), "PRIVATE KEY", der)
	return certificate.Mutual{CertFile: a.path(name + ".pem"), KeyFile: a.path(name + ".key"), AuthorityFile: a.path("authority.pem")}
}

func (a *Authority) path(name string) string { return filepath.Join(a.folder, name) }

func (a *Authority) sign(t testing.TB, name string, template *x509.Certificate, key crypto.PublicKey) {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key, a.key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, a.path(name+".pem"), "CERTIFICATE", der)
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func write(t testing.TB, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}
