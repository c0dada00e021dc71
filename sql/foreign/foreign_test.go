package foreign

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/catalog/catalogtest"
)

func TestServerOptions(t *testing.T) {
	cfg, _ := catalogtest.Parse(t, catalogtest.Small)
	t.Setenv("PGSSLMODE", "")
	// The certificate's file is the replica server's: it need not be here.
	cfg.Source.DSN = strings.Replace(cfg.Source.DSN, "?sslrootcert=/etc/ca.pem", "", 1)
	got, err := serverOptions(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"host 'ehr.example.org'", "port '5433'", "dbname 'ehr'", "updatable 'false'", "sslmode 'verify-full'"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	cfg.Source.DSN = "host=127.0.0.1 dbname=ehr"
	if got, err = serverOptions(cfg); err != nil || strings.Contains(got, "sslmode") {
		t.Errorf("loopback: %s, %v", got, err)
	}
	cfg.Source.DSN = "host=127.0.0.1,/run/pg port=5433,5434 dbname=ehr target_session_attrs=primary"
	if got, err = serverOptions(cfg); err != nil || !strings.Contains(got, "host '127.0.0.1,/run/pg', port '5433,5434'") ||
		!strings.Contains(got, "target_session_attrs 'primary'") {
		t.Errorf("two hosts: %s, %v", got, err)
	}
	cfg.Source.ForeignHost = "ehr.internal:6000"
	if got, err = serverOptions(cfg); err != nil || !strings.Contains(got, "host 'ehr.internal', port '6000'") {
		t.Errorf("foreign host with a port: %s, %v", got, err)
	}
	cfg.Source.ForeignHost = "it's"
	if got, err = serverOptions(cfg); err != nil || !strings.Contains(got, "host 'it''s'") || !strings.Contains(got, "sslmode 'verify-full'") {
		t.Errorf("foreign host: %s, %v", got, err)
	}
}
