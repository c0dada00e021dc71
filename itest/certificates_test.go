package itest

import (
	"os"
	"testing"

	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
	"github.com/pgdeid/pgdeid/sql/roles"
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
	authority := certificatetest.New(t, t.TempDir())
	c := &certificates{}
	for name, pair := range map[string]*keyPair{"source": &c.server, roles.Reader: &c.reader} {
		files := authority.Issue(t, name)
		c.authority = fileText(t, files.AuthorityFile)
		*pair = keyPair{fileText(t, files.CertFile), fileText(t, files.KeyFile)}
	}
	return c
}

func fileText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
