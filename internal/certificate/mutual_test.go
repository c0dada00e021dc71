package certificate_test

import (
	"context"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// shake has a client and a server meet and returns why either did not want the other.
func shake(t *testing.T, server, client *tls.Config) (ofServer, ofClient error) {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	met := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			_, err = conn.Read(make([]byte, 1))
			_ = conn.Close()
		}
		met <- err
	}()
	conn, err := (&tls.Dialer{NetDialer: &net.Dialer{}, Config: client}).DialContext(context.WithoutCancel(t.Context()), "tcp", l.Addr().String())
	if err == nil {
		_, err = conn.Write([]byte("x"))
		_ = conn.Close()
	}
	return <-met, err
}

// configs returns the settings of both ends.
func configs(t *testing.T, server, client certificate.Mutual) (s, c *tls.Config) {
	t.Helper()
	s, err := server.Server("http/1.1")
	if err != nil {
		t.Fatal(err)
	}
	if c, err = client.Client("http/1.1"); err != nil {
		t.Fatal(err)
	}
	return s, c
}

func TestMutual(t *testing.T) {
	t.Parallel()
	ours := certificatetest.New(t, t.TempDir())
	others := certificatetest.New(t, t.TempDir())
	server, client := ours.Issue(t, "worker"), ours.Issue(t, "stream")

	s, c := configs(t, server, client)
	if of, at := shake(t, s, c); of != nil || at != nil {
		t.Errorf("certificates of one authority: %v, %v", of, at)
	}
	s, c = configs(t, server, others.Issue(t, "stranger"))
	c.RootCAs = s.ClientCAs
	if of, _ := shake(t, s, c); of == nil {
		t.Error("a client of another authority was taken")
	}
	_, c = configs(t, server, client)
	c.Certificates = nil
	if of, _ := shake(t, s, c); of == nil {
		t.Error("a client without a certificate was taken")
	}
	s, c = configs(t, others.Issue(t, "false worker"), client)
	if _, at := shake(t, s, c); at == nil {
		t.Error("a server of another authority was taken")
	}
	s, c = configs(t, server, client)
	c.MaxVersion = tls.VersionTLS12
	if _, at := shake(t, s, c); at == nil {
		t.Error("TLS 1.2 was spoken")
	}
}

// A certificate that is replaced counts from the next handshake on.
func TestMutualReadsAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	server := certificatetest.New(t, folder).Issue(t, "worker")
	s, err := server.Server()
	if err != nil {
		t.Fatal(err)
	}
	client := certificatetest.New(t, folder).Issue(t, "stream") // another authority in the same files
	c, err := client.Client()
	if err != nil {
		t.Fatal(err)
	}
	if of, _ := shake(t, s, c); of == nil {
		t.Error("a server whose certificate is of the authority before was taken")
	}
}

func TestMutualSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	whole := certificatetest.New(t, t.TempDir()).Issue(t, "worker")
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]certificate.Mutual{
		"no certificate":  {CertFile: "absent", KeyFile: whole.KeyFile, AuthorityFile: whole.AuthorityFile},
		"another's key":   {CertFile: whole.CertFile, KeyFile: certificatetest.New(t, t.TempDir()).Issue(t, "x").KeyFile, AuthorityFile: whole.AuthorityFile},
		"no authority":    {CertFile: whole.CertFile, KeyFile: whole.KeyFile, AuthorityFile: "absent"},
		"empty authority": {CertFile: whole.CertFile, KeyFile: whole.KeyFile, AuthorityFile: empty},
	} {
		_, ofServer := m.Server()
		_, ofClient := m.Client()
		if ofServer == nil || ofClient == nil || fault.Hint(ofServer) == "" {
			t.Errorf("%s: %v, %v", name, ofServer, ofClient)
		}
	}
}
