package itest

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

	"github.com/pgdeid/pgdeid/sql"
)

// certificates of an authority, of a server on this machine and of the reader.
type certificates struct {
	authority      string
	server, reader keyPair
}

// keyPair is a certificate with its key, PEM both.
type keyPair struct{ cert, key string }

func newCertificates(t testing.TB) *certificates {
	t.Helper()
	dir := t.TempDir()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caKey := newKey(t)
	sign := func(name string, template *x509.Certificate) keyPair {
		key := newKey(t)
		template.NotAfter, template.KeyUsage = time.Now().Add(time.Hour), x509.KeyUsageDigitalSignature
		writeSigned(t, filepath.Join(dir, name), template, ca, key.Public(), caKey)
		der, err := x509.MarshalECPrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return keyPair{fileText(t, filepath.Join(dir, name)), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))}
	}
	writeSigned(t, filepath.Join(dir, "ca"), ca, ca, caKey.Public(), caKey)
	return &certificates{
		authority: fileText(t, filepath.Join(dir, "ca")),
		server: sign("server", &x509.Certificate{
			SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "source"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}),
		reader: sign("reader", &x509.Certificate{
			SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: sql.ReaderRole}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		}),
	}
}

func fileText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func writeSigned(t testing.TB, path string, template, parent *x509.Certificate, key crypto.PublicKey, signer *ecdsa.PrivateKey) {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, signer)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		t.Fatal(err)
	}
}
