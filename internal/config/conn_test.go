package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTLSIsDefaultForOtherHosts(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	for _, tt := range []struct {
		dsn    string
		verify bool // the server's certificate is checked, and there is no way round it
	}{
		{"postgres://u@ehr.example.org/d", true},
		{"postgres://u@ehr.example.org/d?application_name=x", true},
		{"host=10.0.0.7 dbname=d user=u", true},
		{"host=127.0.0.1,ehr.example.org dbname=d user=u", true},
		{"postgres://u@ehr.example.org/d?sslmode=disable", false},
		{"host=ehr.example.org dbname=d user=u sslmode=require", false},
		{"postgres://u@127.0.0.1:5433/d", false},
		{"postgres://u@localhost/d", false},
		{"host=/run/postgresql dbname=d user=u", false},
	} {
		c := &Config{Source: Source{DSN: tt.dsn}}
		cfg, err := c.SourceConn(Service)
		if err != nil {
			t.Errorf("%s: %v", tt.dsn, err)
			continue
		}
		verify := cfg.TLSConfig != nil && !cfg.TLSConfig.InsecureSkipVerify
		for _, f := range cfg.Fallbacks {
			verify = verify && f.TLSConfig != nil && !f.TLSConfig.InsecureSkipVerify
		}
		if verify != tt.verify {
			t.Errorf("%s: certificate checked: %v, want %v", tt.dsn, verify, tt.verify)
		}
	}
}

func TestPasswords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("from file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &Config{Source: Source{DSN: "host=/tmp user=u dbname=d", PasswordFile: file, ReaderPasswordFile: file}}
	cfg, err := c.SourceConn(Service)
	if err != nil || cfg.Password != "from file" || cfg.User != "u" {
		t.Errorf("got user %q, error %v", cfg.User, err)
	}
	if cfg, err = c.SourceConn(Reader); err != nil || cfg.User != ReaderRole {
		t.Errorf("reader: got user %q, error %v", cfg.User, err)
	}
	t.Setenv("PGDEID_SOURCE_PASSWORD", "from environment")
	if cfg, err = c.SourceConn(Service); err != nil || cfg.Password != "from environment" {
		t.Errorf("the environment must overrule the file: %v", err)
	}
	if _, err := c.SourceConn(Admin); err == nil || !strings.Contains(err.Error(), "admin_dsn") {
		t.Errorf("no admin_dsn: %v", err)
	}
	c.Replica = Replica{DSN: "host=/tmp", PasswordFile: file + ".none"}
	if _, err := c.ReplicaConn(Service); err == nil {
		t.Error("a missing password file must be an error")
	}
}
