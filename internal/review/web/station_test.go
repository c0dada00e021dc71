package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// ownCertificate makes a certificate of this machine.
func ownCertificate(t *testing.T) (*certificate.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "station"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pool.AppendCertsFromPEM(text)
	cert, keyFile := filepath.Join(t.TempDir(), "crt"), filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(cert, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := certificate.Load(cert, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return c, pool
}

// serving starts the station on a free port of this machine. stop has it end, in order.
func (s *Station) serving(t *testing.T) (address string, stop func()) {
	t.Helper()
	l, err := s.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return l.Addr().String(), func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// In the clear the station listens for this machine alone.
func TestListen(t *testing.T) {
	t.Parallel()
	open := &Station{}
	for address, ok := range map[string]bool{"127.0.0.1:0": true, "[::1]:0": true, "0.0.0.0:0": false, ":0": false} {
		l, err := open.Listen(t.Context(), address)
		if (err == nil) != ok && !(ok && strings.Contains(err.Error(), "cannot assign")) {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			l.Close()
		} else if !ok && !strings.Contains(fault.Hint(err), "--tls-cert") {
			t.Errorf("%s: no hint: %v", address, err)
		}
	}
}

// Over TLS cookies are for this host and TLS alone, and browsers are told to come back that way. The station ends in order.
func TestServeOverTLS(t *testing.T) {
	t.Parallel()
	c, pool := ownCertificate(t)
	inner := newStation(t, nil, "x")
	s := &Station{Options: inner.opts, TLS: c}
	address, stop := s.serving(t)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+address+"/login", strings.NewReader("name=ann&password="+strings.ReplaceAll(testPassword, " ", "+")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	a, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, a.Body)
	a.Body.Close()
	cookie, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil || a.StatusCode != http.StatusSeeOther || !cookie.Secure || !strings.HasPrefix(cookie.Name, "__Host-") ||
		a.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%d %v %v", a.StatusCode, a.Header, err)
	}
	if err := s.Reload(); err != nil {
		t.Error(err)
	}
	client.CloseIdleConnections()
	stop()
}

func TestNobodyCanLogIn(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{}); err == nil || !strings.Contains(fault.Hint(err), "review passwd") {
		t.Error(err)
	}
}
